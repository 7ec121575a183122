// IO: stdout. Prints the completion script for a shell.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { bashCompletion } from "./completion_bash.ts";
import { fishCompletion } from "./completion_fish.ts";
import { zshCompletion } from "./completion_zsh.ts";
import type { Shell } from "./shells.ts";
import { type CommandRow, COMMANDS, type Invocation } from "./table.ts";
import { writeStdout } from "./terminal.ts";

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CommandRow[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Prints the script. */
export function run({ operands: [shell] }: Invocation): ExitCode {
  writeStdout(SCRIPTS[shell as Shell](COMMANDS));
  return EXIT.ok;
}
