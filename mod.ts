// Library: re-exports only. No Deno API behind any of these: they import in Node and browsers as well.
/**
 * vigil as a library: a session model for unattended coding agents, and the heartbeat's pure part.
 *
 * @module
 */
export * from "./lib/session/model.ts";
export * from "./lib/session/input.ts";
export * from "./lib/session/machine.ts";
export * from "./lib/session/observer.ts";
export * from "./lib/session/reporter.ts";
export { COVERAGE, type CoverageRow, discriminatorOf } from "./lib/session/coverage.ts";
export type { PairingCounts } from "./lib/session/tracker.ts";
export { type Beat, formatRecord, type HeartbeatRecord, parseRecord } from "./lib/heartbeat/record.ts";
export {
  DEFAULT_TTL,
  type HeartbeatState,
  type Limits,
  parseTtl,
  probe,
  type Sighting,
  type TimeToLive,
  type Verdict,
} from "./lib/heartbeat/probe.ts";
export { explain } from "./lib/heartbeat/explain.ts";
export { type HeartbeatReport, type JsonReport, reportLine, reportObject } from "./lib/heartbeat/report.ts";
export { metricsText, type NamedReport } from "./lib/heartbeat/metrics.ts";
export { type Agent, identifyAgent } from "./lib/heartbeat/agents.ts";
