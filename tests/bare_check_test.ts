// What a bare `heartbeat check` loads. Health checks run it: what it has no use for is loaded by who asks for it.
import { assertEquals } from "@std/assert";
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { productFiles, type SourceFile, withAddition } from "./source_files.ts";

/** The program, and the command that these two words alone make it load. */
const ENTRIES = ["cli.ts", "lib/commands/heartbeat_check.ts"];

/** All that it may load, and what for. */
const USE: Readonly<Record<string, string>> = {
  "cli.ts": "the entry",
  "lib/commands/run.ts": "finds the command",
  "lib/commands/heartbeat_modules.ts": "names its file",
  "lib/commands/guard.ts": "says what went wrong",
  "lib/commands/terminal.ts": "writes it",
  "lib/commands/heartbeat_check.ts": "the command",
  "lib/commands/heartbeat_place.ts": "which file, which limits",
  "lib/commands/variables.ts": "reads them from the environment",
  "lib/heartbeat/duration.ts": "reads a span; next to nothing",
  "lib/heartbeat/store.ts": "reads the file",
  "lib/heartbeat/replace_file.ts": "tells a file from a device; the rest of it goes with it",
  "lib/heartbeat/file_error.ts": "goes with it as well",
  "lib/heartbeat/record.ts": "the text of the file",
  "lib/heartbeat/probe.ts": "the verdict",
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
  const reached = new Set(ENTRIES);
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

const RUN = "lib/commands/run.ts";
const PLACE = "lib/commands/heartbeat_place.ts";

/** A line more in a file, and what is said to it. */
const ADDITIONS: readonly (readonly [path: string, line: string, said: string | null])[] = [
  [RUN, `import { parse } from "./parse.ts";`, `${RUN}: loads lib/commands/parse.ts`],
  [RUN, `import { COMMANDS } from "./table.ts";`, `${RUN}: loads lib/commands/table.ts`],
  [RUN, `export * from "./help.ts";`, `${RUN}: loads lib/commands/help.ts`],
  [RUN, `export { run as observe } from "./observe.ts";`, `${RUN}: loads lib/commands/observe.ts`],
  [RUN, `import "@std/cli/parse-args";`, `${RUN}: loads @std/cli/parse-args`],
  [RUN, `import type { Topic } from "./help.ts";`, null],
  [RUN, `const later = () => import("./help.ts");`, null],
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
  assertEquals(surplus(alone).includes("lib/commands/run.ts: not loaded"), true);
});
