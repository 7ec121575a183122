// IO: stdout, stderr. Whole writes only; what went wrong with stdout is told by class, never by a stack.
import { EXIT } from "../exit_codes.ts";
import { Failure } from "../failure.ts";
import { reasonOf } from "../reason.ts";

export { reasonOf };

const encoder = new TextEncoder();

/** Nobody reads stdout any more (`| head -1`): the run ends quietly with 0. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

/** How long to wait before the next try on a descriptor that another process made non-blocking. */
const RETRY_MS = [1, 2, 5, 10, 20];
const idle = new Int32Array(new SharedArrayBuffer(4));

/** Whether an IO error may pass by itself: the descriptor is non-blocking, or a signal came in between. */
export function isTransient(error: unknown): boolean {
  return error instanceof Deno.errors.WouldBlock || error instanceof Deno.errors.Interrupted;
}

/** How long to wait before try number `tries` (from 0) on a descriptor that is not ready, in milliseconds. */
export const retryMs = (tries: number): number => RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];

/** Runs `io` again and again until the descriptor takes or gives something. */
export function untilReady<T>(io: () => T): T {
  for (let tries = 0;; tries++) {
    try {
      return io();
    } catch (error) {
      if (!isTransient(error)) throw error;
      Atomics.wait(idle, 0, 0, retryMs(tries));
    }
  }
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += untilReady(() => stream.writeSync(written === 0 ? bytes : bytes.subarray(written)));
  }
}

/**
 * Writes all of `bytes` to stdout.
 *
 * @throws {ReaderGone} when the reader has closed its end
 * @throws {Failure} with exit 5 when the output is full or failing
 */
export function writeStdout(text: string | Uint8Array): void {
  try {
    writeAll(Deno.stdout, typeof text === "string" ? encoder.encode(text) : text);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw new ReaderGone();
    throw new Failure(EXIT.io, `cannot write to standard output: ${reasonOf(error)}`, "the output is incomplete");
  }
}

/** Writes `text` to stderr; a stderr that cannot be written is nobody's verdict, so its failure is ignored. */
export function writeStderr(text: string): void {
  try {
    writeAll(Deno.stderr, encoder.encode(text));
  } catch {
    // There is no place left to say it.
  }
}
