// IO: environment, clock, the heartbeat file, stdout. What health checks run: a check or a report with nothing behind it.
// In the binary this is one file with what it imports, as whatever it has no use for would add to its start.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { reportLine } from "../heartbeat/report.ts";
import { codeOfEnd } from "./guard.ts";
import { EXIT_OF, judge, limitsFrom, placeFrom } from "./heartbeat_place.ts";
import { writeStdout } from "./terminal.ts";

const COMMANDS: Readonly<Record<string, () => ExitCode>> = {
  check() {
    const { path } = placeFrom({});
    return EXIT_OF[judge(path, limitsFrom({})).verdict.state];
  },
  report() {
    const limits = limitsFrom({});
    const { path } = placeFrom({});
    const { verdict } = judge(path, limits);
    writeStdout(`${reportLine({ verdict, ttl: limits.ttl, file: path })}\n`);
    return EXIT.ok;
  },
};

/** Whether the command line is one of these. */
export const isBare = ([group, name, ...more]: readonly string[]): boolean =>
  group === "heartbeat" && more.length === 0 && Object.hasOwn(COMMANDS, name);

/** Runs such a command line. Never throws. */
export function runBare([, name]: readonly string[]): ExitCode {
  try {
    return COMMANDS[name]();
  } catch (error) {
    return codeOfEnd(error);
  }
}
