// IO: stdout. Gathers whole texts (lines) and writes them as few times as can be.
import { writeStdout } from "./terminal.ts";

/** What one write carries at most, unless a single text is longer. */
const BUFFER_BYTES = 1 << 16;
/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Output that is written when the buffer is full or on {@linkcode flush}. A text is never divided between two writes
 * unless it is longer than the buffer.
 *
 * Both methods throw what `writeStdout` throws: `ReaderGone` when nobody reads any more, a `Failure` with exit 5 when
 * the output is full or failing.
 */
export class OutputBuffer {
  readonly #encoder = new TextEncoder();
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  #used = 0;

  /** Takes `text`; lone surrogates become U+FFFD. */
  write(text: string): void {
    if (text.length * MAX_BYTES_PER_UNIT > BUFFER_BYTES - this.#used) {
      this.flush();
      if (text.length * MAX_BYTES_PER_UNIT > BUFFER_BYTES) {
        writeStdout(text);
        return;
      }
    }
    this.#used += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }

  /** Writes out what is there. */
  flush(): void {
    if (this.#used === 0) return;
    const used = this.#used;
    this.#used = 0;
    writeStdout(this.#bytes.subarray(0, used));
  }
}
