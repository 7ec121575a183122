// Pure. Reports -> Prometheus text, as node_exporter's textfile collector reads it: no sample timestamps.
import type { HeartbeatState } from "./probe.ts";
import { showPath, showValue } from "./record.ts";
import type { Finding } from "./report.ts";

/** A report under the name its samples carry. */
export interface NamedReport extends Finding {
  /** The label `name`: the heartbeat's folder, or its path. */
  readonly name: string;
}

const STATES: readonly HeartbeatState[] = ["fresh", "stale", "absent", "invalid"];

interface Metric {
  readonly name: string;
  readonly help: string;
  /** The samples of one report: labels beyond `name` and `cli`, and the value. */
  samples(
    report: NamedReport,
  ): readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

const METRICS: readonly Metric[] = [
  {
    name: "vigil_heartbeat_timestamp_seconds",
    help: "When the last beat was written, in seconds since the epoch; no sample without a readable beat.",
    samples: ({ verdict }) => verdict.ts === null ? [] : [{ labels: {}, value: verdict.ts }],
  },
  {
    name: "vigil_heartbeat_ttl_seconds",
    help: "From which age on a beat is stale.",
    samples: ({ ttl }) => [{ labels: {}, value: ttl.seconds }],
  },
  {
    name: "vigil_heartbeat_state",
    help: "1 for the state the heartbeat was in when this was written, 0 for the others.",
    samples: ({ verdict }) => STATES.map((state) => ({ labels: { state }, value: verdict.state === state ? 1 : 0 })),
  },
];

const escapeLabel = (value: string): string => value.replace(/[\\"]/g, "\\$&");

/** The text of all `reports`, each metric once, its samples together; empty for none. */
export function metricsText(reports: readonly NamedReport[]): string {
  return METRICS.map(({ name, help, samples }) => {
    const lines = reports.flatMap((report) => {
      const common = { name: showPath(report.name), cli: showValue(report.verdict.record.cli ?? "") };
      return samples(report).map(({ labels, value }) => {
        const all = Object.entries({ ...common, ...labels }).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
        return `${name}{${all.join(",")}} ${value}\n`;
      });
    });
    return lines.length === 0 ? "" : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join("")}`;
  }).join("");
}
