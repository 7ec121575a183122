// The layers of lib/ and what each may import. Imports point one way; `pure` layers touch nothing outside their arguments.
import { importsOf, type SourceFile } from "./source_files.ts";

export interface Layer {
  /** A path or path prefix below the root. */
  readonly at: string;
  /** Layers (by `at`) and library names that it may import, besides itself. */
  readonly mayImport: readonly string[];
}

/** First match wins, so a file's own row stands before its folder's. */
export const LAYERS: readonly Layer[] = [
  { at: "mod.ts", mayImport: ["lib/heartbeat/", "lib/session/"] },
  { at: "cli.ts", mayImport: ["lib/commands/"] },
  { at: "lib/exit_codes.ts", mayImport: [] },
  { at: "lib/exit_code_words.ts", mayImport: ["lib/exit_codes.ts"] },
  { at: "lib/failure.ts", mayImport: ["lib/exit_codes.ts", "lib/unsafe_characters.ts"] },
  { at: "lib/reason.ts", mayImport: [] },
  { at: "lib/unsafe_characters.ts", mayImport: [] },
  { at: "lib/environment.ts", mayImport: ["lib/heartbeat/agents.ts"] },
  { at: "lib/session/model.ts", mayImport: [] },
  { at: "lib/session/machine.ts", mayImport: ["lib/session/model.ts"] },
  { at: "lib/session/", mayImport: [] },
  { at: "lib/heartbeat/record.ts", mayImport: [] },
  { at: "lib/heartbeat/probe.ts", mayImport: ["lib/heartbeat/record.ts"] },
  { at: "lib/heartbeat/", mayImport: ["lib/reason.ts"] },
  { at: "lib/dialects/", mayImport: ["lib/session/"] },
  { at: "lib/stream/", mayImport: ["node:buffer"] },
  { at: "lib/output/", mayImport: ["lib/session/", "lib/unsafe_characters.ts"] },
  {
    at: "lib/commands/",
    mayImport: [
      "lib/exit_codes.ts",
      "lib/exit_code_words.ts",
      "lib/failure.ts",
      "lib/reason.ts",
      "lib/environment.ts",
      "lib/heartbeat/",
      "lib/session/",
      "lib/dialects/",
      "lib/stream/",
      "lib/output/",
      "deno.json",
      "node:fs",
      "@std/cli",
      "@std/path",
      "@std/text",
    ],
  },
];

/** What a pure file must not name: the outside world comes in through arguments. */
const IMPURE =
  /\bDeno\b|\bconsole\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\b|\bperformance\b|\bset(?:Timeout|Interval)\b|\bfetch\(|(?<!")\bprocess\./;

/** Whether the first line says so. */
export const isPure = (file: SourceFile): boolean => file.text.startsWith("// Pure");

/** Code without its comments; strings stay, as an import path is one. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/[^\n]*/g, "$1");

/** The layer of a file. */
export const layerOf = (path: string): Layer | undefined => LAYERS.find((layer) => path.startsWith(layer.at));

/** What rows allow and nothing uses, a line each: an open door that nobody goes through. */
export function unusedAllowances(files: readonly SourceFile[]): string[] {
  return LAYERS.flatMap(({ at, mayImport }) => {
    const names = files.filter(({ path }) => layerOf(path)?.at === at).flatMap(importsOf);
    return mayImport.filter((allowed) => !names.some((name) => name.startsWith(allowed)))
      .map((allowed) => `${at}: imports nothing of ${allowed}`);
  });
}

/** Everything in `files` that breaks a rule, a line each. */
export function violations(files: readonly SourceFile[]): string[] {
  const found: string[] = [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const file of files) {
    if (!/^\/\/ (?:Pure|IO:|Library:|Entry)/.test(file.text)) {
      found.push(`${file.path}: the first line says neither "Pure" nor "IO: …"`);
    }
    const layer = layerOf(file.path);
    if (layer === undefined) {
      found.push(`${file.path}: belongs to no layer`);
      continue;
    }
    for (const name of importsOf(file)) {
      const inside = layer.at.endsWith("/") && name.startsWith(layer.at);
      if (!inside && !layer.mayImport.some((allowed) => name.startsWith(allowed))) {
        found.push(`${file.path}: may not import ${name}`);
      }
      const target = byPath.get(name);
      // A dynamic import in the command table names code to load later; it does not run when the table is read.
      if (isPure(file) && target !== undefined && !isPure(target) && !file.text.includes(`import("./`)) {
        found.push(`${file.path}: is pure but imports ${name}, which is not`);
      }
    }
    const impure = isPure(file) ? withoutComments(file.text).match(IMPURE) : null;
    if (impure !== null) found.push(`${file.path}: is pure but names ${impure[0]}`);
  }
  return found;
}
