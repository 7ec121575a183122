// Pure. What the observer reads: hook payloads and stream messages in the vocabulary of the model.
// A dialect brings its own JSON into these shapes; Claude Code's is these shapes already.
import type { HookEvent } from "./model.ts";

/** A task that a Stop lists as still running. */
export interface BackgroundTask {
  /** The task's id; a subagent's is its agent id. */
  readonly id?: unknown;
  /** `shell`, `subagent`, `monitor`, `teammate`. */
  readonly type?: unknown;
}

/** A call that a PostToolBatch lists. */
export interface BatchCall {
  /** The tool. */
  readonly tool_name?: unknown;
  /** The call's id. */
  readonly tool_use_id?: unknown;
  /** What the tool was given. */
  readonly tool_input?: unknown;
}

/**
 * One hook payload. Only the fields that the model reads are named; a client may send any others, and may send any of
 * these with another type, so each is checked where it is read.
 */
export interface HookInput {
  /** The event, by the model's name. */
  readonly hook_event_name: HookEvent;
  /** The session that the event belongs to. */
  readonly session_id: string;
  /** The working directory. */
  readonly cwd?: unknown;
  /** The prompt that the turn answers. */
  readonly prompt_id?: unknown;
  /** The subagent; absent on the main thread. */
  readonly agent_id?: unknown;
  /** The subagent's type. */
  readonly agent_type?: unknown;
  /** The tool. */
  readonly tool_name?: unknown;
  /** The call's id; some clients send none. */
  readonly tool_use_id?: unknown;
  /** What the tool was given. */
  readonly tool_input?: unknown;
  /** The command or path that a permission is asked for, where the request tells no `tool_input`. */
  readonly asks_for?: unknown;
  /** What the tool gave back. */
  readonly tool_response?: unknown;
  /** Tasks and subagents that the call's response says are over. */
  readonly ended_tasks?: unknown;
  /** The calls of a batch. */
  readonly tool_calls?: unknown;
  /** The server of an MCP tool: an object with a name. */
  readonly mcp_server?: unknown;
  /** What went wrong. */
  readonly error?: unknown;
  /** The failure is an interrupt by the user. */
  readonly is_interrupt?: unknown;
  /** How long the call took, in milliseconds. */
  readonly duration_ms?: unknown;
  /** Why a session starts: `startup resume fork clear compact`. */
  readonly source?: unknown;
  /** The model. */
  readonly model?: unknown;
  /** Why a session ends, or a permission was denied. */
  readonly reason?: unknown;
  /** What made a compaction start. */
  readonly trigger?: unknown;
  /** What still runs when a turn or a subagent ends. */
  readonly background_tasks?: unknown;
  /** The working directory before. */
  readonly old_cwd?: unknown;
  /** The working directory from now on. */
  readonly new_cwd?: unknown;
  /** The model before. */
  readonly from_model?: unknown;
  /** The model from now on. */
  readonly to_model?: unknown;
  /** The server that asks the user. */
  readonly mcp_server_name?: unknown;
  /** The question's id; most servers send none. */
  readonly elicitation_id?: unknown;
  /** What the user did with the question. */
  readonly action?: unknown;
  /** The event's own name in its dialect, where that differs; it goes into the detail. Set by dialects, never by clients. */
  readonly nativeEvent?: string;
}

/** One message of an agent's output stream, or anything else with a `type`. */
export interface SdkMessage {
  /** The kind of message. */
  readonly type: string;
  /** The kind of system message, or how a result came about. */
  readonly subtype?: unknown;
  /** The session that the message belongs to. */
  readonly session_id?: unknown;
  /** The message's own name in its dialect, where that differs. Set by dialects, never by clients. */
  readonly nativeEvent?: string;
  /** Whatever else the client sends. */
  readonly [field: string]: unknown;
}
