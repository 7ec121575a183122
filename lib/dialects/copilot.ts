// Pure. Copilot CLI's dialect: two spellings of every payload, three of them without a name, and subagents that stand for themselves.
import type { HookInput } from "../session/input.ts";
import {
  answerMessage,
  callEndMessage,
  callMessage,
  type ClientNames,
  errorText,
  hookTable,
  mainOnly,
  messageTable,
  readHook,
  readMessage,
  resultMessage,
  type SessionField,
  stateMessage,
} from "./dialect.ts";
import { type InputScope, isObject, type JsonObject, type Reading, textOf } from "./reading.ts";

/** An error that a call's own end tells does not end the turn. */
function failure(value: JsonObject): Partial<HookInput> | null {
  return value.error_context === "tool_execution" ? null : { error: errorText(value.error) };
}

/** `Run command: ls` -> `ls`: what the text asks for. */
function subjectOf(value: JsonObject): string | null {
  const text = textOf(value.message);
  const colon = text?.indexOf(": ") ?? -1;
  return text === null || colon === -1 ? null : text.slice(colon + 2);
}

export const COPILOT_HOOKS = hookTable("copilot", {
  SessionStart: { wired: "a process started or took a session over", reshape: mainOnly },
  SessionEnd: { wired: "the session is over; a headless run sends it after every turn", reshape: mainOnly },
  UserPromptSubmit: { wired: "a turn was submitted; with agent_id, a subagent was given its prompt" },
  PreToolUse: { wired: "a tool call started", needs: ["tool_name"] },
  PostToolUse: { wired: "a tool call ended, a shell command with any exit code", needs: ["tool_name"] },
  PostToolUseFailure: { wired: "a tool call ended with an error", needs: ["tool_name"] },
  Notification: {
    wired:
      "permission_prompt asks for a permission, for the open call with the command or path of its text, else the newest; other texts are left alone",
    maps: "PermissionRequest",
    reshape: (value) => (value.notification_type === "permission_prompt" ? { asks_for: subjectOf(value) } : null),
  },
  SubagentStart: { wired: "a subagent started", needs: ["agent_id"] },
  SubagentStop: { wired: "a subagent ended", needs: ["agent_id"] },
  Stop: { wired: "the turn ended; with agent_id, a subagent's own did, and SubagentStop follows" },
  ErrorOccurred: {
    wired: "the turn ended abnormally; one in a tool is left alone, the call has its own end",
    maps: "StopFailure",
    reshape: failure,
  },
  PermissionRequest: {
    declined: "comes with every check, also where nobody is asked; Notification tells of a real prompt",
  },
  PreCompact: { declined: "nothing tells when the compaction is over", evidence: "documented" },
  UserPromptTransformed: { declined: "the prompt was submitted by UserPromptSubmit" },
  PreMcpToolCall: { declined: "PreToolUse tells the same", evidence: "documented" },
});

/** camelCase names that are not their PascalCase twin. */
const CAMEL_NAMES: Readonly<Record<string, string>> = { userPromptSubmitted: "UserPromptSubmit", agentStop: "Stop" };

/** camelCase fields -> the names the PascalCase payloads use. */
const CAMEL_FIELDS: Readonly<Record<string, string>> = {
  sessionId: "session_id",
  toolName: "tool_name",
  toolArgs: "tool_input",
  agentId: "agent_id",
  agentType: "agent_type",
  parentAgentId: "parent_agent_id",
  errorContext: "error_context",
};
const CAMEL_OF: ClientNames = Object.fromEntries(Object.entries(CAMEL_FIELDS).map(([camel, field]) => [field, camel]));

/** What a payload without a name is, by the fields that only this event sends; the first row that fits holds. */
const NAMELESS: readonly (readonly [event: string, fields: readonly string[]])[] = [
  ["PermissionRequest", ["hookName"]],
  ["PreMcpToolCall", ["toolCallId"]],
  ["PostToolUse", ["toolName", "toolResult"]],
  ["PostToolUseFailure", ["toolName", "error"]],
  ["PreToolUse", ["toolName", "toolArgs"]],
  ["UserPromptTransformed", ["transformedPrompt"]],
  ["UserPromptSubmit", ["prompt"]],
  ["ErrorOccurred", ["errorContext"]],
  ["SubagentStop", ["stopReason", "agentName"]],
  ["Stop", ["stopReason"]],
  ["SubagentStart", ["agentName", "transcriptPath"]],
  ["SessionStart", ["source"]],
  ["PreCompact", ["trigger"]],
  ["SessionEnd", ["reason"]],
];

