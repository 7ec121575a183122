// IO: stdout. Gathers whole texts (lines) and writes them as few times as can be.
import { fstatSync } from "node:fs";
import { writeStdout } from "./terminal.ts";

/** What is gathered before it is written, unless a single text is longer. */
const BUFFER_BYTES = 1 << 16;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BUFFER_UNITS = Math.floor(BUFFER_BYTES / 3);
/** Linux' PIPE_BUF: a write of no more than this to a pipe happens whole or, when a signal kills the writer, not at all. */
const PIPE_BYTES = 4096;
const LF = 0x0a;
const STDOUT = 1;

/** The most that one write may carry so that a signal cannot divide a line. */
function pieceBytes(): number {
  try {
    return fstatSync(STDOUT).isFIFO() ? PIPE_BYTES : BUFFER_BYTES;
  } catch {
    // A closed stdout takes anything.
    return BUFFER_BYTES;
  }
}

/**
 * Output that is written when the buffer is full or on {@linkcode flush}. A line is never divided between two writes
 * unless it is longer than one can carry.
 *
 * Both methods throw what `writeStdout` throws: `ReaderGone` when nobody reads any more, a `Failure` with exit 5 when
 * the output is full or failing.
 */
export class OutputBuffer {
  readonly #encoder = new TextEncoder();
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  readonly #pieceBytes = pieceBytes();
  /** One text: joining costs the engine nothing until it is encoded, and one call encodes all of it. */
  #text = "";

  /** Takes `text`, which ends its last line; lone surrogates become U+FFFD. */
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
      this.#put(this.#encoder.encode(text));
    } else {
      const { written } = this.#encoder.encodeInto(text, this.#bytes);
      this.#put(this.#bytes.subarray(0, written));
    }
  }

  #put(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const to = this.#pieceEnd(bytes, from);
      writeStdout(bytes.subarray(from, to));
      from = to;
    }
  }

  /** The end of the last line that fits into one write, or of the first where none does. */
  #pieceEnd(bytes: Uint8Array, from: number): number {
    if (bytes.length - from <= this.#pieceBytes) return bytes.length;
    const last = bytes.lastIndexOf(LF, from + this.#pieceBytes - 1);
    if (last >= from) return last + 1;
    const next = bytes.indexOf(LF, from);
    return next === -1 ? bytes.length : next + 1;
  }
}
