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

/** A wrong command line: exit 6, with a pointer to the help of the command it was meant for. */
export function usageFailure(message: string, hint = "see vigil --help"): Failure {
  return new Failure(EXIT.usage, message, hint);
}

/** `text` on one line, without a character that a terminal would act on. */
export function oneLine(text: string): string {
  return replaceUnsafe(text, () => " ").trim();
}
