// IO: environment, clock, the heartbeat file. The verdict as an exit code, and nothing else.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { type HeartbeatState, probe } from "../heartbeat/probe.ts";
import { readHeartbeat } from "../heartbeat/store.ts";
import { heartbeatPath, ttlFromEnvironment } from "./heartbeat_place.ts";

const EXIT_OF: Readonly<Record<HeartbeatState, ExitCode>> = {
  fresh: EXIT.ok,
  stale: EXIT.stale,
  absent: EXIT.absent,
  invalid: EXIT.invalid,
};

/** Judges the heartbeat. */
export function run(): ExitCode {
  const limits = { ttl: ttlFromEnvironment(), maxSkewSeconds: null };
  return EXIT_OF[probe(readHeartbeat(heartbeatPath()), Math.floor(Date.now() / 1000), limits).state];
}
