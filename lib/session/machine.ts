// Pure. The record-keeper of one session: every change is a record, and everything else is derived from the records.
import {
  type Activity,
  type AgedEntry,
  CAUSE_EVENTS,
  type EntryOpName,
  type Lane,
  type OpenEntry,
  type SessionSnapshot,
  type SessionState,
  type SessionTransition,
  type TransitionCause,
  type TransitionWhere,
} from "./model.ts";

/** A value, or the reason why there is none. */
export type Result<T, E = Rejection> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** A record that was refused. */
export interface Rejection {
  /** What is wrong with it. */
  readonly reason: string;
  /** The record that was asked for. */
  readonly request: TransitionRequest;
}

/** What a record does to the open entries. */
export type EntryOp =
  | {
    readonly op: "open";
    readonly entryId: string;
    readonly activity: Activity;
    /** Default `foreground`. */
    readonly lane?: Lane;
    readonly agentId?: string | null;
  }
  | { readonly op: "close"; readonly entryId: string }
  | { readonly op: "background"; readonly entryId: string }
  | { readonly op: "abandon"; readonly entryIds: readonly string[]; readonly reason: string }
  | { readonly op: "abandon-open"; readonly reason: string };

/** What to record. */
export interface TransitionRequest {
  /** The state from this record on. */
  readonly to: SessionState;
  /** What happened. */
  readonly cause: TransitionCause;
  /** What it does to the open entries; absent: nothing. */
  readonly entry?: EntryOp;
  /** From this record on; absent: as before. */
  readonly where?: TransitionWhere;
  /** The session's id, once it is known. */
  readonly sessionId?: string;
}

/** Called with each record, after it was made. */
export type TransitionListener = (transition: SessionTransition) => void;

/** How to build a machine. */
export interface MachineOptions {
  /** The time of a record and of an age, in epoch milliseconds. */
  readonly clock: () => number;
  /** The session's id, where it is known from the start. */
  readonly sessionId?: string | null;
  /** An id of the embedding program's own, carried by each record. */
  readonly correlationId?: string | null;
  /** Where the session starts. */
  readonly where?: TransitionWhere;
  /** The most abandoned entries to keep; above it the oldest is dropped and counted. Default: all are kept. */
  readonly maxAbandoned?: number;
  /** Called with each refused record. */
  readonly onRejected?: (rejection: Rejection) => void;
  /** Called with what a listener, `onRejected` or the clock threw. */
  readonly onListenerError?: (error: unknown) => void;
}

/** One call of `onTransition`. */
interface Registration {
  readonly listener: TransitionListener;
  active: boolean;
}

const UNKNOWN_WHERE: TransitionWhere = Object.freeze({
  cwd: null,
  worktree: null,
  branch: null,
  unknownReason: "nothing has told where the session works",
});

const VOCABULARY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(CAUSE_EVENTS).map(([kind, events]) => [kind, new Set<string>(events)]),
);

/** Of every session that has none: an empty map takes as much as two entries, and most sessions are at rest. */
const NO_ENTRIES = new Map<string, OpenEntry>();

/** A frozen copy, field by field: freezing a spread copy makes the engine a shape of its own for each object. */
const frozenEntry = (entry: OpenEntry): OpenEntry =>
  Object.freeze({
    entryId: entry.entryId,
    activity: entry.activity,
    lane: entry.lane,
    openedAt: entry.openedAt,
    backgroundedAt: entry.backgroundedAt,
    abandonedAt: entry.abandonedAt,
    abandonReason: entry.abandonReason,
    cause: entry.cause,
    agentId: entry.agentId,
  });

/**
 * Keeps the record of one session.
 *
 * `record` is the only way anything changes. It never throws, and it refuses nothing but a cause outside the closed
 * vocabulary. State, activity, session id and where are those of the last record. What the machine keeps is frozen where
 * it is handed out; a transition is not kept, so that nothing done to it reaches the machine.
 *
 * @example
 * ```ts
 * import { SessionStateMachine } from "./machine.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const machine = new SessionStateMachine({ clock: () => Date.UTC(2026, 0, 1) });
 * machine.record({
 *   to: "working",
 *   cause: { kind: "hook", event: "PreToolUse", detail: "Bash started" },
 *   entry: { op: "open", entryId: "t1", activity: { kind: "tool", name: "Bash" } },
 * });
 * assertEquals(machine.state, "working");
 * assertEquals(machine.activity, { kind: "tool", name: "Bash" });
 * ```
 */
export class SessionStateMachine {
  readonly #options: MachineOptions;
  // The last record, as far as the next one needs it.
  #state: SessionState = "spawning";
  #activity: Activity | null = null;
  #sessionId: string | null;
  #where: TransitionWhere;
  #lastAt: string | null = null;
  #transitionCount = 0;
  /** By id, in the order of opening. An entry that changes is replaced. */
  #entries = NO_ENTRIES;
  /** Entries as they were opened in the foreground; one that has been closed or replaced holds nothing any more. */
  #stack: OpenEntry[] = [];
  #abandonedCount = 0;
  #abandonedDropped = 0;
  #rejectedCount = 0;
  #registrations: readonly Registration[] | null = null;
  /** Records that listeners have not been told of yet; null while nobody is being told. */
  #untold: SessionTransition[] | null = null;

