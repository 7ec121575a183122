// IO: stdout and stderr. Arguments -> the command they name -> an exit code; every error ends here as a code and a line.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { pointedTo } from "../failure.ts";
import { report } from "./guard.ts";
import { HEARTBEAT_MODULES } from "./heartbeat_modules.ts";
import type { CommandModule, CommandRow } from "./table.ts";
import { ReaderGone, writeStdout } from "./terminal.ts";

// Whatever a beat or a check has no use for is loaded when it is asked for: the table alone would add a twentieth to its
// start.
const heartbeatCommands = async () => (await import("./heartbeat_table.ts")).HEARTBEAT_COMMANDS;
const allCommands = async (): Promise<readonly CommandRow[]> => (await import("./table.ts")).COMMANDS;

/** The code of what timers and health checks run, a command with nothing behind it: there is nothing to parse. */
function bareCommand([group, name, ...more]: readonly string[]): (() => Promise<CommandModule>) | undefined {
  const isBare = group === "heartbeat" && more.length === 0 && Object.hasOwn(HEARTBEAT_MODULES, name);
  return isBare ? HEARTBEAT_MODULES[name as keyof typeof HEARTBEAT_MODULES] : undefined;
}

/** Runs one command line. Never throws. `commands` are all there are; by default those of the table. */
export async function run(args: readonly string[], commands?: readonly CommandRow[]): Promise<ExitCode> {
  try {
    const bare = commands === undefined ? bareCommand(args) : undefined;
    if (bare !== undefined) return await (await bare()).run({ options: {}, operands: [] });
    const { parse } = await import("./parse.ts");
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
    return error instanceof ReaderGone ? EXIT.ok : report(error);
  }
}
