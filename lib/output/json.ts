// Pure. One JSON object a line, whole: the format for programs.
import type { Activity, SessionTransition, TransitionWhere } from "../session/model.ts";
import type { TransitionFormat } from "./format.ts";

const text = (value: string | null): string => value === null ? "null" : JSON.stringify(value);

const activityText = (activity: Activity | null): string =>
  activity === null ? "null" : `{"kind":"${activity.kind}","name":${text(activity.name)}}`;

/** A session's records share one `where` until it moves. */
const whereTexts = new WeakMap<TransitionWhere, string>();

function whereText(where: TransitionWhere): string {
  let known = whereTexts.get(where);
  if (known === undefined) {
    known = JSON.stringify(where);
    whereTexts.set(where, known);
  }
  return known;
}

/**
 * What `JSON.stringify` gives, in a third of the time: states, kinds, events and times hold nothing to escape, and what
 * is joined here is only copied once, when the output is encoded.
 */
function transitionText(transition: SessionTransition): string {
  const { sessionId, seq, at, from, to, activity, entryId, cause, where, correlationId, entryOp } = transition;
  const abandoned = transition.abandoned === undefined ? "" : `,"abandoned":${JSON.stringify(transition.abandoned)}`;
  return `{"sessionId":${text(sessionId)},"seq":${seq},"at":"${at}","from":"${from}","to":"${to}",` +
    `"activity":${activityText(activity)},"entryId":${text(entryId)},` +
    `"cause":{"kind":"${cause.kind}","event":"${cause.event}","detail":${text(cause.detail)}},` +
    `"where":${whereText(where)},"correlationId":${text(correlationId)},"entryOp":${text(entryOp)}${abandoned}}\n`;
}

/**
 * JSON lines. Keys stand in the order of `SessionTransition`; a lone surrogate is written as its `\uXXXX` escape, so a
 * line is always valid UTF-8. A snapshot is told from a transition by its `openEntries` key.
 */
export const jsonFormat: TransitionFormat = {
  transition: transitionText,
  snapshot: (snapshot) => `${JSON.stringify(snapshot)}\n`,
};
