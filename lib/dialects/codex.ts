// Pure. Codex's dialect: Claude Code's hook names with a turn_id, an Interrupt event and no failure event; its own stream.
import {
  answerMessage,
  callEndMessage,
  callMessage,
  errorText,
  hookTable,
  type MessageEntry,
  messageTable,
  readHook,
  readMessage,
  resultMessage,
  type SessionField,
  stateMessage,
} from "./dialect.ts";
import { type InputScope, isObject, type JsonObject, type Reading, textOf } from "./reading.ts";

const TURN = (value: JsonObject) => ({ prompt_id: value.turn_id });

/** Codex puts the reason it shows to the person beside the call's own input. */
function permission(value: JsonObject) {
  if (!isObject(value.tool_input)) return TURN(value);
  const { description: _description, ...input } = value.tool_input;
  return { ...TURN(value), tool_input: input };
}

/** Statuses after which an agent does nothing more; `completed` and `errored` are objects with a text. */
const FINAL_STATUSES: ReadonlySet<unknown> = new Set(["shutdown", "not_found"]);

const isFinal = (status: unknown): boolean =>
  isObject(status) ? "completed" in status || "errored" in status : FINAL_STATUSES.has(status);

/** A response that is JSON, or a text of it. */
function responseOf(value: JsonObject): JsonObject {
  const { tool_response: response } = value;
  if (isObject(response)) return response;
  try {
    const parsed: unknown = JSON.parse(String(response));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** The agents whose end the response of a tool tells; both tools name them by the agent's id, or by a path. */
const ENDED_AGENTS: Readonly<Record<string, (value: JsonObject) => readonly unknown[]>> = {
  close_agent: (value) =>
    "previous_status" in responseOf(value) && isObject(value.tool_input) ? [value.tool_input.target] : [],
  wait_agent: (value) => {
    const { status } = responseOf(value);
    return isObject(status) ? Object.keys(status).filter((agent) => isFinal(status[agent])) : [];
  },
};

function callEnd(value: JsonObject) {
  const tool = String(value.tool_name);
  const ended = Object.hasOwn(ENDED_AGENTS, tool) ? ENDED_AGENTS[tool](value) : [];
  return ended.length === 0 ? TURN(value) : { ...TURN(value), ended_tasks: ended };
}

export const CODEX_HOOKS = hookTable("codex", {
  SessionStart: { wired: "a process started, took a session over, or came out of a compaction" },
  SessionEnd: { wired: "the session is over; the only word on a turn that failed" },
  UserPromptSubmit: { wired: "a turn was submitted; with agent_id, a subagent was given its prompt", reshape: TURN },
  PreToolUse: { wired: "a tool call started", needs: ["tool_name"], reshape: TURN },
  PostToolUse: {
    wired:
      "a tool call ended, a shell command with any exit code; failed patches, MCP errors and denied calls never get it; what close_agent and wait_agent tell ends subagents",
    needs: ["tool_name"],
    reshape: callEnd,
  },
  PermissionRequest: {
    wired: "a permission is asked for; pairs with the call whose input is the same without the description",
    needs: ["tool_name"],
    reshape: permission,
  },
  SubagentStart: { wired: "a subagent started", needs: ["agent_id"], reshape: TURN },
  SubagentStop: { wired: "a subagent ended", needs: ["agent_id"], reshape: TURN },
  PreCompact: { wired: "a compaction started", reshape: TURN },
  PostCompact: { wired: "a compaction ended", reshape: TURN },
  Stop: { wired: "the turn ended; calls without an end of their own are abandoned here", reshape: TURN },
  Interrupt: { wired: "the turn was interrupted; its open calls get no end", reshape: TURN },
  StopFailure: {
    wired: "the turn ended abnormally; announced, not fired by 0.171.0",
    evidence: "source",
    reshape: TURN,
  },
});

const itemOf = (value: JsonObject): JsonObject => (isObject(value.item) ? value.item : {});

/** The three lines of an item that is a call, under the name that hooks give the same tool. */
function call(
  type: string,
  evidence: "run" | "source",
  nameAndInput: (item: JsonObject) => readonly [name: string, input: unknown],
): Readonly<Record<string, MessageEntry>> {
  return {
    [`item.started/${type}`]: {
      wired: "a call started",
      maps: "assistant",
      evidence,
      reshape: (value) => callMessage(itemOf(value).id, ...nameAndInput(itemOf(value))),
    },
    [`item.updated/${type}`]: { declined: "says that a call which is open is still open", evidence: "source" },
    [`item.completed/${type}`]: {
      wired: "a call ended",
      maps: "user",
      evidence,
      reshape: (value) => callEndMessage(itemOf(value).id, itemOf(value).status === "failed"),
    },
  };
}

/** The three lines of an item that is nothing in flight. */
function noCall(type: string, declined: string): Readonly<Record<string, MessageEntry>> {
  return {
    [`item.started/${type}`]: { declined, evidence: "source" },
    [`item.updated/${type}`]: { declined, evidence: "source" },
    [`item.completed/${type}`]: { declined, evidence: type === "error" ? "run" : "source" },
  };
}

/** `codex exec --json`, by type, items by `type/item type`. */
export const CODEX_MESSAGES = messageTable("codex", {
  "thread.started": {
    wired: "the run names its session",
    maps: "system/init",
    reshape: () => ({ type: "system", subtype: "init" }),
  },
  "turn.started": {
    wired: "a turn is in flight",
    maps: "system/session_state_changed",
    reshape: () => stateMessage("running"),
  },
  "turn.completed": { wired: "the turn ended", maps: "result", reshape: () => resultMessage(null) },
  "turn.failed": {
    wired: "the turn ended abnormally",
    maps: "result",
    reshape: (value) => resultMessage(errorText(value.error)),
  },
  "error": { declined: "also says that a request is tried again; turn.failed ends the turn" },
  ...call("command_execution", "run", (item) => ["Bash", { command: item.command }]),
  ...call("file_change", "run", (item) => ["apply_patch", { changes: item.changes }]),
  ...call("mcp_tool_call", "source", (item) => [`mcp__${item.server}__${item.tool}`, item.arguments]),
  ...call("collab_tool_call", "source", (item) => [textOf(item.tool) ?? "collab_tool_call", { prompt: item.prompt }]),
  ...call("web_search", "source", (item) => ["web_search", { query: item.query }]),
  ...noCall("agent_message", "part of an answer that comes whole when it is completed"),
  ...noCall("reasoning", "the model thinks; the turn is known to be in flight"),
  ...noCall("todo_list", "the agent's own to-do list, not work in flight"),
  ...noCall("error", "a warning; an error that ends the turn comes as turn.failed"),
  "item.completed/agent_message": {
    wired: "an answer: a turn is in flight",
    maps: "assistant",
    reshape: (value) => answerMessage(itemOf(value).text),
  },
});

/** Reads a hook payload of Codex. */
export function readCodexHook(value: JsonObject, event: string): Reading {
  return readHook(CODEX_HOOKS, event, value);
}

/** Only the first line of `codex exec --json` names the session. */
const SESSION: Required<SessionField> = { field: "thread_id", of: "thread.started" };

/** Reads a line of `codex exec --json`. */
export function readCodexMessage(value: JsonObject, type: string, scope: InputScope): Reading {
  if (type === SESSION.of) scope.codexSession = textOf(value[SESSION.field]);
  const event = type.startsWith("item.") ? `${type}/${String(itemOf(value).type)}` : type;
  return readMessage(CODEX_MESSAGES, event, value, scope.codexSession, SESSION);
}
