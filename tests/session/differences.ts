// Finds, event by event, where the observer does anything else than the translation to the letter, and names each kind.
import { discriminatorOf } from "../../lib/session/coverage.ts";
import type { HookInput, SdkMessage } from "../../lib/session/input.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import type { OpenEntry, SessionState, SessionTransition } from "../../lib/session/model.ts";
import { SessionObserver } from "../../lib/session/observer.ts";
import { literally, type Move } from "./literal_translation.ts";
import type { Arrival } from "./replay.ts";

/** One thing that the two translations do differently on one event, from the same state. */
export interface Difference {
  readonly event: string;
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * - `state`: the event leads to another state
   * - `more`, `less`: the observer does, or leaves, an operation on an entry
   * - `lane`: it opens the entry in the background
   * - `cwd`: it records another directory
   * - `silent`, `recorded`: it records nothing, or something, where the other does otherwise
   */
  readonly facet: "state" | "more" | "less" | "lane" | "cwd" | "silent" | "recorded";
  readonly before: SessionState;
  readonly theirs: SessionState;
  readonly ours: SessionState;
  /** The operation, for `more`, `less` and `lane`. */
  readonly op?: "open" | "close" | "background" | "abandon";
  /** The entry as it was or became; absent where there was none. */
  readonly entry?: OpenEntry;
}

type OpName = NonNullable<Difference["op"]>;

/** `operation id`, one a changed entry. */
type Operations = Map<string, { readonly op: OpName; readonly entryId: string }>;

/** One operation on several entries. */
interface Operation {
  readonly op: OpName;
  readonly ids: readonly string[];
}

function operationsOf(moves: readonly Operation[]): Operations {
  return new Map(moves.flatMap(({ op, ids }) => ids.map((entryId) => [`${op} ${entryId}`, { op, entryId }])));
}

function theirOperations(moves: readonly Move[], live: readonly string[]): Operations {
  return operationsOf(moves.flatMap(({ entry }): Operation[] => {
    if (entry === undefined) return [];
    if (entry.op === "abandon-open") return [{ op: "abandon", ids: live }];
    return entry.op === "abandon" ? [] : [{ op: entry.op, ids: [entry.entryId] }];
  }));
}

const ourOperations = (made: readonly SessionTransition[]): Operations =>
  operationsOf(
    made.flatMap(({ entryOp, entryId, abandoned }) =>
      entryOp === null ? [] : [{ op: entryOp, ids: abandoned ?? [entryId as string] }]
    ),
  );

/** Everything in which the two differ over one input, each event translated by both from where the observer stands. */
export function differencesOver(arrivals: readonly Arrival[]): Difference[] {
  const found: Difference[] = [];
  const observers = new Map<string, { observer: SessionObserver; tasks: Map<string, string> }>();
  let nowMs = 0;
  for (const { atMs, value: input } of arrivals) {
    nowMs = atMs;
    const sessionId = input.session_id;
    if (typeof sessionId !== "string" || sessionId === "") continue;
    let session = observers.get(sessionId);
    if (session === undefined) {
      const observer = new SessionObserver(new SessionStateMachine({ clock: () => nowMs, sessionId }));
      observers.set(sessionId, session = { observer, tasks: new Map() });
    }
    const { observer, tasks } = session;
    const { machine } = observer;
    const isHook = typeof input.hook_event_name === "string";
    const event = isHook ? input.hook_event_name as string : discriminatorOf(input as { type: string });

    const entries = new Map([...machine.entries()].map((entry) => [entry.entryId, entry]));
    const live = [...entries.values()].filter((entry) => entry.abandonedAt === null).map((entry) => entry.entryId);
    const before = machine.state;
    const cwdBefore = machine.where.cwd;
    const view = { state: before, isOpen: (id: string) => entries.has(id) };
    const moves = literally(event, input, view, tasks);
    const results = isHook
      ? observer.observeHook(input as unknown as HookInput)
      : observer.observeMessage(input as SdkMessage);
    const made = results.flatMap((result) => result.ok ? [result.value] : []);
    const entryOf = (id: string) => entries.get(id) ?? machine.entry(id);

    const theirs = moves.at(-1)?.to ?? before;
    const ours = machine.state;
    const tell = (facet: Difference["facet"], more: Partial<Difference> = {}) =>
      found.push({ event, input, facet, before, theirs, ours, ...more });

    if (ours !== theirs) tell("state");
    if ((moves.findLast((move) => move.cwd !== undefined)?.cwd ?? cwdBefore) !== machine.where.cwd) tell("cwd");
    if (moves.length > 0 && made.length === 0) tell("silent");
    if (moves.length === 0 && made.length > 0) tell("recorded");
    const [theirOps, ourOps] = [theirOperations(moves, live), ourOperations(made)];
    for (const [key, { op, entryId }] of ourOps) {
      if (!theirOps.has(key)) tell("more", { op, entry: entryOf(entryId) });
      else if (op === "open" && machine.entry(entryId)?.lane === "background" && !entries.has(entryId)) {
        tell("lane", { op, entry: machine.entry(entryId) });
      }
    }
    for (const [key, { op, entryId }] of theirOps) {
      if (!ourOps.has(key)) tell("less", { op, entry: entryOf(entryId) });
    }
  }
  return found;
}

