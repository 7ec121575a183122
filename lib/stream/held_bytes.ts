// Pure. The bytes of an input that are not done with yet, in a buffer that grows and shrinks with them.
import { ByteSearch } from "./byte_search.ts";
import { Utf8Slices } from "./utf8_slices.ts";

const LEAST_BYTES = 1 << 10;
const SMALL_BYTES = 1 << 16;
const LARGE_BYTES = 1 << 23;

/** Bytes of an input, one after the other: more come at the end, and what is done with goes from the beginning. */
export class HeldBytes {
  // It starts empty, as most inputs of a folder are files that nobody writes to any more.
  #buffer = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;
  #base = 0;
  // Each keeps a view of the buffer.
  #utf8 = new Utf8Slices();
  #search = new ByteSearch();

  /** What is held, until the next call of a method. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Offset in the input of the first byte that is held or, where none is, of the next to come. */
  get base(): number {
    return this.#base;
  }

  /** Counts bytes that go by without being held, while none is. */
  pass(count: number): void {
    this.#base += count;
  }

  /** Takes a copy of the bytes that follow those that are held. */
  append(bytes: Uint8Array): void {
    const before = this.#bytes.length;
    const length = before + bytes.length;
    if (length > this.#buffer.length) {
      const buffer = new Uint8Array(Math.max(length, this.#buffer.length * 2, LEAST_BYTES));
      buffer.set(this.#bytes);
      this.#buffer = buffer;
    }
    this.#buffer.set(bytes, before);
    this.#bytes = this.#buffer.subarray(0, length);
  }

  /**
   * Lets go of the first `count` bytes, or of none where they are less than half: to move the others each time would make
   * long values cost more than linear time.
   *
   * @returns how many bytes went; all indices into `bytes` are that much lower now
   */
  drop(count: number): number {
    const length = this.#bytes.length - count;
    if (count < length) return 0;
    this.#buffer.copyWithin(0, count, count + length);
    this.#base += count;
    if (length < SMALL_BYTES && this.#buffer.length > LARGE_BYTES) {
      const buffer = new Uint8Array(SMALL_BYTES);
      buffer.set(this.#buffer.subarray(0, length));
      this.#buffer = buffer;
      this.#utf8 = new Utf8Slices();
      this.#search = new ByteSearch();
    }
    this.#bytes = this.#buffer.subarray(0, length);
    return count;
  }

  /** `bytes[from..to)` as text. What is no UTF-8 becomes U+FFFD. */
  text(from: number, to: number): string {
    return this.#utf8.text(this.#bytes, from, to);
  }

  /** The index of the first `byte` in `bytes[from..to)`, or -1. */
  indexOf(byte: number, from: number, to: number): number {
    return this.#search.indexOf(this.#bytes, byte, from, to);
  }
}
