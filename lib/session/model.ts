// Pure. The vocabulary of the session model: what a session can be, what can hold it, what may cause a change.

/** Every lifecycle state, in the order a session usually meets them. */
export const SESSION_STATES = ["spawning", "ready", "working", "idle", "errored", "interrupted", "ended"] as const;
/**
 * What a session is.
 *
 * - `spawning`: a process was asked for and has not reported itself; also the state before any record
 * - `ready`: it reported itself
 * - `working`: a turn is in flight
 * - `idle`: the last turn ended cleanly and it waits for input
 * - `errored`: the last turn ended abnormally
 * - `interrupted`: the last turn was interrupted
 * - `ended`: the process is over
 */
export type SessionState = (typeof SESSION_STATES)[number];

/** Every kind of activity. */
export const ACTIVITY_KINDS = ["requesting", "compacting", "tool", "subagent", "permission", "elicitation"] as const;
/** What kind of thing holds a session. */
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** What holds the session now: a tool by its name, a subagent by its type, an elicitation by its server. */
export interface Activity {
  /** What sort of thing it is. */
  readonly kind: ActivityKind;
  /** Its name; null where the kind says it all. */
  readonly name: string | null;
}

/** Whether an entry holds the session (`foreground`) or only runs beside it (`background`). */
export type Lane = "foreground" | "background";

/** Every hook event of the newest agent SDK, and Codex's `Interrupt`. */
export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "Notification",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "PreModelSwitch",
  "PostModelSwitch",
  "PermissionRequest",
  "PermissionDenied",
  "Setup",
  "TeammateIdle",
  "TaskCreated",
  "TaskCompleted",
  "Elicitation",
  "ElicitationResult",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "InstructionsLoaded",
  "CwdChanged",
  "FileChanged",
  "DirectoryAdded",
  "MessageDisplay",
  "PreSkillShellCommand",
  "Interrupt",
] as const;
/** The name of a hook event. */
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Causes that the embedding program reports. */
export const CONTROL_EVENTS = [
  "create_requested",
  "prompt_submitted",
  "interrupt_requested",
  "stop_requested",
  "permission_denied",
] as const;
/** Causes that the process itself is. */
export const PROCESS_EVENTS = [
  "process_started",
  "stop_requested",
  "process_ended",
  "process_failed",
  "start_timed_out",
] as const;
/** Causes that a clock of the embedding program reports. */
export const TIMEOUT_EVENTS = ["start_timed_out", "hook_timed_out"] as const;

/** Why something that is not a denial stopped a decision: an outage must never look like a "no". */
export const REFUSAL_REASONS = [
  "decision_unavailable",
  "decision_failed",
  "decision_timed_out",
  "host_unavailable",
] as const;

/** Every message discriminator of the newest agent SDK (`type/subtype` for system messages, else `type`), and the stream's control lines. */
export const MESSAGE_EVENTS = [
  "assistant",
  "user",
  "result",
  "stream_event",
  "tool_progress",
  "tool_use_summary",
  "auth_status",
  "rate_limit_event",
  "prompt_suggestion",
  "conversation_reset",
  "active_goal",
  "system/init",
  "system/status",
  "system/session_state_changed",
  "system/compact_boundary",
  "system/task_started",
  "system/task_updated",
  "system/task_progress",
  "system/task_notification",
  "system/background_tasks_changed",
  "system/worker_shutting_down",
  "system/model_refusal_fallback",
  "system/model_refusal_no_fallback",
  "system/permission_denied",
  "system/api_retry",
  "system/control_request_progress",
  "system/local_command_output",
  "system/hook_started",
  "system/hook_progress",
  "system/hook_response",
  "system/plugin_install",
  "system/thinking_tokens",
  "system/commands_changed",
  "system/notification",
  "system/files_persisted",
  "system/memory_recall",
  "system/elicitation_complete",
  "system/mirror_error",
  "system/informational",
  "system/session_writes_lost",
  "control_request",
  "control_response",
  "control_cancel_request",
  "keep_alive",
] as const;
/** What tells one kind of message from another. */
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

