// Pure. The sessions of a host in the Prometheus text exposition format.
import { ACTIVITY_KINDS, type Lane, SESSION_STATES, type SessionSnapshot } from "../session/model.ts";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

const LANES: readonly Lane[] = ["foreground", "background"];

/** Labels come from closed vocabularies only, so nothing in them needs escaping. */
function metric(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return "";
  const lines = samples.map(([labels, value]) => {
    const inside = Object.entries(labels).map(([label, text]) => `${label}="${text}"`).join(",");
    return `${name}${inside === "" ? "" : `{${inside}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
}

/**
 * Metrics over all `snapshots`, whose ages must be current. Counts are there when they are zero, an age only where
 * something is open. There are no session labels: ids come and go without end.
 */
export function sessionsMetrics(snapshots: readonly SessionSnapshot[]): string {
  const entries = snapshots.flatMap((snapshot) => snapshot.openEntries);
  const open = entries.filter((entry) => entry.abandonedAt === null);
  const byState = SESSION_STATES.map((state): Sample => [
    { state },
    snapshots.filter((snapshot) => snapshot.state === state).length,
  ]);
  const byKind = ACTIVITY_KINDS.flatMap((kind) =>
    LANES.map((lane): Sample => [
      { kind, lane },
      open.filter((entry) => entry.activity.kind === kind && entry.lane === lane).length,
    ])
  );
  const abandoned = ACTIVITY_KINDS.map((kind): Sample => [
    { kind },
    entries.filter((entry) => entry.abandonedAt !== null && entry.activity.kind === kind).length,
  ]);
  const oldest = ACTIVITY_KINDS.flatMap((kind): Sample[] => {
    const ages = open.filter((entry) => entry.activity.kind === kind).map((entry) => entry.ageMs);
    return ages.length === 0 ? [] : [[{ kind }, largest(ages) / 1000]];
  });
  const lastTimes = snapshots.flatMap(({ lastTransitionAt }) => lastTransitionAt ?? []).map((at) => Date.parse(at));
  return metric("vigil_sessions", "Sessions by state.", byState) +
    metric("vigil_session_open_entries", "Open entries by kind and lane, abandoned ones not counted.", byKind) +
    metric("vigil_session_abandoned_entries", "Entries that were left open and marked abandoned.", abandoned) +
    metric(
      "vigil_session_oldest_open_entry_age_seconds",
      "Age of the oldest open entry by kind, when this was written.",
      oldest,
    ) +
    metric(
      "vigil_session_last_transition_timestamp_seconds",
      "Time of the latest transition of any session.",
      lastTimes.length === 0 ? [] : [[{}, largest(lastTimes) / 1000]],
    );
}

const largest = (numbers: readonly number[]): number => numbers.reduce((most, number) => Math.max(most, number));
