// IO: reads from an open file or stdin, timers. The loops that feed a framer.
import type { Framer } from "../stream/framer.ts";
import { isTransient, retryMs, untilReady } from "./terminal.ts";

/** One read: four times what a pipe holds, for files. */
const READ_BYTES = 1 << 18;

/**
 * Reads `source` to its end into `framer`. The end of the source is not the end of the input: `framer.end()` is the
 * caller's, since a file may grow or another may follow.
 *
 * `beforeBlocking` runs before each read, as any read may block: what is answered so far must be out by then.
 * A source that another process made non-blocking is waited for.
 *
 * @throws whatever else `source.readSync` throws
 */
export function readInto(
  source: { readSync(buffer: Uint8Array): number | null },
  framer: Framer,
  beforeBlocking: () => void,
): void {
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    beforeBlocking();
    const count = untilReady(() => source.readSync(buffer));
    if (count === null) return;
    framer.push(buffer.subarray(0, count));
  }
}

/**
 * What `pending` comes to, or null as soon as `signal` aborts. A race against one promise of the abort would keep a
 * little of every read until then.
 */
function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * The same for a source that timers and signals must not wait for: it ends with the source or with `signal`, whichever
 * comes first. Each read costs a turn of the event loop, so this is not for bulk.
 */
export async function readTurns(
  source: { read(buffer: Uint8Array): Promise<number | null> },
  framer: Framer,
  beforeBlocking: () => void,
  signal: AbortSignal,
): Promise<void> {
  const buffer = new Uint8Array(READ_BYTES);
  for (let tries = 0; !signal.aborted;) {
    beforeBlocking();
    try {
      const count = await unlessAborted(source.read(buffer), signal);
      if (count === null) return;
      framer.push(buffer.subarray(0, count));
      tries = 0;
    } catch (error) {
      if (!isTransient(error)) throw error;
      await new Promise((done) => setTimeout(done, retryMs(tries++)));
    }
  }
}
