// `deno run` and `deno compile` as one types them, without a task: nothing but the permissions that vigil needs.
import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path/join";
import { existsSync } from "@std/fs/exists";
import { runtimeCacheFile } from "../../tools/runtime.ts";
import { BINARY, needing, runProgram } from "../binary.ts";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";

/** As the documentation gives them. */
const PERMISSIONS = ["--allow-read", "--allow-write", "--allow-env"];

const deno = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = ROOT) =>
  runProgram([Deno.execPath(), ...args], "", {
    cwd,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1", ...env },
  });

Deno.test("deno run --allow-read --allow-write --allow-env cli.ts runs the heartbeat's whole life", () =>
  withFolder(async (folder) => {
    const vigil = (...args: string[]) => deno(["run", ...PERMISSIONS, "cli.ts", ...args], { JSC_HOME: folder });
    for (const [command, code] of [["check", 3], ["write", 0], ["check", 0], ["clear", 0], ["check", 3]] as const) {
      assertEquals((await vigil("heartbeat", command)).code, code, command);
    }
    const observed = await vigil("observe", join(ROOT, "tests/data/corpus/claude/bash.hooks.jsonl"));
    assertEquals(observed.code, 0, observed.stderr);
    assertMatch(observed.stdout, /working → idle/);
  }));

Deno.test({
  ...needing("deno compile cli.ts makes a program of the same", {
    VIGIL_BINARY: BINARY !== "",
    "Deno's runtime in its cache (deno task compile puts it there)": existsSync(
      await runtimeCacheFile(Deno.build.target),
    ),
  }),
  fn: () =>
    withFolder(async (folder) => {
      const output = join(folder, "vigil");
      const made = await deno([
        "compile",
        "--quiet",
        "--no-prompt",
        "--no-code-cache",
        ...PERMISSIONS,
        "--output",
        output,
        "cli.ts",
      ]);
      assertEquals(made.code, 0, made.stderr);
      const env = { JSC_HOME: folder };
      assertEquals((await runProgram([output, "heartbeat", "check"], "", { env })).code, 3);
      assertEquals((await runProgram([output, "heartbeat", "write"], "", { env })).code, 0);
      assertMatch((await runProgram([output, "heartbeat", "report"], "", { env })).stdout, /^state=fresh /);
      assertMatch((await runProgram([output, "--version"])).stdout, /^vigil \S+ \(source\) deno /);
    }),
});
