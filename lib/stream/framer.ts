// Pure. Bytes in chunks of any size -> the JSON values in them, each with its place; what is no JSON is told and passed over.
import { AsciiLines } from "./ascii_lines.ts";
import { ByteSearch } from "./byte_search.ts";
import { escapeBytes, reasonOfSyntaxError } from "./reject_words.ts";
import { Utf8Slices } from "./utf8_slices.ts";

/** Where a value begins. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 0, counted from the first byte of the input. */
  readonly byteOffset: number;
}

/** A stretch of input that is no JSON value. */
export interface Reject extends Place {
  /** What is wrong, in plain words. */
  readonly reason: string;
  /** How it begins: short, printable ASCII. */
  readonly excerpt: string;
}

/** What a framer works with. */
export interface FramerOptions {
  /** A value of more bytes than this is rejected, and no more than this of it is held. */
  readonly maxBytes: number;
  /** Called with each value, in input order; the framer's getters tell where it was. */
  readonly onValue: (value: unknown, framer: Framer) => void;
  readonly onReject: (reject: Reject) => void;
}

const NUL = 0x00;
const LF = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BOM = [0xef, 0xbb, 0xbf];

/** What a byte can be outside a string. */
const enum Class {
  Foreign,
  Blank,
  Quote,
  Open,
  Close,
  Separator,
  Literal,
}

const CLASS = new Uint8Array(256);
for (
  const [kind, bytes] of [
    [Class.Blank, " \t\r\n"],
    [Class.Quote, '"'],
    [Class.Open, "{["],
    [Class.Close, "}]"],
    [Class.Separator, ",:"],
    [Class.Literal, "+-.0123456789Eaeflnrstu"],
  ] as const
) for (const byte of bytes) CLASS[byte.charCodeAt(0)] = kind;

const enum Scan {
  More,
  Closed,
  Foreign,
}

/** How much of a reject its excerpt shows. */
const EXCERPT_BYTES = 48;
/** Bytes to look at one by one before asking the engine for the next quote: most strings are shorter than such a call. */
const SHORT_STRING_BYTES = 24;
const LEAST_BYTES = 1 << 10;
const SMALL_BYTES = 1 << 16;
const LARGE_BYTES = 1 << 23;

/**
 * A record is found inside a broken stretch only by one of these: a nested object of that stretch, which has none of
 * them, must not be taken for a record.
 */
const RECORD_KEYS = ["session_id", "sessionId", "hook_event_name", "hookEventName", "observed_at"];
/** `{"session_id":""}` */
const SHORTEST_RECORD_BYTES = 17;
/** A record inside a broken stretch is looked for this many open objects deep; a power of two. */
const MAX_OPEN_OBJECTS = 1024;

/** Nobody's between two calls of `push`: their buffers are large, and a folder has framers by the thousand. */
const idleLines: AsciiLines[] = [];

const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && RECORD_KEYS.some((key) => Object.hasOwn(value, key));

/**
 * The value of `bytes`, or undefined when they are no JSON or an object in them has a key twice: where the head of one
 * record and the tail of another happen to fit together, their common keys are there twice.
 */
function parseSingleKeyed(bytes: Uint8Array, utf8: Utf8Slices): unknown {
  let members = 0;
  let value: unknown;
  try {
    value = JSON.parse(utf8.text(bytes, 0, bytes.length), function (_key, member: unknown) {
      if (!Array.isArray(this)) members++;
      return member;
    });
  } catch {
    return undefined;
  }
  // The whole value is a member of the object that the engine wraps it in.
  members--;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) inString = !inString;
    else if (inString && bytes[at] === BACKSLASH) at++;
    else if (!inString && bytes[at] === COLON) members--;
  }
  return members === 0 ? value : undefined;
}

