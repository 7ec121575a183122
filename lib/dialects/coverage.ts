// Pure. What becomes of every event of every dialect.
import { COVERAGE, type CoverageRow } from "../session/coverage.ts";
import { CODEX_HOOKS, CODEX_MESSAGES } from "./codex.ts";
import { COPILOT_HOOKS, COPILOT_MESSAGES } from "./copilot.ts";
import { CURSOR_HOOKS } from "./cursor.ts";
import type { EventTable } from "./dialect.ts";
import { DROID_HOOKS } from "./droid.ts";
import { GEMINI_HOOKS, GEMINI_MESSAGES } from "./gemini.ts";
import { QWEN_HOOKS, QWEN_MESSAGES } from "./qwen.ts";
import type { DialectName } from "./reading.ts";

const rowsOf = (...tables: readonly EventTable<unknown>[]): readonly CoverageRow[] =>
  tables.flatMap((table) => [...table.rows.values()].map((row) => row.coverage));

const ROWS: Readonly<Record<DialectName, readonly CoverageRow[]>> = {
  claude: COVERAGE,
  codex: rowsOf(CODEX_HOOKS, CODEX_MESSAGES),
  gemini: rowsOf(GEMINI_HOOKS, GEMINI_MESSAGES),
  qwen: rowsOf(QWEN_HOOKS, QWEN_MESSAGES),
  copilot: rowsOf(COPILOT_HOOKS, COPILOT_MESSAGES),
  cursor: rowsOf(CURSOR_HOOKS),
  droid: rowsOf(DROID_HOOKS),
};

/**
 * Every event of a dialect, hooks first: wired or declined, and why.
 *
 * @example
 * ```ts
 * import { coverageOf } from "./coverage.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const row = coverageOf("gemini").find((row) => row.event === "AfterAgent");
 * assertEquals([row?.status, row?.maps], ["wired", "Stop"]);
 * ```
 */
export function coverageOf(dialect: DialectName): readonly CoverageRow[] {
  return ROWS[dialect];
}
