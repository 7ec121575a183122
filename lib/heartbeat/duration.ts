// Pure. Spans of time as the command line gives them and as people read them.

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds in `90`, `90s`, `5m`, `2h` or `250ms`; null for any other text, and for a span that is not exact.
 *
 * ```ts
 * import { parseDuration } from "./duration.ts";
 * parseDuration("5m"); // 300000
 * ```
 */
export function parseDuration(text: string): number | null {
  const match = /^([0-9]+)(ms|s|m|h)?$/.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * UNIT_MS[match[2] ?? "s"];
  return Number.isSafeInteger(ms) ? ms : null;
}

const UNITS: readonly (readonly [one: string, many: string, seconds: number])[] = [
  ["year", "years", 365 * 86_400],
  ["day", "days", 86_400],
  ["h", "h", 3600],
  ["min", "min", 60],
  ["s", "s", 1],
];

/** `seconds` in its two greatest units: `2 h 3 min`; a whole unit stands alone. */
export function spanText(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  const greatest = UNITS.findIndex(([, , size]) => seconds >= size);
  for (const [one, many, size] of greatest === -1 ? [] : UNITS.slice(greatest, greatest + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${count === 1 ? one : many}`);
  }
  return parts.join(" ") || "0 s";
}
