// Pure. Where a JSON value ends, told from its brackets, strings and separators; whether it is JSON, the parser says.
import type { HeldBytes } from "./held_bytes.ts";
import { BACKSLASH, BOM, BYTE_CLASSES, ByteClass, NUL, QUOTE } from "./json_bytes.ts";

/** Bytes to look at one by one before asking the engine for the next quote: most strings are shorter than such a call. */
const SHORT_STRING_BYTES = 24;

/** How far the value is known: to all there is of it so far, to its end, or to a byte that cannot stand in it. */
export type Extent = "open" | "closed" | "foreign";

/** What stands between values follows a literal as well. */
const canFollowLiteral = (byte: number): boolean =>
  BYTE_CLASSES[byte] !== ByteClass.Foreign || byte === NUL || byte === BOM[0];

/** Follows one value after the other; what it knows of one lasts from call to call, so a value is looked at once. */
export class ValueScanner {
  #extent: Extent = "open";
  #isLiteral = false;
  #depth = 0;
  #inString = false;
  #afterValue = false;
  #lineDepth = 0;
  #lineClose = -1;

  /** What the last call of `scan` found. */
  get extent(): Extent {
    return this.#extent;
  }

  /** Whether the value is a number, true, false or null, which ends only at the byte after it. */
  get isLiteral(): boolean {
    return this.#isLiteral;
  }

  /** Whether a string is open. */
  get inString(): boolean {
    return this.#inString;
  }

  /** The last thing outside strings was a string, an object or an array: only `,`, `:` and closing brackets can follow. */
  get afterValue(): boolean {
    return this.#afterValue;
  }

  /** The index behind the bracket that first brought the depth back to that at the line's start, or -1. */
  get lineClose(): number {
    return this.#lineClose;
  }

  /** Begins with a value whose first byte is `first`. */
  begin(first: number): void {
    this.#isLiteral = BYTE_CLASSES[first] === ByteClass.Literal;
    this.#depth = 0;
    this.#inString = this.#afterValue = false;
  }

  /** The value goes on on a new line. */
  beginLine(): void {
    this.#lineDepth = this.#depth;
    this.#lineClose = -1;
  }

  /** All indices are lower now. */
  lower(by: number): void {
    if (this.#lineClose >= 0) this.#lineClose -= by;
  }

  /**
   * Goes on from `from` up to `stop`; `isEnd`: nothing of the value can come after `stop`.
   *
   * @returns the index behind the value, of the foreign byte, or `stop`
   */
  scan(held: HeldBytes, from: number, stop: number, isEnd: boolean): number {
    return this.#isLiteral ? this.#scanLiteral(held.bytes, from, stop, isEnd) : this.#scanNested(held, from, stop);
  }

  #scanLiteral(bytes: Uint8Array, from: number, stop: number, isEnd: boolean): number {
    let at = from;
    while (at < stop && BYTE_CLASSES[bytes[at]] === ByteClass.Literal) at++;
    if (at === stop) this.#extent = isEnd ? "closed" : "open";
    else this.#extent = canFollowLiteral(bytes[at]) ? "closed" : "foreign";
    return at;
  }

  /** A string, an object or an array. */
  #scanNested(held: HeldBytes, from: number, stop: number): number {
    const { bytes } = held;
    let at = from;
    let depth = this.#depth;
    let inString = this.#inString;
    let afterValue = this.#afterValue;
    let extent: Extent = "open";
    scan: while (at < stop) {
      if (inString) {
        const soon = Math.min(stop, at + SHORT_STRING_BYTES);
        while (at < soon && bytes[at] !== QUOTE) at++;
        if (at === stop) break;
        if (at === soon) {
          at = held.indexOf(QUOTE, at, stop);
          if (at < 0) {
            at = stop;
            break;
          }
        }
        let before = at - 1;
        while (bytes[before] === BACKSLASH) before--;
        at++;
        // An even number of backslashes are escaped themselves.
        if ((at - before) % 2 === 1) continue;
        inString = false;
        afterValue = true;
        if (depth === 0) {
          extent = "closed";
          break;
        }
      }
      while (at < stop) {
        const kind = BYTE_CLASSES[bytes[at]];
        if (kind === ByteClass.Separator) {
          if (depth === 0) {
            extent = "foreign";
            break scan;
          }
          afterValue = false;
        } else if (kind === ByteClass.Close) {
          if (depth === 0) {
            extent = "foreign";
            break scan;
          }
          afterValue = true;
          depth--;
          if (depth <= this.#lineDepth && this.#lineClose < 0) this.#lineClose = at + 1;
          if (depth === 0) {
            at++;
            extent = "closed";
            break scan;
          }
        } else if (kind !== ByteClass.Blank) {
          if (afterValue || kind === ByteClass.Foreign) {
            extent = "foreign";
            break scan;
          }
          if (kind === ByteClass.Quote) {
            inString = true;
            at++;
            break;
          }
          if (kind === ByteClass.Open) depth++;
        }
        at++;
      }
    }
    this.#extent = extent;
    this.#depth = depth;
    this.#inString = inString;
    this.#afterValue = afterValue;
    return at;
  }
}
