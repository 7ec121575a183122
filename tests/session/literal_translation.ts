// The translation that the model started from, to the letter: one event in, what it asks the record for. An oracle for
// tests: where the observer does anything else, docs/differences.md must say so.
import type { EntryOp, TransitionRequest } from "../../lib/session/machine.ts";
import type { Activity, SessionState } from "../../lib/session/model.ts";

/** What a translation may look at. */
export interface View {
  readonly state: SessionState;
  /** Whether an entry with this id is there, abandoned or not. */
  readonly isOpen: (entryId: string) => boolean;
}

/** A move without its cause: `cwd` is there where it says that the session works somewhere else. */
export interface Move {
  readonly to: SessionState;
  readonly entry?: EntryOp;
  readonly cwd?: string;
}

type Input = Readonly<Record<string, unknown>>;
type Rule = (input: Input, view: View, tasks: Map<string, string>) => Move[];

const text = (value: unknown): string => value as string;

const opens = (entryId: string, kind: Activity["kind"], name: string | null, agentId: unknown = null): EntryOp => ({
  op: "open",
  entryId,
  activity: { kind, name },
  agentId: (agentId ?? null) as string | null,
});
const closes = (entryId: string): EntryOp => ({ op: "close", entryId });
const ends = (input: Input): Move[] => [{ to: "working", entry: closes(text(input.tool_use_id)) }];

const permissionOf = (input: Input) => `permission:${input.tool_name}`;
const questionOf = (input: Input) => `elicitation:${input.elicitation_id ?? input.mcp_server_name}`;

/** Every hook event that it takes. */
const HOOKS: Readonly<Record<string, Rule>> = {
  PreToolUse: (input, view) => {
    const held = permissionOf(input);
    const started = opens(text(input.tool_use_id), "tool", text(input.tool_name), input.agent_id);
    return [
      ...(view.isOpen(held) ? [{ to: "working", entry: closes(held) } as const] : []),
      { to: "working", entry: started },
    ];
  },
  PostToolUse: ends,
  PostToolUseFailure: ends,
  PostToolBatch: (input, view) =>
    (Array.isArray(input.tool_calls) ? input.tool_calls : []).flatMap((call) => call?.tool_use_id ?? []).filter(
      view.isOpen,
    )
      .map((id) => ({ to: "working", entry: closes(id) })),
  UserPromptSubmit: () => [{ to: "working" }],
  Stop: () => [{ to: "idle" }],
  StopFailure: () => [{ to: "errored" }],
  SessionStart: (_, view) => [{ to: view.state }],
  SessionEnd: () => [{ to: "ended", entry: { op: "abandon-open", reason: "ended" } }],
  CwdChanged: (input, view) => [{ to: view.state, cwd: text(input.new_cwd) }],
  SubagentStart: ({ agent_id, agent_type }) => [
    { to: "working", entry: opens(text(agent_id), "subagent", text(agent_type), agent_id) },
  ],
  SubagentStop: (input) => [{ to: "working", entry: closes(text(input.agent_id)) }],
  PreCompact: () => [{ to: "working", entry: opens("compaction", "compacting", null) }],
  PostCompact: () => [{ to: "working", entry: closes("compaction") }],
  PermissionRequest: (input) => [
    { to: "working", entry: opens(permissionOf(input), "permission", text(input.tool_name), input.agent_id) },
  ],
  PermissionDenied: (input) => [{ to: "working", entry: closes(permissionOf(input)) }],
  Elicitation: (input) => [
    { to: "working", entry: opens(questionOf(input), "elicitation", text(input.mcp_server_name)) },
  ],
  ElicitationResult: (input) => [{ to: "working", entry: closes(questionOf(input)) }],
};

/** What each status of the model request asks for. */
const STATUSES: Readonly<Record<string, EntryOp>> = {
  requesting: opens("request", "requesting", null),
  compacting: opens("compaction", "compacting", null),
  null: closes("request"),
};

/** Every message that it takes. */
const MESSAGES: Readonly<Record<string, Rule>> = {
  "system/init": () => [{ to: "ready" }],
  "system/status": (input) => [{ to: "working", entry: STATUSES[String(input.status)] }],
  "system/session_state_changed": (input) => [{ to: input.state === "idle" ? "idle" : "working" }],
  "system/compact_boundary": (_, view) => [{ to: view.state, entry: closes("compaction") }],
  "system/task_started": (input, _, tasks) => {
    tasks.set(text(input.task_id), text(input.tool_use_id ?? `task:${input.task_id}`));
    return [];
  },
  "system/task_updated": (input, view, tasks) => {
    const entryId = tasks.get(text(input.task_id));
    const { is_backgrounded, status } = input.patch as Input;
    if (entryId === undefined) return [];
    if (is_backgrounded === true) return [{ to: "idle", entry: { op: "background", entryId } }];
    if (status !== "completed" && status !== "failed" && status !== "killed") return [];
    tasks.delete(text(input.task_id));
    return [{ to: view.state, entry: closes(entryId) }];
  },
  "system/task_notification": (input, view, tasks) => {
    const entryId = input.tool_use_id ?? tasks.get(text(input.task_id));
    if (entryId === undefined) return [];
    tasks.delete(text(input.task_id));
    return [{ to: view.state, entry: closes(text(entryId)) }];
  },
  "system/worker_shutting_down": (_, view) => [{ to: view.state }],
  "system/model_refusal_no_fallback": (_, view) => [{ to: view.state }],
  "result": (input) => [{ to: input.subtype === "success" ? "idle" : "errored" }],
};

/** What the event asks for, to the letter. `tasks` is remembered from event to event. */
export function literally(event: string, input: Input, view: View, tasks: Map<string, string>): Move[] {
  const rule = typeof input.hook_event_name === "string" ? HOOKS[event] : MESSAGES[event];
  return rule?.(input, view, tasks) ?? [];
}

/** The moves as requests, for a record of their own. */
export const requestsOf = (event: string, isHook: boolean, moves: readonly Move[]): TransitionRequest[] =>
  moves.map(({ to, entry, cwd }) => ({
    to,
    entry,
    cause: { kind: isHook ? "hook" : "sdk-message", event, detail: "" } as TransitionRequest["cause"],
    where: cwd === undefined ? undefined : { cwd, worktree: null, branch: null, unknownReason: null },
  }));
