// Pure. Gemini CLI's dialect: its own event names, no call ids, no mark on what a subagent does.
import {
  callEndMessage,
  callMessage,
  errorText,
  hookTable,
  messageTable,
  readHook,
  readMessage,
  resultMessage,
  type SessionField,
  stateMessage,
} from "./dialect.ts";
import { type InputScope, isObject, type JsonObject, type Reading, textOf } from "./reading.ts";

const errorOf = (value: JsonObject): unknown => (isObject(value.tool_response) ? value.tool_response.error : undefined);

export const GEMINI_HOOKS = hookTable("gemini", {
  SessionStart: { wired: "a process started or took a session over" },
  SessionEnd: { wired: "the session is over; leaving the terminal program sends it three times" },
  BeforeAgent: { wired: "a turn was submitted", maps: "UserPromptSubmit" },
  AfterAgent: { wired: "the turn ended cleanly; a failed or interrupted one never gets it", maps: "Stop" },
  BeforeTool: { wired: "a tool call started; invoke_agent is a subagent", maps: "PreToolUse", needs: ["tool_name"] },
  AfterTool: {
    wired: "a tool call ended; PostToolUseFailure where its response has an error",
    maps: "PostToolUse",
    needs: ["tool_name"],
    reshape: (value) => {
      const error = errorOf(value);
      return isObject(error) ? { hook_event_name: "PostToolUseFailure", error: errorText(error) } : {};
    },
  },
  Notification: {
    wired:
      "ToolPermission asks for a permission, for the open call with the command of its details, else the newest; other texts are left alone",
    maps: "PermissionRequest",
    reshape: (value) =>
      value.notification_type === "ToolPermission"
        ? { asks_for: isObject(value.details) ? value.details.command : null }
        : null,
  },
  PreCompress: {
    declined: "comes before every model turn, before the client knows whether to compress, and has no end",
  },
  BeforeModel: { declined: "a request inside a turn that is known to be in flight; carries the whole prompt" },
  AfterModel: { declined: "a part of an answer inside a turn; carries the whole prompt" },
  BeforeToolSelection: { declined: "a choice inside a turn; carries the whole prompt" },
});

export const GEMINI_MESSAGES = messageTable("gemini", {
  init: {
    wired: "the run names its session",
    maps: "system/init",
    reshape: (value) => ({ type: "system", subtype: "init", model: value.model }),
  },
  "message/user": {
    wired: "the prompt: a turn is in flight",
    maps: "system/session_state_changed",
    reshape: () => stateMessage("running"),
  },
  "message/assistant": { declined: "a piece of an answer; the turn is in flight since the prompt" },
  tool_use: {
    wired: "a call started",
    maps: "assistant",
    needs: ["tool_id", "tool_name"],
    reshape: (value) => callMessage(value.tool_id, String(value.tool_name), value.parameters),
  },
  tool_result: {
    wired: "a call ended",
    maps: "user",
    needs: ["tool_id"],
    reshape: (value) => callEndMessage(value.tool_id, value.status === "error"),
  },
  error: { declined: "a warning; an error that ends the run comes as its result", evidence: "source" },
  result: {
    wired: "the run ended",
    maps: "result",
    reshape: (value) =>
      resultMessage(
        value.status === "error" ? errorText(value.error) : null,
        { duration_ms: isObject(value.stats) ? value.stats.duration_ms : undefined },
      ),
  },
});

/** Reads a hook payload of Gemini CLI. */
export function readGeminiHook(value: JsonObject, event: string): Reading {
  return readHook(GEMINI_HOOKS, event, value);
}

/** Only the first line of Gemini CLI's `stream-json` names the session. */
const SESSION: Required<SessionField> = { field: "session_id", of: "init" };

/** Reads a line of Gemini CLI's `stream-json`. */
export function readGeminiMessage(value: JsonObject, type: string, scope: InputScope): Reading {
  if (type === SESSION.of) scope.geminiSession = textOf(value[SESSION.field]);
  const event = type === "message" ? `message/${String(value.role)}` : type;
  return readMessage(GEMINI_MESSAGES, event, value, scope.geminiSession, SESSION);
}
