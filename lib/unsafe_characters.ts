// Pure. The characters of foreign text that a terminal acts on, or that hide what it shows.

/** No literal: the engine would read its classes when it reads this file, which is a fiftieth of a start. */
let unsafe: RegExp | undefined;

/**
 * `text` with each run of unsafe characters replaced.
 *
 * They are controls (C0, DEL, C1), invisible format characters (bidirectional overrides, byte order mark, tags), line and
 * paragraph separators, lone surrogates. The two joiners stay: emoji and several scripts need them.
 */
export function replaceUnsafe(text: string, replacement: (characters: string) => string): string {
  unsafe ??= new RegExp("(?:(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}])+", "gu");
  return text.replace(unsafe, replacement);
}
