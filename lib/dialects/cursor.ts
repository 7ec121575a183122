// Pure. Cursor's dialect, from its documentation only: camelCase events, a conversation for a session, a generation for a turn.
import type { HookInput } from "../session/input.ts";
import { type ClientNames, type HookEntry, hookTable, readHook } from "./dialect.ts";
import { type JsonObject, type Reading, textOf } from "./reading.ts";

const twice = "the tool call's own events tell the same, with its id";
const text = "text on a screen";

/** How a turn ended -> the model's event. */
const ENDS: Readonly<Record<string, HookInput["hook_event_name"]>> = { error: "StopFailure", aborted: "Interrupt" };

const CALL: Pick<Extract<HookEntry, { wired: string }>, "needs"> = { needs: ["tool_name"] };

export const CURSOR_HOOKS = hookTable("cursor", {
  sessionStart: { wired: "a session started", maps: "SessionStart" },
  sessionEnd: { wired: "the session is over", maps: "SessionEnd" },
  beforeSubmitPrompt: { wired: "a turn was submitted", maps: "UserPromptSubmit" },
  stop: {
    wired: "the turn ended; StopFailure where its status is error, Interrupt where it is aborted",
    maps: "Stop",
    reshape: (value) => {
      const event = ENDS[String(value.status)];
      return event === undefined ? {} : { hook_event_name: event };
    },
  },
  preToolUse: { wired: "a tool call started", maps: "PreToolUse", ...CALL },
  postToolUse: { wired: "a tool call ended", maps: "PostToolUse", ...CALL },
  postToolUseFailure: {
    wired: "a tool call ended with an error",
    maps: "PostToolUseFailure",
    ...CALL,
    reshape: (value) => ({ error: value.error_message ?? value.failure_type }),
  },
  preCompact: { declined: "nothing tells when the compaction is over" },
  subagentStart: { declined: "the Task tool's own call tells the same" },
  subagentStop: { declined: "the Task tool's own call tells the same" },
  beforeShellExecution: { declined: twice },
  afterShellExecution: { declined: twice },
  beforeMCPExecution: { declined: twice },
  afterMCPExecution: { declined: twice },
  beforeReadFile: { declined: twice },
  afterFileEdit: { declined: twice },
  afterAgentResponse: { declined: text },
  afterAgentThought: { declined: text },
  beforeTabFileRead: { declined: "completion in the editor, not the agent" },
  afterTabFileEdit: { declined: "completion in the editor, not the agent" },
}, "documented");

/** Only these go on: a payload also names the person by e-mail address. */
const KEPT = [
  "hook_event_name",
  "cwd",
  "tool_name",
  "tool_use_id",
  "tool_input",
  "is_interrupt",
  "model",
  "reason",
  "status",
  "error_message",
  "failure_type",
  "observed_at",
  "timestamp",
] as const;

const NAMES: ClientNames = { session_id: "conversation_id" };

/** Reads a hook payload of Cursor. */
export function readCursorHook(value: JsonObject, event: string): Reading {
  const kept: Record<string, unknown> = {
    session_id: textOf(value.conversation_id) ?? value.session_id,
    prompt_id: value.generation_id,
    duration_ms: value.duration,
  };
  for (const field of KEPT) if (value[field] !== undefined) kept[field] = value[field];
  return readHook(CURSOR_HOOKS, event, kept, NAMES);
}
