// IO: stdout. `vigil coverage`: what becomes of every event of every agent, and why.
import { coverageOf } from "../dialects/coverage.ts";
import { DIALECTS } from "../dialects/reading.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { coverageJson, coverageMarkdown, coverageText, type DialectCoverage } from "../output/coverage.ts";
import type { CoverageFormat } from "./formats.ts";
import type { Invocation } from "./table.ts";
import { writeStdout } from "./terminal.ts";

const FORMATS: Readonly<Record<CoverageFormat, (coverage: readonly DialectCoverage[]) => string>> = {
  text: coverageText,
  json: coverageJson,
  markdown: coverageMarkdown,
};

/** Prints the table. */
export function run({ options }: Invocation): ExitCode {
  const chosen = DIALECTS.filter((dialect) => options.dialect === undefined || options.dialect === dialect);
  const coverage = chosen.map((dialect) => ({ dialect, rows: coverageOf(dialect) }));
  writeStdout(FORMATS[(options.format ?? "text") as CoverageFormat](coverage));
  return EXIT.ok;
}
