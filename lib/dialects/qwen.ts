// Pure. Qwen Code's dialect: Claude Code's events, with the call's id under another name and a prompt after every round.
import type { HookInput, SdkMessage } from "../session/input.ts";
import { errorText, hookTable, messageTable, readHook, readMessage } from "./dialect.ts";
import { isObject, type JsonObject, type Reading, textOf } from "./reading.ts";

/** The model's id of the call, which every lane shares; the hook's own `tool_use_id` is in no other lane. */
const CALL = (value: JsonObject): Partial<HookInput> => ({
  tool_use_id: textOf(value.tool_call_id) ?? value.tool_use_id,
});

/** After each tool round the client submits an empty prompt of the same turn. */
function prompt(value: JsonObject): Partial<HookInput> | null {
  const empty = textOf(value.submitted_prompt) === null && textOf(value.prompt) === null;
  return empty ? null : {};
}

const batch = (value: JsonObject): Partial<HookInput> => ({
  tool_calls: Array.isArray(value.tool_calls)
    ? value.tool_calls.map((call) => (isObject(call) ? { ...call, ...CALL(call) } : call))
    : value.tool_calls,
});

/** The list keeps agents that are over; only a running one is still in the background. */
function running(value: JsonObject): Partial<HookInput> {
  if (!Array.isArray(value.background_tasks)) return {};
  const tasks = value.background_tasks.filter((task) => !isObject(task) || (task.status ?? "running") === "running");
  return {
    background_tasks: tasks.map((task) => (isObject(task) ? { ...task, type: task.type ?? "subagent" } : task)),
  };
}

/** A subagent that fails has a result of its own, without a word on whose it is: nothing is measured in it. */
function result(value: JsonObject): SdkMessage | null {
  const { is_error, duration_ms, usage } = value;
  const isOfSubagent = is_error === true && duration_ms === 0 && isObject(usage) &&
    usage.cache_read_input_tokens === undefined;
  if (isOfSubagent) return null;
  return (value.error === undefined ? value : { ...value, errors: [errorText(value.error)] }) as SdkMessage;
}

export const QWEN_HOOKS = hookTable("qwen", {
  SessionStart: { wired: "a process started or took a session over" },
  SessionEnd: { wired: "the session is over; never fired by a headless run", evidence: "source" },
  UserPromptSubmit: {
    wired: "a turn was submitted; the empty one after each tool round is left alone",
    reshape: prompt,
  },
  PreToolUse: { wired: "a tool call started", needs: ["tool_name"], reshape: CALL },
  PostToolUse: { wired: "a tool call ended", needs: ["tool_name"], reshape: CALL },
  PostToolUseFailure: {
    wired: "a tool call ended with an error, or a command with an exit code",
    needs: ["tool_name"],
    reshape: CALL,
  },
  PostToolBatch: {
    wired: "all calls of one answer are over, those too that never started",
    needs: ["tool_calls"],
    reshape: batch,
  },
  PermissionRequest: { wired: "a permission is asked for", needs: ["tool_name"], evidence: "source" },
  PermissionDenied: { wired: "a permission was denied", needs: ["tool_name"], evidence: "source", reshape: CALL },
  SubagentStart: { wired: "a subagent started", needs: ["agent_id"] },
  SubagentStop: { wired: "a subagent ended", needs: ["agent_id"], reshape: running },
  PreCompact: { wired: "a compaction started", evidence: "source" },
  PostCompact: { wired: "a compaction ended", evidence: "source" },
  Stop: { wired: "the turn ended cleanly; a second one follows a background agent", reshape: running },
  StopFailure: {
    wired: "the turn ended abnormally; a headless run whose request fails sends nothing",
    evidence: "source",
  },
  Notification: { declined: "a text for people; what it announces has an event of its own" },
  MessageDisplay: { declined: "text on a screen, many times a turn" },
  InstructionsLoaded: { declined: "instructions were read; nothing is in flight" },
  UserPromptExpansion: { declined: "the prompt it expands is submitted by UserPromptSubmit", evidence: "source" },
  TodoCreated: { declined: "a line of the agent's own to-do list, not work in flight", evidence: "source" },
  TodoCompleted: { declined: "a line of the agent's own to-do list, not work in flight", evidence: "source" },
  SessionDelete: { declined: "a stored session was deleted; it was not running", evidence: "source" },
});

export const QWEN_MESSAGES = messageTable("qwen", {
  "system/init": {
    wired: "the agent reported itself: ready, if nothing was known yet",
    reshape: (value) => ({ ...value, type: "system", version: value.qwen_code_version }),
  },
  assistant: { wired: "an answer: a turn is in flight; its tool_use blocks open calls", needs: ["message"] },
  user: { wired: "its tool_result blocks close calls", needs: ["message"] },
  result: { wired: "the run ended; a failed subagent's own is left alone, its call's end follows", reshape: result },
  "system/task_started": {
    wired: "a background agent started",
    needs: ["data"],
    reshape: (value) => {
      const data = isObject(value.data) ? value.data : {};
      return {
        ...data,
        type: "system",
        subtype: "task_started",
        task_type: textOf(data.subagent_type) === null ? "monitor" : "local_agent",
      };
    },
  },
  "system/task_notification": {
    wired: "a background agent ended",
    needs: ["data"],
    reshape: (value) => ({ ...(isObject(value.data) ? value.data : {}), type: "system", subtype: "task_notification" }),
  },
  stream_event: { declined: "part of an answer that comes whole as `assistant`" },
  "system/retry": { declined: "the request is still in flight", evidence: "source" },
  "system/model_fallback": { declined: "another model answers; the turn goes on", evidence: "source" },
  "system/worktree_started": { declined: "where it works is in every hook payload", evidence: "source" },
  "system/worktree_restored": { declined: "where it works is in every hook payload", evidence: "source" },
  "system/session_start": { declined: "system/init tells the same", evidence: "source" },
  "system/session_end": { declined: "the run's result tells the same", evidence: "source" },
  "system/session_recording_degraded": { declined: "tells of the client's own storage", evidence: "source" },
  "system/continue_turn_failed": { declined: "answers a control request", evidence: "source" },
  control_request: {
    declined: "the client asks its host; hooks and messages tell what comes of it",
    evidence: "source",
  },
  control_response: { declined: "answers between client and host; they name no session", evidence: "source" },
});

/** Reads a hook payload of Qwen Code. */
export function readQwenHook(value: JsonObject, event: string): Reading {
  return readHook(QWEN_HOOKS, event, value);
}

/** Reads a line of Qwen Code's `stream-json`. */
export function readQwenMessage(value: JsonObject, type: string): Reading {
  const event = type === "system" ? `system/${String(value.subtype)}` : type;
  return readMessage(QWEN_MESSAGES, event, value, textOf(value.session_id));
}
