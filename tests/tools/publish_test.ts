// The library as a JSR package.
import { assert, assertEquals } from "@std/assert";
import { runProgram } from "../binary.ts";
import { ROOT } from "../source_files.ts";

Deno.test("the package passes what JSR asks of one, and holds the library alone", async () => {
  const { code, stdout, stderr } = await runProgram([Deno.execPath(), "publish", "--dry-run", "--allow-dirty"], "", {
    cwd: ROOT,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
  });
  assertEquals(code, 0, stdout + stderr);
  const listed = (stdout + stderr).match(/file:\/\/\S+/g)?.map((url) => new URL(url).pathname.slice(ROOT.length)) ?? [];
  assert(listed.includes("mod.ts") && listed.includes("lib/session/machine.ts"), listed.join(" "));
  const others = listed.filter((path) =>
    !/^(?:mod\.ts|deno\.json|README\.md|CHANGELOG\.md|LICENSE|lib\/.*\.ts)$/.test(path) ||
    path.startsWith("lib/commands/")
  );
  assertEquals(others, []);
});