/** The event of a payload that has `sessionId` and no name; null where its fields fit none. */
export function namelessCopilotEvent(value: JsonObject): string | null {
  return NAMELESS.find(([, fields]) => fields.every((field) => value[field] !== undefined))?.[0] ?? null;
}

const pascal = (event: string): string => CAMEL_NAMES[event] ?? event.slice(0, 1).toUpperCase() + event.slice(1);

function snake(value: JsonObject): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, content] of Object.entries(value)) fields[CAMEL_FIELDS[field] ?? field] = content;
  return fields;
}

/**
 * Reads a hook payload of Copilot CLI in either spelling. What a subagent reports under its own id goes to the session
 * at its root, with the subagent as `agent_id`.
 */
export function readCopilotHook(value: JsonObject, event: string, scope: InputScope): Reading {
  const name = pascal(event);
  const isCamel = value.sessionId !== undefined || value.session_id === undefined && event !== name;
  const fields = isCamel ? snake(value) : { ...value };
  const session = textOf(fields.session_id);
  if (session !== null) {
    const roots = scope.copilotRoots;
    const agent = textOf(fields.agent_id);
    const parent = textOf(fields.parent_agent_id);
    if (agent !== null && parent !== null) roots.set(agent, roots.get(parent) ?? parent);
    const root = roots.get(session);
    if (root !== undefined) {
      fields.session_id = root;
      fields.agent_id ??= session;
    } else if (name === "SessionEnd") {
      for (const [child, rootOfChild] of roots) if (rootOfChild === session) roots.delete(child);
    }
  }
  fields.hook_event_name = name;
  return readHook(COPILOT_HOOKS, name, fields, isCamel ? CAMEL_OF : undefined);
}

const dataOf = (value: JsonObject): JsonObject => (isObject(value.data) ? value.data : {});
/** The subagent a line comes from; null for the main thread. */
const agentOf = (value: JsonObject): string | null => textOf(value.agentId);

const NOTHING_IN_FLIGHT = "nothing is in flight because of it";
const IN_A_TURN = "a step inside a turn that is known to be in flight";

