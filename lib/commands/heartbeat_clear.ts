// IO: environment, the heartbeat file. Removes the heartbeat.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { FileError } from "../heartbeat/file_error.ts";
import { clearHeartbeat } from "../heartbeat/store.ts";
import { fileFailure } from "./file_failure.ts";
import { placeFrom } from "./heartbeat_place.ts";
import type { Invocation } from "./table.ts";

/**
 * Removes the heartbeat at `path`.
 *
 * @throws {Failure} with exit 5 when it is, or may be, still there
 */
export function clearOrFail(path: string): void {
  try {
    clearHeartbeat(path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw fileFailure(error, "clear");
  }
}

/** Removes the heartbeat, in silence. */
export function run({ options }: Invocation): ExitCode {
  clearOrFail(placeFrom(options).path);
  return EXIT.ok;
}
