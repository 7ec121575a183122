// IO: stderr. Keeps the runtime's own exit 1, which would read "stale", from ever being seen.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { Failure, oneLine } from "../failure.ts";
import { ReaderGone, writeStderr } from "./terminal.ts";

/** Says on stderr what ended the run and returns the code to end with: its own for a `Failure`, else 2. */
export function report(error: unknown): ExitCode {
  if (error instanceof Failure) {
    writeStderr(`vigil: ${oneLine(error.message)}\n${error.hint === null ? "" : `hint: ${oneLine(error.hint)}\n`}`);
    return error.code;
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  writeStderr(`vigil: failed to run, no verdict: ${oneLine(text)}\n`);
  return EXIT.failed;
}

/** The code that a run ends with by what it threw: a reader that is gone ends it quietly, anything else is told. */
export const codeOfEnd = (error: unknown): ExitCode => error instanceof ReaderGone ? EXIT.ok : report(error);

/** Sends errors that no `try` could catch through `report`. */
export function installGuard(exit: (code: ExitCode) => void): void {
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    exit(report(event.error));
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    exit(report(event.reason));
  });
}
