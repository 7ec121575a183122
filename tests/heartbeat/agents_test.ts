// Who writes a beat, by the environment.
import { assertEquals } from "@std/assert";
import { AGENT_ENVIRONMENT, identifyAgent } from "../../lib/heartbeat/agents.ts";
import { ENVIRONMENT_NAMES } from "../../lib/environment.ts";

const from = (variables: Record<string, string>) => (name: string) => variables[name] || null;

/** The environments that the agents' shells and hooks were seen with. */
const SEEN: readonly (readonly [string, Record<string, string>, string, string])[] = [
  ["Claude Code", { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s", CLAUDE_CODE_CHILD_SESSION: "1" }, "claude", "s"],
  ["Codex", { CODEX_THREAD_ID: "t", CODEX_SESSION_ID: "s", CODEX_CI: "1" }, "codex", "s"],
  ["an older Codex", { CODEX_THREAD_ID: "t" }, "codex", "t"],
  ["a shell of Gemini CLI", { GEMINI_CLI: "1" }, "gemini", ""],
  [
    "a hook of Gemini CLI",
    { GEMINI_SESSION_ID: "s", CLAUDE_PROJECT_DIR: "/p", GEMINI_PROJECT_DIR: "/p" },
    "gemini",
    "s",
  ],
  ["a shell of Qwen Code", { QWEN_CODE: "1", QWEN_CODE_SESSION_ID: "s" }, "qwen", "s"],
  [
    "a hook of Qwen Code",
    { QWEN_CODE_SESSION_ID: "s", GEMINI_PROJECT_DIR: "/p", CLAUDE_PROJECT_DIR: "/p" },
    "qwen",
    "s",
  ],
  ["a shell of Copilot CLI", { COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: "s" }, "copilot", "s"],
  ["a hook of Copilot CLI", { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: "/p" }, "copilot", ""],
  ["OpenCode", { OPENCODE: "1", AGENT: "1" }, "opencode", ""],
  ["Cursor", { CURSOR_AGENT: "1", CURSOR_CONVERSATION_ID: "c" }, "cursor", ""],
  ["nothing", { CLAUDE_PROJECT_DIR: "/p", GEMINI_PROJECT_DIR: "/p", QWEN_PROJECT_DIR: "/p" }, "", ""],
  ["empty variables", { CLAUDECODE: "", CLAUDE_CODE_SESSION_ID: "" }, "", ""],
];

for (const [what, variables, cli, session] of SEEN) {
  Deno.test(`the environment of ${what}`, () => assertEquals(identifyAgent(from(variables)), { cli, session }));
}

Deno.test("of nested agents the first row counts, and the session is that row's own", () => {
  const both = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "outer", GEMINI_CLI: "1" };
  assertEquals(identifyAgent(from(both)), { cli: "gemini", session: "" });
  assertEquals(AGENT_ENVIRONMENT.map((row) => row.cli), [
    "codex",
    "gemini",
    "qwen",
    "copilot",
    "opencode",
    "cursor",
    "claude",
  ]);
});

Deno.test("JSC_CLI and JSC_SESSION count above the table, the command line above both", () => {
  const claude = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s", GEMINI_CLI: "1" };
  assertEquals(identifyAgent(from({ ...claude, JSC_CLI: "claude" })), { cli: "claude", session: "s" });
  assertEquals(identifyAgent(from({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s", JSC_CLI: "mine" })), {
    cli: "mine",
    session: "s",
  });
  const own = { ...claude, JSC_CLI: "mine", JSC_SESSION: "my" };
  assertEquals(identifyAgent(from(own)), { cli: "mine", session: "my" });
  assertEquals(identifyAgent(from(own), { cli: "given" }), { cli: "given", session: "my" });
  assertEquals(identifyAgent(from(own), { session: "given" }), { cli: "mine", session: "given" });
});

Deno.test("no variable that agents set for each other is read", () => {
  assertEquals(ENVIRONMENT_NAMES.filter((name) => name.endsWith("_PROJECT_DIR")), []);
});
