// Library: re-exports only. No Deno API behind any of these: they import in Node and browsers as well.
/**
 * vigil as a library: a session model for unattended coding agents, and the heartbeat's pure part.
 *
 * @example Watch one session
 * ```ts
 * import { SessionObserver, SessionStateMachine, SessionStateReporter } from "@naswerks/vigil";
 * import { assertEquals } from "@std/assert";
 *
 * let nowMs = Date.UTC(2026, 0, 1);
 * const machine = new SessionStateMachine({ clock: () => nowMs });
 * const observer = new SessionObserver(machine);
 * const reporter = new SessionStateReporter();
 * reporter.add(machine);
 *
 * const heard: string[] = [];
 * machine.onTransition(({ from, to, cause }) => heard.push(`${from} > ${to}: ${cause.event}`));
 * observer.observeHook({ hook_event_name: "UserPromptSubmit", session_id: "s1" });
 * observer.observeHook({ hook_event_name: "PreToolUse", session_id: "s1", tool_name: "Bash", tool_use_id: "t1" });
 * assertEquals(heard, ["spawning > working: UserPromptSubmit", "working > working: PreToolUse"]);
 *
 * nowMs += 40 * 60_000;
 * const [open] = reporter.openEntries();
 * assertEquals([open.sessionId, open.entryId, open.ageMs], ["s1", "t1", 2_400_000]);
 * ```
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
export {
  type Finding,
  type HeartbeatReport,
  type JsonReport,
  reportLine,
  reportObject,
} from "./lib/heartbeat/report.ts";
export { metricsText, type NamedReport } from "./lib/heartbeat/metrics.ts";
export { type Agent, identifyAgent } from "./lib/heartbeat/agents.ts";
