// IO: environment, the heartbeat file. Removes the heartbeat.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { FileError } from "../heartbeat/file_error.ts";
import { clearHeartbeat } from "../heartbeat/store.ts";
import { fileFailure } from "./heartbeat_failure.ts";
import { heartbeatPath } from "./heartbeat_place.ts";

/** Removes the heartbeat, in silence. */
export function run(): ExitCode {
  try {
    clearHeartbeat(heartbeatPath());
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw fileFailure(error, "remove", "the file is still there: readers will believe it runs");
  }
  return EXIT.ok;
}
