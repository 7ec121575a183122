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
