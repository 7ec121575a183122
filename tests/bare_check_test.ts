// What a bare `heartbeat check` or `report` loads. Health checks run them: what they have no use for others load.
import { assertEquals } from "@std/assert";
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { productFiles, type SourceFile, withAddition } from "./source_files.ts";

/** Other commands are loaded by it as they are asked for. */
const ENTRY = "cli.ts";

/** All that it may load, and what for. */
const USE: Readonly<Record<string, string>> = {
  "cli.ts": "the entry",
  "lib/commands/bare.ts": "the command",
  "lib/commands/guard.ts": "says what went wrong",
  "lib/commands/terminal.ts": "writes it",
  "lib/commands/heartbeat_place.ts": "which file, which limits",
  "lib/commands/variables.ts": "reads them from the environment",
  "lib/heartbeat/duration.ts": "reads a span; next to nothing",
  "lib/heartbeat/read_heartbeat.ts": "reads the file",
  "lib/heartbeat/odd_kind.ts": "tells a file from a device",
  "lib/heartbeat/record.ts": "the text of the file",
  "lib/heartbeat/probe.ts": "the verdict",
  "lib/heartbeat/report.ts": "the line that a report is",
  "lib/exit_codes.ts": "the answer",
  "lib/failure.ts": "a failure with its code",
  "lib/reason.ts": "its reason in words",
  "lib/unsafe_characters.ts": "keeps it on one line",
};

/** What the engine compiles as it reads a file, used or not: classes of Unicode, and both cases of every letter. */
const isReadEarly = ({ pattern, flags }: { pattern: string; flags: string }): boolean =>
  /\\[pP]\{/.test(pattern) || flags.includes("i");

/** What reading `file` makes the engine do: the files it loads, and the expressions that cost. */
function readingOf(file: SourceFile): { readonly loads: readonly string[]; readonly expressions: readonly string[] } {
  const loads: string[] = [];
  const expressions: string[] = [];
  const load = (kind: "value" | "type", specifier: string | undefined) => {
    if (kind === "type" || specifier === undefined) return;
    loads.push(specifier.startsWith(".") ? join(dirname(file.path), specifier) : specifier);
  };
  const rule: Deno.lint.Rule = {
    create: () => ({
      ImportDeclaration: ({ importKind, source }) => load(importKind, source.value),
      ExportNamedDeclaration: ({ exportKind, source }) => load(exportKind, source?.value),
      ExportAllDeclaration: ({ exportKind, source }) => load(exportKind, source.value),
      Literal: (node) => {
        if ("regex" in node && node.regex !== undefined && isReadEarly(node.regex)) expressions.push(node.raw);
      },
    }),
  };
  Deno.lint.runPlugin({ name: "bare-check", rules: { reading: rule } }, file.path, file.text);
  return { loads, expressions };
}

/** What makes a bare check dearer, or is in the list for nothing, a line each. */
function surplus(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found: string[] = [];
  const reached = new Set([ENTRY]);
  for (const path of reached) {
    const { loads, expressions } = readingOf(byPath.get(path)!);
    for (const loaded of loads) {
      if (Object.hasOwn(USE, loaded)) reached.add(loaded);
      else found.push(`${path}: loads ${loaded}`);
    }
    for (const expression of expressions) found.push(`${path}: has ${expression}, which is compiled before it is used`);
  }
  return [...found, ...Object.keys(USE).filter((path) => !reached.has(path)).map((path) => `${path}: not loaded`)];
}

Deno.test("a bare check loads what it has a use for", () => {
  assertEquals(surplus(productFiles()), []);
});

const BARE = "lib/commands/bare.ts";
const PLACE = "lib/commands/heartbeat_place.ts";

/** A line more in a file, and what is said to it. */
const ADDITIONS: readonly (readonly [path: string, line: string, said: string | null])[] = [
  [BARE, `import { parse } from "./parse.ts";`, `${BARE}: loads lib/commands/parse.ts`],
  [BARE, `import { COMMANDS } from "./table.ts";`, `${BARE}: loads lib/commands/table.ts`],
  [BARE, `export * from "./help.ts";`, `${BARE}: loads lib/commands/help.ts`],
  [BARE, `export { run as observe } from "./observe.ts";`, `${BARE}: loads lib/commands/observe.ts`],
  [BARE, `import "@std/cli/parse-args";`, `${BARE}: loads @std/cli/parse-args`],
  [BARE, `import type { Topic } from "./help.ts";`, null],
  [BARE, `const later = () => import("./help.ts");`, null],
  [PLACE, `import { explain } from "../heartbeat/explain.ts";`, `${PLACE}: loads lib/heartbeat/explain.ts`],
  [PLACE, "const x = () => /\\p{Lu}/u;", `${PLACE}: has /\\p{Lu}/u, which is compiled before it is used`],
  [PLACE, "const x = `${y.match(/ab/gi)}`;", `${PLACE}: has /ab/gi, which is compiled before it is used`],
  [PLACE, `const x = /^[0-9]+$/u;`, null],
  [PLACE, `const x = new RegExp("\\\\p{Lu}", "u");`, null],
];

for (const [path, line, said] of ADDITIONS) {
  Deno.test(`with a line more, a bare check ${said === null ? "is as cheap" : "is dearer"}: ${line}`, () => {
    assertEquals(surplus(withAddition(productFiles(), path, line)), said === null ? [] : [said]);
  });
}

Deno.test("a file in the list that nothing loads is said", () => {
  const alone = productFiles().map((file) => (file.path === "cli.ts" ? { ...file, text: "" } : file));
  assertEquals(surplus(alone).includes(`${BARE}: not loaded`), true);
});
