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
    assertEquals(Deno.readTextFileSync(ROOT + path), text());
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
