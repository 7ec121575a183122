// IO: the file given with --output. Puts an answer there as a whole, or says why it could not.
import { FileError } from "../heartbeat/file_error.ts";
import { replaceFile } from "../heartbeat/replace_file.ts";
import { fileFailure } from "./file_failure.ts";

/**
 * Replaces the file at `path` with `text`: its readers see the old one or the new one.
 *
 * @throws {Failure} with exit 5 when it stays as it was
 */
export function replaceOutput(path: string, text: string): void {
  try {
    replaceFile(path, new TextEncoder().encode(text));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw fileFailure(error, "output");
  }
}
