// Pure data. Every event of the agent SDK, wired into the model or declined, with the reason.
import { HOOK_EVENTS, type HookEvent, MESSAGE_EVENTS, type MessageEvent } from "./model.ts";

/** One event of one dialect: what becomes of it and why. */
export interface CoverageRow {
  /** Hook payloads or messages of the output stream. */
  readonly lane: "hook" | "message";
  /** The event's name in its dialect. */
  readonly event: string;
  /** Whether it moves the model. */
  readonly status: "wired" | "declined";
  /** What it tells us, or why we leave it. */
  readonly reason: string;
  /** The fields without which a wired event cannot be placed; `session_id` always is one. */
  readonly needs?: readonly string[];
  /** The model's event it becomes, where that has another name. */
  readonly maps?: string;
  /** How we know: run here, read in the client's source, or taken from its documentation. Default `run`. */
  readonly evidence?: "run" | "source" | "documented";
}

interface Entry {
  readonly status: "wired" | "declined";
  readonly reason: string;
  readonly needs?: readonly string[];
  readonly evidence?: "documented";
}

/** Declared by the SDK; no run here ever produced one. */
const DECLARED = "documented";

/** Hook events. A missing row does not compile. */
export const HOOK_COVERAGE = {
  PreToolUse: { status: "wired", reason: "a tool call started: opens its entry", needs: ["tool_name"] },
  PostToolUse: { status: "wired", reason: "a tool call ended, or went on in the background", needs: ["tool_name"] },
  PostToolUseFailure: { status: "wired", reason: "a tool call ended with an error", needs: ["tool_name"] },
  PostToolBatch: {
    status: "wired",
    reason: "all calls of one answer are over: closes those that got no end of their own",
    needs: ["tool_calls"],
  },
  Notification: { status: "declined", reason: "a text for people; what it announces has an event of its own" },
  UserPromptSubmit: { status: "wired", reason: "a turn was submitted" },
  UserPromptExpansion: { status: "declined", reason: "the prompt it expands is submitted by UserPromptSubmit" },
  SessionStart: { status: "wired", reason: "a process started, took a session over, or came out of a compaction" },
  SessionEnd: { status: "wired", reason: "the session is over: what is open is abandoned" },
  Stop: { status: "wired", reason: "the turn ended cleanly; lists what still runs in the background" },
  StopFailure: { status: "wired", reason: "the turn, or a subagent, ended abnormally" },
  SubagentStart: { status: "wired", reason: "a subagent started: opens its entry", needs: ["agent_id"] },
  SubagentStop: { status: "wired", reason: "a subagent ended", needs: ["agent_id"] },
  PreCompact: { status: "wired", reason: "a compaction started: opens its entry" },
  PostCompact: { status: "wired", reason: "a compaction ended" },
  PreModelSwitch: { status: "declined", reason: "only announces; PostModelSwitch tells what happened" },
  PostModelSwitch: { status: "wired", reason: "the model changed: recorded, moves nothing" },
  PermissionRequest: { status: "wired", reason: "a permission is asked for: opens its entry", needs: ["tool_name"] },
  PermissionDenied: { status: "wired", reason: "a permission was denied", needs: ["tool_name"] },
  Setup: { status: "declined", reason: "comes before the session starts and says nothing about it" },
  TeammateIdle: { status: "declined", reason: "tells of another session" },
  TaskCreated: { status: "declined", reason: "a line of the agent's own to-do list, not work in flight" },
  TaskCompleted: { status: "declined", reason: "a line of the agent's own to-do list, not work in flight" },
  Elicitation: { status: "wired", reason: "a server asks the user: opens its entry", needs: ["mcp_server_name"] },
  ElicitationResult: { status: "wired", reason: "the user answered a server", needs: ["mcp_server_name"] },
  ConfigChange: { status: "declined", reason: "settings changed; the session does not" },
  WorktreeCreate: {
    status: "declined",
    reason: "a hook here replaces the client's own work: an observer must not register it",
  },
  WorktreeRemove: { status: "declined", reason: "fires only where WorktreeCreate is registered" },
  InstructionsLoaded: { status: "declined", reason: "instructions were read; nothing is in flight" },
  CwdChanged: { status: "wired", reason: "the session works somewhere else now", needs: ["new_cwd"] },
  FileChanged: { status: "declined", reason: "a file changed; nothing is in flight" },
  DirectoryAdded: { status: "declined", reason: "the session may read one more directory; it stays where it is" },
  MessageDisplay: { status: "declined", reason: "text on a screen, many times a turn; an interrupted one never ends" },
  PreSkillShellCommand: { status: "declined", reason: "has no end event, and its id names no tool call" },
  Interrupt: { status: "wired", reason: "the turn was interrupted" },
} as const satisfies Record<HookEvent, Entry>;

