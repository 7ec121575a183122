// Pure. Bytes in chunks of any size -> the JSON values in them, each with its place; what is no JSON is told and passed over.
import { AsciiLines } from "./ascii_lines.ts";
import { ByteSearch } from "./byte_search.ts";
import { HeldBytes } from "./held_bytes.ts";
import { BOM, BYTE_CLASSES, ByteClass, LF, NUL, OPEN_BRACE } from "./json_bytes.ts";
import { RecordSearch } from "./record_search.ts";
import type { Place, Reject } from "./reject.ts";
import { escapeBytes, reasonOfSyntaxError } from "./reject_words.ts";
import { Utf8Slices } from "./utf8_slices.ts";
import { ValueScanner } from "./value_scanner.ts";

export type { Place, Reject };

/** What a framer works with. */
export interface FramerOptions {
  /** A value of more bytes than this is rejected, and no more than this of it is held. */
  readonly maxBytes: number;
  /** Called with each value, in input order; the framer's getters tell where it was. */
  readonly onValue: (value: unknown, framer: Framer) => void;
  readonly onReject: (reject: Reject) => void;
}

/** What reads a chunk. */
interface ChunkReaders {
  readonly lines: AsciiLines;
  readonly utf8: Utf8Slices;
  readonly bytes: ByteSearch;
}

/** Nobody's between two calls of `push`: they are large, hold on to a chunk, and a folder has framers by the thousand. */
const idleReaders: ChunkReaders[] = [];

/** The index behind the last byte before `to` that is not blank. */
function withoutBlanks(bytes: Uint8Array, to: number): number {
  while (BYTE_CLASSES[bytes[to - 1]] === ByteClass.Blank) to--;
  return to;
}

/**
 * Finds JSON values in bytes.
 *
 * Values may stand on lines, be welded together, be spread over lines, or any mix; white space, byte order marks, CRLF
 * and a missing last line feed do not matter. Bytes that are no UTF-8 become U+FFFD. How the input is cut into chunks
 * changes nothing. The work is linear in the input, and nothing is held but the value being read.
 *
 * - A value that is no JSON is rejected alone; reading goes on at the next line. Where the broken value was still open
 *   at the end of its line, or spans lines, reading goes on at the next line that begins with `{`.
 * - A raw line feed inside a string is never JSON, so a string open at a line feed ends its value there.
 * - A value that is open at a line feed ends where a following line begins with an object that is whole by itself and
 *   begins in the first column or names its hook event: the open value is rejected, that object is kept.
 * - Concurrent appends can splice one record into another. Every record that is whole in the bytes of a rejected stretch
 *   is a value: an object that names a session, a hook event or a clock, has no key twice (as the head of one record
 *   with the tail of another has), and is followed by nothing that could make it a member of the stretch around it.
 * - A run of NUL bytes between values (a hole that a crash left) is rejected once; the value after it is kept.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Framer } from "./framer.ts";
 *
 * const seen: unknown[] = [];
 * const framer = new Framer({
 *   maxBytes: 1024,
 *   onValue: (value, { line, byteOffset }) => seen.push([line, byteOffset, value]),
 *   onReject: ({ line, reason }) => seen.push([line, reason]),
 * });
 * framer.push(new TextEncoder().encode('{"a":1}{"b":2}\noops\n{"c"'));
 * framer.push(new TextEncoder().encode(":3}"));
 * framer.end();
 * assertEquals(seen, [
 *   [1, 0, { a: 1 }],
 *   [1, 7, { b: 2 }],
 *   [2, 'not JSON: unexpected "o"'],
 *   [3, 20, { c: 3 }],
 * ]);
 * ```
 */
export class Framer {
  readonly #options: FramerOptions;

  // The value that onValue is told about.
  #valueLine = 0;
  #valueOffset = 0;
  #valueBytes = 0;

  /** Number of the line being read. */
  #line = 1;
  #atLineStart = true;
  #inHole = false;
  /** Values told on the line being read. */
  #valuesOnLine = 0;
  /** The last lines held more than one value: parsing the next as one value first would be work for nothing. */
  #welded = false;

