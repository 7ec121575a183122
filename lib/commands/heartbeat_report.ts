// IO: environment, clock, the heartbeat file, stdout. The state of the heartbeat on one line.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { probe } from "../heartbeat/probe.ts";
import { reportLine } from "../heartbeat/report.ts";
import { readHeartbeat } from "../heartbeat/store.ts";
import { heartbeatPath, ttlFromEnvironment } from "./heartbeat_place.ts";
import { writeStdout } from "./terminal.ts";

/** Prints the report. */
export function run(): ExitCode {
  const file = heartbeatPath();
  const ttl = ttlFromEnvironment();
  const verdict = probe(readHeartbeat(file), Math.floor(Date.now() / 1000), { ttl, maxSkewSeconds: null });
  writeStdout(`${reportLine({ verdict, ttl, file })}\n`);
  return EXIT.ok;
}
