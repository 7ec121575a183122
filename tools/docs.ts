// Writes the documentation that is generated from tables: `deno task docs`. A test holds the files to what this makes.
import { coverageOf } from "../lib/dialects/coverage.ts";
import { DIALECTS } from "../lib/dialects/reading.ts";
import { coverageMarkdown } from "../lib/output/coverage.ts";

/** The text of every generated file, by its path below the root. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  "docs/coverage.md": () =>
    `# Coverage

What becomes of every event of every agent: **wired** events move a session or are recorded, **declined** ones are left
alone, each for the reason beside it. An event that is in no table is no error: \`vigil observe\` counts it and names it
once. "Known by" says how the row is known: by runs of the agent, by the text of its program, or by what it documents or
declares. This page is \`vigil coverage --format markdown\`.

${coverageMarkdown(DIALECTS.map((dialect) => ({ dialect, rows: coverageOf(dialect) })))}`,
};

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname;
  for (const [path, text] of Object.entries(GENERATED)) {
    Deno.writeTextFileSync(root + path, text());
    console.log(`wrote ${path}`);
  }
}
