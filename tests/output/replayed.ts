// A capture as a format sees it: transitions one by one, with the machine's entries to look up.
import { Observation } from "../../lib/commands/observation.ts";
import type { EntryLookup, TransitionFormat } from "../../lib/output/format.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { ROOT } from "../source_files.ts";
import { readLane } from "../session/replay.ts";

/** What a capture came to. */
export interface Replayed {
  readonly text: string;
  readonly transitions: readonly SessionTransition[];
  readonly endAt: number;
}

/** The hook captures of Claude Code, by scenario. */
export function hookCaptures(): string[] {
  return [...Deno.readDirSync(`${ROOT}tests/data/corpus/claude`)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".hooks.jsonl")).map((name) => name.replace(".hooks.jsonl", "")).sort();
}

/** Replays the hooks of `scenario` through the format that `build` makes. */
export function replayHooks(scenario: string, build: (entryOf: EntryLookup) => TransitionFormat): Replayed {
  const lane = readLane(`${ROOT}tests/data/corpus/claude/${scenario}.hooks.jsonl`);
  const transitions: SessionTransition[] = [];
  let text = "";
  let nowMs = 0;
  const format = build((sessionId, entryId) => observation.machine(sessionId ?? "")?.entry(entryId) ?? null);
  const observation = new Observation({
    dialect: "claude",
    arrivalMs: () => nowMs,
    onTransition: (transition) => {
      transitions.push(transition);
      text += format.transition(transition);
    },
    onReject: (reason) => {
      throw new Error(reason);
    },
    onUnknown: () => {},
    onDropped: () => {},
  });
  const input = Observation.input();
  text += format.begin?.() ?? "";
  for (const { atMs, value } of lane) {
    nowMs = atMs;
    observation.take(value, input);
  }
  text += format.end?.([...observation.snapshots(nowMs)], nowMs) ?? "";
  return { text, transitions, endAt: nowMs };
}

/** One entry's time, by the plainest reading of the transitions. */
export interface Interval {
  readonly sessionId: string | null;
  readonly entryId: string;
  readonly from: string;
  readonly to: string;
  readonly end: "closed" | "abandoned" | "open";
}

/** Every entry that the transitions opened, in no order that matters. */
export function intervalsOf({ transitions, endAt }: Replayed): Interval[] {
  const intervals: Interval[] = [];
  const open = new Map<string, SessionTransition>();
  const keyOf = (transition: SessionTransition, entryId: string) => JSON.stringify([transition.sessionId, entryId]);
  const end = (transition: SessionTransition, entryId: string, how: "closed" | "abandoned") => {
    const opening = open.get(keyOf(transition, entryId));
    if (opening === undefined) return;
    open.delete(keyOf(transition, entryId));
    intervals.push({ sessionId: transition.sessionId, entryId, from: opening.at, to: transition.at, end: how });
  };
  for (const transition of transitions) {
    const { entryId, entryOp } = transition;
    if (entryOp === "abandon") transition.abandoned!.forEach((id) => end(transition, id, "abandoned"));
    else if (entryId === null) continue;
    else if (entryOp === "close") end(transition, entryId, "closed");
    else if (entryOp === "open" && !open.has(keyOf(transition, entryId))) {
      open.set(keyOf(transition, entryId), transition);
    }
  }
  for (const opening of open.values()) {
    const to = new Date(endAt).toISOString();
    intervals.push({ sessionId: opening.sessionId, entryId: opening.entryId!, from: opening.at, to, end: "open" });
  }
  return intervals;
}

/** Intervals in one order, to compare. */
export const sorted = (intervals: readonly Interval[]): string[] =>
  intervals.map(({ sessionId, entryId, from, to, end }) => JSON.stringify([sessionId, entryId, from, to, end])).sort();

/** The states that the transitions led the session through, one after the other. */
export function statesOf({ transitions }: Replayed, sessionId: string): string[] {
  const told = transitions.filter((transition) => transition.sessionId === sessionId).map(({ to }) => to);
  return told.filter((state, at) => state !== told[at - 1]);
}
