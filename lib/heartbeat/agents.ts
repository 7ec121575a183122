// Pure data. Which agent's environment a heartbeat is written from.

/** How one agent CLI shows itself to the processes it starts. */
export interface AgentEnvironmentRow {
  /** What `cli=` says. */
  readonly cli: string;
  /** Any of these, not empty, means the agent started us. Never a `*_PROJECT_DIR`: agents set each other's. */
  readonly identify: readonly string[];
  /** Where the session id is, in order of preference. */
  readonly session: readonly string[];
}

/**
 * One row per agent: the variables of its tools' shells and of its hooks. A hook of Gemini or Qwen has the session's
 * variable alone; one of Codex has none; Cursor and OpenCode are known by name only.
 *
 * An agent started from another's shell inherits its variables, and nothing tells which came last: the first row that
 * matches counts. Claude Code, whose shell is the one that others' one-shot modes are most often started from, is last,
 * and so the outer one; Cursor and OpenCode, which would hide a session id without having one, stand just before it.
 */
export const AGENT_ENVIRONMENT: readonly AgentEnvironmentRow[] = [
  { cli: "codex", identify: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"], session: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"] },
  { cli: "gemini", identify: ["GEMINI_CLI", "GEMINI_SESSION_ID"], session: ["GEMINI_SESSION_ID"] },
  { cli: "qwen", identify: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"], session: ["QWEN_CODE_SESSION_ID"] },
  { cli: "copilot", identify: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"], session: ["COPILOT_AGENT_SESSION_ID"] },
  { cli: "opencode", identify: ["OPENCODE"], session: [] },
  { cli: "cursor", identify: ["CURSOR_AGENT"], session: [] },
  { cli: "claude", identify: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"], session: ["CLAUDE_CODE_SESSION_ID"] },
];

/** The writer of a beat. */
export interface Agent {
  /** Its name; empty where it is not known. */
  readonly cli: string;
  /** Its session; empty where it is not known. */
  readonly session: string;
}

/**
 * Who writes this beat. `variable` gives a variable's text, or null where it is unset or empty; `given` is what the
 * command line says, which counts above `JSC_CLI` and `JSC_SESSION`, which count above the table. A name that has a row
 * takes its session from that row: another agent's id under it would be a lie.
 *
 * ```ts
 * import { identifyAgent } from "./agents.ts";
 * const variables: Record<string, string> = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s1" };
 * identifyAgent((name) => variables[name] ?? null); // { cli: "claude", session: "s1" }
 * ```
 */
export function identifyAgent(variable: (name: string) => string | null, given: Partial<Agent> = {}): Agent {
  const first = (names: readonly string[]): string | null => {
    for (const name of names) {
      const text = variable(name);
      if (text !== null) return text;
    }
    return null;
  };
  const cli = given.cli ?? variable("JSC_CLI");
  const row = AGENT_ENVIRONMENT.find((row) => row.cli === cli) ??
    AGENT_ENVIRONMENT.find((row) => first(row.identify) !== null);
  return {
    cli: cli ?? row?.cli ?? "",
    session: given.session ?? variable("JSC_SESSION") ?? first(row?.session ?? []) ?? "",
  };
}
