// Builds the binary for every target that can be built here, into dist/ or the folder given, with SHA256SUMS.
// A target that cannot be had is named with its reason, and the rest goes on. Same commit, same bytes.
import { join } from "@std/path/join";
import { ensureDirSync } from "@std/fs/ensure-dir";
import { compileModule, withBundle } from "./compile.ts";
import { NoRuntime } from "./runtime.ts";

/** Every target that Deno compiles for. */
export const TARGETS: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

/** What became of one target. */
export interface Built {
  readonly target: string;
  /** The file's name; null when it was not built. */
  readonly file: string | null;
  readonly sha256: string | null;
  readonly problem: Error | null;
}

const fileOf = (target: string): string => `vigil-${target}${target.includes("windows") ? ".exe" : ""}`;

/** The binary for `target`, in `folder`. The compiler puts the output's own name into it, so it is always `vigil`. */
async function buildTarget(entry: string, target: string, folder: string): Promise<Built> {
  const file = fileOf(target);
  const work = await Deno.makeTempDir({ dir: folder, prefix: ".build-" });
  try {
    const made = join(work, target.includes("windows") ? "vigil.exe" : "vigil");
    await compileModule(entry, made, target);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(made)));
    await Deno.rename(made, join(folder, file));
    return { target, file, sha256: digest.toHex(), problem: null };
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error));
    return { target, file: null, sha256: null, problem };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Builds `targets` into `folder`, one after the other, and tells `onBuilt` of each. */
export async function release(
  folder: string,
  targets: readonly string[],
  onBuilt: (built: Built) => void = () => {},
): Promise<readonly Built[]> {
  ensureDirSync(folder);
  const all = await withBundle(async (entry) => {
    const all: Built[] = [];
    for (const target of targets) {
      await Deno.remove(join(folder, fileOf(target))).catch(() => {});
      const built = await buildTarget(entry, target, folder);
      all.push(built);
      onBuilt(built);
    }
    return all;
  });
  const sums = all.filter((built) => built.file !== null).map(({ sha256, file }) => `${sha256}  ${file}\n`);
  await Deno.writeTextFile(join(folder, "SHA256SUMS"), sums.join(""));
  return all;
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? new URL("../dist", import.meta.url).pathname;
  const all = await release(folder, TARGETS, ({ target, sha256, problem }) => {
    console.error(problem === null ? `built ${target} ${sha256}` : `not built: ${target}: ${problem.message}`);
  });
  const failed = all.some(({ problem }) => problem !== null && !(problem instanceof NoRuntime));
  if (failed || all.every(({ file }) => file === null)) Deno.exit(2);
}