  /** A machine without a record. */
  constructor(options: MachineOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId ?? null;
    this.#where = options.where === undefined ? UNKNOWN_WHERE : Object.freeze({ ...options.where });
  }

  /** `spawning` before any record. */
  get state(): SessionState {
    return this.#state;
  }

  /** The most recently opened foreground entry that is not abandoned. */
  get activity(): Activity | null {
    return this.#activity;
  }

  /** The session's id; null until one is told. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Where the session works. */
  get where(): TransitionWhere {
    return this.#where;
  }

  /** The embedding program's own id. */
  get correlationId(): string | null {
    return this.#options.correlationId ?? null;
  }

  /** How many records were made. */
  get transitionCount(): number {
    return this.#transitionCount;
  }

  /** Records that were refused. */
  get rejectedCount(): number {
    return this.#rejectedCount;
  }

  /** Abandoned entries that `maxAbandoned` made the machine drop. */
  get abandonedDropped(): number {
    return this.#abandonedDropped;
  }

  /** Entries that are open, abandoned ones included. */
  get entryCount(): number {
    return this.#entries.size;
  }

  /** The open entry with this id, abandoned or not. */
  entry(entryId: string): OpenEntry | undefined {
    return this.#entries.get(entryId);
  }

  /** Every open entry, abandoned ones included, in the order of opening. */
  entries(): IterableIterator<OpenEntry> {
    return this.#entries.values();
  }

  /** Calls `listener` with each record from now on, in order; the function returned stops that. */
  onTransition(listener: TransitionListener): () => void {
    const registration = { listener, active: true };
    this.#registrations = [...(this.#registrations ?? []), registration];
    return () => {
      registration.active = false;
      this.#registrations = this.#registrations?.filter((other) => other !== registration) ?? null;
    };
  }

  /** Records one change. */
  record(request: TransitionRequest): Result<SessionTransition> {
    if (VOCABULARY.get(request.cause?.kind)?.has(request.cause.event) !== true) return this.#refuse(request);

    const { kind, event, detail } = request.cause;
    const cause = { kind, event, detail } as TransitionCause;
    const atMs = this.#now();
    const entryOp = request.entry;
    let opName: EntryOpName | null = null;
    let entryId: string | null = null;
    let abandoned: string[] | null = null;
    if (entryOp !== undefined) {
      switch (entryOp.op) {
        case "open":
          this.#open(entryOp, cause, atMs);
          break;
        case "close":
          this.#close(entryOp.entryId);
          break;
        case "background":
          this.#background(entryOp.entryId, atMs);
          break;
        case "abandon":
          abandoned = this.#abandon(entryOp.entryIds, entryOp.reason, atMs);
          break;
        case "abandon-open":
          abandoned = this.#abandon(this.#entries.keys(), entryOp.reason, atMs);
          break;
      }
      if (abandoned === null) {
        opName = entryOp.op as EntryOpName;
        entryId = (entryOp as { entryId: string }).entryId;
      } else if (abandoned.length > 0) {
        opName = "abandon";
      }
    }

    const from = this.#state;
    this.#state = request.to;
    this.#activity = this.#currentActivity();
    this.#sessionId = request.sessionId ?? this.#sessionId;
    const { where } = request;
    if (where !== undefined) this.#where = Object.isFrozen(where) ? where : Object.freeze({ ...where });
    this.#lastAt = isoTime(atMs);
    const told: SessionTransition = {
      sessionId: this.#sessionId,
      seq: ++this.#transitionCount,
      at: this.#lastAt,
      from,
      to: request.to,
      activity: this.#activity,
      entryId,
      cause,
      where: this.#where,
      correlationId: this.correlationId,
      entryOp: opName,
    };
    const transition = abandoned === null || abandoned.length === 0 ? told : { ...told, abandoned };
    if (this.#registrations !== null) this.#tell(transition);
    return { ok: true, value: transition };
  }

  /** Every open entry with its age. */
  openEntries(): AgedEntry[] {
    const now = this.#now();
    return Array.from(this.#entries.values(), (entry) => ({ ...entry, ageMs: Math.max(0, now - entry.openedAt) }));
  }

  /** All there is to say about the session now. */
  snapshot(): SessionSnapshot {
    return {
      sessionId: this.sessionId,
      correlationId: this.correlationId,
      state: this.state,
      activity: this.activity,
      where: this.where,
      openEntries: this.openEntries(),
      lastTransitionAt: this.#lastAt,
      transitionCount: this.transitionCount,
      abandonedDropped: this.#abandonedDropped,
    };
  }

  #refuse(request: TransitionRequest): Result<SessionTransition> {
    const { kind, event } = request.cause ?? {};
    const rejection = { reason: `no cause "${kind}/${event}" in the vocabulary`, request };
    this.#rejectedCount++;
    try {
      this.#options.onRejected?.(rejection);
    } catch (error) {
      this.#report(error);
    }
    return { ok: false, error: rejection };
  }

