// A soak of the binary that VIGIL_BINARY names: five agents' traffic through `observe --follow`, for minutes.
// `deno task soak [--minutes N]`. It fails where a line is lost, comes twice or out of order, or memory grows.
import { parseArgs } from "@std/cli/parse-args";
import { Observation } from "../../lib/commands/observation.ts";
import { residentMiB, Running, until } from "../faults/running.ts";
import { type Agent, AGENTS, traffic } from "./traffic.ts";

const LINES_PER_SECOND = 2000;
const FILES = 8;
/** After so many lines a file is renamed and a new one begun. */
const LINES_PER_FILE = 1000;
/**
 * What memory may grow by from the first fifth to the end, besides what is kept by contract: a leak of 20 bytes a line
 * comes to more in five minutes.
 */
const MOST_GROWTH_MIB = 8;
/** What an entry may take: those that nothing ends are kept, up to a thousand abandoned ones a session. */
const KIB_PER_ENTRY = 1;
/** In a shorter run the engine's heap has not settled by the first fifth. */
const JUDGED_FROM_SECONDS = 240;

/** What a soak found. */
export interface SoakReport {
  readonly seconds: number;
  readonly lines: Readonly<Record<Agent, number>>;
  readonly bytes: number;
  readonly rotations: number;
  /** Transitions that these lines come to, and those that came out in their place. */
  readonly expected: number;
  readonly out: number;
  /** What was lost, came twice, out of order or unasked for, and what was said on stderr. */
  readonly troubles: readonly string[];
  /** Resident memory, one value a second, in MiB. */
  readonly rssMiB: readonly number[];
  /** The entries that its sessions keep, at the same moments. */
  readonly entries: readonly number[];
  /** From a line's append to its transition, in milliseconds, sorted. */
  readonly latenciesMs: readonly number[];
}

/** One file that lines are appended to, and its successors. */
class RotatedFile {
  readonly path: string;
  input = Observation.input();
  #file: Deno.FsFile;
  #lines = 0;
  rotations = 0;
  /** Whether something of this file has come out: one that came and went unseen cannot be read by anybody. */
  isSeen = false;

  constructor(path: string) {
    this.path = path;
    this.#file = Deno.openSync(path, { create: true, append: true });
  }

  /** Begins the next file once this one is long enough. */
  rotateIfDue(): void {
    if (this.#lines < LINES_PER_FILE || !this.isSeen) return;
    this.#file.close();
    Deno.renameSync(this.path, `${this.path}.1`);
    this.#file = Deno.openSync(this.path, { create: true, append: true });
    this.input = Observation.input();
    this.#lines = 0;
    this.isSeen = false;
    this.rotations++;
  }

  append(bytes: Uint8Array): void {
    this.#file.writeSync(bytes);
    this.#lines++;
  }

  close(): void {
    this.#file.close();
  }
}

/** What must come out: the same values through the library, in this process. */
class Expectation {
  expected = 0;
  out = 0;
  readonly latenciesMs: number[] = [];
  readonly troubles: string[] = [];
  readonly #observation: Observation;
  /** When the line of a transition was appended, and to which file. */
  readonly #awaited = new Map<
    string,
    { readonly appendedAt: number; readonly file: RotatedFile; readonly input: unknown }
  >();
  readonly #lastSeq = new Map<string, number>();
  #keys: string[] = [];
  #text = "";
  #decoder = new TextDecoder();

