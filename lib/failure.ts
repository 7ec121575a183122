// Pure. The one error type that a command may end with on purpose.
import { EXIT, type ExitCode } from "./exit_codes.ts";
import { replaceUnsafe } from "./unsafe_characters.ts";

/** A failure with its exit code, one line for stderr and, where there is one, advice for the `hint:` line. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: ExitCode;
  readonly hint: string | null;

  constructor(code: ExitCode, message: string, hint: string | null = null) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

const GENERAL_HELP = "see vigil --help";

/** A wrong command line: exit 6, with what to do about it. */
export function usageFailure(message: string, hint = GENERAL_HELP): Failure {
  return new Failure(EXIT.usage, message, hint);
}

/** What `command` threw; where that points to the help, it points to the command's own. */
export function pointedTo(command: string, error: unknown): unknown {
  if (!(error instanceof Failure) || error.hint !== GENERAL_HELP) return error;
  return new Failure(error.code, error.message, `see vigil ${command} --help`);
}

/** `text` on one line, without a character that a terminal would act on. */
export function oneLine(text: string): string {
  return replaceUnsafe(text, () => " ").trim();
}
