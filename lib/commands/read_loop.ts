// IO: reads from an open file or stdin. The one loop that feeds a framer.
import type { Framer } from "../stream/framer.ts";
import { untilReady } from "./terminal.ts";

/** One read: as much as a pipe holds. */
const READ_BYTES = 1 << 16;

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