  /** A record that a listener makes is told once everyone has heard of the one before. */
  #tell(transition: SessionTransition): void {
    if (this.#untold !== null) {
      this.#untold.push(transition);
      return;
    }
    this.#untold = [transition];
    for (const told of this.#untold) {
      for (const registration of this.#registrations ?? []) {
        if (!registration.active) continue;
        try {
          registration.listener(told);
        } catch (error) {
          this.#report(error);
        }
      }
    }
    this.#untold = null;
  }

  /** The clock's word, or the last good one where it has none. */
  #now(): number {
    try {
      const nowMs = this.#options.clock();
      if (typeof nowMs === "number" && !Number.isNaN(nowMs)) return nowMs;
    } catch (error) {
      this.#report(error);
    }
    // A clock that tells no time stands still.
    return this.#lastAt === null ? 0 : Date.parse(this.#lastAt);
  }

  #report(error: unknown): void {
    try {
      this.#options.onListenerError?.(error);
    } catch {
      // A listener's trouble must not reach the record, nor may the trouble of the one told about it.
    }
  }

  #open(op: EntryOp & { op: "open" }, cause: TransitionCause, atMs: number): void {
    const known = this.#entries.get(op.entryId);
    if (known !== undefined && known.abandonedAt === null && known.activity.kind === op.activity.kind) return;
    if (known !== undefined) this.#close(op.entryId);
    const lane = op.lane ?? "foreground";
    const { kind, name } = op.activity;
    const { kind: by, event, detail } = cause;
    const entry: OpenEntry = Object.freeze({
      entryId: op.entryId,
      activity: Object.freeze({ kind, name }),
      lane,
      openedAt: atMs,
      backgroundedAt: lane === "background" ? atMs : null,
      abandonedAt: null,
      abandonReason: null,
      // The entry's for as long as it is open, whatever becomes of the transition.
      cause: Object.freeze({ kind: by, event, detail } as TransitionCause),
      agentId: op.agentId ?? null,
    });
    if (this.#entries === NO_ENTRIES) this.#entries = new Map();
    this.#entries.set(op.entryId, entry);
    if (lane !== "foreground") return;
    // An array that grows from nothing takes room for seventeen; most sessions hold one thing at a time.
    if (this.#stack.length === 0) this.#stack = [entry];
    else this.#stack.push(entry);
    if (this.#stack.length > 2 * this.#entries.size + 16) this.#stack = this.#stack.filter((one) => this.#holds(one));
  }

  /** Whether the entry is as it was opened; only such a one of the foreground holds the session. */
  #holds(entry: OpenEntry): boolean {
    return this.#entries.get(entry.entryId) === entry;
  }

  #close(entryId: string): void {
    const entry = this.#entries.get(entryId);
    if (entry === undefined) return;
    this.#entries.delete(entryId);
    if (this.#entries.size === 0) this.#entries = NO_ENTRIES;
    if (entry.abandonedAt !== null) this.#abandonedCount--;
  }

  #background(entryId: string, atMs: number): void {
    const entry = this.#entries.get(entryId);
    if (entry === undefined || entry.lane === "background") return;
    this.#entries.set(entryId, frozenEntry({ ...entry, lane: "background", backgroundedAt: atMs }));
  }

  #abandon(entryIds: Iterable<string>, reason: string, atMs: number): string[] {
    const marked: string[] = [];
    for (const entryId of entryIds) {
      const entry = this.#entries.get(entryId);
      if (entry === undefined || entry.abandonedAt !== null) continue;
      this.#entries.set(entryId, frozenEntry({ ...entry, abandonedAt: atMs, abandonReason: reason }));
      this.#abandonedCount++;
      marked.push(entryId);
    }
    this.#dropOldestAbandoned();
    return marked;
  }

  #dropOldestAbandoned(): void {
    const most = this.#options.maxAbandoned ?? Infinity;
    if (this.#abandonedCount <= most) return;
    for (const entry of this.#entries.values()) {
      if (entry.abandonedAt === null) continue;
      this.#close(entry.entryId);
      this.#abandonedDropped++;
      if (this.#abandonedCount <= most) return;
    }
  }

  #currentActivity(): Activity | null {
    const stack = this.#stack;
    while (stack.length > 0) {
      const entry = stack[stack.length - 1];
      if (this.#holds(entry)) return entry.activity;
      stack.pop();
    }
    return null;
  }
}

/** The last moment that a date can hold, in epoch milliseconds. */
const MAX_TIME_MS = 8.64e15;

/** The last answer of `isoTime`: the records of one event, and of events that come together, share their text. */
let last = { epochMs: NaN, text: "" };

/** ISO 8601 with milliseconds; a time that no date can hold becomes the nearest that it can. */
export function isoTime(epochMs: number): string {
  if (epochMs === last.epochMs) return last.text;
  const held = Number.isNaN(epochMs) ? 0 : Math.min(Math.max(epochMs, -MAX_TIME_MS), MAX_TIME_MS);
  last = { epochMs, text: new Date(held).toISOString() };
  return last.text;
}
