// Walks the project's own source for the tests that hold it to its rules.
import { walkSync } from "@std/fs/walk";
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { relative } from "@std/path/relative";

/** The project's root folder. */
export const ROOT = new URL("..", import.meta.url).pathname;

/** One source file, by its path below the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of the product, in path order. */
export function productFiles(): SourceFile[] {
  const files = ["mod.ts", "cli.ts"].map((path) => join(ROOT, path));
  for (const entry of walkSync(join(ROOT, "lib"), { includeDirs: false, exts: [".ts"] })) files.push(entry.path);
  return files.sort().map((path) => ({ path: relative(ROOT, path), text: Deno.readTextFileSync(path) }));
}

/** `files` with `text` put at the end of the one at `path`. */
export function withAddition(files: readonly SourceFile[], path: string, text: string): SourceFile[] {
  if (!files.some((file) => file.path === path)) throw new Error(`there is no ${path}`);
  return files.map((file) => (file.path === path ? { path, text: `${file.text}\n${text}\n` } : file));
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What `file` imports: project files by their path below the root, others by their name. */
export function importsOf(file: SourceFile): string[] {
  return [...file.text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2];
    return specifier.startsWith(".") ? join(dirname(file.path), specifier) : specifier;
  });
}
