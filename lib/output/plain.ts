// Pure. Foreign text -> text that a terminal only shows: nothing in it moves a cursor, turns the reading direction or ends a line.
import { replaceUnsafe } from "../unsafe_characters.ts";

/** Printable ASCII needs no second look; nearly every text is that. */
const ODD = /[^ -~]/;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escape(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return NAMED[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`);
}

/** Whether `text` is printable ASCII only. */
export const isAscii = (text: string): boolean => !ODD.test(text);

/**
 * `text` with every unsafe character replaced by its escape.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { plain } from "./plain.ts";
 * assertEquals(plain("a\u001b[31mb\nc\u202e"), "a\\x1b[31mb\\nc\\u{202e}");
 * ```
 */
export function plain(text: string): string {
  return isAscii(text) ? text : replaceUnsafe(text, (characters) => Array.from(characters, escape).join(""));
}
