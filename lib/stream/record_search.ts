// Pure. A stretch of input that is no value -> the records that are whole in it.
import type { HeldBytes } from "./held_bytes.ts";
import { BACKSLASH, BYTE_CLASSES, ByteClass, CLOSE_BRACE, COLON, COMMA, LF, OPEN_BRACE, QUOTE } from "./json_bytes.ts";
import type { Place, Reject } from "./reject.ts";
import { escapeBytes } from "./reject_words.ts";

/** A value that was given up. */
export interface BrokenValue extends Place {
  /** Offset in the input behind its last byte, Infinity where that is not known. */
  readonly byteEnd: number;
  /** What is wrong with it. */
  readonly reason: string;
}

/** What a search works with. */
export interface RecordSearchOptions {
  /** What is held of the input. */
  readonly held: HeldBytes;
  /** A record has no more bytes than this. */
  readonly maxBytes: number;
  /** Called with each record, in the order of their ends. */
  readonly onRecord: (value: unknown, line: number, byteOffset: number, byteLength: number) => void;
  /** Called once a stretch, before its records. */
  readonly onReject: (reject: Reject) => void;
}

/** How much of a reject its excerpt shows. */
const EXCERPT_BYTES = 48;
/**
 * A record is found only by one of these: a nested object of the stretch, which has none of them, must not be taken for
 * a record.
 */
const RECORD_KEYS = ["session_id", "sessionId", "hook_event_name", "hookEventName", "observed_at"];
/** `{"session_id":""}` */
const SHORTEST_RECORD_BYTES = 17;
/** A record is looked for this many open objects deep; a power of two. */
const MAX_OPEN_OBJECTS = 1024;

const isRecord = (value: unknown): boolean =>
  typeof value === "object" && value !== null && RECORD_KEYS.some((key) => Object.hasOwn(value, key));

/** What a key can begin with: after a raw `{"`, this tells an object from the end of a string that ends in `{`. */
const beginsKey = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f;

/**
 * The value of `held.bytes[from..to)`, or undefined when they are no JSON or an object in them has a key twice: where the
 * head of one record and the tail of another happen to fit together, their common keys are there twice.
 */
function parseSingleKeyed(held: HeldBytes, from: number, to: number): unknown {
  let members = 0;
  let value: unknown;
  try {
    // This throws, too: there are more bytes than a string can have characters.
    value = JSON.parse(held.text(from, to), function (_key, member: unknown) {
      if (!Array.isArray(this)) members++;
      return member;
    });
  } catch {
    return undefined;
  }
  // The whole value is a member of the object that the engine wraps it in.
  members--;
  const { bytes } = held;
  let inString = false;
  for (let at = from; at < to; at++) {
    if (bytes[at] === QUOTE) inString = !inString;
    else if (inString && bytes[at] === BACKSLASH) at++;
    else if (!inString && bytes[at] === COLON) members--;
  }
  return members === 0 ? value : undefined;
}

/**
 * Searches one stretch after the other, each from `begin` to `end`, with `advance` as more of it is held. What
 * `keepFrom` says must stay held. Places are offsets in the input.
 *
 * A record is an object that names a session, a hook event or a clock, has no key twice, and is followed by nothing that
 * could make it a member of the stretch around it.
 *
 * Quotes inside strings are escaped, so a raw `{"` before a key is an object's beginning even where the search takes
 * itself to be inside a string: that is where another record was cut. From there on the search is in step, to the end
 * of that object.
 */
export class RecordSearch {
  readonly #options: RecordSearchOptions;
  /** What is still to be rejected. */
  #broken: BrokenValue | null = null;
  /** The next byte to look at, and its line. */
  #offset = 0;
  #line = 0;
  #inString = false;
  // Open objects: a ring, for a stretch may open any number of them.
  readonly #openOffset = new Float64Array(MAX_OPEN_OBJECTS);
  readonly #openLine = new Float64Array(MAX_OPEN_OBJECTS);
  #openTop = 0;
  #openBottom = 0;
  // The object that closed last, until the byte after it tells whether it is a member of something; -1 for none.
  #closedStart = -1;
  #closedEnd = -1;
  #closedLine = 0;

  constructor(options: RecordSearchOptions) {
    this.#options = options;
  }

  /** Begins at the second byte of `broken`: the whole of it is no record. */
  begin(broken: BrokenValue): void {
    this.#broken = broken;
    this.#offset = broken.byteOffset + 1;
    this.#line = broken.line;
    this.#inString = false;
    this.#openTop = this.#openBottom = 0;
    this.#closedStart = -1;
  }

