// IO: stdout. Gathers whole texts (lines) and writes them as few times as can be.
import { writeStdout } from "./terminal.ts";

/** What one write carries at most, unless a single text is longer. */
const BUFFER_BYTES = 1 << 16;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BUFFER_UNITS = Math.floor(BUFFER_BYTES / 3);

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
  /** One text: joining costs the engine nothing until it is encoded, and one call encodes all of it. */
  #text = "";

  /** Takes `text`; lone surrogates become U+FFFD. */
  write(text: string): void {
    if (this.#text.length + text.length > BUFFER_UNITS) this.flush();
    this.#text += text;
  }

  /** Writes out what is there. */
  flush(): void {
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    if (text.length > BUFFER_UNITS) {
      writeStdout(text);
    } else {
      const { written } = this.#encoder.encodeInto(text, this.#bytes);
      writeStdout(this.#bytes.subarray(0, written));
    }
  }
}