/** Messages of the output stream, control lines included. A missing row does not compile. */
export const MESSAGE_COVERAGE = {
  "assistant": {
    status: "wired",
    reason: "an answer: a turn is in flight; its tool_use blocks open calls",
    needs: ["message"],
  },
  "user": { status: "wired", reason: "its tool_result blocks close calls", needs: ["message"] },
  "result": { status: "wired", reason: "the turn ended" },
  "stream_event": { status: "declined", reason: "part of an answer that comes whole as `assistant`" },
  "tool_progress": { status: "declined", reason: "says that a call which is open is still open" },
  "tool_use_summary": { status: "declined", reason: "a text about calls that have ended", evidence: DECLARED },
  "auth_status": { status: "declined", reason: "tells of the account, not of the session", evidence: DECLARED },
  "rate_limit_event": { status: "declined", reason: "tells of the account, not of the session", evidence: DECLARED },
  "prompt_suggestion": { status: "declined", reason: "a text for people", evidence: DECLARED },
  "active_goal": { status: "declined", reason: "names a goal; nothing is in flight", evidence: DECLARED },
  "conversation_reset": { status: "declined", reason: "the new conversation reports itself under its own id" },
  "system/init": { status: "wired", reason: "the agent reported itself: ready, if nothing was known yet" },
  "system/status": { status: "wired", reason: "a model request or a compaction started or ended" },
  "system/session_state_changed": {
    status: "wired",
    reason: "the client's own word on running and idle",
    needs: ["state"],
  },
  "system/compact_boundary": { status: "wired", reason: "a compaction ended" },
  "system/task_started": {
    status: "wired",
    reason: "joins a task to its call; some start in the background",
    needs: ["task_id"],
  },
  "system/task_updated": { status: "wired", reason: "a task went to the background or ended", needs: ["task_id"] },
  "system/task_progress": { status: "declined", reason: "says that a task which is open is still open" },
  "system/task_notification": { status: "wired", reason: "a background task ended", needs: ["task_id"] },
  "system/background_tasks_changed": { status: "declined", reason: "repeats what the task's own messages tell" },
  "system/worker_shutting_down": {
    status: "wired",
    reason: "the process is about to end: recorded, moves nothing",
    evidence: DECLARED,
  },
  "system/model_refusal_fallback": {
    status: "declined",
    reason: "another model answered; the turn goes on",
    evidence: DECLARED,
  },
  "system/model_refusal_no_fallback": {
    status: "wired",
    reason: "the model refused: recorded, the turn's end follows",
  },
  "system/permission_denied": { status: "declined", reason: "the denied call's own end follows" },
  "system/api_retry": { status: "declined", reason: "the request is still in flight" },
  "system/control_request_progress": {
    status: "declined",
    reason: "progress of a request to the client itself",
    evidence: DECLARED,
  },
  "system/local_command_output": {
    status: "declined",
    reason: "output of a command that is no turn",
    evidence: DECLARED,
  },
  "system/hook_started": { status: "declined", reason: "a hook's own payload tells more" },
  "system/hook_progress": { status: "declined", reason: "a hook's own payload tells more" },
  "system/hook_response": { status: "declined", reason: "a hook's own payload tells more" },
  "system/plugin_install": {
    status: "declined",
    reason: "tells of the installation, not of the session",
    evidence: DECLARED,
  },
  "system/thinking_tokens": { status: "declined", reason: "counts tokens of a request that is in flight" },
  "system/commands_changed": {
    status: "declined",
    reason: "a list of commands changed; the session did not",
    evidence: DECLARED,
  },
  "system/notification": { status: "declined", reason: "a text for people" },
  "system/files_persisted": {
    status: "declined",
    reason: "files were stored; nothing is in flight",
    evidence: DECLARED,
  },
  "system/memory_recall": { status: "declined", reason: "context was added; nothing is in flight", evidence: DECLARED },
  "system/elicitation_complete": {
    status: "declined",
    reason: "the answer has a hook event of its own",
    evidence: DECLARED,
  },
  "system/mirror_error": { status: "declined", reason: "tells of the client's own storage", evidence: DECLARED },
  "system/informational": { status: "declined", reason: "a text for people" },
  "system/session_writes_lost": { status: "declined", reason: "tells of the client's own storage", evidence: DECLARED },
  "control_request": {
    status: "declined",
    reason: "the client asks its host; hooks and messages tell what comes of it",
  },
  "control_response": { status: "declined", reason: "answers between client and host; they name no session" },
  "control_cancel_request": { status: "declined", reason: "takes a control request back", evidence: DECLARED },
  "keep_alive": {
    status: "declined",
    reason: "keeps a connection open; silence is not evidence either",
    evidence: DECLARED,
  },
} as const satisfies Record<MessageEvent, Entry>;

/** Hook events that move the model. */
export type WiredHookEvent = {
  [Event in HookEvent]: (typeof HOOK_COVERAGE)[Event]["status"] extends "wired" ? Event : never;
}[HookEvent];

/** Messages that move the model. */
export type WiredMessageEvent = {
  [Event in MessageEvent]: (typeof MESSAGE_COVERAGE)[Event]["status"] extends "wired" ? Event : never;
}[MessageEvent];

/** Claude Code's events, hooks first. `Interrupt` is Codex's alone. */
export const COVERAGE: readonly CoverageRow[] = [
  ...HOOK_EVENTS.filter((event) => event !== "Interrupt").map((event): CoverageRow => ({
    lane: "hook",
    event,
    ...HOOK_COVERAGE[event],
  })),
  ...MESSAGE_EVENTS.map((event): CoverageRow => ({ lane: "message", event, ...MESSAGE_COVERAGE[event] })),
];

/**
 * What tells one kind of message from another: `type/subtype` for system messages, else `type`.
 *
 * @example
 * ```ts
 * import { discriminatorOf } from "./coverage.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(discriminatorOf({ type: "system", subtype: "init" }), "system/init");
 * assertEquals(discriminatorOf({ type: "result", subtype: "success" }), "result");
 * ```
 */
export function discriminatorOf(message: { readonly type: string; readonly subtype?: unknown }): string {
  const { type, subtype } = message;
  return type === "system" && typeof subtype === "string" ? `system/${subtype}` : type;
}
