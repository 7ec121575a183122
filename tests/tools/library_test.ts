// The library as others get it: as a JSR package, and bundled for a runtime that is not Deno.
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path/join";
import { needing, runProgram } from "../binary.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";

/** Deno itself, in the project's folder. */
const deno = (...args: string[]) =>
  runProgram([Deno.execPath(), ...args], "", {
    cwd: ROOT,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
  });

Deno.test("the package passes what JSR asks of one, and holds the library alone", async () => {
  const { code, stdout, stderr } = await deno("publish", "--dry-run", "--allow-dirty");
  assertEquals(code, 0, stdout + stderr);
  const listed = (stdout + stderr).match(/file:\/\/\S+/g)?.map((url) => new URL(url).pathname.slice(ROOT.length)) ?? [];
  assert(listed.includes("mod.ts") && listed.includes("lib/session/machine.ts"), listed.join(" "));
  const others = listed.filter((path) =>
    !/^(?:mod\.ts|deno\.json|README\.md|CHANGELOG\.md|LICENSE|lib\/.*\.ts)$/.test(path) ||
    path.startsWith("lib/commands/")
  );
  assertEquals(others, []);
});

const PROGRAM = `
import { SessionObserver, SessionStateMachine } from "./vigil.js";
const observer = new SessionObserver(new SessionStateMachine({ clock: () => Date.now() }));
observer.observeHook({ hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "x" });
console.log(observer.machine.state);
`;

Deno.test({
  ...needing("the bundled library runs in Node", { node: await installed("node") }),
  fn: () =>
    withFolder(async (folder) => {
      const output = join(folder, "vigil.js");
      const bundle = ["bundle", "--quiet", "--lock=deno.lock", "--platform=browser", "--output", output, "mod.ts"];
      const { code, stderr } = await deno(...bundle);
      assertEquals(code, 0, stderr);
      Deno.writeTextFileSync(join(folder, "package.json"), `{ "type": "module" }`);
      Deno.writeTextFileSync(join(folder, "main.js"), PROGRAM);
      assertEquals(await runProgram(["node", "main.js"], "", { cwd: folder }), {
        code: 0,
        stdout: "working\n",
        stderr: "",
      });
    }),
});
