// IO: stdout. Gathers whole texts (lines) and writes them as few times as can be.
import { fstatSync } from "node:fs";
import { writeStdout } from "./terminal.ts";

/** What is gathered before it is written, unless a single text is longer. */
const BUFFER_BYTES = 1 << 16;
/** A UTF-16 unit takes at most this many bytes of UTF-8. */
const MAX_BYTES_PER_UNIT = 3;
/** Linux' PIPE_BUF: a write of no more than this to a pipe happens whole or, when a signal kills the writer, not at all. */
const PIPE_BYTES = 4096;
const LF = 0x0a;
const STDOUT = 1;

/** The most that one write may carry so that a signal cannot divide a line. */
function pieceBytes(): number {
  try {
    return fstatSync(STDOUT).isFIFO() ? PIPE_BYTES : BUFFER_BYTES;
  } catch {
    // A closed stdout: it takes anything.
    return BUFFER_BYTES;
  }
}

/**
 * Output that is written when the buffer is full or on {@linkcode flush}. A text is never divided between two writes
 * unless it is longer than one can carry.
 *
 * Both methods throw what `writeStdout` throws: `ReaderGone` when nobody reads any more, a `Failure` with exit 5 when
 * the output is full or failing.
 */
export class OutputBuffer {
  readonly #encoder = new TextEncoder();
  readonly #bytes = new Uint8Array(BUFFER_BYTES);
  readonly #pieceBytes = pieceBytes();
  #used = 0;

  /** Takes `text`, which ends in a line feed; lone surrogates become U+FFFD. */
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
    const used = this.#used;
    this.#used = 0;
    for (let from = 0; from < used;) {
      const to = this.#pieceEnd(from, used);
      writeStdout(this.#bytes.subarray(from, to));
      from = to;
    }
  }

  /** The end of the last line that fits into one write, or of the first where none does. */
  #pieceEnd(from: number, used: number): number {
    if (used - from <= this.#pieceBytes) return used;
    const last = this.#bytes.lastIndexOf(LF, from + this.#pieceBytes - 1);
    if (last >= from) return last + 1;
    const next = this.#bytes.indexOf(LF, from);
    return next === -1 || next >= used ? used : next + 1;
  }
}
