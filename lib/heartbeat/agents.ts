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
 * One row per agent. Environments nest without an order of their own, so the order here decides when several match.
 */
export const AGENT_ENVIRONMENT: readonly AgentEnvironmentRow[] = [
  { cli: "codex", identify: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"], session: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"] },
  { cli: "gemini", identify: ["GEMINI_CLI", "GEMINI_SESSION_ID"], session: ["GEMINI_SESSION_ID"] },
  { cli: "qwen", identify: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"], session: ["QWEN_CODE_SESSION_ID"] },
  { cli: "copilot", identify: ["COPILOT_CLI"], session: ["COPILOT_AGENT_SESSION_ID"] },
  { cli: "opencode", identify: ["OPENCODE"], session: [] },
  { cli: "cursor", identify: ["CURSOR_AGENT"], session: ["CURSOR_CONVERSATION_ID"] },
  { cli: "claude", identify: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"], session: ["CLAUDE_CODE_SESSION_ID"] },
];