  constructor() {
    this.#observation = new Observation({
      dialect: "auto",
      arrivalMs: Date.now,
      onTransition: ({ sessionId, seq }) => this.#keys.push(`${sessionId} ${seq}`),
      onReject: (reason) => this.#trouble(`the traffic has a value of the wrong shape: ${reason}`),
      onUnknown: () => {},
      onDropped: () => {},
    });
  }

  /** Takes note of a line that is about to be appended. */
  awaits(text: string, file: RotatedFile): void {
    this.#keys = [];
    this.#observation.take(JSON.parse(text), file.input);
    const appendedAt = performance.now();
    for (const key of this.#keys) this.#awaited.set(key, { appendedAt, file, input: file.input });
    this.expected += this.#keys.length;
  }

  /** Takes a piece of the output. */
  came(piece: Uint8Array): void {
    const cameAt = performance.now();
    const lines = (this.#text + this.#decoder.decode(piece, { stream: true })).split("\n");
    this.#text = lines.pop()!;
    for (const line of lines) {
      const { sessionId, seq } = JSON.parse(line);
      const key = `${sessionId} ${seq}`;
      const awaited = this.#awaited.get(key);
      if (awaited === undefined) this.#trouble(`not awaited, or twice: ${key}`);
      else this.latenciesMs.push(cameAt - awaited.appendedAt);
      if (awaited !== undefined && awaited.file.input === awaited.input) awaited.file.isSeen = true;
      if (seq !== (this.#lastSeq.get(sessionId) ?? 0) + 1) this.#trouble(`out of order: ${key}`);
      this.#lastSeq.set(sessionId, seq);
      this.#awaited.delete(key);
      this.out++;
    }
  }

  /** How many entries are kept, open or abandoned, by the sessions that came out. */
  get entryCount(): number {
    return [...this.#lastSeq.keys()].reduce((sum, id) => sum + (this.#observation.machine(id)?.entryCount ?? 0), 0);
  }

  /** Says what is still awaited. */
  end(): void {
    for (const key of this.#awaited.keys()) this.#trouble(`lost: ${key}`);
  }

  #trouble(text: string): void {
    if (this.troubles.length < 20) this.troubles.push(text);
  }
}

/** Runs for `seconds` in `folder`. */
export async function soak(folder: string, seconds: number, seed = 1): Promise<SoakReport> {
  const expectation = new Expectation();
  const files = Array.from({ length: FILES }, (_, n) => new RotatedFile(`${folder}/agent-${n}.jsonl`));
  const running = new Running(["observe", "--quiet", "--format", "json", "--follow", folder], {
    onStdout: (piece) => expectation.came(piece),
    keepsStdout: false,
  });
  const lines = Object.fromEntries(AGENTS.map((agent) => [agent, 0])) as Record<Agent, number>;
  const rssMiB: number[] = [];
  const entries: number[] = [];
  const sample = () => {
    rssMiB.push(residentMiB(running.pid));
    entries.push(expectation.entryCount);
  };
  const source = traffic(seed);
  const encoder = new TextEncoder();
  let [written, bytes] = [0, 0];
  const start = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - start;
    if (elapsedMs >= seconds * 1000 || running.hasEnded) break;
    if (elapsedMs >= rssMiB.length * 1000) sample();
    for (; written < elapsedMs / 1000 * LINES_PER_SECOND; written++) {
      const { agent, lane, text } = source.next().value;
      const file = files[lane % FILES];
      const line = encoder.encode(text);
      file.rotateIfDue();
      expectation.awaits(text, file);
      file.append(line);
      lines[agent]++;
      bytes += line.length;
    }
    await new Promise((done) => setTimeout(done, 1));
  }
  sample();
  await until("every line is out", () => expectation.out >= expectation.expected || running.hasEnded).catch(() => {});
  const { code, signal, stderr } = await running.terminate();
  expectation.end();
  files.forEach((file) => file.close());
  const troubles = [...expectation.troubles];
  if (code !== 0) troubles.push(`it ended with ${signal ?? code}`);
  if (stderr !== "") troubles.push(`stderr: ${stderr.slice(0, 1000)}`);
  return {
    seconds,
    lines,
    bytes,
    rotations: files.reduce((sum, file) => sum + file.rotations, 0),
    expected: expectation.expected,
    out: expectation.out,
    troubles,
    rssMiB,
    entries,
    latenciesMs: expectation.latenciesMs.sort((a, b) => a - b),
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

/** What was sampled at three times: medians of the values around them. */
function atThreeTimes(samples: readonly number[]): { start: number; middle: number; end: number } {
  const part = (from: number, to: number) =>
    median(samples.slice(Math.floor(samples.length * from), Math.max(1, Math.ceil(samples.length * to))));
  return { start: part(0.15, 0.25), middle: part(0.45, 0.55), end: part(0.9, 1) };
}

/** What memory may grow by from the first fifth to the end, in MiB. */
function allowedGrowthMiB({ entries }: SoakReport): number {
  const { start, end } = atThreeTimes(entries);
  return MOST_GROWTH_MIB + Math.max(0, end - start) * KIB_PER_ENTRY / 1024;
}

/** The growth of memory in the second half, by least squares, in MiB an hour. */
function slopeOf({ rssMiB }: SoakReport): number {
  const half = rssMiB.slice(rssMiB.length >> 1);
  const [meanX, meanY] = [(half.length - 1) / 2, half.reduce((sum, y) => sum + y, 0) / half.length];
  let [over, under] = [0, 0];
  half.forEach((y, x) => {
    over += (x - meanX) * (y - meanY);
    under += (x - meanX) ** 2;
  });
  return under === 0 ? 0 : over / under * 3600;
}

/** Everything that is wrong with a soak. */
export function faultsOf(report: SoakReport): string[] {
  const { start, end } = atThreeTimes(report.rssMiB);
  const grown = end - start;
  const allowed = allowedGrowthMiB(report);
  const faults = [...report.troubles];
  if (report.out !== report.expected) faults.push(`${report.expected} transitions awaited, ${report.out} came`);
  if (grown > allowed && report.seconds >= JUDGED_FROM_SECONDS) {
    faults.push(`memory grew by ${grown.toFixed(1)} MiB, above ${allowed.toFixed(1)}`);
  }
  return faults;
}

/** The report as a table. */
export function tableOf(report: SoakReport): string {
  const { lines, latenciesMs } = report;
  const total = Object.values(lines).reduce((sum, count) => sum + count, 0);
  const { start, middle, end } = atThreeTimes(report.rssMiB);
  const kept = atThreeTimes(report.entries);
  const at = (share: number) => latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))];
  const ms = (value: number | undefined) => `${(value ?? NaN).toFixed(1)} ms`;
  const rows = [
    ["time", `${report.seconds} s`],
    ["lines in", `${total}, ${(report.bytes / 1e6).toFixed(0)} MB, ${(total / report.seconds).toFixed(0)} a second`],
    ["of each agent", AGENTS.map((agent) => `${agent} ${lines[agent]}`).join(", ")],
    ["files", `${FILES}, rotated ${report.rotations} times`],
    ["transitions awaited", `${report.expected}`],
    ["transitions out", `${report.out}`],
    ["lines unaccounted for", `${report.expected - report.out}`],
    ["append to transition", `median ${ms(at(0.5))}, 99 of 100 in ${ms(at(0.99))}, longest ${ms(at(1))}`],
    ["RSS at a fifth, half, end", [start, middle, end].map((mib) => `${mib.toFixed(1)} MiB`).join(", ")],
    ["entries kept then", [kept.start, kept.middle, kept.end].join(", ")],
    ["RSS in the second half", `${slopeOf(report).toFixed(1)} MiB an hour`],
    [
      "growth allowed from a fifth on",
      report.seconds < JUDGED_FROM_SECONDS ? "any in so short a run" : `${allowedGrowthMiB(report).toFixed(1)} MiB`,
    ],
  ];
  return `| | |\n|---|---|\n${rows.map(([name, value]) => `| ${name} | ${value} |\n`).join("")}`;
}

if (import.meta.main) {
  const minutes = Number(parseArgs(Deno.args, { string: ["minutes"], default: { minutes: "5" } }).minutes);
  if (!(minutes > 0)) throw new Error("--minutes is a number above 0");
  const folder = Deno.makeTempDirSync({ prefix: "vigil-soak-" });
  try {
    const report = await soak(folder, minutes * 60);
    const faults = faultsOf(report);
    console.log(tableOf(report) + faults.map((fault) => `failed: ${fault}\n`).join(""));
    if (faults.length > 0) Deno.exitCode = 1;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
