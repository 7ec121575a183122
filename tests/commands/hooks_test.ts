// `vigil hooks`, as its users run it.
import { assertEquals, assertMatch } from "@std/assert";
import { hookSettings } from "../../lib/dialects/hook_settings.ts";
import { HOOK_CLIENTS } from "../../lib/dialects/reading.ts";
import { runVigil, withFolder } from "../run_vigil.ts";

Deno.test("vigil hooks prints an agent's settings, says where they go and changes no file", () =>
  withFolder(async (home) => {
    for (const client of HOOK_CLIENTS) {
      const { code, stdout, stderr } = await runVigil(["hooks", client], { env: { HOME: home }, cwd: home });
      assertEquals({ code, stdout }, { code: 0, stdout: hookSettings(client) });
      assertMatch(stderr, /^vigil: this goes into ~\/\.\w+\/\S+.*; no file was changed\n(?:hint: .+\n)+$/);
    }
    assertEquals([...Deno.readDirSync(home)], []);
  }));

Deno.test("vigil hooks names the agents it knows", async () => {
  const { code, stdout, stderr } = await runVigil(["hooks", "cloude"]);
  assertEquals({ code, stdout }, { code: 6, stdout: "" });
  assertMatch(stderr, /AGENT cannot be "cloude": it is one of claude, codex, gemini, qwen, copilot/);
  assertMatch(stderr, /did you mean "vigil hooks claude"\?/);
  assertEquals((await runVigil(["hooks"])).code, 6);
});