/** What each rule says, in a sentence. */
export const RULES = {
  turn: "What only ends something moves no session without a turn, nor does a late answer. First seen midway: has one.",
  where: "A record tells the directory of the main thread, as its payloads do.",
  ids: "A call without an id has a number; its end is found by agent, tool and input.",
  ops: "What is not open is not closed by a batch or by the stream; whatever joins a task to its call counts.",
  E1: "Subagents do not move the session, and what they do beside a turn does not hold it.",
  E2: "A permission belongs to a call, and ends with it.",
  E3: "A batch ends the calls it lists that are still open.",
  E4: "A turn that ends leaves nothing in the foreground.",
  E5: "A call whose work goes on in the background does not hold the session, and ends with that work.",
  E6: "A new prompt marks what the turn before left open: all there is to see of an interrupt.",
  E7: "A new process takes the session over.",
  E8: "After the end only a start or a prompt revives a session.",
  E9: "The end of a subagent, good or bad, is the subagent's.",
  E10: "A compaction outside a turn holds the session while it lasts, and has more than one end.",
  E11: "A question of a server ends with the call that made it.",
  E12: "A result tells how a turn ended, once.",
  E13: "A model request ends with its answer.",
  E14: "The stream alone is enough.",
  E15: "An interrupt that is told is `interrupted`.",
  E16: "The same event delivered twice ends as once.",
  E17: "A change of the model is recorded.",
  E18: "The agent reports itself once a turn; only the first time moves the session.",
} as const;

/** One kind of difference, in words and as a test. */
export interface Row {
  readonly rule: keyof typeof RULES;
  readonly situation: string;
  readonly literally: string;
  readonly here: string;
  readonly covers: (difference: Difference) => boolean;
}

const isOf = (...events: string[]) => {
  const known = new Set(events);
  return ({ event }: Difference) => known.has(event);
};
const isCallEnd = isOf("PostToolUse", "PostToolUseFailure", "PostToolBatch");
const isTurnEnd = isOf(
  "Stop",
  "StopFailure",
  "result",
  "system/session_state_changed",
  "PostToolUseFailure",
  "Interrupt",
);
const isBlock = isOf("assistant", "user");
const isTaskLine = isOf("system/task_started", "system/task_updated", "system/task_notification");
const isEnd = isOf(
  ...["PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionDenied", "ElicitationResult", "PostCompact"],
);
const ofAgent = ({ input }: Difference) => typeof input.hook_event_name === "string" && "agent_id" in input;
const ofKind = ({ entry }: Difference, ...kinds: string[]) =>
  entry !== undefined && kinds.includes(entry.activity.kind);
const does = (d: Difference, facet: Difference["facet"], op?: Difference["op"]) =>
  d.facet === facet && (op === undefined || d.op === op);
const keeps = (d: Difference) => d.facet === "state" && d.ours === d.before;
const isNameless = ({ input }: Difference) =>
  "tool_name" in input && !("tool_use_id" in input) ||
  Array.isArray(input.tool_calls) && input.tool_calls.some((call) => call?.tool_use_id === undefined);

