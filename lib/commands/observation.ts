// Pure. Values of many inputs in, transitions of many sessions out: what `observe` is, without its streams.
import { DIALECT_TRAITS, type DialectName, type InputScope, newScope, readValue } from "../dialects/read_value.ts";
import { type MachineOptions, SessionStateMachine } from "../session/machine.ts";
import type { SessionSnapshot, SessionTransition } from "../session/model.ts";
import { SessionObserver } from "../session/observer.ts";
import type { PairingCounts } from "../session/tracker.ts";

/** Abandoned entries that a session keeps; the oldest go first, and the snapshot counts them. */
const MAX_ABANDONED = 1000;

/** What the end summary counts. */
export interface ObservationCounts extends PairingCounts {
  transitions: number;
  rejected: number;
  unknown: number;
  /** Values that told no time: their transitions carry the time of arrival. */
  arrivalTimes: number;
}

/** How to build an observation. */
export interface ObservationOptions {
  readonly dialect: DialectName | "auto";
  /** The time of arrival, in epoch milliseconds. */
  readonly arrivalMs: () => number;
  readonly onTransition: (transition: SessionTransition) => void;
  /** A value of the wrong shape. */
  readonly onReject: (reason: string) => void;
  /** An event that no table knows, the first time it comes. */
  readonly onUnknown: (event: string) => void;
  /** The first time that a session keeps no more abandoned entries. */
  readonly onDropped: (sessionId: string) => void;
}

/** What one input remembers between its values. */
export interface ObservedInput {
  readonly scope: InputScope;
  /** The last time that a clock value told, in epoch milliseconds. */
  clockMs: number | null;
}

/** Tells sessions apart by their id and records what their values mean. */
export class Observation {
  readonly counts: ObservationCounts = {
    transitions: 0,
    rejected: 0,
    unknown: 0,
    arrivalTimes: 0,
    unmatched: 0,
    duplicate: 0,
    ambiguous: 0,
  };
  readonly #options: ObservationOptions;
  readonly #observers = new Map<string, SessionObserver>();
  readonly #unknownEvents = new Set<string>();
  readonly #machineOptions: MachineOptions = { clock: () => this.#nowMs, maxAbandoned: MAX_ABANDONED };
  #nowMs = 0;
  #droppedTold = false;

  constructor(options: ObservationOptions) {
    this.#options = options;
  }

  /** A new input: its values come in one after the other, with a memory of their own. */
  static input(): ObservedInput {
    return { scope: newScope(), clockMs: null };
  }

  get sessionCount(): number {
    return this.#observers.size;
  }

  /** The machine of a session. */
  machine(sessionId: string): SessionStateMachine | undefined {
    return this.#observers.get(sessionId)?.machine;
  }

  /** The time of the last value, in epoch milliseconds. */
  get lastMs(): number {
    return this.#nowMs;
  }

  /** One session, as `snapshots` gives them all; null where there is none by that id. */
  snapshot(sessionId: string, atMs: number | null): SessionSnapshot | null {
    if (atMs !== null) this.#nowMs = atMs;
    return this.machine(sessionId)?.snapshot() ?? null;
  }

  /** Every session at `atMs`, or at the time of the last value where that is null: ages in a replay end with it. */
  *snapshots(atMs: number | null): IterableIterator<SessionSnapshot> {
    if (atMs !== null) this.#nowMs = atMs;
    for (const observer of this.#observers.values()) yield observer.machine.snapshot();
  }

  /** Takes one parsed value of `input`. */
  take(value: unknown, input: ObservedInput): void {
    const reading = readValue(value, input.scope, this.#options.dialect);
    switch (reading.kind) {
      case "declined":
        return;
      case "clock": {
        const clockMs = timeOf(reading.at);
        if (clockMs === null) this.#reject("its observed_at is no time: use ISO 8601 or epoch milliseconds");
        else input.clockMs = clockMs;
        return;
      }
      case "unknown":
        this.#countUnknown(reading.event);
        return;
      case "reject":
        return this.#reject(reading.reason);
      case "hook":
        this.#setTime(reading.at, input);
        this.#tell(this.#observerOf(reading.input.session_id, reading.dialect).observeHook(reading.input));
        return;
      case "message":
        this.#setTime(reading.at, input);
        this.#tell(
          this.#observerOf(String(reading.message.session_id), reading.dialect).observeMessage(reading.message),
        );
    }
  }

  #reject(reason: string): void {
    this.counts.rejected++;
    this.#options.onReject(reason);
  }

  #countUnknown(event: string): void {
    this.counts.unknown++;
    // A bound: names come from the input, and only so many are worth a line.
    if (this.#unknownEvents.has(event) || this.#unknownEvents.size >= 100) return;
    this.#unknownEvents.add(event);
    this.#options.onUnknown(event);
  }

  #setTime(at: string | number | null, input: ObservedInput): void {
    const own = at === null ? null : timeOf(at);
    const told = own ?? input.clockMs;
    if (told === null) this.counts.arrivalTimes++;
    this.#nowMs = told ?? this.#options.arrivalMs();
  }

  #observerOf(sessionId: string, dialect: DialectName): SessionObserver {
    let observer = this.#observers.get(sessionId);
    if (observer === undefined) {
      // One set of options for all: the id comes with the session's own events.
      const machine = new SessionStateMachine(this.#machineOptions);
      observer = new SessionObserver(machine, {
        countsTurns: DIALECT_TRAITS[dialect].countsTurns,
        counts: this.counts,
      });
      this.#observers.set(sessionId, observer);
    }
    return observer;
  }

  #tell(results: ReturnType<SessionObserver["observeHook"]>): void {
    for (const result of results) {
      if (!result.ok) continue;
      this.counts.transitions++;
      this.#options.onTransition(result.value);
      if (result.value.entryOp === "abandon") this.#tellDropped(result.value.sessionId);
    }
  }

  #tellDropped(sessionId: string | null): void {
    if (this.#droppedTold || sessionId === null || this.machine(sessionId)?.abandonedDropped === 0) return;
    this.#droppedTold = true;
    this.#options.onDropped(sessionId);
  }
}

/** Epoch milliseconds of an ISO 8601 string or of a number that is epoch milliseconds already; null for anything else. */
export function timeOf(at: string | number): number | null {
  const ms = typeof at === "number" ? at : Date.parse(at);
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? ms : null;
}
