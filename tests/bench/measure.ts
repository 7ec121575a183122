// Runs programs and measures them: wall time of whole runs, latency over pipes, peak memory from /proc.

import { installed } from "../installed.ts";

/** A program with its arguments. */
export type Program = readonly [path: string, ...args: string[]];

const now = () => performance.now();

/** What a run took: wall time, and processor time of all its threads, in milliseconds. */
export interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Seconds and minutes as a shell's `times` writes them. */
const cpuMsOf = (text: string): number =>
  [...text.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + +minutes * 60e3 + +seconds * 1e3,
    0,
  );

/** Bash's `times` tells milliseconds, other shells' hundredths of a second. */
const SHELL = await installed("bash") ? "bash" : "sh";

/** Runs a program on a file (or no input at all) and throws its output away. */
export async function timeRun(program: Program, inputPath: string | null): Promise<Took> {
  const script = 'input=$1; shift; "$@" <"$input" >/dev/null 2>&1 || exit; times';
  const start = now();
  const { code, stdout } = await new Deno.Command(SHELL, {
    args: ["-c", script, "sh", inputPath ?? "/dev/null", ...program],
    stdin: "null",
    stderr: "null",
  }).output();
  const wallMs = now() - start;
  if (code !== 0) throw new Error(`${program.join(" ")} ended with ${code}`);
  // The first line is the shell's own time.
  return { wallMs, cpuMs: cpuMsOf(new TextDecoder().decode(stdout).split("\n")[1]) };
}

/** The best or the median run, each figure by itself. */
export interface Runs {
  readonly best: Took;
  readonly median: Took;
}

/** Runs the programs in turns, `rounds` times each, so that what else the machine does strikes all alike. */
export async function timeInTurns(
  programs: readonly { readonly program: Program; readonly inputPath: string | null }[],
  rounds: number,
): Promise<Runs[]> {
  const runs: Took[][] = programs.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { program, inputPath }] of programs.entries()) {
      runs[index].push(await timeRun(program, inputPath));
    }
  }
  return runs.map((took) => {
    const wall = took.map(({ wallMs }) => wallMs).sort((a, b) => a - b);
    const cpu = took.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
    return {
      best: { wallMs: wall[0], cpuMs: cpu[0] },
      median: { wallMs: median(wall), cpuMs: median(cpu) },
    };
  });
}

export const median = (sorted: readonly number[]): number => sorted[sorted.length >> 1];

/** Time from writing a line to the first byte of its answer, in milliseconds, for each line. */
export async function latencies(program: Program, lines: Iterable<string>): Promise<number[]> {
  const [path, ...args] = program;
  const child = new Deno.Command(path, { args, stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  const encoder = new TextEncoder();
  const times: number[] = [];
  for (const line of lines) {
    const start = now();
    await writer.write(encoder.encode(line));
    const { done } = await reader.read();
    if (done) throw new Error("the program ended early");
    times.push(now() - start);
  }
  await writer.close();
  await reader.cancel();
  await child.status;
  return times.sort((a, b) => a - b);
}

/** Peak resident memory of a program that has read all of `chunks` and waits for more, in MiB. Linux only. */
export async function peakMiB(program: Program, chunks: Iterable<Uint8Array>): Promise<number> {
  const [path, ...args] = program;
  const child = new Deno.Command(path, { args, stdin: "piped", stdout: "piped", stderr: "null" }).spawn();
  const drained = child.stdout.pipeTo(new WritableStream());
  const writer = child.stdin.getWriter();
  for (const chunk of chunks) await writer.write(chunk);
  await blocked(child.pid);
  const status = await Deno.readTextFile(`/proc/${child.pid}/status`);
  const kiB = Number(status.match(/^VmHWM:\s*(\d+) kB$/m)?.[1]);
  await writer.close();
  await drained;
  await child.status;
  if (!(kiB > 0)) throw new Error("no peak memory in /proc");
  return kiB / 1024;
}

/** Waits until a process has used no processor time for a while: it has read what there was. */
async function blocked(pid: number): Promise<void> {
  for (let before = "", same = 0; same < 5;) {
    await new Promise((done) => setTimeout(done, 40));
    const [userTime, systemTime] = (await Deno.readTextFile(`/proc/${pid}/stat`)).split(") ")[1].split(" ").slice(
      11,
      13,
    );
    const used = `${userTime} ${systemTime}`;
    same = used === before ? same + 1 : 0;
    before = used;
  }
}
