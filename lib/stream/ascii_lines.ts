// Pure. Whole lines of JSON as one ASCII text: the engine searches, decodes and parses that in two thirds of the time.
import { ByteSearch } from "./byte_search.ts";
import { Utf8Slices } from "./utf8_slices.ts";

const LF = 0x0a;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const HEX = new TextEncoder().encode("0123456789abcdef");
/** As much is taken at once: a larger text would go where the engine keeps large objects, which costs more. */
const STRETCH_BYTES = 1 << 16;
/** With more than one foreign character in so many bytes, writing them anew costs more than it saves. */
const BYTES_PER_FOREIGN = 64;
/** So many may come at once where there are few on the whole: a word, a line of a table. */
const MOST_AT_ONCE = 64;
const MOST_ESCAPES = MOST_AT_ONCE + STRETCH_BYTES / BYTES_PER_FOREIGN + 1;
/** A character outside the basic plane takes two escapes. */
const MAX_ESCAPE_BYTES = 12;

/**
 * The lines of a chunk, one after the other. Foreign characters are written as `\uXXXX`: what is JSON stays the same
 * value, and what is no JSON stays none.
 *
 * One thing may change, by an error of V8 14.7: it takes an escaped key for the key that an earlier object of that shape
 * had, where that one reads like the beginning of the escape: `{"a":1,"\\":2}` makes `\` of the `é` in
 * `{"a":1,"\u00e9":2}`. Nothing reads members by such names.
 */
export class AsciiLines {
  readonly #search = new ByteSearch();
  readonly #utf8 = new Utf8Slices();
  /** The stretch as ASCII, up to `#length`; made for the first one. */
  #bytes = new Uint8Array(0);
  #length = 0;
  /** For each escape, where it ends in the text and how much longer it is than its character. */
  #escapeEnds = new Int32Array(0);
  #escapeExtras = new Int32Array(0);
  #escapeCount = 0;

  #text = "";
  /** Where the next line begins: in the text and in the chunk. */
  #textAt = 0;
  #chunkAt = 0;
  /** Escapes behind us. */
  #passed = 0;
  #line = "";

  /** The line that `next` went over, without its line feed. */
  get line(): string {
    return this.#line;
  }

  /** Whether there are more lines. */
  get hasNext(): boolean {
    return this.#textAt < this.#text.length;
  }

  /**
   * Takes whole lines of `chunk`, the first beginning at `from`.
   *
   * @returns false, with nothing taken, where no line ends soon, or one has many foreign characters, bytes that are no
   *   UTF-8, or a backslash before a foreign character
   */
  take(chunk: Uint8Array, from: number): boolean {
    const to = chunk.lastIndexOf(LF, Math.min(from + STRETCH_BYTES, chunk.length) - 1) + 1;
    if (to <= from || !this.#write(chunk, from, to)) return false;
    this.#text = this.#utf8.text(this.#bytes, 0, this.#length);
    this.#textAt = this.#passed = 0;
    this.#chunkAt = from;
    return true;
  }

  /** Goes over the next line; the index of its line feed in the chunk. */
  next(): number {
    const end = this.#text.indexOf("\n", this.#textAt);
    let bytes = end - this.#textAt;
    while (this.#passed < this.#escapeCount && this.#escapeEnds[this.#passed] <= end) {
      bytes -= this.#escapeExtras[this.#passed++];
    }
    this.#line = this.#text.slice(this.#textAt, end);
    this.#textAt = end + 1;
    const lineEnd = this.#chunkAt + bytes;
    this.#chunkAt = lineEnd + 1;
    return lineEnd;
  }

  /** Lets go of the chunk. */
  drop(): void {
    this.#text = this.#line = "";
    this.#textAt = 0;
  }

  #write(chunk: Uint8Array, from: number, to: number): boolean {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(STRETCH_BYTES + MOST_ESCAPES * MAX_ESCAPE_BYTES);
      this.#escapeEnds = new Int32Array(MOST_ESCAPES);
      this.#escapeExtras = new Int32Array(MOST_ESCAPES);
    }
    this.#length = this.#escapeCount = 0;
    for (let at = from;;) {
      const foreign = this.#search.indexOfForeign(chunk, at, to);
      const end = foreign < 0 ? to : foreign;
      this.#bytes.set(chunk.subarray(at, end), this.#length);
      this.#length += end - at;
      if (foreign < 0) return true;
      if (this.#escapeCount > MOST_AT_ONCE + (foreign - from) / BYTES_PER_FOREIGN) return false;
      if (chunk[foreign - 1] === BACKSLASH) return false;
      at = this.#escape(chunk, foreign, to);
      if (at < 0) return false;
    }
  }

  /** Escapes the character at `at`; where it ends, or -1 where it is no UTF-8. */
  #escape(chunk: Uint8Array, at: number, to: number): number {
    const lead = chunk[at];
    const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || at + more >= to) return -1;
    let code = lead & (0x3f >> more);
    for (let next = at + 1; next <= at + more; next++) {
      if ((chunk[next] & 0xc0) !== 0x80) return -1;
      code = code << 6 | chunk[next] & 0x3f;
    }
    const least = more === 3 ? 0x10000 : more === 2 ? 0x800 : 0x80;
    const isSurrogate = code >= 0xd800 && code < 0xe000;
    if (code < least || code > 0x10ffff || isSurrogate) return -1;
    const before = this.#length;
    if (code >= 0x10000) this.#unit(0xd7c0 + (code >> 10));
    this.#unit(code >= 0x10000 ? 0xdc00 + (code & 0x3ff) : code);
    this.#escapeEnds[this.#escapeCount] = this.#length;
    this.#escapeExtras[this.#escapeCount++] = this.#length - before - more - 1;
    return at + more + 1;
  }

  #unit(unit: number): void {
    const bytes = this.#bytes;
    bytes[this.#length++] = BACKSLASH;
    bytes[this.#length++] = LOWER_U;
    for (let shift = 12; shift >= 0; shift -= 4) bytes[this.#length++] = HEX[unit >> shift & 0xf];
  }
}
