// Pure. What the observer reads: hook payloads and stream messages in the vocabulary of the model.
// A dialect brings its own JSON into these shapes; Claude Code's is these shapes already.
import type { HookEvent } from "./model.ts";

/** A task that a Stop lists as still running. */
export interface BackgroundTask {
  readonly id?: unknown;
  readonly type?: unknown;
}

/** A call that a PostToolBatch lists. */
export interface BatchCall {
  readonly tool_name?: unknown;
  readonly tool_use_id?: unknown;
  readonly tool_input?: unknown;
}

/**
 * One hook payload. Only the fields that the model reads are named; a client may send any others, and may send any of
 * these with another type, so each is checked where it is read.
 */
export interface HookInput {
  readonly hook_event_name: HookEvent;
  readonly session_id: string;
  readonly cwd?: unknown;
  readonly prompt_id?: unknown;
  readonly agent_id?: unknown;
  readonly agent_type?: unknown;
  readonly tool_name?: unknown;
  readonly tool_use_id?: unknown;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly tool_calls?: unknown;
  readonly mcp_server?: unknown;
  readonly error?: unknown;
  readonly is_interrupt?: unknown;
  readonly duration_ms?: unknown;
  readonly source?: unknown;
  readonly model?: unknown;
  readonly reason?: unknown;
  readonly trigger?: unknown;
  readonly background_tasks?: unknown;
  readonly old_cwd?: unknown;
  readonly new_cwd?: unknown;
  readonly from_model?: unknown;
  readonly to_model?: unknown;
  readonly mcp_server_name?: unknown;
  readonly elicitation_id?: unknown;
  readonly action?: unknown;
  /** The event's own name in its dialect, where that differs; it goes into the detail. Set by dialects, never by clients. */
  readonly nativeEvent?: string;
}

/** One message of an agent's output stream, or anything else with a `type`. */
export interface SdkMessage {
  readonly type: string;
  readonly subtype?: unknown;
  readonly session_id?: unknown;
  readonly nativeEvent?: string;
  readonly [field: string]: unknown;
}