  /** What could not be decided within its chunk. Positions below are indices into it. */
  readonly #held = new HeldBytes();
  /** The next byte to look at; of no meaning within a line that is searched. */
  #scan = 0;
  /** Where the line being read begins, when the value began on an earlier one. */
  #lineStart = 0;

  // The value being read; it begins at #start, and there is none while that is -1.
  #start = -1;
  #startLine = 0;
  readonly #value = new ValueScanner();

  /** Made for the first value that is given up. */
  #search: RecordSearch | null = null;
  /** The same while a stretch is searched: no value is read then. */
  #broken: RecordSearch | null = null;
  /** That stretch ends only where a line begins with an object, not with its line. */
  #endsAtBrace = false;

  constructor(options: FramerOptions) {
    this.#options = options;
  }

  /** Line of the value being reported, from 1. */
  get line(): number {
    return this.#valueLine;
  }

  /** Offset in the input of the value being reported, in bytes from 0. */
  get byteOffset(): number {
    return this.#valueOffset;
  }

  /** Length of the value being reported, in bytes. */
  get byteLength(): number {
    return this.#valueBytes;
  }

  /** Takes the next bytes. `chunk` is not kept and may be overwritten afterwards. */
  push(chunk: Uint8Array): void {
    const readers = idleReaders.pop() ?? { lines: new AsciiLines(), utf8: new Utf8Slices(), bytes: new ByteSearch() };
    try {
      this.#push(chunk, readers);
    } finally {
      readers.lines.drop();
      idleReaders.push(readers);
    }
  }

