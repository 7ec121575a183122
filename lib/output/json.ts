// Pure. One JSON object a line, whole: the format for programs.
import type { Activity, SessionTransition, TransitionWhere } from "../session/model.ts";
import type { TransitionFormat } from "./format.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Up to this length, looking at each character costs less than the engine's call. */
const SHORT_UNITS = 200;

/** What `JSON.stringify` gives: most ids and details hold nothing to escape. */
function text(value: string | null): string {
  if (value === null) return "null";
  if (value.length > SHORT_UNITS) return JSON.stringify(value);
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    // Letters first: most are above the backslash.
    const isOdd = unit > BACKSLASH ? (unit & 0xf800) === 0xd800 : unit < 0x20 || unit === QUOTE || unit === BACKSLASH;
    if (isOdd) return JSON.stringify(value);
  }
  return `"${value}"`;
}

/** The last session's id: its transitions come in runs. */
let session: { readonly id: string | null; readonly text: string } = { id: null, text: "null" };

function sessionText(id: string | null): string {
  if (id !== session.id) session = { id, text: text(id) };
  return session.text;
}

const activityText = (activity: Activity | null): string =>
  activity === null ? "null" : `{"kind":"${activity.kind}","name":${text(activity.name)}}`;

/** A machine hands the same place out until its session moves, and sessions of one place share it. */
const whereTexts = new WeakMap<TransitionWhere, string>();

function whereText(where: TransitionWhere): string {
  let text = whereTexts.get(where);
  if (text === undefined) whereTexts.set(where, text = JSON.stringify(where));
  return text;
}

/**
 * What `JSON.stringify` gives, in a third of the time: states, kinds, events and times hold nothing to escape, and what
 * is joined here is only copied once, when the output is encoded.
 */
function transitionText(transition: SessionTransition): string {
  const { sessionId, seq, at, from, to, activity, entryId, cause, where, correlationId, entryOp } = transition;
  const abandoned = transition.abandoned === undefined ? "" : `,"abandoned":${JSON.stringify(transition.abandoned)}`;
  return `{"sessionId":${sessionText(sessionId)},"seq":${seq},"at":"${at}","from":"${from}","to":"${to}",` +
    `"activity":${activityText(activity)},"entryId":${text(entryId)},` +
    `"cause":{"kind":"${cause.kind}","event":"${cause.event}","detail":${text(cause.detail)}},` +
    `"where":${whereText(where)},"correlationId":${text(correlationId)},"entryOp":${
      entryOp === null ? "null" : `"${entryOp}"`
    }${abandoned}}\n`;
}

/**
 * JSON lines. Keys stand in the order of `SessionTransition`; a lone surrogate is written as its `\uXXXX` escape, so a
 * line is always valid UTF-8. A snapshot is told from a transition by its `openEntries` key.
 */
export const jsonFormat: TransitionFormat = {
  transition: transitionText,
  snapshot: (snapshot) => `${JSON.stringify(snapshot)}\n`,
};