/** Every kind of difference. One that several rows could cover belongs to the first. */
export const ROWS: readonly Row[] = [
  {
    rule: "E8",
    situation: "any event after the session's end, but SessionStart and a prompt of the main thread",
    literally: "moves the session and opens its entry",
    here: "is recorded; the session stays `ended` and no open entrys",
    covers: (d) => d.before === "ended" && d.event !== "SessionStart" && (keeps(d) || does(d, "less", "open")),
  },
  {
    rule: "E7",
    situation: "SessionStart by resume, fork or clear; any SessionStart after the end",
    literally: "state and open entries stay",
    here: "what is open is abandoned, the session is `spawning`",
    covers: (d) =>
      d.event === "SessionStart" && (d.ours === "spawning" && d.facet === "state" || does(d, "more", "abandon")),
  },
  {
    rule: "E10",
    situation: "SessionStart (compact), or a status that tells a compaction's result",
    literally: "the compaction stays open",
    here: "closes it",
    covers: (d) => isOf("SessionStart", "system/status")(d) && does(d, "more", "close") && ofKind(d, "compacting"),
  },
  {
    rule: "E10",
    situation: "a compaction outside a turn ends",
    literally: "the session stays `working`, or wakes",
    here: "it returns to `idle`",
    covers: (d) =>
      isOf("SessionStart", "PostCompact", "system/status", "system/compact_boundary")(d) && d.facet === "state" &&
      d.before === "working" && d.ours === "idle",
  },
  {
    rule: "E10",
    situation: "SubagentStop of a subagent that never started (a compaction's helper)",
    literally: "closes an entry that is not there; the session is `working`",
    here: "is recorded; touches no entry and no state",
    covers: (d) => d.event === "SubagentStop" && does(d, "less", "close") && d.entry === undefined,
  },
  {
    rule: "E9",
    situation: "StopFailure of a subagent",
    literally: "the session is `errored`",
    here: "closes the subagent's entry; the session stays as it is",
    covers: (d) => d.event === "StopFailure" && ofAgent(d) && (d.facet === "state" || does(d, "more", "close")),
  },
  {
    rule: "E9",
    situation: "a subagent is over, with calls of its own still open",
    literally: "they stay open",
    here: "they are abandoned",
    covers: (d) =>
      isOf("SubagentStop", "StopFailure", "system/task_updated", "system/task_notification")(d) &&
      does(d, "more", "abandon") && d.entry?.agentId !== null && (ofAgent(d) || isTaskLine(d)),
  },
  {
    rule: "E1",
    situation: "an event of a subagent",
    literally: "the session is `working`",
    here: "the state stays; only `spawning` and `ready` become `working`",
    covers: (d) => ofAgent(d) && keeps(d),
  },
  {
    rule: "E1",
    situation: "an entry of a subagent that runs in the background, or beside no turn",
    literally: "opens in the foreground",
    here: "opens in the background, so that it does not hold the session",
    covers: (d) => ofAgent(d) && d.facet === "lane",
  },
  {
    rule: "E1",
    situation: "SessionEnd or CwdChanged of a subagent",
    literally: "ends the session; moves its directory",
    here: "is recorded",
    covers: (d) => ofAgent(d) && (does(d, "less", "abandon") || d.facet === "cwd"),
  },
  {
    rule: "E15",
    situation: "a call that failed by an interrupt; a dialect's own interrupt event",
    literally: "the call is closed, the session stays `working`; nothing",
    here: "the session is `interrupted`, what the turn left open is abandoned",
    covers: (d) =>
      isOf("PostToolUseFailure", "Interrupt")(d) &&
      (d.facet === "state" && d.ours === "interrupted" && d.before !== d.ours || does(d, "more", "abandon") ||
        d.event === "Interrupt" && d.facet === "recorded"),
  },
  {
    rule: "E17",
    situation: "PostModelSwitch",
    literally: "nothing",
    here: "is recorded with both models",
    covers: (d) => d.event === "PostModelSwitch" && d.facet === "recorded",
  },
  {
    rule: "E11",
    situation: "the last open call of a server ends while its question is open",
    literally: "the question stays open",
    here: "closes it",
    covers: (d) => does(d, "more", "close") && ofKind(d, "elicitation"),
  },
  {
    rule: "E2",
    situation: "a call ends while its permission is open",
    literally: "the permission stays open until the tool's next call",
    here: "closes it, before the call",
    covers: (d) =>
      (isCallEnd(d) || d.event === "user") && does(d, "more", "close") && ofKind(d, "permission") ||
      d.event === "PostToolBatch" && d.facet === "recorded",
  },
  {
    rule: "E2",
    situation: "the next call of a tool starts while another call's permission is open",
    literally: "closes that permission as settled",
    here: "leaves it: its own call ends it",
    covers: (d) => d.event === "PreToolUse" && does(d, "less", "close") && ofKind(d, "permission"),
  },
  {
    rule: "E2",
    situation: "a second call of a tool asks while the first one's permission is open",
    literally: "both share `permission:TOOL`",
    here: "the second is `permission:TOOL:ID`, and each ends with its own call",
    covers: (d) => isOf("PermissionRequest", "PermissionDenied")(d) && (d.facet === "more" || d.facet === "less"),
  },
  {
    rule: "ids",
    situation: "a call without an id",
    literally: "all such calls share one entry without a name",
    here: "each is `tool:TOOL:N`; ends pair first in, first out by agent, tool and input",
    covers: isNameless,
  },
  {
    rule: "E5",
    situation: "a call whose response says that its work goes on in the background",
    literally: "is closed",
    here: "goes to the background lane",
    covers: (d) =>
      isOf("PostToolUse", "user")(d) &&
      (does(d, "more", "background") || does(d, "less", "close") && ofKind(d, "tool")),
  },
  {
    rule: "E5",
    situation: "task_started with is_backgrounded",
    literally: "nothing but the join of task and call",
    here: "the call goes to the background lane",
    covers: (d) =>
      d.event === "system/task_started" && d.input.task_type !== "local_agent" &&
      (does(d, "more", "background") || d.facet === "recorded"),
  },
  {
    rule: "E5",
    situation: "Stop or SubagentStop with a list that no longer names a background task",
    literally: "its entry stays open",
    here: "closes it",
    covers: (d) => isOf("Stop", "SubagentStop")(d) && does(d, "more", "close") && ofKind(d, "tool"),
  },
  {
    rule: "E5",
    situation: "a response names what it ended: TaskStop a task, Codex's close_agent and wait_agent a subagent",
    literally: "its entry, a subagent's too, stays open",
    here: "closes it, and abandons the calls of a subagent",
    covers: (d) =>
      d.event === "PostToolUse" && (d.input.tool_name === "TaskStop" || "ended_tasks" in d.input) &&
      (does(d, "more", "close") || does(d, "more", "abandon")),
  },
  {
    rule: "E5",
    situation: "task_updated says that a task went to the background, and something else holds the session",
    literally: "the session is `idle`",
    here: "it stays as it is",
    covers: (d) => d.event === "system/task_updated" && d.facet === "state" && d.theirs === "idle" && keeps(d),
  },
  {
    rule: "E5",
    situation: "task_updated says that a subagent went to the background",
    literally: "only the call that started it does",
    here: "so does all it has open",
    covers: (d) => d.event === "system/task_updated" && does(d, "more", "background") && d.entry?.agentId !== null,
  },
  {
    rule: "E3",
    situation: "a batch lists a call that goes on in the background",
    literally: "closes it",
    here: "leaves it",
    covers: (d) => d.event === "PostToolBatch" && (does(d, "less", "close") || d.facet === "silent"),
  },
  {
    rule: "E13",
    situation: "any sign of the answer: an assistant message, a call, another status, the turn's end",
    literally: "the model request stays open until a cleared status",
    here: "closes it",
    covers: (d) => does(d, "more", "close") && ofKind(d, "requesting"),
  },
  {
    rule: "E4",
    situation: "a turn ends with entries in the foreground",
    literally: "they hold the session on",
    here: "a subagent that runs on goes to the background with what it has open; the rest is abandoned",
    covers: (d) => isTurnEnd(d) && (does(d, "more", "background") || does(d, "more", "abandon")),
  },
  {
    rule: "E6",
    situation: "a new prompt while an entry of the prompt before is open (all that an interrupt leaves behind)",
    literally: "it stays open",
    here: "it is abandoned",
    covers: (d) => d.event === "UserPromptSubmit" && does(d, "more", "abandon"),
  },
  {
    rule: "E14",
    situation: "assistant and user messages, where no hook has told the same",
    literally: "nothing",
    here: "the session is `working`; tool_use and tool_result blocks open and close the calls",
    covers: (d) => isBlock(d) && (d.facet === "recorded" || d.facet === "state" || ofKind(d, "tool")),
  },
  {
    rule: "E7",
    situation: "system/init, where no hook is seen, with a call of the main thread open",
    literally: "the call stays open",
    here: "it is abandoned: its turn or its process ended without a word",
    covers: (d) => d.event === "system/init" && does(d, "more", "abandon"),
  },
  {
    rule: "E14",
    situation: "task lines of a subagent, where no hook has told it",
    literally: "close the call that started it",
    here: "open and close the subagent's own entry",
    covers: (d) =>
      isTaskLine(d) && d.facet === "more" && ofKind(d, "subagent") ||
      d.event === "system/task_started" && d.facet === "recorded",
  },
  {
    rule: "E12",
    situation: "a result with is_error",
    literally: "its subtype decides: `success` is `idle`, all others are `errored`",
    here: "is_error decides",
    covers: (d) =>
      d.event === "result" && d.facet === "state" && d.ours !== "interrupted" &&
      d.ours === (d.input.is_error === true ? "errored" : "idle"),
  },
  {
    rule: "E12",
    situation: "a result with terminal_reason aborted_…",
    literally: "the session is `errored`",
    here: "it is `interrupted`",
    covers: (d) => d.event === "result" && d.facet === "state" && d.ours === "interrupted",
  },
  {
    rule: "E12",
    situation: "a result that comes after the next turn's prompt and before its init: the stream is late",
    literally: "ends the turn that is open",
    here: "moves nothing: it is of the turn before",
    covers: (d) => d.event === "result" && keeps(d) && d.before === "working",
  },
  {
    rule: "E12",
    situation: "a result with no turn open: of no turns, or of one that has ended",
    literally: "moves the session again",
    here: "moves nothing",
    covers: (d) => d.event === "result" && keeps(d),
  },
  {
    rule: "E18",
    situation: "system/init in any state but `spawning` (it comes once a turn)",
    literally: "the session is `ready` again",
    here: "is recorded and moves nothing",
    covers: (d) => d.event === "system/init" && keeps(d),
  },
  {
    rule: "E13",
    situation: "a cleared status outside a turn",
    literally: "the session is `working`",
    here: "the state stays",
    covers: (d) => d.event === "system/status" && keeps(d),
  },
  {
    rule: "turn",
    situation: "a late end of something, with no turn open",
    literally: "the session is `working`",
    here: "the state stays",
    covers: (d) => isEnd(d) && keeps(d),
  },
  {
    rule: "turn",
    situation:
      "the client's late word that it runs, of a turn whose end a hook told; or that it is idle, of one before",
    literally: "the session is `working`; `idle`",
    here: "the state stays",
    covers: (d) =>
      d.event === "system/session_state_changed" && keeps(d) && (d.theirs === "working" || d.before === "working"),
  },
  {
    rule: "turn",
    situation: "the client says idle with no turn open",
    literally: "the session is `idle`",
    here: "the state stays",
    covers: (d) => d.event === "system/session_state_changed" && keeps(d),
  },
  {
    rule: "ops",
    situation: "a message of the stream, or a batch, about an entry that is not open",
    literally: "a close is recorded",
    here: "no close is: the task's end and the call's own end often tell the same",
    covers: (d) =>
      d.event.startsWith("system/") && (does(d, "less", "close") && d.entry === undefined || d.facet === "silent"),
  },
  {
    rule: "ops",
    situation: "the end of a task whose call was joined to it by its response alone",
    literally: "nothing",
    here: "closes the call",
    covers: (d) => isTaskLine(d) && (d.facet === "recorded" || does(d, "more", "close") && ofKind(d, "tool")),
  },
  {
    rule: "where",
    situation: "any payload of the main thread with a cwd; system/init where there are no hooks",
    literally: "only CwdChanged tells where the session works",
    here: "the record tells it",
    covers: (d) => d.facet === "cwd",
  },
];

/** The row that a difference belongs to; null where there is none. */
export const rowOf = (difference: Difference): Row | null => ROWS.find((row) => row.covers(difference)) ?? null;