  #push(chunk: Uint8Array, { lines, utf8, bytes }: ChunkReaders): void {
    const held = this.#held;
    let mayTake = true;
    for (let at = 0; at < chunk.length;) {
      // The way nearly every line goes: it is one value, and it is whole in this chunk.
      const isPlain = held.bytes.length === 0 && this.#broken === null && !this.#welded && chunk[at] === OPEN_BRACE;
      // Where one stretch of the chunk cannot be taken, trying each line of it would cost too much.
      if (isPlain && mayTake && !lines.hasNext) mayTake = lines.take(chunk, at);
      const isText = lines.hasNext;
      const lineEnd = isText ? lines.next() : bytes.indexOf(chunk, LF, at, chunk.length);
      const mayBeValue = isPlain && lineEnd >= 0 && lineEnd - at <= this.#options.maxBytes;
      if (mayBeValue && this.#parseLine(isText ? lines.line : null, utf8, chunk, at, lineEnd)) {
        held.pass(lineEnd + 1 - at);
        this.#line++;
        this.#valuesOnLine = 0;
        at = lineEnd + 1;
        continue;
      }
      const to = lineEnd < 0 ? chunk.length : lineEnd + 1;
      this.#feed(at === 0 && to === chunk.length ? chunk : chunk.subarray(at, to), mayBeValue);
      at = to;
    }
  }

  /** Ends the input: a complete last value without a line feed is a value, an incomplete one a reject. */
  end(): void {
    const stop = this.#held.bytes.length;
    if (this.#broken !== null) {
      this.#broken.advance(stop, true);
    } else {
      this.#frame(stop, true, false, true);
      if (this.#start >= 0) this.#giveUp("incomplete value at end of input", stop, true).advance(stop, true);
    }
    this.#endSearch();
    this.#held.drop(stop);
    this.#scan = 0;
    this.#atLineStart = true;
  }

  /** Takes `chunk[from..lineEnd)`, or `text` where they are text already, if they are one value; nothing is held. */
  #parseLine(text: string | null, utf8: Utf8Slices, chunk: Uint8Array, from: number, lineEnd: number): boolean {
    let value: unknown;
    try {
      // This throws, too: there are more bytes than a string can have characters.
      value = JSON.parse(text ?? utf8.text(chunk, from, lineEnd));
    } catch {
      return false;
    }
    this.#report(value, this.#line, this.#held.base, withoutBlanks(chunk, lineEnd) - from);
    return true;
  }

  /** The value of `bytes[from..to)` of what is held, or undefined when it is none. */
  #parseHeld(from: number, to: number): unknown {
    try {
      return JSON.parse(this.#held.text(from, to));
    } catch {
      return undefined;
    }
  }

  #report(value: unknown, line: number, byteOffset: number, byteLength: number): void {
    this.#inHole = false;
    this.#valuesOnLine++;
    this.#valueLine = line;
    this.#valueOffset = byteOffset;
    this.#valueBytes = byteLength;
    this.#options.onValue(value, this);
  }

  /** Takes bytes that hold at most one line feed, as their last. `tried`: they are a line that is not one value. */
  #feed(bytes: Uint8Array, tried: boolean): void {
    if (this.#endsAtBrace && this.#atLineStart && bytes[0] === OPEN_BRACE) this.#endSearch();
    this.#held.append(bytes);
    const { length } = this.#held.bytes;
    const endsLine = bytes[bytes.length - 1] === LF;
    const stop = endsLine ? length - 1 : length;
    if (this.#broken !== null) this.#broken.advance(stop, endsLine);
    else this.#frame(stop, endsLine, tried, false);
    if (endsLine) {
      this.#broken?.passLineFeed();
      if (!this.#endsAtBrace) this.#endSearch();
      this.#line++;
      if (this.#valuesOnLine > 0) this.#welded = this.#valuesOnLine > 1;
      this.#valuesOnLine = 0;
      this.#scan = this.#lineStart = length;
      this.#value.beginLine();
    }
    this.#atLineStart = endsLine;
    this.#dropDone();
  }

  /** Lets go of the bytes that are done with. */
  #dropDone(): void {
    const done = this.#start >= 0 ? this.#start : this.#scan;
    const dropped = this.#held.drop(this.#broken === null ? done : this.#broken.keepFrom() - this.#held.base);
    this.#scan -= dropped;
    this.#lineStart -= dropped;
    if (this.#start >= 0) this.#start -= dropped;
    this.#value.lower(dropped);
  }

  /** Finds values in what is held up to `stop`; the line ends there when `endsLine`, the input when `endsInput`. */
  #frame(stop: number, endsLine: boolean, tried: boolean, endsInput: boolean): void {
    const { maxBytes } = this.#options;
    const { bytes } = this.#held;
    for (;;) {
      if (this.#start < 0 && !this.#begin(stop, endsLine)) return;
      const mayBeWhole = endsLine && !tried && !this.#welded && this.#startLine === this.#line;
      if (mayBeWhole && this.#scan < stop && stop - this.#start <= maxBytes) {
        tried = true;
        const value = this.#parseHeld(this.#start, stop);
        if (value !== undefined) {
          this.#reportHeld(value, this.#startLine, this.#start, withoutBlanks(bytes, stop));
          this.#start = -1;
          this.#scan = stop;
          return;
        }
      }
      // A literal ends only at the byte after it.
      const limit = this.#start + maxBytes + (this.#value.isLiteral ? 1 : 0);
      this.#scan = this.#value.scan(this.#held, this.#scan, Math.min(stop, limit), endsLine && stop < limit);
      let reason: string | null = null;
      let end = Infinity;
      switch (this.#value.extent) {
        case "closed":
          reason = this.#close();
          end = this.#scan;
          break;
        case "foreign":
          reason = `not JSON: unexpected ${escapeBytes(bytes.subarray(this.#scan, this.#scan + 1), '"')}` +
            (this.#value.afterValue ? " after a value" : "");
          break;
        case "open":
          if (this.#scan === limit) {
            reason = "larger than --max-bytes";
          } else if (!endsLine) {
            return;
          } else if (this.#value.inString && !endsInput) {
            reason = "unterminated string";
          } else if (!this.#keepWholeLine(stop)) {
            return;
          }
      }
      if (reason === null) continue;
      if (this.#startLine !== this.#line && bytes[this.#lineStart] === OPEN_BRACE) {
        this.#restart(this.#lineStart);
        continue;
      }
      const endsAtBrace = this.#value.inString || this.#startLine !== this.#line;
      this.#giveUp(reason, end, endsAtBrace).advance(stop, endsLine);
      return;
    }
  }

  /** Passes over what may stand between values. False when no value begins before `stop`. */
  #begin(stop: number, endsLine: boolean): boolean {
    const { bytes, base } = this.#held;
    let at = this.#scan;
    for (; at < stop; at++) {
      const byte = bytes[at];
      if (BYTE_CLASSES[byte] === ByteClass.Blank) continue;
      if (byte === NUL) {
        if (!this.#inHole) {
          this.#inHole = true;
          const place = { line: this.#line, byteOffset: base + at };
          this.#options.onReject({ ...place, reason: "NUL bytes between values", excerpt: "\\0" });
        }
      } else if (byte === BOM[0] && stop - at < BOM.length && !endsLine) {
        this.#scan = at;
        return false;
      } else if (byte === BOM[0] && bytes[at + 1] === BOM[1] && bytes[at + 2] === BOM[2]) {
        at += BOM.length - 1;
      } else {
        this.#scan = this.#start = at;
        this.#startLine = this.#line;
        this.#inHole = false;
        this.#value.begin(byte);
        return true;
      }
    }
    this.#scan = stop;
    return false;
  }

  /** Reports the value that ends at `#scan`; the reason if it is none. */
  #close(): string | null {
    const start = this.#start;
    let value: unknown;
    try {
      value = JSON.parse(this.#held.text(start, this.#scan));
    } catch (error) {
      return reasonOfSyntaxError(error);
    }
    this.#start = -1;
    this.#reportHeld(value, this.#startLine, start, this.#scan);
    return null;
  }

  #reportHeld(value: unknown, line: number, from: number, to: number): void {
    this.#report(value, line, this.#held.base + from, to - from);
  }

  /**
   * The value is open at the end of a line. When that line begins with a whole object which can be no member of the
   * value, the value is rejected, the object reported, and `#scan` is behind it.
   */
  #keepWholeLine(stop: number): boolean {
    const to = this.#value.lineClose;
    if (this.#startLine === this.#line || to < 0) return false;
    const { bytes } = this.#held;
    let from = this.#lineStart;
    while (BYTE_CLASSES[bytes[from]] === ByteClass.Blank) from++;
    let next = to;
    while (next < stop && BYTE_CLASSES[bytes[next]] === ByteClass.Blank) next++;
    if (bytes[from] !== OPEN_BRACE || (next < stop && bytes[next] !== OPEN_BRACE)) return false;
    const value = this.#parseHeld(from, to);
    if (value === undefined) return false;
    if (from !== this.#lineStart && !Object.hasOwn(value as object, "hook_event_name")) return false;
    this.#restart(from);
    this.#scan = to;
    this.#reportHeld(value, this.#line, from, to);
    return true;
  }

  /** Gives up the value that began on an earlier line; reading goes on at `from`, where this line's first value begins. */
  #restart(from: number): void {
    this.#giveUp("incomplete value", from, false).advance(from, true);
    this.#endSearch();
    this.#scan = from;
  }

  /** Gives the value up: it and what follows is to be searched for records. `end`: where it ends, if that is known. */
  #giveUp(reason: string, end: number, endsAtBrace: boolean): RecordSearch {
    this.#search ??= new RecordSearch({
      held: this.#held,
      maxBytes: this.#options.maxBytes,
      onRecord: (value, line, byteOffset, byteLength) => this.#report(value, line, byteOffset, byteLength),
      onReject: (reject) => this.#options.onReject(reject),
    });
    this.#broken = this.#search;
    this.#endsAtBrace = endsAtBrace;
    const { base } = this.#held;
    this.#broken.begin({ line: this.#startLine, byteOffset: base + this.#start, byteEnd: base + end, reason });
    this.#start = -1;
    return this.#broken;
  }

  /** Ends the search, if there is one. */
  #endSearch(): void {
    this.#broken?.end();
    this.#broken = null;
    this.#endsAtBrace = false;
  }
}
