// Pure. A verdict -> the report line.
import type { TimeToLive, Verdict } from "./probe.ts";
import { showPath, showValue } from "./record.ts";

/** A verdict with the path and the limit it belongs to. */
export interface HeartbeatReport {
  readonly verdict: Verdict;
  readonly ttl: TimeToLive;
  /** As composed, not resolved. */
  readonly file: string;
}

/** One line without its end: every key in a fixed order, empty where nothing is known, the path last. */
export function reportLine({ verdict, ttl, file }: HeartbeatReport): string {
  const { state, ts, ageSeconds, record } = verdict;
  const [pid, cli, session] = [record.pid, record.cli, record.session].map((value) => showValue(value ?? ""));
  return `state=${state} ts=${ts ?? ""} age=${ageSeconds ?? ""} ttl=${ttl.text} pid=${pid} cli=${cli} ` +
    `session=${session} file=${showPath(file)}`;
}
