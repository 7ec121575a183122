// Pure. How many terminal columns a text takes, and cutting and padding by that measure.
import { isAscii } from "./plain.ts";

/** Characters that terminals draw two columns wide: East Asian wide and full-width forms, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column of their own. */
const ZERO = /[\p{Mn}\p{Me}\u200c\u200d]/u;

const columnsOf = (character: string): number => ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** The columns `text` takes. */
export function columns(text: string): number {
  if (isAscii(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += columnsOf(character);
  return sum;
}

/** `text` in at most `most` columns; what was cut shows as `…`. Never cuts a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most && isAscii(text)) return text;
  let kept = "";
  let sum = 0;
  let whole = true;
  // One column stays free for the mark, which is only known to be needed when the text goes on.
  let atMark = "";
  for (const character of text) {
    sum += columnsOf(character);
    if (sum > most) {
      whole = false;
      break;
    }
    kept += character;
    if (sum <= most - 1) atMark = kept;
  }
  return whole ? kept : `${atMark}…`;
}

/** `text` with spaces behind it up to `least` columns. */
export function pad(text: string, least: number): string {
  const missing = least - columns(text);
  return missing > 0 ? text + " ".repeat(missing) : text;
}

/** A cell wider than this does not widen its column: one odd name must not move all the others away. */
const MOST_COLUMNS = 40;

/** The width of a column that holds `texts`. */
export function widthOf(texts: Iterable<string>, least = 0): number {
  let width = least;
  for (const text of texts) {
    const own = columns(text);
    if (own > width && own <= MOST_COLUMNS) width = own;
  }
  return width;
}

/** `rows` as lines whose cells stand below each other; `least` are the least widths of the columns. */
export function aligned(rows: readonly (readonly string[])[], least: readonly number[] = []): string[] {
  const widths = least.slice();
  for (const row of rows) {
    for (let at = 0; at < row.length - 1; at++) widths[at] = widthOf([row[at]], widths[at]);
  }
  return rows.map((row) => row.map((cell, at) => at === row.length - 1 ? cell : pad(cell, widths[at])).join("  "));
}
