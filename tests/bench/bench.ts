// Measures dist/vigil against the figures it has to reach and prints one table of ratios.
// `--quick`: small inputs, to see that everything runs; `--long`: also 4 GB of input.
import { join } from "@std/path/join";
import { compileModule } from "../../tools/compile.ts";
import { ROOT } from "../source_files.ts";
import { generate, generateFile, type InputPlan, payloads, USUAL } from "./generate.ts";
import { latencies, median, peakMiB, type Program, timeInTurns, type Took } from "./measure.ts";

const isQuick = Deno.args.includes("--quick");
const isLong = Deno.args.includes("--long");
const MB = 1e6;

interface Row {
  readonly figure: string;
  readonly target: string;
  readonly measured: string;
  /** Null where there is nothing to reach. */
  readonly reached: boolean | null;
}

const rows: Row[] = [];
const times = (ratio: number) => `${ratio.toFixed(2)} x`;

/** One run to another: the ratio of wall time, and that of processor time, which other work on the machine moves less. */
function ratioOf(over: Took, under: Took): { readonly wall: number; readonly text: string } {
  const wall = over.wallMs / under.wallMs;
  return { wall, text: `${times(wall)} (processor time ${times(over.cpuMs / under.cpuMs)}` };
}

function row(figure: string, target: string, measured: string, reached: boolean | null): void {
  rows.push({ figure, target, measured, reached });
  console.error(`${figure}: ${measured}`);
}

const skip = (figure: string, target: string, why: string) => row(figure, target, `skipped: ${why}`, null);

async function installed(name: string): Promise<boolean> {
  return await new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);
}

const VIGIL = join(ROOT, "dist", "vigil");
const observe = (...args: string[]): Program => [VIGIL, "observe", "--quiet", "--format", "json", ...args];

/** Payloads of 0.5 to 8 KB only. */
const EVEN: InputPlan = { ...USUAL, largeEvery: 0 };

async function start(programs: ReadonlyMap<string, string>, work: string): Promise<void> {
  const beat = join(work, "beat");
  const env = (...args: string[]): Program => ["env", "-i", `JSC_HOME=${beat}`, VIGIL, "heartbeat", ...args];
  await timeInTurns([{ program: env("write"), inputPath: null }], 1);
  const empty: Program = ["env", "-i", programs.get("empty") as string];
  const runs = [empty, env("check"), env("report")].map((program) => ({ program, inputPath: null }));
  const [none, check, report] = (await timeInTurns(runs, isQuick ? 5 : 61)).map(({ median }) => median);
  for (const [name, took] of [["check", check], ["report", report]] as const) {
    const { wall, text } = ratioOf(took, none);
    const measured = `${text}; ${took.wallMs.toFixed(1)} ms, ${none.wallMs.toFixed(1)} ms)`;
    row(`start: heartbeat ${name} to an empty program`, "at most 1.05 x", measured, wall <= 1.05);
  }
}

async function throughput(programs: ReadonlyMap<string, string>, work: string): Promise<void> {
  const path = join(work, "even.jsonl");
  const size = generateFile(path, EVEN, (isQuick ? 20 : 200) * MB);
  const rounds = isQuick ? 2 : 7;
  const parse: Program = [programs.get("parse_lines") as string];
  const hasJq = await installed("jq");
  const [json, text, bare] = (await timeInTurns([
    { program: observe(), inputPath: path },
    { program: [VIGIL, "observe", "--quiet"], inputPath: path },
    { program: parse, inputPath: path },
  ], rounds)).map(({ best }) => best);
  const rate = ({ wallMs }: Took) => `${(size / MB / (wallMs / 1000)).toFixed(0)} MB/s`;
  const byParse = ratioOf(bare, json);
  const goal = "at least 0.75 x, then 0.9 x";
  const measured = `${byParse.text}; ${rate(json)}, ${rate(bare)})`;
  row("observe --format json to a bare JSON.parse loop", goal, measured, byParse.wall >= 0.75);
  row("observe --format text to the same", "", `${ratioOf(bare, text).text}; ${rate(text)})`, null);
  const figure = "observe --format json to jq -c .session_id";
  if (hasJq) {
    const program: Program = ["jq", "-c", ".session_id"];
    const [{ best: jq }] = await timeInTurns([{ program, inputPath: path }], isQuick ? 1 : 3);
    const byJq = ratioOf(jq, json);
    row(figure, "at least 1.75 x", `${byJq.text}; ${rate(jq)})`, byJq.wall >= 1.75);
  } else skip(figure, "at least 1.75 x", "no jq");
  Deno.removeSync(path);
}

