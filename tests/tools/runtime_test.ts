// The pinned packages that carry a runtime, and that nothing but a build fetches them.
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { checkLock, checkSha256, DONORS, lockFile } from "../../tools/runtime.ts";
import { ROOT } from "../source_files.ts";

/** The packages that a lock file names. */
const packages = (lockText: string): string[] => Object.keys(JSON.parse(lockText).npm);

Deno.test("each runtime's package has a lock file of its own, which asks for what is pinned", () => {
  for (const [target, donor] of Object.entries(DONORS)) {
    const text = Deno.readTextFileSync(lockFile(target));
    assertEquals(packages(text), [`${donor.name}@${donor.version}`]);
    checkLock(donor, text, lockFile(target));
    const other = { ...donor, integrity: "sha512-other" };
    assertThrows(() => checkLock(other, text, "x.lock"), Error, `x.lock has ${donor.integrity}`);
    assertThrows(() => checkLock(donor, "{}", "x.lock"), Error, "x.lock has no integrity");
  }
});

Deno.test("the lock that every task reads names no runtime: Deno would fetch it to run one test", () => {
  const locked = packages(Deno.readTextFileSync(`${ROOT}deno.lock`));
  const donors = Object.values(DONORS).map(({ name }) => name);
  assertEquals(locked.filter((name) => donors.some((donor) => name.startsWith(donor))), []);
});

Deno.test("a runtime with another checksum is refused", async () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  await checkSha256(new Uint8Array(), empty, "nothing");
  const refused = await checkSha256(new Uint8Array(1), empty, "a byte").catch((error: Error) => error.message);
  assertMatch(String(refused), /^a byte has sha256 6e34/);
});
