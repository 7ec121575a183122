// Pure data. What each exit code means and what to do about it: help, man page and README print this table.
import { EXIT, type ExitCode } from "./exit_codes.ts";

/** What a code means and what to do about it. */
export interface ExitWords {
  readonly meaning: string;
  readonly remedy: string;
}

/** One row of the table. */
export interface ExitCodeRow extends ExitWords {
  readonly code: ExitCode;
  readonly name: keyof typeof EXIT;
  /**
   * What of the words differs where one command speaks for itself, by its path or the first word of it; `*` is any
   * other. The most exact counts, and without one the words are the row's own.
   */
  readonly of?: Readonly<Record<string, Partial<ExitWords>>>;
}

/** The words of a row in the mouth of one command. */
export function exitWordsOf(row: ExitCodeRow, path: readonly string[]): ExitWords {
  const own = row.of?.[path.join(" ")] ?? row.of?.[path[0]] ?? row.of?.["*"];
  return { meaning: row.meaning, remedy: row.remedy, ...own };
}

/** Every exit code once, in numeric order. Each has one remedy, so a caller never has to read text. */
export const EXIT_CODES: readonly ExitCodeRow[] = [
  {
    code: EXIT.ok,
    name: "ok",
    meaning: "done, or the heartbeat is fresh",
    remedy: "none",
    of: { "heartbeat check": { meaning: "the heartbeat is fresh" }, "*": { meaning: "done" } },
  },
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
    of: {
      heartbeat: {},
      observe: { meaning: "vigil itself failed to run" },
      sessions: { meaning: "vigil itself failed to run" },
      "*": { meaning: "vigil itself failed to run", remedy: "read the line on stderr" },
    },
  },
  {
    code: EXIT.absent,
    name: "absent",
    meaning: "there is no heartbeat, or no such session",
    remedy: "start it",
    of: {
      heartbeat: { meaning: "there is no heartbeat" },
      sessions: {
        meaning: "there is no such session, or no folder DIR",
        remedy: "start what writes it: observe --state-dir",
      },
    },
  },
  {
    code: EXIT.invalid,
    name: "invalid",
    meaning: "the heartbeat file is broken, or observe rejected some input",
    remedy: "mend the file or its writer; never treat it as fresh",
    of: {
      heartbeat: { meaning: "the heartbeat file is broken" },
      observe: { meaning: "some input was rejected", remedy: "mend the input or its writer" },
      sessions: { meaning: "a session's file is broken", remedy: "mend the file or its writer" },
    },
  },
  {
    code: EXIT.io,
    name: "io",
    meaning: "a file or an output could not be read, written or removed",
    remedy: "mend the disk, the mount or the permissions: a beat is missing",
    of: { "heartbeat write": {}, "*": { remedy: "mend the disk, the mount or the permissions" } },
  },
  { code: EXIT.usage, name: "usage", meaning: "the command line is wrong", remedy: "see vigil --help" },
];
