// Pure. The words for what is wrong with a stretch of input, and its bytes made printable.

/** What the engine says of a text that is no JSON -> the same without a quote of the text. The first match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^Bad control character/, "a control character inside a string"],
  [/^Bad (?:escaped character|Unicode escape)/, "an escape that JSON does not have"],
  [/^Expected (?:property name|double-quoted property name)/, "a key without double quotes or a comma too many"],
  [/^Expected ':'/, "a missing colon"],
  [/^Expected ','/, "a missing comma or bracket"],
  [/^Unexpected number|[Nn]umber after|fractional number|^Exponent/, "a malformed number"],
];

/** What is wrong with a text that `JSON.parse` refused. */
export function reasonOfSyntaxError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const words = REASONS.find(([pattern]) => pattern.test(message))?.[1];
  if (words !== undefined) return `not JSON: ${words}`;
  const token = message.match(/^Unexpected token '(.)'/su)?.[1];
  return token === undefined ? "not JSON" : `not JSON: unexpected ${escapeBytes(new TextEncoder().encode(token), '"')}`;
}

/** `bytes` as printable ASCII between `quote`s: control characters are spaces, other bytes are written `\xNN`. */
export function escapeBytes(bytes: Uint8Array, quote = ""): string {
  let text = quote;
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else if (byte === 0x09 || byte === 0x0a || byte === 0x0d) text += " ";
    else text += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return text + quote;
}
