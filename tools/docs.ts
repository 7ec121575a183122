// Writes the documentation that is generated from tables: `deno task docs`. A test holds the files to what this makes.
import { architecturePage } from "./pages/architecture.ts";
import { coveragePage } from "./pages/coverage.ts";
import { differencesPage } from "./pages/differences.ts";
import { securityPage } from "./pages/security.ts";

/** The text of every generated file, by its path below the root. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  "docs/architecture.md": architecturePage,
  "docs/coverage.md": coveragePage,
  "docs/differences.md": differencesPage,
  "docs/security.md": securityPage,
};

if (import.meta.main) {
  const root = new URL("..", import.meta.url).pathname;
  for (const [path, text] of Object.entries(GENERATED)) {
    Deno.writeTextFileSync(root + path, text());
    console.log(`wrote ${path}`);
  }
}
