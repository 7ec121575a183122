// The release: the same bytes each time, sums that check, every target built or named, and the other architecture run.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { existsSync } from "@std/fs/exists";
import { join } from "@std/path/join";
import { NoRuntime } from "../../tools/runtime.ts";
import { type Built, release, TARGETS } from "../../tools/release.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";
import { BINARY, needing, runProgram } from "../binary.ts";

const ARM = "aarch64-unknown-linux-gnu";
const ARM_LIBRARIES = "/usr/aarch64-linux-gnu";
const CAPTURE = join(ROOT, "tests/data/corpus/claude/bash.hooks.jsonl");

const armLibraries = existsSync(`${ARM_LIBRARIES}/lib/libgcc_s.so.1`);

const fileFor = (all: readonly Built[], target: string): string => {
  const file = all.find((built) => built.target === target)?.file;
  assert(file, target);
  return file;
};

Deno.test({
  ...needing("a release is reproducible, summed, and whole or says why not", { VIGIL_BINARY: BINARY !== "" }),
  fn: () =>
    withFolder(async (folder) => {
      const host = Deno.build.target;
      const [first] = await release(join(folder, "first"), [host]);
      const all = await release(join(folder, "all"), TARGETS);

      assertEquals(all.map(({ target }) => target), TARGETS);
      assertEquals(all.find(({ target }) => target === host)?.sha256, first.sha256);
      for (const { target, problem } of all) {
        assert(problem === null || problem instanceof NoRuntime, `${target}: ${problem?.message}`);
        if (target.includes("linux")) assertEquals(problem, null, target);
      }

      const files = [...Deno.readDirSync(join(folder, "all"))].map((entry) => entry.name);
      assertEquals(files.sort(), [...all.flatMap(({ file }) => file ?? []), "SHA256SUMS"].sort());
      const check = await runProgram(["sha256sum", "--check", "--strict", "SHA256SUMS"], "", {
        cwd: join(folder, "all"),
      });
      assertEquals([check.code, check.stdout.match(/: OK$/gm)?.length], [0, files.length - 1], check.stderr);

      const version = await runProgram([join(folder, "all", fileFor(all, host)), "--version"]);
      assertMatch(version.stdout, new RegExp(`^vigil \\S+ \\([0-9a-f]{12}(-dirty)?\\) deno \\S+ ${host}\\n$`));
    }),
});

Deno.test({
  ...needing("the aarch64 binary beats, checks and observes under qemu", {
    VIGIL_BINARY: BINARY !== "",
    "qemu-aarch64 (qemu-user)": await installed("qemu-aarch64"),
    "libc6-arm64-cross and libgcc-s1-arm64-cross": armLibraries,
  }),
  fn: () =>
    withFolder(async (folder) => {
      const [{ file, problem }] = await release(folder, [ARM]);
      assert(file !== null, problem?.message);
      const vigil = (args: string[], input = "") =>
        runProgram(["qemu-aarch64", "-L", ARM_LIBRARIES, join(folder, file), ...args], input, {
          env: { JSC_HOME: folder },
        });
      assertMatch((await vigil(["--version"])).stdout, /^vigil .* aarch64-unknown-linux-gnu\n$/);
      assertEquals((await vigil(["heartbeat", "check"])).code, 3);
      assertEquals((await vigil(["heartbeat", "write"])).code, 0);
      assertEquals((await vigil(["heartbeat", "check"])).code, 0);
      const hooks = await Deno.readTextFile(CAPTURE);
      const here = await runProgram([BINARY, "observe", "--format", "json"], hooks);
      const there = await vigil(["observe", "--format", "json"], hooks);
      const states = (text: string) => text.trim().split("\n").map((line) => JSON.parse(line).to);
      assertEquals([there.code, states(there.stdout)], [0, states(here.stdout)]);
    }),
});