/** What a key can begin with: after a raw `{"`, this tells an object from the end of a string that ends in `{`. */
const beginsKey = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f;

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
  // Each keeps a view of the last buffer that it looked at.
  #utf8 = new Utf8Slices();
  #bytes = new ByteSearch();

  // The value that onValue is told about.
  #valueLine = 0;
  #valueOffset = 0;
  #valueBytes = 0;

  /** Number of the line being read. */
  #line = 1;
  /** Offset in the input of the first byte of the chunk or, where something is held, of `#held[0]`. */
  #base = 0;

  // What could not be decided within its chunk. Positions below are indices into it.
  // It starts empty, as most inputs of a folder are files that nobody writes to any more.
  #held = new Uint8Array(0);
  #length = 0;
  /** `#held` up to `#length`. */
  #view: Uint8Array = this.#held.subarray(0, 0);
  /** The next byte to look at. */
  #scan = 0;
  #atLineStart = true;
  #inHole = false;
  /** Values told on the line being read. */
  #valuesOnLine = 0;
  /** The last lines held more than one value: parsing the next as one value first would be work for nothing. */
  #welded = false;

  // The value being read; it begins at #start, and there is none while that is -1.
  #start = -1;
  #startLine = 0;
  #depth = 0;
  #inString = false;
  /** The last thing outside strings was a string, an object or an array: only `,`, `:` and closing brackets can follow. */
  #afterValue = false;
  // The line being read, when the value began on an earlier one.
  #lineStart = 0;
  #lineDepth = 0;
  /** Behind the bracket that first brought the depth back to that at the line's start, or -1. */
  #lineClose = -1;

  // A rejected stretch, searched for records that are whole.
  #broken = false;
  #endsAtBrace = false;
  #unreported: { readonly start: number; readonly end: number; readonly line: number; readonly reason: string } | null =
    null;
  // Open objects, as offsets in the input and lines: a ring, for a stretch may open any number of them. Made for the first.
  #openOffset = new Float64Array(0);
  #openLine = new Float64Array(0);
  #openTop = 0;
  #openBottom = 0;
  // The object that closed last, until the byte after it tells whether it is a member of something; -1 for none.
  #closedStart = -1;
  #closedEnd = -1;
  #closedLine = 0;

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
    const lines = idleLines.pop() ?? new AsciiLines();
    try {
      this.#push(chunk, lines);
    } finally {
      lines.drop();
      idleLines.push(lines);
    }
  }

  #push(chunk: Uint8Array, lines: AsciiLines): void {
    let mayTake = true;
    for (let at = 0; at < chunk.length;) {
      // The way nearly every line goes: it is one value, and it is whole in this chunk.
      const isPlain = this.#length === 0 && !this.#broken && !this.#welded && chunk[at] === OPEN_BRACE;
      // Where one stretch of the chunk cannot be taken, trying each line of it would cost too much.
      if (isPlain && mayTake && !lines.hasNext) mayTake = lines.take(chunk, at);
      const isText = lines.hasNext;
      const lineEnd = isText ? lines.next() : this.#bytes.indexOf(chunk, LF, at, chunk.length);
      const mayBeValue = isPlain && lineEnd >= 0 && lineEnd - at <= this.#options.maxBytes;
      if (mayBeValue && this.#parseLine(isText ? lines.line : null, chunk, at, lineEnd, this.#base)) {
        this.#base += lineEnd + 1 - at;
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
    const stop = this.#length;
    if (this.#broken) {
      this.#search(stop, true);
    } else {
      this.#frame(stop, true, false, true);
      if (this.#start >= 0) {
        this.#reject("incomplete value at end of input", stop, true);
        this.#search(stop, true);
      }
    }
    if (this.#broken) this.#endSearch();
    this.#base += this.#length;
    this.#length = this.#scan = 0;
    this.#atLineStart = true;
  }

  /**
   * Parses `bytes[from..lineEnd)`, or `text` where they are text already, as one value whose first byte has the given
   * offset in the input.
   */
  #parseLine(text: string | null, bytes: Uint8Array, from: number, lineEnd: number, byteOffset: number): boolean {
    let value: unknown;
    try {
      // This throws, too: there are more bytes than a string can have characters.
      value = JSON.parse(text ?? this.#utf8.text(bytes, from, lineEnd));
    } catch {
      return false;
    }
    let to = lineEnd;
    while (CLASS[bytes[to - 1]] === Class.Blank) to--;
    this.#report(value, this.#line, byteOffset, to - from);
    return true;
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
    if (this.#broken && this.#endsAtBrace && this.#atLineStart && bytes[0] === OPEN_BRACE) this.#endSearch();
    this.#append(bytes);
    const endsLine = bytes[bytes.length - 1] === LF;
    const stop = endsLine ? this.#length - 1 : this.#length;
    if (this.#broken) this.#search(stop, endsLine);
    else this.#frame(stop, endsLine, tried, false);
    if (endsLine) {
      this.#scan = this.#length;
      if (this.#broken) {
        this.#inString = false;
        if (!this.#endsAtBrace) this.#endSearch();
      }
      this.#line++;
      if (this.#valuesOnLine > 0) this.#welded = this.#valuesOnLine > 1;
      this.#valuesOnLine = 0;
      this.#lineStart = this.#length;
      this.#lineDepth = this.#depth;
      this.#lineClose = -1;
    }
    this.#atLineStart = endsLine;
    this.#compact();
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const held = new Uint8Array(Math.max(length, this.#held.length * 2, LEAST_BYTES));
      held.set(this.#view);
      this.#held = held;
    }
    this.#held.set(bytes, this.#length);
    this.#length = length;
    this.#view = this.#held.subarray(0, length);
  }

  /** Lets go of the bytes that are done with. */
  #compact(): void {
    let keep = this.#start >= 0 ? this.#start : this.#scan;
    if (this.#broken) {
      while (
        this.#openBottom < this.#openTop &&
        this.#openOffset[this.#openBottom % MAX_OPEN_OBJECTS] < this.#base + this.#scan - this.#options.maxBytes
      ) this.#openBottom++;
      keep = Math.max(0, this.#scan - 1);
      if (this.#unreported !== null) keep = Math.min(keep, this.#unreported.start);
      if (this.#closedStart >= 0) keep = Math.min(keep, this.#closedStart - this.#base);
      if (this.#openBottom < this.#openTop) {
        keep = Math.min(keep, this.#openOffset[this.#openBottom % MAX_OPEN_OBJECTS] - this.#base);
      }
    }
    // Moving less than half of what is held would make long values cost more than linear time.
    if (keep < this.#length - keep) return;
    this.#held.copyWithin(0, keep, this.#length);
    this.#base += keep;
    this.#length -= keep;
    this.#scan -= keep;
    this.#lineStart -= keep;
    if (this.#start >= 0) this.#start -= keep;
    if (this.#lineClose >= 0) this.#lineClose -= keep;
    if (this.#unreported !== null) {
      this.#unreported = {
        ...this.#unreported,
        start: this.#unreported.start - keep,
        end: this.#unreported.end - keep,
      };
    }
    if (this.#length < SMALL_BYTES && this.#held.length > LARGE_BYTES) {
      const held = new Uint8Array(SMALL_BYTES);
      held.set(this.#held.subarray(0, this.#length));
      this.#held = held;
      this.#utf8 = new Utf8Slices();
      this.#bytes = new ByteSearch();
    }
    this.#view = this.#held.subarray(0, this.#length);
  }

  /** Finds values in what is held up to `stop`; the line ends there when `endsLine`, the input when `endsInput`. */
  #frame(stop: number, endsLine: boolean, tried: boolean, endsInput: boolean): void {
    const { maxBytes } = this.#options;
    for (;;) {
      if (this.#start < 0 && !this.#begin(stop, endsLine)) return;
      const mayBeWhole = endsLine && !tried && !this.#welded && this.#startLine === this.#line;
      if (mayBeWhole && this.#scan < stop && stop - this.#start <= maxBytes) {
        tried = true;
        if (this.#parseLine(null, this.#view, this.#start, stop, this.#base + this.#start)) {
          this.#start = -1;
          this.#scan = stop;
          return;
        }
      }
      const first = this.#view[this.#start];
      // A literal ends only at the byte after it.
      const limit = this.#start + maxBytes + (CLASS[first] === Class.Literal ? 1 : 0);
      let reject: string | null = null;
      let end = Infinity;
      switch (this.#scanValue(Math.min(stop, limit), endsLine && stop < limit)) {
        case Scan.Closed:
          reject = this.#close();
          end = this.#scan;
          break;
        case Scan.Foreign:
          reject = `not JSON: unexpected ${escapeBytes(this.#view.subarray(this.#scan, this.#scan + 1), '"')}` +
            (this.#afterValue ? " after a value" : "");
          break;
        case Scan.More:
          if (this.#scan === limit) {
            reject = "larger than --max-bytes";
          } else if (!endsLine) {
            return;
          } else if (this.#inString && !endsInput) {
            reject = "unterminated string";
          } else if (!this.#keepWholeLine(stop)) {
            return;
          }
      }
      if (reject === null) continue;
      if (this.#startLine !== this.#line && this.#view[this.#lineStart] === OPEN_BRACE) {
        this.#restart(this.#lineStart);
        continue;
      }
      this.#reject(reject, end, this.#inString || this.#startLine !== this.#line);
      this.#search(stop, endsLine);
      return;
    }
  }

  /** Passes over what may stand between values. False when no value begins before `stop`. */
  #begin(stop: number, endsLine: boolean): boolean {
    const view = this.#view;
    let at = this.#scan;
    for (; at < stop; at++) {
      const byte = view[at];
      if (CLASS[byte] === Class.Blank) continue;
      if (byte === NUL) {
        if (!this.#inHole) {
          this.#inHole = true;
          const place = { line: this.#line, byteOffset: this.#base + at };
          this.#options.onReject({ ...place, reason: "NUL bytes between values", excerpt: "\\0" });
        }
      } else if (byte === BOM[0] && stop - at < BOM.length && !endsLine) {
        this.#scan = at;
        return false;
      } else if (byte === BOM[0] && view[at + 1] === BOM[1] && view[at + 2] === BOM[2]) {
        at += BOM.length - 1;
      } else {
        this.#scan = this.#start = at;
        this.#startLine = this.#line;
        this.#depth = 0;
        this.#inString = this.#afterValue = this.#inHole = false;
        return true;
      }
    }
    this.#scan = stop;
    return false;
  }

  /** Looks for the end of the value up to `stop`; `isEnd`: nothing of it can come after `stop`. */
  #scanValue(stop: number, isEnd: boolean): Scan {
    const view = this.#view;
    let at = this.#scan;
    if (CLASS[view[this.#start]] === Class.Literal) {
      while (at < stop && CLASS[view[at]] === Class.Literal) at++;
      this.#scan = at;
      if (at === stop) return isEnd ? Scan.Closed : Scan.More;
      return CLASS[view[at]] === Class.Foreign && view[at] !== NUL && view[at] !== BOM[0] ? Scan.Foreign : Scan.Closed;
    }
    let depth = this.#depth;
    let inString = this.#inString;
    let afterValue = this.#afterValue;
    let result = Scan.More;
    scan: while (at < stop) {
      if (inString) {
        const soon = Math.min(stop, at + SHORT_STRING_BYTES);
        while (at < soon && view[at] !== QUOTE) at++;
        if (at === stop) break;
        if (at === soon) {
          at = this.#bytes.indexOf(view, QUOTE, at, stop);
          if (at < 0) {
            at = stop;
            break;
          }
        }
        let before = at - 1;
        while (view[before] === BACKSLASH) before--;
        at++;
        // An even number of backslashes are escaped themselves.
        if ((at - before) % 2 === 1) continue;
        inString = false;
        afterValue = true;
        if (depth === 0) {
          result = Scan.Closed;
          break;
        }
      }
      while (at < stop) {
        const kind = CLASS[view[at]];
        if (kind === Class.Separator) {
          if (depth === 0) {
            result = Scan.Foreign;
            break scan;
          }
          afterValue = false;
        } else if (kind === Class.Close) {
          if (depth === 0) {
            result = Scan.Foreign;
            break scan;
          }
          afterValue = true;
          depth--;
          if (depth <= this.#lineDepth && this.#lineClose < 0) this.#lineClose = at + 1;
          if (depth === 0) {
            at++;
            result = Scan.Closed;
            break scan;
          }
        } else if (kind !== Class.Blank) {
          if (afterValue || kind === Class.Foreign) {
            result = Scan.Foreign;
            break scan;
          }
          if (kind === Class.Quote) {
            inString = true;
            at++;
            break;
          }
          if (kind === Class.Open) depth++;
        }
        at++;
      }
    }
    this.#scan = at;
    this.#depth = depth;
    this.#inString = inString;
    this.#afterValue = afterValue;
    return result;
  }

  /** Reports the value that ends at `#scan`; the reason if it is none. */
  #close(): string | null {
    const start = this.#start;
    let value: unknown;
    try {
      value = JSON.parse(this.#utf8.text(this.#view, start, this.#scan));
    } catch (error) {
      return reasonOfSyntaxError(error);
    }
    this.#start = -1;
    this.#report(value, this.#startLine, this.#base + start, this.#scan - start);
    return null;
  }

  /**
   * The value is open at the end of a line. When that line begins with a whole object which can be no member of the
   * value, the value is rejected, the object reported, and `#scan` is behind it.
   */
  #keepWholeLine(stop: number): boolean {
    if (this.#startLine === this.#line || this.#lineClose < 0) return false;
    const view = this.#view;
    const to = this.#lineClose;
    let from = this.#lineStart;
    while (CLASS[view[from]] === Class.Blank) from++;
    let next = to;
    while (next < stop && CLASS[view[next]] === Class.Blank) next++;
    if (view[from] !== OPEN_BRACE || (next < stop && view[next] !== OPEN_BRACE)) return false;
    let value: unknown;
    try {
      value = JSON.parse(this.#utf8.text(view, from, to));
    } catch {
      return false;
    }
    if (from !== this.#lineStart && !Object.hasOwn(value as object, "hook_event_name")) return false;
    this.#restart(from);
    this.#scan = to;
    this.#report(value, this.#line, this.#base + from, to - from);
    return true;
  }

  /** Gives up the value that began on an earlier line; reading goes on at `from`, where this line's first value begins. */
  #restart(from: number): void {
    const line = this.#line;
    this.#reject("incomplete value", from, false);
    this.#search(from, true);
    this.#endSearch();
    this.#line = line;
    this.#scan = from;
  }

  /** Gives the value up: what is held of it, from its second byte on, and what follows is to be searched for records. */
  #reject(reason: string, end: number, endsAtBrace: boolean): void {
    this.#unreported = { start: this.#start, end, line: this.#startLine, reason };
    this.#broken = true;
    this.#endsAtBrace = endsAtBrace;
    this.#scan = this.#start + 1;
    this.#line = this.#startLine;
    this.#start = -1;
    this.#inString = false;
    this.#openTop = this.#openBottom = 0;
    if (this.#openOffset.length === 0) {
      this.#openOffset = new Float64Array(MAX_OPEN_OBJECTS);
      this.#openLine = new Float64Array(MAX_OPEN_OBJECTS);
    }
    this.#closedStart = -1;
  }

  /** Tells of the reject once as much of it is there as its excerpt shows, so that chunks make no difference. */
  #tellReject(stop: number, isEnd: boolean): boolean {
    const reject = this.#unreported;
    if (reject === null) return true;
    const end = Math.min(reject.end, reject.start + EXCERPT_BYTES);
    if (end > stop && !isEnd) return false;
    this.#unreported = null;
    this.#options.onReject({
      line: reject.line,
      byteOffset: this.#base + reject.start,
      reason: reject.reason,
      excerpt: escapeBytes(this.#view.subarray(reject.start, Math.min(end, stop))),
    });
    return true;
  }

  /**
   * Searches the broken stretch up to `stop` for records that are whole; `isEnd`: no byte after `stop` matters.
   *
   * Quotes inside strings are escaped, so a raw `{"` before a key is an object's beginning even where the search takes
   * itself to be inside a string: that is where another record was cut. From there on the search is in step, to the end
   * of that object.
   */
  #search(stop: number, isEnd: boolean): void {
    if (!this.#tellReject(stop, isEnd)) return;
    const view = this.#view;
    let at = this.#scan;
    for (; at < stop; at++) {
      const byte = view[at];
      if (byte === LF) {
        this.#line++;
        this.#inString = false;
      } else if (this.#inString) {
        if (byte !== BACKSLASH && byte !== QUOTE) continue;
        if (at + 1 === stop && !isEnd) break;
        const next = at + 1 < stop ? view[at + 1] : LF;
        if (byte === BACKSLASH) {
          if (next !== LF) at++;
        } else if (view[at - 1] === OPEN_BRACE && beginsKey(next)) {
          this.#open(at - 1);
        } else {
          this.#inString = false;
        }
      } else if (CLASS[byte] !== Class.Blank) {
        if (this.#closedStart >= 0) {
          if (byte === COMMA || CLASS[byte] === Class.Close) this.#closedStart = -1;
          else this.#takeRecord();
        }
        if (byte === QUOTE) this.#inString = true;
        else if (byte === OPEN_BRACE) this.#open(at);
        else if (byte === CLOSE_BRACE && this.#openTop > this.#openBottom) {
          this.#openTop--;
          this.#closedStart = this.#openOffset[this.#openTop % MAX_OPEN_OBJECTS];
          this.#closedLine = this.#openLine[this.#openTop % MAX_OPEN_OBJECTS];
          this.#closedEnd = this.#base + at + 1;
        }
      }
    }
    this.#scan = at;
  }

  #open(at: number): void {
    this.#openOffset[this.#openTop % MAX_OPEN_OBJECTS] = this.#base + at;
    this.#openLine[this.#openTop % MAX_OPEN_OBJECTS] = this.#line;
    this.#openTop++;
    this.#openBottom = Math.max(this.#openBottom, this.#openTop - MAX_OPEN_OBJECTS);
  }

  /** Reports the closed object if it is a record. What was open around it has something foreign in it, so it is none. */
  #takeRecord(): void {
    const byteOffset = this.#closedStart;
    const byteLength = this.#closedEnd - byteOffset;
    this.#closedStart = -1;
    this.#openTop = this.#openBottom = 0;
    if (byteLength < SHORTEST_RECORD_BYTES || byteLength > this.#options.maxBytes) return;
    const from = byteOffset - this.#base;
    const bytes = this.#view.subarray(from, from + byteLength);
    const value = parseSingleKeyed(bytes, this.#utf8);
    if (isRecord(value)) this.#report(value, this.#closedLine, byteOffset, byteLength);
  }

  #endSearch(): void {
    this.#tellReject(this.#length, true);
    if (this.#closedStart >= 0) this.#takeRecord();
    this.#broken = false;
    this.#inString = false;
    this.#scan = this.#length;
  }
}
