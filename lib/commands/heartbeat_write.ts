// IO: environment, clock, the heartbeat file. Writes a beat.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { identifyAgent } from "../heartbeat/agents.ts";
import { FileError } from "../heartbeat/file_error.ts";
import { writeHeartbeat } from "../heartbeat/store.ts";
import { fileFailure } from "./heartbeat_failure.ts";
import { environmentText, heartbeatPath } from "./heartbeat_place.ts";

/** Writes one beat, in silence. */
export function run(): ExitCode {
  const path = heartbeatPath();
  const agent = identifyAgent(environmentText);
  try {
    writeHeartbeat(path, { ts: Math.floor(Date.now() / 1000), pid: Deno.pid, ...agent });
  } catch (error) {
    if (error instanceof FileError) throw fileFailure(error, "write", "this beat is missing");
    throw error;
  }
  return EXIT.ok;
}
