// Pure. A verdict -> the report, as a line for people and scripts or as JSON.
import type { HeartbeatState, TimeToLive, Verdict } from "./probe.ts";
import { showPath, showValue } from "./record.ts";

/** A verdict with what it is about. */
export interface Finding {
  /** What was found. */
  readonly verdict: Verdict;
  /** The limit it was judged by. */
  readonly ttl: TimeToLive;
  /** As composed, not resolved. */
  readonly file: string;
}

/** A finding with its reason. */
export interface HeartbeatReport extends Finding {
  /** Why it is not simply fresh, or null. */
  readonly reason: string | null;
}

/** The report as JSON has it. */
export interface JsonReport {
  /** What `check` exits by. */
  readonly state: HeartbeatState;
  /** When the beat was written, in seconds since the epoch; null unless fresh or stale. */
  readonly ts: number | null;
  /** Its age, negative for a beat from the future; null unless fresh or stale. */
  readonly ageSeconds: number | null;
  /** The limit it was judged by; inexact above 2^53. */
  readonly ttlSeconds: number;
  /** The writer's process id; null where the file has none or no number. */
  readonly pid: number | null;
  /** The writer's agent, spelled as in the line; null where it is not known. */
  readonly cli: string | null;
  /** The writer's session, spelled as in the line; null where it is not known. */
  readonly session: string | null;
  /** The path as composed, without any encoding of ours. */
  readonly file: string;
  /** Why it is not simply fresh, or null. */
  readonly reason: string | null;
}

/** One line without its end: every key in a fixed order, empty where nothing is known, the path last. */
export function reportLine({ verdict, ttl, file }: Finding): string {
  const { state, ts, ageSeconds, record } = verdict;
  const [pid, cli, session] = [record.pid, record.cli, record.session].map((value) => showValue(value ?? ""));
  return `state=${state} ts=${ts ?? ""} age=${ageSeconds ?? ""} ttl=${ttl.text} pid=${pid} cli=${cli} ` +
    `session=${session} file=${showPath(file)}`;
}

/** The report as an object; null where nothing is known, and for a pid that is no number. */
export function reportObject({ verdict, ttl, file, reason }: HeartbeatReport): JsonReport {
  const { state, ts, ageSeconds, record } = verdict;
  const pid = /^[0-9]+$/.test(record.pid ?? "") ? Number(record.pid) : null;
  return {
    state,
    ts,
    ageSeconds,
    ttlSeconds: ttl.seconds,
    pid: Number.isSafeInteger(pid) ? pid : null,
    cli: record.cli === null || record.cli === "" ? null : showValue(record.cli),
    session: record.session === null || record.session === "" ? null : showValue(record.session),
    file,
    reason,
  };
}
