// Pure. Chrome trace events: a night to look at in Perfetto or chrome://tracing.
// Source of the format: "Trace Event Format" of the Catapult project; times are microseconds.
import type { Activity, SessionState, SessionTransition, TransitionCause } from "../session/model.ts";
import { type EndedSpan, EntrySpans, type OpenSpan, type SpanEnd } from "./entry_spans.ts";
import type { EntryLookup, TransitionFormat } from "./format.ts";
import { isoTime } from "../session/machine.ts";

/** A detail may quote a whole command; a tooltip need not. */
const MAX_DETAIL_UNITS = 1000;

/** One row of the picture: spans on it never overlap. */
interface Row {
  readonly tid: number;
  busy: boolean;
}

/** The rows of the main thread or of one subagent. */
interface Thread {
  /** The subagent's id; "" for the main thread. */
  readonly key: string;
  readonly name: string;
  readonly order: number;
  readonly rows: Row[];
}

interface Session {
  readonly pid: number;
  readonly spans: EntrySpans;
  readonly threads: Map<string, Thread>;
  /** Where each open entry is drawn. */
  readonly placed: Map<string, { readonly thread: Thread; readonly row: Row; readonly fromMs: number }>;
  readonly stateTid: number;
  state: { readonly name: SessionState; readonly fromMs: number; readonly since: string; readonly by: TransitionCause };
  /** The latest time so far: a picture cannot go back, so a clock that does stands still here. Arguments tell the truth. */
  nowMs: number;
}

const causeText = ({ kind, event, detail }: TransitionCause): string => {
  const cut = detail.length > MAX_DETAIL_UNITS ? `${detail.slice(0, MAX_DETAIL_UNITS)}…` : detail;
  return cut === "" ? `${kind}/${event}` : `${kind}/${event}: ${cut}`;
};

const nameOf = ({ kind, name }: Activity): string => name === null ? kind : kind === "tool" ? name : `${kind} ${name}`;

/** Viewers sort a session's threads by these: states, then the main thread, then subagents as they came. */
const STATE_ORDER = -2;
const MAIN_ORDER = -1;

/** Colours by the names that chrome://tracing has for them. It throws at others; Perfetto takes its own. */
const STATE_COLORS: Readonly<Record<SessionState, string>> = {
  spawning: "thread_state_unknown",
  ready: "thread_state_runnable",
  working: "thread_state_running",
  idle: "thread_state_runnable",
  errored: "terrible",
  interrupted: "bad",
  ended: "grey",
};

const END_COLORS: Readonly<Record<SpanEnd, string | undefined>> = {
  closed: undefined,
  abandoned: "cq_build_abandoned",
  open: "yellow",
};

/** The name of a span, with what its colour alone would not say in every viewer. */
function titleOf({ activity, lane, end }: EndedSpan): string {
  const marks = [lane === "background" ? lane : "", end === "closed" ? "" : end].filter((mark) => mark !== "");
  return nameOf(activity) + (marks.length === 0 ? "" : ` (${marks.join(", ")})`);
}

/** Where a span stands. Times are epoch milliseconds. */
interface Place {
  readonly pid: number;
  readonly tid: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly shortestUs?: number;
}

/**
 * Trace events, one a line, in the array form: a process a session; a thread for its states, one for the main thread
 * and one for each subagent; a span an entry. What runs beside another on one thread stands on a further row of it.
 * The text is JSON once `end` has been printed; both viewers also read it without.
 */