  /** Searches up to `held.bytes[stop]`; `isEnd`: no byte from there on matters. */
  advance(stop: number, isEnd: boolean): void {
    if (!this.#tellReject(stop, isEnd)) return;
    const { bytes, base } = this.#options.held;
    let at = this.#offset - base;
    for (; at < stop; at++) {
      const byte = bytes[at];
      if (byte === LF) {
        this.#line++;
        this.#inString = false;
      } else if (this.#inString) {
        if (byte !== BACKSLASH && byte !== QUOTE) continue;
        if (at + 1 === stop && !isEnd) break;
        const next = at + 1 < stop ? bytes[at + 1] : LF;
        if (byte === BACKSLASH) {
          if (next !== LF) at++;
        } else if (bytes[at - 1] === OPEN_BRACE && beginsKey(next)) {
          this.#open(base + at - 1);
        } else {
          this.#inString = false;
        }
      } else if (BYTE_CLASSES[byte] !== ByteClass.Blank) {
        if (this.#closedStart >= 0) {
          if (byte === COMMA || BYTE_CLASSES[byte] === ByteClass.Close) this.#closedStart = -1;
          else this.#takeRecord();
        }
        if (byte === QUOTE) this.#inString = true;
        else if (byte === OPEN_BRACE) this.#open(base + at);
        else if (byte === CLOSE_BRACE) this.#close(base + at + 1);
      }
    }
    this.#offset = base + at;
  }

  /** Goes over the line feed up to which the search has advanced. */
  passLineFeed(): void {
    this.#offset++;
    this.#line++;
    this.#inString = false;
  }

  /** Ends the stretch where the search has advanced to. */
  end(): void {
    if (this.#closedStart >= 0) this.#takeRecord();
  }

  /** Offset of the first byte that the search still needs. An object that is too large for a record is forgotten. */
  keepFrom(): number {
    const least = this.#offset - this.#options.maxBytes;
    while (this.#openBottom < this.#openTop && this.#openOffset[this.#openBottom % MAX_OPEN_OBJECTS] < least) {
      this.#openBottom++;
    }
    // A quote looks back at the byte before it, and a value not rejected yet begins there.
    let offset = this.#offset - 1;
    if (this.#closedStart >= 0) offset = Math.min(offset, this.#closedStart);
    if (this.#openBottom < this.#openTop) {
      offset = Math.min(offset, this.#openOffset[this.#openBottom % MAX_OPEN_OBJECTS]);
    }
    return offset;
  }

  /** Tells of the reject once as much of it is there as its excerpt shows, so that chunks make no difference. */
  #tellReject(stop: number, isEnd: boolean): boolean {
    if (this.#broken === null) return true;
    const { line, byteOffset, byteEnd, reason } = this.#broken;
    const { bytes, base } = this.#options.held;
    const end = Math.min(byteEnd, byteOffset + EXCERPT_BYTES) - base;
    if (end > stop && !isEnd) return false;
    this.#broken = null;
    const excerpt = escapeBytes(bytes.subarray(byteOffset - base, Math.min(end, stop)));
    this.#options.onReject({ line, byteOffset, reason, excerpt });
    return true;
  }

  #open(offset: number): void {
    this.#openOffset[this.#openTop % MAX_OPEN_OBJECTS] = offset;
    this.#openLine[this.#openTop % MAX_OPEN_OBJECTS] = this.#line;
    this.#openTop++;
    this.#openBottom = Math.max(this.#openBottom, this.#openTop - MAX_OPEN_OBJECTS);
  }

  /** Closes the object that opened last, if one is open. */
  #close(end: number): void {
    if (this.#openTop === this.#openBottom) return;
    this.#openTop--;
    this.#closedStart = this.#openOffset[this.#openTop % MAX_OPEN_OBJECTS];
    this.#closedLine = this.#openLine[this.#openTop % MAX_OPEN_OBJECTS];
    this.#closedEnd = end;
  }

  /** Reports the closed object if it is a record. What was open around it has something foreign in it, so it is none. */
  #takeRecord(): void {
    const { held, maxBytes, onRecord } = this.#options;
    const byteOffset = this.#closedStart;
    const byteLength = this.#closedEnd - byteOffset;
    this.#closedStart = -1;
    this.#openTop = this.#openBottom = 0;
    if (byteLength < SHORTEST_RECORD_BYTES || byteLength > maxBytes) return;
    const from = byteOffset - held.base;
    const value = parseSingleKeyed(held, from, from + byteLength);
    if (isRecord(value)) onRecord(value, this.#closedLine, byteOffset, byteLength);
  }
}
