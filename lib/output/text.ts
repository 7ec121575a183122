// Pure. One aligned line a transition: the format for people.
import type { Activity, AgedEntry, SessionSnapshot, SessionState, SessionTransition } from "../session/model.ts";
import { aligned, columns, cut, pad, widthOf } from "./columns.ts";
import { durationText } from "./duration.ts";
import type { TransitionFormat } from "./format.ts";
import { plain } from "./plain.ts";

/** How text is laid out. */
export interface TextOptions {
  /** Whether to colour; never ask for it where the reader is not a terminal. */
  readonly color: boolean;
  /** The terminal's width, to which details are cut; null where the reader is no terminal. Then times carry their date. */
  readonly widthColumns: number | null;
}

const SESSION_COLUMNS = 8;
/** `interrupted → interrupted` is the widest. */
const STATES_COLUMNS = 25;
/** `subagent general-purpose` is the widest that is common. */
const ACTIVITY_COLUMNS = 24;
const CAUSE_COLUMNS = 24;
const DETAIL_COLUMNS = 200;
/** Below this much room a detail is worth wrapping. */
const DETAIL_LEAST_COLUMNS = 20;

const RESET = "\x1b[0m";
const DIM = "\x1b[2m";
const STATE_COLOR: Readonly<Record<SessionState, string>> = {
  spawning: "\x1b[36m",
  ready: "\x1b[36m",
  working: "\x1b[33m",
  idle: "\x1b[32m",
  errored: "\x1b[31m",
  interrupted: "\x1b[35m",
  ended: "\x1b[2m",
};

/** The first eight characters of a session id; a session that has none yet is `-`. */
function sessionText(sessionId: string | null): string {
  return sessionId === null ? "-" : cut(plain(sessionId.slice(0, SESSION_COLUMNS)), SESSION_COLUMNS);
}

/** What holds a session: `tool Bash`, or `-`. A name may be megabytes long, so it is cut like a detail. */
export function activityText(activity: Activity | null): string {
  if (activity === null) return "-";
  if (activity.name === null) return activity.kind;
  return `${activity.kind} ${cut(plain(bounded(activity.name, DETAIL_COLUMNS)), DETAIL_COLUMNS)}`;
}

/** `text` in at most `most` UTF-16 code units, cut between characters. */
function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 2 : most - 1)}…`;
}

/** A detail on one line. It may be megabytes long, so it is cut before it is searched. */
const detailText = (detail: string, mostColumns: number): string =>
  cut(plain(bounded(detail, DETAIL_COLUMNS)), mostColumns);

/** Lines for people, aligned, without one control character whatever the input holds. */
export function textFormat(options: TextOptions): TransitionFormat {
  const { color, widthColumns } = options;
  const paint = (code: string, text: string) => color ? `${code}${text}${RESET}` : text;

  /** On a terminal the date is noise; anywhere else a line must stand alone. */
  const timeText = (at: string) => widthColumns === null ? at : at.slice(at.indexOf("T") + 1);

  function statesText(from: SessionState, to: SessionState): string {
    const text = `${from} → ${to}`;
    const padding = text.length < STATES_COLUMNS ? " ".repeat(STATES_COLUMNS - text.length) : "";
    if (!color) return text + padding;
    return from === to ? paint(DIM, text) + padding : `${from} → ${paint(STATE_COLOR[to], to)}${padding}`;
  }

  function transition(record: SessionTransition): string {
    const { cause } = record;
    const time = timeText(record.at);
    const session = pad(sessionText(record.sessionId), SESSION_COLUMNS);
    const activity = pad(activityText(record.activity), ACTIVITY_COLUMNS);
    const causeText = `${cause.kind}/${cause.event}`.padEnd(CAUSE_COLUMNS);
    let mostColumns = DETAIL_COLUMNS;
    if (widthColumns !== null) {
      const used = time.length + SESSION_COLUMNS + STATES_COLUMNS + columns(activity) + causeText.length + 5;
      const left = widthColumns - used;
      if (left >= DETAIL_LEAST_COLUMNS) mostColumns = Math.min(mostColumns, left);
    }
    const { abandoned } = record;
    const told = abandoned === undefined ? cause.detail : `${cause.detail}; abandoned ${abandoned.join(", ")}`;
    const detail = detailText(told, mostColumns);
    const states = statesText(record.from, record.to);
    const line = `${paint(DIM, time)} ${session} ${states} ${activity} ${causeText} ${paint(DIM, detail)}`;
    return `${color ? line : line.trimEnd()}\n`;
  }

  return { transition, snapshot: (session) => snapshotsText([session], { color, wholeIds: false, nowMs: null }) };
}

/** How snapshots are laid out. */
export interface SnapshotTextOptions {
  readonly color: boolean;
  /** Print whole session ids, for people to copy, and not their first eight characters. */
  readonly wholeIds: boolean;
  /** Says how long ago the last record was at this time (epoch milliseconds); null says only when. */
  readonly nowMs: number | null;
}

/** Facts about a session beside its id and state; those that not every session has stand last, in one cell. */
function factsOf(session: SessionSnapshot, nowMs: number | null): string[] {
  const last = session.lastTransitionAt;
  const ago = last === null || nowMs === null ? "" : ` (${durationText(Math.max(0, nowMs - Date.parse(last)))} ago)`;
  const rare = [
    ...(session.where.cwd === null ? [] : [`in ${plain(session.where.cwd)}`]),
    ...(session.abandonedDropped === 0 ? [] : [`${session.abandonedDropped} abandoned dropped`]),
  ];
  return [
    activityText(session.activity),
    `${session.transitionCount} transition${session.transitionCount === 1 ? "" : "s"}`,
    `last ${last === null ? "never" : plain(last)}${ago}`,
    ...(rare.length === 0 ? [] : [rare.join("  ")]),
  ];
}

/** Facts about an entry, in the same way. */
function entryFacts(entry: AgedEntry): string[] {
  const rare = [
    ...(entry.agentId === null ? [] : [`agent ${plain(entry.agentId)}`]),
    ...(entry.abandonedAt === null ? [] : [`abandoned: ${plain(entry.abandonReason ?? "")}`]),
  ];
  return [
    activityText(entry.activity),
    entry.lane,
    `open ${durationText(entry.ageMs)}`,
    ...(rare.length === 0 ? [] : [rare.join("  ")]),
  ];
}

/** Sessions with their open entries, a line each. */
export function snapshotsText(sessions: readonly SessionSnapshot[], options: SnapshotTextOptions): string {
  const { color, wholeIds, nowMs } = options;
  const ids = sessions.map(({ sessionId }) => wholeIds ? plain(sessionId ?? "-") : sessionText(sessionId));
  const idColumns = widthOf(ids, SESSION_COLUMNS);
  const facts = aligned(sessions.map((session) => factsOf(session, nowMs)), [ACTIVITY_COLUMNS]);
  const entryLines = aligned(sessions.flatMap(({ openEntries }) => openEntries.map(entryFacts)), [ACTIVITY_COLUMNS]);
  const indent = " ".repeat(SESSION_COLUMNS);
  let nextEntry = 0;
  return sessions.map(({ state, openEntries }, at) => {
    const painted = color ? `${STATE_COLOR[state]}${state}${RESET}` : state;
    const padding = " ".repeat(Math.max(0, "interrupted".length - state.length));
    const entries = openEntries.map(() => `${indent} ${entryLines[nextEntry++]}\n`);
    return `${pad(ids[at], idColumns)} ${painted}${padding} ${facts[at]}\n${entries.join("")}`;
  }).join("");
}