export function traceFormat(entryOf: EntryLookup): TransitionFormat {
  const sessions = new Map<string | null, Session>();
  let lastNumber = 0;
  let isFirst = true;

  const line = (event: Readonly<Record<string, unknown>>): string => {
    const text = `${isFirst ? "" : ","}${JSON.stringify(event)}\n`;
    isFirst = false;
    return text;
  };

  const metadata = (name: string, pid: number, tid: number, args: Readonly<Record<string, unknown>>): string =>
    line({ name, ph: "M", pid, tid, args });

  const span = (
    { pid, tid, fromMs, toMs, shortestUs = 0 }: Place,
    name: string,
    category: string,
    cname: string | undefined,
    args: Readonly<Record<string, unknown>>,
  ): string => {
    const dur = Math.max((toMs - fromMs) * 1000, shortestUs);
    return line({ name, cat: category, cname, ph: "X", ts: fromMs * 1000, dur, pid, tid, args });
  };

  function begin(transition: SessionTransition, nowMs: number): [Session, string] {
    const pid = ++lastNumber;
    const stateTid = ++lastNumber;
    const session: Session = {
      pid,
      spans: new EntrySpans(entryOf),
      threads: new Map(),
      placed: new Map(),
      stateTid,
      state: { name: transition.to, fromMs: nowMs, since: transition.at, by: transition.cause },
      nowMs,
    };
    sessions.set(transition.sessionId, session);
    const text =
      metadata("process_name", pid, stateTid, { name: `session ${transition.sessionId ?? "without an id"}` }) +
      metadata("process_sort_index", pid, stateTid, { sort_index: pid }) +
      metadata("thread_name", pid, stateTid, { name: "state" }) +
      metadata("thread_sort_index", pid, stateTid, { sort_index: STATE_ORDER });
    return [session, text];
  }

  function endState(session: Session, until: string, by: TransitionCause | null): string {
    const { name, fromMs, since, by: cause } = session.state;
    // Without length, the last state would be drawn as a part of the one before it, on a row of its own.
    const shortestUs = by === null ? 1 : 0;
    const place = { pid: session.pid, tid: session.stateTid, fromMs, toMs: session.nowMs, shortestUs };
    return span(place, name, "state", STATE_COLORS[name], {
      began: causeText(cause),
      ended: by === null ? "the input ended" : causeText(by),
      from: since,
      to: until,
    });
  }

  /** The thread that draws an entry: that of the subagent it belongs to, or the main one. */
  function threadOf(session: Session, opened: OpenSpan): Thread {
    const key = opened.agentId ?? "";
    let thread = session.threads.get(key);
    if (thread === undefined) {
      const type = opened.activity.kind === "subagent" ? `${opened.activity.name ?? "agent"} ` : "agent ";
      thread = key === ""
        ? { key, name: "main", order: MAIN_ORDER, rows: [] }
        : { key, name: `${type}${key}`, order: ++lastNumber, rows: [] };
      session.threads.set(key, thread);
    }
    return thread;
  }

  function place(session: Session, opened: OpenSpan): string {
    const thread = threadOf(session, opened);
    let row = thread.rows.find((row) => !row.busy);
    let text = "";
    if (row === undefined) {
      row = { tid: ++lastNumber, busy: false };
      thread.rows.push(row);
      const name = thread.rows.length === 1 ? thread.name : `${thread.name} · ${thread.rows.length}`;
      text = metadata("thread_name", session.pid, row.tid, { name }) +
        metadata("thread_sort_index", session.pid, row.tid, { sort_index: thread.order });
    }
    row.busy = true;
    session.placed.set(opened.entryId, { thread, row, fromMs: session.nowMs });
    return text;
  }

  function draw(session: Session, ended: EndedSpan): string {
    const { thread, row, fromMs } = session.placed.get(ended.entryId)!;
    session.placed.delete(ended.entryId);
    row.busy = false;
    // Subagents come and go all night; a thread that draws nothing now is let go of.
    if (thread.key !== "" && !thread.rows.some((row) => row.busy)) session.threads.delete(thread.key);
    const place = { pid: session.pid, tid: row.tid, fromMs, toMs: session.nowMs };
    return span(place, titleOf(ended), ended.activity.kind, END_COLORS[ended.end], {
      opened: causeText(ended.openedBy),
      ended: ended.endedBy === null ? "the input ended" : causeText(ended.endedBy),
      end: ended.end,
      lane: ended.lane,
      from: isoTime(ended.openedAt),
      to: isoTime(ended.endedAt),
      agentId: ended.agentId,
      entryId: ended.entryId,
    });
  }

  function transition(record: SessionTransition): string {
    let session = sessions.get(record.sessionId);
    let text = "";
    const atMs = Date.parse(record.at);
    if (session === undefined) [session, text] = begin(record, atMs);
    session.nowMs = Math.max(session.nowMs, atMs);
    const { opened, ended } = session.spans.take(record);
    for (const span of ended) text += draw(session, span);
    if (opened !== null) text += place(session, opened);
    if (record.to !== session.state.name) {
      text += endState(session, record.at, record.cause);
      session.state = { name: record.to, fromMs: session.nowMs, since: record.at, by: record.cause };
    }
    return text;
  }

  return {
    begin: () => "[\n",
    transition,
    snapshot: () => "",
    end: (_snapshots, endAt) => {
      let text = "";
      for (const session of sessions.values()) {
        session.nowMs = Math.max(session.nowMs, endAt);
        for (const span of session.spans.rest(endAt)) text += draw(session, span);
        text += endState(session, isoTime(endAt), null);
      }
      return `${text}]\n`;
    },
  };
}
