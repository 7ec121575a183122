// Pure. What was found at the heartbeat's path, and the time -> the verdict.
import { EMPTY_RECORD, type HeartbeatRecord, parseRecord } from "./record.ts";

/** What reading the path found. */
export type Sighting =
  /** Nothing there, nothing readable, or no regular file. */
  | { readonly kind: "absent"; readonly reason: string }
  /** It opened, and then reading it failed. */
  | { readonly kind: "broken"; readonly reason: string }
  /** A file and its text; when it goes on behind the part that is read, it is `cut` after its last whole line. */
  | { readonly kind: "file"; readonly text: string; readonly cut: boolean };

/** The four states, each with its own exit code and remedy. */
export type HeartbeatState = "fresh" | "stale" | "absent" | "invalid";

/** How old a beat may become. */
export interface TimeToLive {
  /** From this age on it is stale. */
  readonly seconds: number;
  /** The same as it was given, which is how it is printed. */
  readonly text: string;
}

/** Five beats of 60 seconds: four may be missed before a running agent is called stale. */
export const DEFAULT_TTL: TimeToLive = { seconds: 300, text: "300" };

/** What a verdict is judged by. */
export interface Limits {
  /** How old a beat may become. */
  readonly ttl: TimeToLive;
  /** A `ts` more seconds than this in the future is invalid; null: any future is clock skew, and fresh. */
  readonly maxSkewSeconds: number | null;
}

/** The verdict. */
export interface Verdict {
  /** What `check` exits by. */
  readonly state: HeartbeatState;
  /** When the beat was written, in seconds since the epoch; null unless fresh or stale. */
  readonly ts: number | null;
  /** Its age, negative for a beat from the future; null unless fresh or stale. */
  readonly ageSeconds: number | null;
  /** The fields of the file, also of an invalid one. */
  readonly record: HeartbeatRecord;
}

/** A whole, positive number of seconds up to 2^63-1, in ASCII digits; null for any other text. */
export function parseTtl(text: string): TimeToLive | null {
  if (!/^[0-9]+$/.test(text)) return null;
  const seconds = BigInt(text);
  return seconds > 0n && seconds <= 0x7fffffffffffffffn ? { seconds: Number(seconds), text } : null;
}

/** The limit that an environment variable's text sets, or the default: a typo there must not bend a verdict. */
export function ttlOrDefault(text: string | null): TimeToLive {
  return (text === null ? null : parseTtl(text)) ?? DEFAULT_TTL;
}

/** A `ts` in ASCII digits up to 2^53-1, leading zeros being decimal; null for any other text. */
export function parseTs(text: string | null): number | null {
  if (text === null || !/^[0-9]+$/.test(text)) return null;
  const ts = Number(text);
  return Number.isSafeInteger(ts) ? ts : null;
}

/**
 * Judges a sighting at `nowSeconds` (seconds since the epoch) by `ts` alone: fresh while its age is below the limit.
 *
 * ```ts
 * import { DEFAULT_TTL, probe } from "./probe.ts";
 * const sighting = { kind: "file", text: "ts=1800000000\n", cut: false } as const;
 * probe(sighting, 1800000042, { ttl: DEFAULT_TTL, maxSkewSeconds: null }).state; // "fresh"
 * ```
 */
export function probe(sighting: Sighting, nowSeconds: number, limits: Limits): Verdict {
  if (sighting.kind !== "file") {
    const state = sighting.kind === "absent" ? "absent" : "invalid";
    return { state, ts: null, ageSeconds: null, record: EMPTY_RECORD };
  }
  const record = parseRecord(sighting.text);
  const ts = parseTs(record.ts);
  if (ts === null || (limits.maxSkewSeconds !== null && ts - nowSeconds > limits.maxSkewSeconds)) {
    return { state: "invalid", ts: null, ageSeconds: null, record };
  }
  const ageSeconds = nowSeconds - ts;
  return { state: ageSeconds < limits.ttl.seconds ? "fresh" : "stale", ts, ageSeconds, record };
}
