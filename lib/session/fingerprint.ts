// Pure. A small number that is equal for equal JSON values: what an open call keeps of its input.

/** How much of a long string's start, middle and end counts. */
const SAMPLE = 128;
/** How many nested values count; what lies deeper adds nothing. */
const MAX_DEPTH = 64;

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193);
}

function ofPart(hash: number, text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}

function ofString(text: string, seed: number): number {
  const { length } = text;
  const hash = mix(seed, length);
  if (length <= 3 * SAMPLE) return ofPart(hash, text, 0, length);
  const middle = (length - SAMPLE) >> 1;
  const start = ofPart(hash, text, 0, SAMPLE);
  return ofPart(ofPart(start, text, middle, middle + SAMPLE), text, length - SAMPLE, length);
}

function of(value: unknown, depth: number): number {
  if (typeof value === "string") return ofString(value, 0x811c9dc5);
  if (typeof value !== "object" || value === null) return ofString(String(value), 0x1b873593);
  if (depth === MAX_DEPTH) return 0;
  if (Array.isArray(value)) {
    let hash = mix(0x2545f491, value.length);
    for (const item of value) hash = mix(hash, of(item, depth + 1));
    return hash;
  }
  // A sum, so that the order of keys does not count.
  let sum = 0x5bd1e995;
  for (const key in value) {
    sum = (sum + mix(ofString(key, 0xcc9e2d5), of((value as Record<string, unknown>)[key], depth + 1))) | 0;
  }
  return sum;
}

/**
 * The fingerprint of a parsed JSON value; null for a value that is not there.
 *
 * Equal values have equal fingerprints whatever the order of their keys. Different values may share one (one pair in
 * about four thousand million, and long strings are sampled), which costs no more than an ambiguous pairing.
 */
export function fingerprint(value: unknown): number | null {
  return value === undefined ? null : of(value, 0);
}
