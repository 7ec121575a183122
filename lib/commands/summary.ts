// Pure. The line that ends a run of `observe` in text mode: what was seen, and what did not pair cleanly.
import { durationText } from "../output/duration.ts";
import { activityText } from "../output/text.ts";
import type { AgedEntry } from "../session/model.ts";
import type { Observation } from "./observation.ts";

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** What an observation came to, on one line. Ages are at `endMs`, or at the last value's time where that is null. */
export function summaryOf(observation: Observation, rejected: number, endMs: number | null): string {
  const { counts } = observation;
  let openCount = 0;
  let abandonedCount = 0;
  let oldest: (AgedEntry & { sessionId: string | null }) | null = null;
  for (const { sessionId, openEntries } of observation.snapshots(endMs)) {
    for (const entry of openEntries) {
      if (entry.abandonedAt !== null) {
        abandonedCount++;
        continue;
      }
      openCount++;
      if (oldest === null || entry.ageMs > oldest.ageMs) oldest = { ...entry, sessionId };
    }
  }
  const parts = [
    counted(observation.sessionCount, "session"),
    counted(counts.transitions, "transition"),
    `${rejected} rejected`,
    oldest === null
      ? "no open entry"
      : `${openCount} open, oldest ${activityText(oldest.activity)} for ${durationText(oldest.ageMs)}`,
  ];
  if (abandonedCount > 0) parts.push(`${abandonedCount} abandoned`);
  if (counts.unknown > 0) parts.push(counted(counts.unknown, "unknown event"));
  if (counts.unmatched > 0) parts.push(counted(counts.unmatched, "end without a start", "ends without a start"));
  if (counts.duplicate > 0) parts.push(counted(counts.duplicate, "start twice", "starts twice"));
  if (counts.ambiguous > 0) parts.push(counted(counts.ambiguous, "ambiguous pairing"));
  if (counts.arrivalTimes > 0) {
    const many = "values without a time have that of their arrival";
    parts.push(counted(counts.arrivalTimes, "value without a time has that of its arrival", many));
  }
  return `vigil: ${parts.join(", ")}\n`;
}
