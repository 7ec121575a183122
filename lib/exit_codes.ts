// Pure. The exit codes of the whole binary; exit_code_words.ts has their words.

/** Exit codes by name. */
export const EXIT = {
  ok: 0,
  stale: 1,
  failed: 2,
  absent: 3,
  invalid: 4,
  io: 5,
  usage: 6,
} as const;

/**
 * How PID 1 tells that a signal ended it, as shells do: 128 + SIGTERM. Any other process dies of the signal itself; the
 * kernel does not let PID 1.
 */
export const TERMINATED = 143;

/** A number vigil may exit with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | typeof TERMINATED;