async function framing(work: string): Promise<void> {
  const size = (isQuick ? 6 : 30) * MB;
  const kinds = [["welded", ""], ["on lines", "\n"]] as const;
  const inputs = kinds.map(([name, separator]) => {
    const inputPath = join(work, name);
    generateFile(inputPath, EVEN, size, separator);
    return { program: observe(), inputPath };
  });
  const [welded, onLines] = (await timeInTurns(inputs, isQuick ? 2 : 7)).map(({ best }) => best);
  const { wall, text } = ratioOf(welded, onLines);
  const figure = `framing: ${size / MB} MB of welded values to the same on lines`;
  row(figure, "at most 2 x", `${text}; ${welded.wallMs.toFixed(0)} ms)`, wall <= 2);
}

async function latency(): Promise<void> {
  const lines: string[] = [];
  for (const payload of payloads(EVEN)) {
    if (payload.includes('"hook_event_name":"UserPromptSubmit"')) lines.push(`${payload}\n`);
    if (lines.length === (isQuick ? 40 : 400)) break;
  }
  const sorted = await latencies(observe(), lines);
  const p99 = sorted[Math.floor(sorted.length * 0.99)];
  const measured = `${median(sorted).toFixed(2)} ms median, ${p99.toFixed(2)} ms in 99 of 100`;
  row("latency: a line on a quiet pipe", "at most 1 ms median", measured, median(sorted) <= 1);
}

async function memory(programs: ReadonlyMap<string, string>): Promise<void> {
  const peakOf = (plan: InputPlan, bytes: number) => peakMiB(observe(), generate(plan, bytes, "\n"));
  const [small, large, huge] = isQuick ? [2, 20, 80] : [10, 1000, 4000];
  const smallMiB = await peakOf(EVEN, small * MB);
  const largeMiB = await peakOf(EVEN, large * MB);
  const ratio = largeMiB / smallMiB;
  const measured = `${times(ratio)} (${largeMiB.toFixed(0)} MiB, ${smallMiB.toFixed(0)} MiB)`;
  row(`memory: ${large} MB of input to ${small} MB`, "at most 1.5 x", measured, ratio <= 1.5);
  const figure = `memory: ${huge} MB of input to ${large} MB`;
  if (isLong || isQuick) {
    const hugeMiB = await peakOf(EVEN, huge * MB);
    row(figure, "at most 1.1 x", `${times(hugeMiB / largeMiB)} (${hugeMiB.toFixed(0)} MiB)`, hugeMiB <= 1.1 * largeMiB);
  } else skip(figure, "at most 1.1 x", "only with --long");

  const emptyMiB = await peakMiB([programs.get("wait") as string], []);
  const sessions = isQuick ? 2000 : 100_000;
  const overMiB = await peakMiB(observe(), openSessions(sessions)) - emptyMiB;
  const held = `${overMiB.toFixed(0)} MiB (the empty program: ${emptyMiB.toFixed(0)} MiB)`;
  const open = `memory: ${sessions} open sessions, above an empty program`;
  row(open, "at most 180 MiB", held, overMiB <= 180);
}

/** Sessions that each have a turn and a call open. */
function* openSessions(count: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let session = 0; session < count; session++) {
    const common = {
      session_id: `00000000-0000-4000-8000-${session.toString(16).padStart(12, "0")}`,
      transcript_path: `/home/user/.claude/projects/-home-user-project/${session}.jsonl`,
      cwd: "/home/user/project",
    };
    const prompt_id = `10000000-0000-4000-8000-${session.toString(16).padStart(12, "0")}`;
    const tool_use_id = `toolu_${session}`;
    const tool_input = { command: `make test-${session}`, description: "run the tests" };
    yield encoder.encode(
      [
        { ...common, hook_event_name: "SessionStart", source: "startup" },
        { ...common, prompt_id, hook_event_name: "UserPromptSubmit", prompt: "go on" },
        { ...common, prompt_id, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input, tool_use_id },
      ].map((payload) => `${JSON.stringify(payload)}\n`).join(""),
    );
  }
}

function machine(): string {
  const cpu = Deno.readTextFileSync("/proc/cpuinfo").match(/^model name\s*:\s*(.+)$/m)?.[1] ?? "unknown processor";
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const load = Deno.loadavg()[0].toFixed(1);
  return `${navigator.hardwareConcurrency} x ${cpu}, ${memory} GiB, ${Deno.osRelease()}, load ${load} at the start`;
}

function print(heading: string): void {
  console.log(`${heading}\n\n| figure | to reach | measured | |\n|---|---|---|---|`);
  for (const { figure, target, measured, reached } of rows) {
    console.log(
      `| ${figure} | ${target} | ${measured} | ${reached === null ? "" : reached ? "reached" : "**missed**"} |`,
    );
  }
}

const heading = machine();
const work = Deno.makeTempDirSync({ prefix: "vigil-bench-" });
try {
  const programs = new Map<string, string>();
  for (const name of ["empty", "wait", "parse_lines"]) {
    programs.set(name, join(work, name));
    await compileModule(join(ROOT, "tests", "bench", "programs", `${name}.ts`), join(work, name));
  }
  await start(programs, work);
  await throughput(programs, work);
  await framing(work);
  await latency();
  await memory(programs);
} finally {
  Deno.removeSync(work, { recursive: true });
}
print(heading);
