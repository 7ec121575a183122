// Pure. The exit codes of the whole binary: help, man page and README print this table.

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

/** One row of the table: what a code means and what to do about it. */
export interface ExitCodeRow {
  readonly code: ExitCode;
  readonly name: keyof typeof EXIT;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every exit code once, in numeric order. Each has one remedy, so a caller never has to read text. */
export const EXIT_CODES: readonly ExitCodeRow[] = [
  { code: EXIT.ok, name: "ok", meaning: "done, or the heartbeat is fresh", remedy: "none" },
  {
    code: EXIT.stale,
    name: "stale",
    meaning: "the heartbeat is older than its limit",
    remedy: "it ran and stopped: find out why",
  },
  {
    code: EXIT.failed,
    name: "failed",
    meaning: "vigil itself failed to run: no verdict",
    remedy: "read the line on stderr; treat the agent's state as unknown",
  },
  { code: EXIT.absent, name: "absent", meaning: "there is no heartbeat, or no such session", remedy: "start it" },
  {
    code: EXIT.invalid,
    name: "invalid",
    meaning: "the heartbeat file is broken, or observe rejected some input",
    remedy: "mend the file or its writer; never treat it as fresh",
  },
  {
    code: EXIT.io,
    name: "io",
    meaning: "a file or an output could not be read, written or removed",
    remedy: "mend the disk, the mount or the permissions: a beat is missing",
  },
  { code: EXIT.usage, name: "usage", meaning: "the command line is wrong", remedy: "see vigil --help" },
];
