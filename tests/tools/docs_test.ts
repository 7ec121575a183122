// Generated documentation is what its tables make of it today.
import { assertEquals } from "@std/assert";
import { GENERATED } from "../../tools/docs.ts";
import { ROOT } from "../source_files.ts";

const PAGES = [
  "README.md",
  ...[...Deno.readDirSync(`${ROOT}docs`)].filter(({ isFile }) => isFile).map(({ name }) => `docs/${name}`),
];

for (const [path, text] of Object.entries(GENERATED)) {
  Deno.test(`${path} is up to date; "deno task docs" writes it`, () => {
    const [there, made] = [Deno.readTextFileSync(ROOT + path), text()].map((page) => page.split("\n"));
    // A page has wide tables: the first line that differs says enough.
    const at = made.findIndex((line, at) => line !== there[at]);
    assertEquals(there[at], made[at], `line ${at + 1}; "deno task docs" writes the page`);
    assertEquals(there.length, made.length, '"deno task docs" writes the page');
  });
}

Deno.test("every file and folder that a page names is there", () => {
  const missing: string[] = [];
  for (const page of PAGES) {
    for (
      const [path] of Deno.readTextFileSync(ROOT + page).matchAll(/(?<![\w./])(?:lib|tests|tools|docs)\/[\w./-]*\w/g)
    ) {
      if (path.includes("NAME")) continue;
      try {
        Deno.statSync(ROOT + path);
      } catch {
        missing.push(`${page}: ${path}`);
      }
    }
  }
  assertEquals(missing, []);
});