/** The closed vocabulary of causes: a kind, and the events that kind may name. */
export const CAUSE_EVENTS = {
  "hook": HOOK_EVENTS,
  "sdk-message": MESSAGE_EVENTS,
  "control": CONTROL_EVENTS,
  "timeout": TIMEOUT_EVENTS,
  "process": PROCESS_EVENTS,
  "refusal": REFUSAL_REASONS,
} as const;
/** What sort of thing caused a transition. */
export type CauseKind = keyof typeof CAUSE_EVENTS;

/** Why a transition happened. `detail` carries the facts, for people; nothing should parse it. */
export type TransitionCause = {
  readonly [Kind in CauseKind]: {
    readonly kind: Kind;
    readonly event: (typeof CAUSE_EVENTS)[Kind][number];
    readonly detail: string;
  };
}[CauseKind];

/** Where a session works. What is not known is null, and `unknownReason` says why. */
export interface TransitionWhere {
  /** The main thread's working directory. */
  readonly cwd: string | null;
  /** The git worktree; `observe` never knows it. */
  readonly worktree: string | null;
  /** The git branch; `observe` never knows it. */
  readonly branch: string | null;
  /** Why something above is null. */
  readonly unknownReason: string | null;
}

/** What a record did to the open entries. */
export type EntryOpName = "open" | "close" | "background" | "abandon";

/**
 * One record: a session moved, or something happened that left it where it was.
 *
 * Its keys stand in the order in which `vigil observe --format json` prints them.
 */
export interface SessionTransition {
  /** The agent's own id of the session. */
  readonly sessionId: string | null;
  /** Dense, from 1, per session. */
  readonly seq: number;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  /** The `to` of the record before; `spawning` in the first. */
  readonly from: SessionState;
  /** The state from this record on. */
  readonly to: SessionState;
  /** What holds the session after this record. */
  readonly activity: Activity | null;
  /** The entry this record is about. */
  readonly entryId: string | null;
  /** What happened. */
  readonly cause: TransitionCause;
  /** Where the session works. */
  readonly where: TransitionWhere;
  /** The embedding program's own id; null in `observe`. */
  readonly correlationId: string | null;
  /** What became of the entry; null when the record is about none. */
  readonly entryOp: EntryOpName | null;
  /** The entries that this record marked; only on a record whose `entryOp` is `abandon`. */
  readonly abandoned?: readonly string[];
}

/** Something that was opened and has not been closed. Times are epoch milliseconds. */
export interface OpenEntry {
  /** The id its end is known by. */
  readonly entryId: string;
  /** What it is. */
  readonly activity: Activity;
  /** Whether it holds the session. */
  readonly lane: Lane;
  /** When it was opened. */
  readonly openedAt: number;
  /** When it left the foreground; null if it did not. */
  readonly backgroundedAt: number | null;
  /** When it was marked abandoned; null if it was not. */
  readonly abandonedAt: number | null;
  /** Why it was marked abandoned. */
  readonly abandonReason: string | null;
  /** What opened it. */
  readonly cause: TransitionCause;
  /** The subagent it belongs to; null for the main thread. */
  readonly agentId: string | null;
}

/** An open entry with its age in milliseconds, never negative. */
export interface AgedEntry extends OpenEntry {
  /** Milliseconds since it was opened, by the machine's clock. */
  readonly ageMs: number;
}

/** Everything a session can say about itself at one moment. */
export interface SessionSnapshot {
  /** The agent's own id of the session. */
  readonly sessionId: string | null;
  /** The embedding program's own id. */
  readonly correlationId: string | null;
  /** The state of the last record. */
  readonly state: SessionState;
  /** What holds the session now. */
  readonly activity: Activity | null;
  /** Where the session works. */
  readonly where: TransitionWhere;
  /** What is open, abandoned entries included, in the order of opening. */
  readonly openEntries: readonly AgedEntry[];
  /** ISO 8601; null before any record. */
  readonly lastTransitionAt: string | null;
  /** How many records were made. */
  readonly transitionCount: number;
  /** How many abandoned entries were dropped to keep within the machine's limit. */
  readonly abandonedDropped: number;
}
