// The captured and the odd inputs.
import { walkSync } from "@std/fs/walk";
import { join } from "@std/path/join";
import { relative } from "@std/path/relative";
import { ROOT } from "../source_files.ts";

const DATA = join(ROOT, "tests", "data");

/** One input by its path below tests/data. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Every *.jsonl file of the corpus and of the oddities, in path order. */
export function corpusFiles(): InputFile[] {
  const paths = ["corpus", "oddities"].flatMap((folder) =>
    [...walkSync(join(DATA, folder), { includeDirs: false, exts: [".jsonl"] })].map((entry) => entry.path)
  );
  if (paths.length === 0) throw new Error("no captured input");
  return paths.sort().map((path) => ({ name: relative(DATA, path), bytes: Deno.readFileSync(path) }));
}

/** The appends of four sessions at once: large records torn into each other. */
export async function tornAppends(): Promise<Uint8Array> {
  const path = join(DATA, "corpus", "claude", "cat_append_sessions.cat-append.raw.gz");
  const stream = (await Deno.open(path)).readable.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
