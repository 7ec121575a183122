// docs/coverage.md: what becomes of every event.
import { coverageOf } from "../../lib/dialects/coverage.ts";
import { DIALECTS } from "../../lib/dialects/reading.ts";
import { coverageMarkdown } from "../../lib/output/coverage.ts";

export const coveragePage = (): string =>
  `# Coverage

What becomes of every event of every agent: **wired** events move a session or are recorded, **declined** ones are left
alone, each for the reason beside it. An event that is in no table is no error: \`vigil observe\` counts it and names it
once. "Known by" says how the row is known: by runs of the agent, by the text of its program, or by what it documents or
declares. This page is \`vigil coverage --format markdown\`.

${coverageMarkdown(DIALECTS.map((dialect) => ({ dialect, rows: coverageOf(dialect) })))}`;
