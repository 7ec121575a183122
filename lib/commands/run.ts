// IO: stdout and stderr. Arguments -> the command they name -> an exit code; every error ends here as a code and a line.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { pointedTo } from "../failure.ts";
import { codeOfEnd } from "./guard.ts";
import { parse } from "./parse.ts";
import type { CommandRow } from "./table.ts";
import { writeStdout } from "./terminal.ts";

export { installGuard } from "./guard.ts";

// What a beat has no use for is loaded when it is asked for.
const heartbeatCommands = async () => (await import("./heartbeat_table.ts")).HEARTBEAT_COMMANDS;
const allCommands = async (): Promise<readonly CommandRow[]> => (await import("./table.ts")).COMMANDS;

/** Runs one command line. Never throws. `commands` are all there are; by default those of the table. */
export async function run(args: readonly string[], commands?: readonly CommandRow[]): Promise<ExitCode> {
  try {
    // An -h may be the value of any command's option.
    const rowsDo = args[0] === "heartbeat" && !args.includes("-h");
    const rows = commands ?? await (rowsDo ? heartbeatCommands() : allCommands());
    const request = parse(args, rows);
    switch (request.kind) {
      case "help": {
        const { help } = await import("./help.ts");
        writeStdout(help(request.topic, commands ?? await allCommands()));
        return EXIT.ok;
      }
      case "version": {
        const { versionText } = await import("./version.ts");
        writeStdout(versionText());
        return EXIT.ok;
      }
      case "run": {
        const { command, invocation } = request;
        const module = await command.load();
        try {
          return await module.run(invocation);
        } catch (error) {
          throw pointedTo(command.path.join(" "), error);
        }
      }
    }
  } catch (error) {
    return codeOfEnd(error);
  }
}
