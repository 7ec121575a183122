// Replays captured lanes into session machines, for tests.
import { assertEquals } from "@std/assert";
import type { HookInput, SdkMessage } from "../../lib/session/input.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { SessionObserver } from "../../lib/session/observer.ts";

/** One captured value with its time of arrival in milliseconds. */
export interface Arrival {
  readonly atMs: number;
  readonly value: Record<string, unknown>;
}

/** Where a session stands: what the expectation files tell. */
export interface End {
  readonly state: string;
  readonly live: string[];
  readonly background: string[];
  readonly abandoned: string[];
}

/** The values of a JSON Lines capture, with the arrival times beside it where there are any. */
export function readLane(path: string): Arrival[] {
  const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line.trim() !== "");
  let times: number[] = [];
  try {
    times = Deno.readTextFileSync(path.replace(/\.jsonl$/, ".times")).trim().split("\n").map((ns) => Number(ns) / 1e6);
  } catch {
    // A capture without times is replayed one value a millisecond.
  }
  return lines.map((line, at) => ({ atMs: times[at] ?? at, value: JSON.parse(line) }));
}

/** Both lanes in order of arrival; the second comes `lateMs` later than captured. */
export function merge(first: readonly Arrival[], second: readonly Arrival[], lateMs = 0): Arrival[] {
  const late = second.map((arrival) => ({ ...arrival, atMs: arrival.atMs + lateMs }));
  return [...first, ...late].sort((a, b) => a.atMs - b.atMs);
}

/** Everything that a replay recorded, by session id. */
export interface Replay {
  readonly transitions: Map<string, SessionTransition[]>;
  readonly machines: Map<string, SessionStateMachine>;
}

/** Feeds Claude Code's values to one machine a session. */
export function replay(arrivals: readonly Arrival[]): Replay {
  const transitions = new Map<string, SessionTransition[]>();
  const machines = new Map<string, SessionStateMachine>();
  const observers = new Map<string, SessionObserver>();
  let nowMs = 0;
  for (const { atMs, value } of arrivals) {
    nowMs = atMs;
    const sessionId = value.session_id;
    if (typeof sessionId !== "string" || sessionId === "") continue;
    let observer = observers.get(sessionId);
    if (observer === undefined) {
      observer = new SessionObserver(new SessionStateMachine({ clock: () => nowMs, sessionId }));
      observers.set(sessionId, observer);
    }
    const results = typeof value.hook_event_name === "string"
      ? observer.observeHook(value as unknown as HookInput)
      : observer.observeMessage(value as SdkMessage);
    for (const result of results) {
      if (!result.ok) throw new Error(result.error.reason);
      machines.set(sessionId, observer.machine);
      transitions.set(sessionId, [...(transitions.get(sessionId) ?? []), result.value]);
    }
  }
  return { transitions, machines };
}

/** Where a machine stands, in the words of the expectation files. */
export function endOf(machine: SessionStateMachine): End {
  const name = ({ activity: { kind, name } }: { activity: { kind: string; name: string | null } }) =>
    name === null ? kind : `${kind} ${name}`;
  const entries = [...machine.entries()];
  const open = entries.filter((entry) => entry.abandonedAt === null);
  return {
    state: machine.state,
    live: open.filter((entry) => entry.lane === "foreground").map(name).sort(),
    background: open.filter((entry) => entry.lane === "background").map(name).sort(),
    abandoned: entries.filter((entry) => entry.abandonedAt !== null).map(name).sort(),
  };
}

/** Where every session of a replay stands. */
export function endsOf(played: Replay): Record<string, End> {
  return Object.fromEntries([...played.machines].map(([id, machine]) => [id, endOf(machine)]));
}

const RESTING = new Set(["idle", "errored", "interrupted", "ended"]);

/** Asserts what must hold after every record. */
export function assertInvariants(transitions: readonly SessionTransition[], machine: SessionStateMachine): void {
  let previous = "spawning";
  for (const [at, transition] of transitions.entries()) {
    assertEquals(transition.seq, at + 1, "seq is dense");
    assertEquals(transition.from, previous, `from is the previous to at seq ${transition.seq}`);
    if (RESTING.has(transition.to)) {
      assertEquals(transition.activity, null, `nothing holds a session in ${transition.to} at seq ${transition.seq}`);
    }
    previous = transition.to;
  }
  if (machine.state === "ended") {
    const live = [...machine.entries()].filter((entry) => entry.abandonedAt === null);
    assertEquals(live.map((entry) => entry.entryId), [], "every entry left after the end is abandoned");
  }
}
