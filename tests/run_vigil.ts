// Runs the program as its users do: another process, by exit code, stdout and stderr.
// From source by default; VIGIL_BINARY names a compiled one to test instead.
import { ENVIRONMENT_NAMES } from "../lib/environment.ts";
import { ROOT } from "./source_files.ts";

/** What a run left behind. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run it, besides its arguments. */
export interface RunOptions {
  /** The whole environment: nothing of the test's own gets in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** "null" unless told; with "piped" the pipe stays open until the program ends. */
  readonly stdin?: "null" | "piped";
}

/** The program and its first arguments. */
export function vigilCommand(): readonly string[] {
  const binary = Deno.env.get("VIGIL_BINARY");
  if (binary !== undefined) return [binary];
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-prompt",
    "--no-check",
    `--config=${ROOT}deno.json`,
    `--lock=${ROOT}deno.lock`,
    "--allow-read",
    "--allow-write",
    `--allow-env=${ENVIRONMENT_NAMES.join(",")}`,
    `${ROOT}cli.ts`,
  ];
}

/** What a run from source needs to find Deno's cache, and to count its lines; nothing that vigil reads. */
function ownEnvironment(): Record<string, string> {
  const coverage = Deno.env.get("DENO_COVERAGE_DIR");
  const cache = Deno.env.get("DENO_DIR") ??
    `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
  return {
    DENO_DIR: cache,
    DENO_NO_UPDATE_CHECK: "1",
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    ...coverage === undefined ? {} : { DENO_COVERAGE_DIR: coverage },
  };
}

/** Starts it; the caller reads its pipes and waits for it. */
export function startVigil(args: readonly string[], options: RunOptions = {}): Deno.ChildProcess {
  const [program, ...first] = vigilCommand();
  return new Deno.Command(program, {
    args: [...first, ...args],
    clearEnv: true,
    env: { ...ownEnvironment(), ...options.env },
    cwd: options.cwd,
    stdin: options.stdin ?? "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs it to its end. */
export async function runVigil(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = startVigil(args, options);
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  if (options.stdin === "piped") await child.stdin.close().catch(() => {});
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs `test` with a fresh folder that is gone afterwards. */
export async function withFolder(test: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "vigil-test-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The names of what a folder holds, sorted. */
export const names = (folder: string): string[] => [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
