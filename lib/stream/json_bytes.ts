// Pure. Bytes by name, and what each can be in JSON outside a string.

export const NUL = 0x00;
export const LF = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** A byte order mark. */
export const BOM: readonly number[] = [0xef, 0xbb, 0xbf];

/** What a byte can be outside a string. */
export const enum ByteClass {
  Foreign,
  Blank,
  Quote,
  Open,
  Close,
  Separator,
  Literal,
}

/** The class of each byte. */
export const BYTE_CLASSES: Uint8Array = new Uint8Array(256);
for (
  const [kind, bytes] of [
    [ByteClass.Blank, " \t\r\n"],
    [ByteClass.Quote, '"'],
    [ByteClass.Open, "{["],
    [ByteClass.Close, "}]"],
    [ByteClass.Separator, ",:"],
    [ByteClass.Literal, "+-.0123456789Eaeflnrstu"],
  ] as const
) for (const byte of bytes) BYTE_CLASSES[byte.charCodeAt(0)] = kind;
