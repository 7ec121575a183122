// Pure. A verdict in a sentence, for the person who has to do something about it.
import { spanText } from "./duration.ts";
import { DEFAULT_TTL, type Limits, parseTs, parseTtl, type Sighting, type Verdict } from "./probe.ts";
import { showPath } from "./record.ts";

/** Within this of now, a `ts` in another unit is taken for what it looks like: ten years. */
const NEAR_SECONDS = 10 * 365 * 86_400;
/** A `ts` below this is from before 2001, when nothing beat. */
const EARLIEST_LIKELY_TS = 1_000_000_000;

const SMALLER_UNITS = [["milliseconds", 1e3], ["microseconds", 1e6], ["nanoseconds", 1e9]] as const;

/** The unit that `ts`, in digits, seems to be in when it is not seconds. */
function unitOf(ts: string, nowSeconds: number): string | null {
  const found = SMALLER_UNITS.find(([, perSecond]) => Math.abs(Number(ts) / perSecond - nowSeconds) < NEAR_SECONDS);
  return found === undefined ? null : found[0];
}

/** What is wrong with a file that has no line `ts=`; the first that matches. */
const WITHOUT_TS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^$/, "the file is empty"],
  [/^\0+$/, "the file holds nothing but zeros, as after a power loss"],
  [/^\ufeff/, "the file begins with a byte order mark"],
  [/^\s*\{/, "the file is JSON, not lines of key=value"],
  [/^[ \t]*ts[ \t]*=/m, "there is white space before ts or its equal sign"],
  [/^/, "there is no ts line"],
];

/** What is wrong with the text behind `ts=`; the first that matches. */
const BAD_TS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^$/, "ts is empty"],
  [/^[0-9]+\r$/, "ts ends in a carriage return: the file has Windows line ends"],
  [/^[0-9]+$/, "ts is above 2^53-1"],
  [/^[+-][0-9]+$/, "ts has a sign"],
  [/^\s*[0-9]+\s*$/, "there is white space around the value of ts"],
  [/^[0-9]+[.,][0-9]*$/, "ts has a fraction"],
  [/^[0-9]{4}-[0-9]{2}/, "ts looks like a date"],
  [/^0[xX][0-9a-fA-F]+$/, "ts looks like a hexadecimal number"],
  [/^[0-9.]+[eE][+-]?[0-9]+$/, "ts looks like a number with an exponent"],
  [/^\p{Nd}+$/u, "ts is in digits that are not ASCII"],
  [/^/, "ts is not a number"],
];

const firstMatch = (rows: readonly (readonly [RegExp, string])[], text: string): string =>
  rows.find(([pattern]) => pattern.test(text))?.[1] ?? "";

const WANTED = "whole seconds since 1970 in ASCII digits are wanted";

function invalidReason(sighting: Sighting, verdict: Verdict, nowSeconds: number, limits: Limits): string {
  if (sighting.kind !== "file") return `reading the file failed: ${sighting.reason}`;
  const text = verdict.record.ts;
  if (text === null && sighting.cut) return "there is no ts line in the first 64 KiB, and no more is read";
  if (text === null) return firstMatch(WITHOUT_TS, sighting.text);
  const unit = /^[0-9]+$/.test(text) ? unitOf(text, nowSeconds) : null;
  if (unit !== null) return `ts looks like ${unit}: ${WANTED}`;
  const ts = parseTs(text);
  if (ts === null) return `${firstMatch(BAD_TS, text)}: ${WANTED}`;
  return `the beat is ${spanText(ts - nowSeconds)} in the future, more than the ${
    spanText(limits.maxSkewSeconds ?? 0)
  } allowed`;
}

/** Why the verdict is not simply fresh; null when it is. */
export function reasonFor(sighting: Sighting, verdict: Verdict, nowSeconds: number, limits: Limits): string | null {
  const { state, ts, ageSeconds } = verdict;
  if (sighting.kind === "absent") return `there is no heartbeat to read: ${sighting.reason}`;
  if (state === "invalid" || ts === null || ageSeconds === null) {
    return invalidReason(sighting, verdict, nowSeconds, limits);
  }
  if (state === "stale") {
    const sentence = `the last beat is ${spanText(ageSeconds)} old, the limit is ${spanText(limits.ttl.seconds)}`;
    const early = ts < EARLIEST_LIKELY_TS && nowSeconds > EARLIEST_LIKELY_TS;
    return early ? `${sentence}: ts looks cut short, or the writer's clock was not set` : sentence;
  }
  if (ageSeconds >= 0) return null;
  const future = `the beat is ${spanText(-ageSeconds)} in the future, which counts as fresh`;
  const unit = unitOf(String(ts), nowSeconds);
  return unit === null ? future : `ts looks like ${unit}: ${future}`;
}

/** Why the variable `name` is as good as unset; null where it counts, or is unset. */
export function ignoredTtl(
  name: string,
  { text, isUtf8 }: { readonly text: string | null; readonly isUtf8: boolean },
): string | null {
  if (!isUtf8) return `${name} is not valid UTF-8: ${DEFAULT_TTL.text} counts`;
  if (text === null || parseTtl(text) !== null) return null;
  const wrong = /^[0-9]+$/.test(text) ? "not above 0 and below 2^63" : "no number of seconds";
  return `${name} "${showPath(text)}" is ${wrong}: ${DEFAULT_TTL.text} counts`;
}

/** One sentence about any verdict. */
export function explain(sighting: Sighting, verdict: Verdict, nowSeconds: number, limits: Limits): string {
  return reasonFor(sighting, verdict, nowSeconds, limits) ??
    `the last beat is ${spanText(verdict.ageSeconds ?? 0)} old, the limit is ${spanText(limits.ttl.seconds)}`;
}
