// Many writers, some of them killed, and a reader that must never see anything but a whole record.
import { assert, assertEquals } from "@std/assert";
import { readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";
import { writeHeartbeat } from "../../lib/heartbeat/store.ts";
import { startVigil, withFolder } from "../run_vigil.ts";
import { ageLeftovers, names, runAtomicity } from "./atomicity_run.ts";

const WRITERS = 8;

Deno.test("8 writers, one of them killed every now and then, and a reader: 10,000 whole beats and no litter", async () => {
  const { writes, kills, reads, torn, litter } = await runAtomicity(10_000);
  assert(writes >= 10_000 && kills > WRITERS && reads > 100, `${writes} writes, ${kills} kills, ${reads} reads`);
  assertEquals({ torn, litter }, { torn: 0, litter: 0 });
});

Deno.test("the program itself, started many times at once and killed half of the times", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/heartbeat`;
    const args = ["heartbeat", "write", "--file", file, "--session", "x".repeat(300)];
    for (let round = 0; round < 3; round++) {
      const children = Array.from({ length: WRITERS }, () => startVigil(args));
      // The first to end shows that the others are about to write.
      await Promise.race(children.map((child) => child.status));
      for (const child of children.filter((_, n) => n % 2 === 0)) {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended already.
        }
      }
      const outcomes = await Promise.all(children.map((child) => child.output()));
      for (const { code, signal } of outcomes) assert(code === 0 || signal === "SIGKILL", `${code}`);
      const sighting = readHeartbeat(file);
      assert(sighting.kind === "file" && /^ts=\d+\npid=\d+\ncli=\nsession=x{300}\n$/.test(sighting.text));
    }
    ageLeftovers(folder);
    writeHeartbeat(file, { ts: 1800000000, pid: 1, cli: "", session: "" });
    assertEquals(names(folder), ["heartbeat"]);
  });
});