/** `--output-format json`, by type. */
export const COPILOT_MESSAGES = messageTable("copilot", {
  "session.start": {
    wired: "the session names itself; a headless run leaves it out",
    maps: "system/init",
    evidence: "source",
    reshape: (value) => ({ type: "system", subtype: "init", model: dataOf(value).selectedModel }),
  },
  "user.message": {
    wired: "the prompt: a turn is in flight; a subagent's own is left alone",
    maps: "system/session_state_changed",
    reshape: (value) => (agentOf(value) === null ? stateMessage("running") : null),
  },
  "assistant.message": {
    wired: "an answer: a turn is in flight",
    maps: "assistant",
    reshape: (value) => answerMessage(dataOf(value).content, agentOf(value)),
  },
  "tool.execution_start": {
    wired: "a call started",
    maps: "assistant",
    needs: ["data"],
    reshape: (value) => {
      const { toolCallId, toolName, arguments: input } = dataOf(value);
      return callMessage(toolCallId, String(toolName), input, agentOf(value));
    },
  },
  "tool.execution_complete": {
    wired: "a call ended",
    maps: "user",
    needs: ["data"],
    reshape: (value) => callEndMessage(dataOf(value).toolCallId, dataOf(value).success === false, agentOf(value)),
  },
  "subagent.started": {
    wired: "a subagent started",
    maps: "system/task_started",
    needs: ["agentId"],
    reshape: (value) => ({
      type: "system",
      subtype: "task_started",
      task_id: value.agentId,
      task_type: "local_agent",
      subagent_type: dataOf(value).agentType ?? dataOf(value).agentName,
    }),
  },
  "subagent.completed": {
    wired: "a subagent ended",
    maps: "system/task_notification",
    needs: ["agentId"],
    reshape: (value) => agentEnd(value, "completed"),
  },
  "subagent.failed": {
    wired: "a subagent ended abnormally",
    maps: "system/task_notification",
    needs: ["agentId"],
    evidence: "source",
    reshape: (value) => agentEnd(value, "failed"),
  },
  "session.error": {
    wired: "the turn ended abnormally; a subagent's is left alone, subagent.failed follows",
    maps: "result",
    reshape: (value) => (agentOf(value) === null ? resultMessage(errorText(dataOf(value))) : null),
  },
  "abort": {
    wired: "the turn was interrupted",
    maps: "result",
    evidence: "source",
    reshape: () => resultMessage(null, { subtype: "error_during_execution", terminal_reason: "aborted_by_user" }),
  },
  "assistant.idle": {
    wired: "the turn is over",
    maps: "system/session_state_changed",
    reshape: (value) => (agentOf(value) === null ? stateMessage("idle") : null),
  },
  "session.compaction_start": {
    wired: "a compaction started",
    maps: "system/status",
    evidence: "source",
    reshape: () => ({ type: "system", subtype: "status", status: "compacting" }),
  },
  "session.compaction_complete": {
    wired: "a compaction ended",
    maps: "system/compact_boundary",
    evidence: "source",
    reshape: () => ({ type: "system", subtype: "compact_boundary" }),
  },
  "result": {
    wired: "the run ended; the only line that names the session",
    maps: "result",
    reshape: (value) => ({
      ...resultMessage(value.exitCode === 0 ? null : `exit code ${value.exitCode}`),
      nativeEvent: `result of session ${value.sessionId}`,
    }),
  },
  "assistant.turn_start": { declined: "one request to the model, not the user's turn" },
  "assistant.turn_end": { declined: "one request to the model, not the user's turn" },
  "assistant.message_start": { declined: "part of an answer that comes whole as assistant.message" },
  "assistant.message_delta": { declined: "part of an answer that comes whole as assistant.message" },
  "assistant.streaming_delta": {
    declined: "part of an answer that comes whole as assistant.message",
    evidence: "source",
  },
  "assistant.tool_call_delta": { declined: "part of a call that comes whole as tool.execution_start" },
  "assistant.intent": { declined: IN_A_TURN, evidence: "source" },
  "assistant.reasoning": { declined: IN_A_TURN, evidence: "source" },
  "assistant.reasoning_delta": { declined: IN_A_TURN, evidence: "source" },
  "assistant.usage": { declined: NOTHING_IN_FLIGHT, evidence: "source" },
  "model.call_start": { declined: IN_A_TURN },
  "model.call_finished": { declined: IN_A_TURN },
  "model.call_failure": { declined: "tried again, or session.error follows" },
  "model.call_final_result": { declined: IN_A_TURN },
  "tool.execution_partial_result": { declined: "says that a call which is open is still open" },
  "tool.execution_progress": { declined: "says that a call which is open is still open", evidence: "source" },
  "tool.shell_output": { declined: "says that a call which is open is still open" },
  "tool.user_requested": { declined: "tool.execution_start follows", evidence: "source" },
  "subagent.selected": { declined: "subagent.started tells that it runs" },
  "subagent.configured": { declined: "subagent.started tells that it runs" },
  "session.background_tasks_changed": { declined: "names no task" },
  "session.mcp_server_status_changed": { declined: NOTHING_IN_FLIGHT },
  "session.mcp_server_tools_loaded": { declined: NOTHING_IN_FLIGHT },
  "session.mcp_servers_loaded": { declined: NOTHING_IN_FLIGHT },
  "session.skills_loaded": { declined: NOTHING_IN_FLIGHT },
  "session.tools_updated": { declined: NOTHING_IN_FLIGHT },
  "session.idle": { declined: "assistant.idle tells the same", evidence: "source" },
  "session.info": { declined: "a text for people", evidence: "source" },
  "session.warning": { declined: "a text for people", evidence: "source" },
  "session.model_change": { declined: NOTHING_IN_FLIGHT, evidence: "source" },
  "session.resume": { declined: "names no session", evidence: "source" },
  "session.truncation": { declined: IN_A_TURN, evidence: "source" },
  "session.usage_info": { declined: NOTHING_IN_FLIGHT, evidence: "source" },
  "system.notification": { declined: "text for the model" },
  "system.message": { declined: "text for the model", evidence: "source" },
});

function agentEnd(value: JsonObject, status: string) {
  return { type: "system", subtype: "task_notification", task_id: value.agentId, status };
}

/** What every line has; the session's own name is on the last. */
const LINE_ID: SessionField = { field: "id" };

/**
 * Reads a line of Copilot CLI's `--output-format json`. Only the closing `result` names the session, too late for what
 * came before: the whole stream, its result included, is the session `~` + the id of its first line.
 */
export function readCopilotMessage(value: JsonObject, type: string, scope: InputScope): Reading {
  if (type === "session.start") scope.copilotSession = textOf(dataOf(value).sessionId);
  const id = textOf(value.id);
  scope.copilotSession ??= textOf(value.sessionId) ?? (id === null ? null : `~${id}`);
  const reading = readMessage(COPILOT_MESSAGES, type, value, scope.copilotSession, LINE_ID);
  if (type === "result") scope.copilotSession = null;
  return reading;
}
