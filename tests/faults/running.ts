// The binary under test as a running process: its output as it comes, waiting for conditions, moments at random.
import type { Random } from "../stream/mutate.ts";
import { vigilCommand } from "../run_vigil.ts";

/** Longer than anything here may take, on a loaded machine too. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 2;
const LF = 0x0a;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Waits until `reached`; throws, naming `what`, when that does not come. */
export async function until(what: string, reached: () => boolean): Promise<void> {
  for (const start = performance.now(); !reached();) {
    if (performance.now() - start > PATIENCE_MS) throw new Error(`waited in vain: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** A moment at random, after `least` and before `most` milliseconds: the one that a fault strikes at. */
export const moment = (random: Random, most: number, least = 0): Promise<void> =>
  pause(least + random.below(Math.ceil((most - least) * 1000)) / 1000);

/** How a run went. */
export interface Ran {
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start it. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program that runs it, with that program's arguments. */
  readonly through?: readonly string[];
  readonly stdin?: "null" | "piped";
  /** Gets each piece of stdout; the next one is read when it is done. */
  readonly onStdout?: (piece: Uint8Array) => void | Promise<void>;
  /** False where there is too much of it to keep. */
  readonly keepsStdout?: boolean;
}

/** Runs `sh -c LINE` with the binary and its arguments as "$@". */
export const throughShell = (line: string): readonly string[] => ["sh", "-c", line, "sh"];

export class Running {
  readonly pid: number;
  readonly ended: Promise<Ran>;
  hasEnded = false;
  stderr = "";
  stdoutBytes = 0;
  /** How many lines came on stdout so far. */
  lineCount = 0;
  readonly #pieces: Uint8Array[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | null;

  constructor(args: readonly string[], options: StartOptions = {}) {
    const [program, ...rest] = [...options.through ?? [], ...vigilCommand(), ...args];
    const child = new Deno.Command(program, {
      args: rest,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", ...options.env },
      cwd: options.cwd,
      stdin: options.stdin ?? "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#child = child;
    this.pid = child.pid;
    const writer = options.stdin === "piped" ? child.stdin.getWriter() : null;
    this.#writer = writer;
    const errors = (async () => {
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) this.stderr += text;
    })();
    const output = (async () => {
      for await (const piece of child.stdout) {
        if (options.keepsStdout !== false) {
          this.#pieces.push(piece);
          this.stdoutBytes += piece.length;
        }
        for (let at = piece.indexOf(LF); at >= 0; at = piece.indexOf(LF, at + 1)) this.lineCount++;
        await options.onStdout?.(piece);
      }
    })();
    this.ended = (async () => {
      const { code, signal } = await child.status;
      await Promise.all([errors, output]);
      this.hasEnded = true;
      await writer?.close().catch(() => {});
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    })();
  }

  /** What came on stdout so far. */
  get stdout(): string {
    return new TextDecoder().decode(this.bytes);
  }

  get bytes(): Uint8Array {
    const all = new Uint8Array(this.stdoutBytes);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  /** Writes to its stdin; false once it does not take any more. */
  async write(input: string | Uint8Array<ArrayBuffer>): Promise<boolean> {
    const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
    return await this.#writer!.write(bytes).then(() => true, () => false);
  }

  /** Ends its stdin, and waits for it to end. */
  async close(): Promise<Ran> {
    await this.#writer?.close().catch(() => {});
    return await this.ended;
  }

  /** Sends a signal; false when it has ended already. */
  kill(signal: Deno.Signal): boolean {
    try {
      this.#child.kill(signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Stops it, and waits until it stands still; false when it has ended already. */
  async stop(): Promise<boolean> {
    if (!this.kill("SIGSTOP")) return false;
    await until("it is stopped", () => this.hasEnded || "TZ".includes(stateOf(this.pid)));
    return !this.hasEnded && stateOf(this.pid) === "T";
  }

  /** Sends SIGTERM, and waits for it to end. */
  async terminate(): Promise<Ran> {
    this.kill("SIGTERM");
    return await this.ended;
  }
}

/** The letter that the kernel gives the state of a process; "Z" as well when there is none. */
function stateOf(pid: number): string {
  // The runtime reads nothing below /proc without all permissions.
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/stat`], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).split(") ")[1]?.[0] ?? "Z";
}

/** Runs it to its end with `input` on its stdin. */
export async function ran(
  args: readonly string[],
  input: string | Uint8Array<ArrayBuffer> | null = null,
  options: StartOptions = {},
): Promise<Ran> {
  const running = new Running(args, { ...options, stdin: input === null ? "null" : "piped" });
  if (input !== null) await running.write(input);
  return await running.close();
}

/** The resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  // The runtime reads nothing below /proc without all permissions.
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`], stderr: "null" }).outputSync();
  return Number(new TextDecoder().decode(stdout).match(/^VmRSS:\s*(\d+) kB$/m)?.[1]) / 1024;
}
