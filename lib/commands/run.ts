// IO: stdout and stderr. Arguments -> the command they name -> an exit code; every error ends here as a code and a line.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { pointedTo } from "../failure.ts";
import { report } from "./guard.ts";
import { HEARTBEAT_COMMANDS } from "./heartbeat_table.ts";
import type { CommandRow } from "./table.ts";
import { ReaderGone, writeStdout } from "./terminal.ts";

// Whatever a beat or a check has no use for is loaded when it is asked for: the rest of the table alone would add a
// twentieth to its start.
const allCommands = async (): Promise<readonly CommandRow[]> => (await import("./table.ts")).COMMANDS;

/** The command that `args` name with nothing behind it: there is nothing to parse in what timers and health checks run. */
function bareCommand(args: readonly string[]): CommandRow | undefined {
  return HEARTBEAT_COMMANDS.find(({ path }) =>
    args.length === path.length && path.every((word, at) => word === args[at])
  );
}

/** Runs one command line. Never throws. `commands` are all there are; by default those of the table. */
export async function run(args: readonly string[], commands?: readonly CommandRow[]): Promise<ExitCode> {
  try {
    const bare = commands === undefined ? bareCommand(args) : undefined;
    if (bare !== undefined) return await (await bare.load()).run({ options: {}, operands: [] });
    const { parse } = await import("./parse.ts");
    // An -h may be the value of any command's option.
    const rowsDo = args[0] === "heartbeat" && !args.includes("-h");
    const rows = commands ?? (rowsDo ? HEARTBEAT_COMMANDS : await allCommands());
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
    return error instanceof ReaderGone ? EXIT.ok : report(error);
  }
}
