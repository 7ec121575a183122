// Pure data. The characters of foreign text that a terminal acts on, or that hide what it shows.

/**
 * Controls (C0, DEL, C1), invisible format characters (bidirectional overrides, byte order mark, tags), line and
 * paragraph separators, lone surrogates. The two joiners stay: emoji and several scripts need them.
 */
export const UNSAFE_CHARACTERS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
