// Pure. When the next beat is due, from two clocks: no drift, no doubled beat, and one at once after a suspension.

/** A reading of both clocks: one that only goes on while the machine runs, and the one people set. */
export interface Clocks {
  readonly steadyMs: number;
  readonly wallMs: number;
}

/** Where a writer stands between two beats. */
export interface Schedule {
  readonly everyMs: number;
  /** When the next beat is due, by the steady clock. */
  readonly dueMs: number;
  /** The last reading. */
  readonly seen: Clocks;
}

/** The clocks part by more than this only when the machine slept or the wall clock was set. */
const JUMP_MS = 1000;

/** A schedule whose first beat is due at once. */
export function startSchedule(everyMs: number, now: Clocks): Schedule {
  return { everyMs, dueMs: now.steadyMs, seen: now };
}

/**
 * Whether a beat is due `now`, and the schedule from here on. Beats stay on the grid of the first one, a late beat is
 * given once however many were missed, and a jump of the wall clock is answered with a beat and a new grid: what stands
 * in the file may be far off the clock that readers go by.
 */
export function advance(schedule: Schedule, now: Clocks): { readonly due: boolean; readonly next: Schedule } {
  const { everyMs, dueMs, seen } = schedule;
  const parted = (now.wallMs - seen.wallMs) - (now.steadyMs - seen.steadyMs);
  if (Math.abs(parted) > JUMP_MS) return { due: true, next: { everyMs, dueMs: now.steadyMs + everyMs, seen: now } };
  if (now.steadyMs < dueMs) return { due: false, next: { everyMs, dueMs, seen: now } };
  const passed = Math.floor((now.steadyMs - dueMs) / everyMs) + 1;
  return { due: true, next: { everyMs, dueMs: dueMs + passed * everyMs, seen: now } };
}
