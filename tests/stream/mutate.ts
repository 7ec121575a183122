// Seeded damage: what bit flips, crashes, torn appends and careless tools do to lines.
import { corpusFiles } from "./corpus.ts";

/** A small seeded generator of whole numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, but not, `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

/** Lines of the corpus of a moderate length, without their line feeds. */
export function shortLines(maxBytes = 4096): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (const { bytes } of corpusFiles()) {
    for (let at = 0; at < bytes.length;) {
      const lineEnd = bytes.indexOf(0x0a, at);
      const to = lineEnd < 0 ? bytes.length : lineEnd;
      if (to > at && to - at <= maxBytes) lines.push(bytes.subarray(at, to));
      at = to + 1;
    }
  }
  return lines;
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const encoder = new TextEncoder();
const JUNK = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  ",",
  ":",
  "\n",
  "\r\n",
  "\0\0\0",
  "\ufeff",
  "\u2028",
  " ",
  "x",
  "1",
  '{"a":',
];

type Damage = (line: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const insert = (line: Uint8Array, at: number, part: Uint8Array) =>
  concat([line.subarray(0, at), part, line.subarray(at)]);

/** Every kind of damage; each gives what stands in the line's place. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  bitFlip: (line, random) => {
    const damaged = line.slice();
    damaged[random.below(line.length)] ^= 1 << random.below(8);
    return damaged;
  },
  cut: (line, random) => line.slice(0, random.below(line.length)),
  behead: (line, random) => line.slice(random.below(line.length)),
  junk: (line, random) => insert(line, random.below(line.length), encoder.encode(JUNK[random.below(JUNK.length)])),
  splice: (line, random, other) => insert(line, random.below(line.length), other),
  spliceLine: (line, random, other) => insert(line, random.below(line.length), concat([other, new Uint8Array([0x0a])])),
  crossover: (line, random, other) =>
    concat([line.subarray(0, random.below(line.length)), other.subarray(random.below(other.length))]),
  weld: (line, _random, other) => concat([line, other]),
  twice: (line) => concat([line, line]),
  zero: (line, random) => {
    const damaged = line.slice();
    const at = random.below(line.length);
    damaged.fill(0, at, at + 1 + random.below(64));
    return damaged;
  },
  pretty: (line) => {
    try {
      return encoder.encode(JSON.stringify(JSON.parse(new TextDecoder().decode(line)), null, 2));
    } catch {
      return line;
    }
  },
};

/** Inputs of some lines each, about half of them damaged. */
export function* mutations(
  options: { readonly seed: number; readonly rounds: number; readonly linesPerRound: number },
): Generator<{ readonly bytes: Uint8Array; readonly random: Random }> {
  const random = new Random(options.seed);
  const lines = shortLines();
  const damages = Object.values(DAMAGES);
  const pick = () => lines[random.below(lines.length)];
  for (let round = 0; round < options.rounds; round++) {
    const parts: Uint8Array[] = [];
    for (let line = 0; line < options.linesPerRound; line++) {
      const damage = random.below(2) === 0 ? damages[random.below(damages.length)] : undefined;
      const whole = pick();
      parts.push(damage === undefined ? whole : damage(whole, random, pick()));
      if (random.below(20) > 0) parts.push(new Uint8Array([0x0a]));
    }
    yield { bytes: concat(parts), random };
  }
}

/** Inputs of whole and damaged lines, each ended by a line feed; `whole` are the offsets of the whole ones. */
export function* damagedLines(
  options: { readonly seed: number; readonly rounds: number; readonly linesPerRound: number },
): Generator<{ readonly bytes: Uint8Array; readonly whole: readonly number[] }> {
  const random = new Random(options.seed);
  const lines = shortLines().filter((line) => line[0] === 0x7b && isJson(line));
  const damages = Object.values(DAMAGES);
  const pick = () => lines[random.below(lines.length)];
  for (let round = 0; round < options.rounds; round++) {
    const parts: Uint8Array[] = [];
    const whole: number[] = [];
    let length = 0;
    for (let line = 0; line < options.linesPerRound; line++) {
      const isWhole = random.below(2) === 0;
      const part = isWhole ? pick() : damages[random.below(damages.length)](pick(), random, pick());
      if (isWhole) whole.push(length);
      parts.push(part, new Uint8Array([0x0a]));
      length += part.length + 1;
    }
    yield { bytes: concat(parts), whole };
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
