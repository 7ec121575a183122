// IO: stdout and stderr. Arguments -> the command they name -> an exit code; every error ends here as a code and a line.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { report } from "./guard.ts";
import { help } from "./help.ts";
import { parse } from "./parse.ts";
import { type CommandRow, COMMANDS } from "./table.ts";
import { ReaderGone, writeStdout } from "./terminal.ts";
import { versionText } from "./version.ts";

/** Runs one command line. Never throws. */
export async function run(args: readonly string[], commands: readonly CommandRow[] = COMMANDS): Promise<ExitCode> {
  try {
    const request = parse(args, commands);
    switch (request.kind) {
      case "help":
        writeStdout(help(request.topic, commands));
        return EXIT.ok;
      case "version":
        writeStdout(versionText());
        return EXIT.ok;
      case "run": {
        const module = await request.command.load();
        return await module.run(request.invocation);
      }
    }
  } catch (error) {
    return error instanceof ReaderGone ? EXIT.ok : report(error);
  }
}
