// Pure. Transitions -> spans of entries, for formats that draw them. Holds what is open and nothing else.
import type { Activity, Lane, SessionTransition, TransitionCause } from "../session/model.ts";
import type { EntryLookup } from "./format.ts";

/** An entry from its opening on. Times are epoch milliseconds. */
export interface OpenSpan {
  readonly entryId: string;
  readonly activity: Activity;
  readonly agentId: string | null;
  /** The `seq` of the record that opened it: with the session and the entry's id it names this span alone. */
  readonly openedSeq: number;
  readonly openedAt: number;
  readonly openedBy: TransitionCause;
  readonly lane: Lane;
}

/** How a span came to its end: its entry was closed, or left open and marked, or was still open when the input ended. */
export type SpanEnd = "closed" | "abandoned" | "open";

/** An entry that has come to its end. */
export interface EndedSpan extends OpenSpan {
  readonly end: SpanEnd;
  readonly endedAt: number;
  /** What ended it; null when the input ended first. */
  readonly endedBy: TransitionCause | null;
}

/** What one transition did to the spans of its session. */
export interface SpanChange {
  readonly opened: OpenSpan | null;
  readonly ended: readonly EndedSpan[];
}

const NO_CHANGE: SpanChange = { opened: null, ended: [] };

/**
 * The spans of one session. A span ends where its entry is marked abandoned: from there on nobody knows whether it
 * runs, and a late close only says so.
 */
export class EntrySpans {
  readonly #entryOf: EntryLookup;
  readonly #open = new Map<string, OpenSpan>();

  constructor(entryOf: EntryLookup) {
    this.#entryOf = entryOf;
  }

  /** The open span of an entry. */
  get(entryId: string): OpenSpan | undefined {
    return this.#open.get(entryId);
  }

  /** Takes the next transition of the session. */
  take(transition: SessionTransition): SpanChange {
    const { entryId, entryOp } = transition;
    if (entryOp === "abandon") {
      const ended = (transition.abandoned ?? []).flatMap((id) => this.#end(id, "abandoned", transition));
      return { opened: null, ended };
    }
    if (entryOp === null || entryId === null) return NO_CHANGE;
    if (entryOp === "open") return this.#start(entryId, transition);
    if (entryOp === "close") return { opened: null, ended: this.#end(entryId, "closed", transition) };
    const span = this.#open.get(entryId);
    if (span !== undefined) this.#open.set(entryId, { ...span, lane: "background" });
    return NO_CHANGE;
  }

  /** What is still open when the input ends at `endAt` (epoch milliseconds). Forgets it. */
  rest(endAt: number): EndedSpan[] {
    const rest = Array.from(this.#open.values(), (span): EndedSpan => ({
      ...span,
      end: "open",
      endedAt: endAt,
      endedBy: null,
    }));
    this.#open.clear();
    return rest;
  }

  #start(entryId: string, transition: SessionTransition): SpanChange {
    const entry = this.#entryOf(transition.sessionId, entryId);
    // Where the machine has let go of the entry already, the record itself still tells what a foreground entry is.
    const activity = entry?.activity ?? transition.activity ?? { kind: "tool", name: null };
    const known = this.#open.get(entryId);
    if (known?.activity.kind === activity.kind) return NO_CHANGE;
    const ended = this.#end(entryId, "closed", transition);
    const opened: OpenSpan = {
      entryId,
      activity,
      agentId: entry?.agentId ?? null,
      openedSeq: transition.seq,
      openedAt: Date.parse(transition.at),
      openedBy: transition.cause,
      lane: entry?.lane ?? "foreground",
    };
    this.#open.set(entryId, opened);
    return { opened, ended };
  }

  #end(entryId: string, end: SpanEnd, transition: SessionTransition): EndedSpan[] {
    const span = this.#open.get(entryId);
    if (span === undefined) return [];
    this.#open.delete(entryId);
    return [{ ...span, end, endedAt: Date.parse(transition.at), endedBy: transition.cause }];
  }
}
