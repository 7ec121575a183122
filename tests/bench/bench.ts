// Measures dist/vigil against the figures it has to reach and prints one table: `deno task bench`.
// `--quick`: small inputs, to see that everything runs; `--long`: also 4 GB of input, and 1,000,000 damaged lines.
import { join } from "@std/path/join";
import { compileModule } from "../../tools/compile.ts";
import { ROOT } from "../source_files.ts";
import { atomicity } from "./atomicity.ts";
import { faults } from "./faults.ts";
import { framing } from "./framing.ts";
import { input } from "./input.ts";
import { latency } from "./latency.ts";
import { memory } from "./memory.ts";
import { start } from "./start.ts";
import { type Bench, printTable, VIGIL } from "./table.ts";
import { throughput } from "./throughput.ts";

/** Each fills rows of its own; the order is that of the table. */
const FIGURES: readonly ((bench: Bench) => Promise<void>)[] = [
  start,
  throughput,
  framing,
  latency,
  memory,
  atomicity,
  faults,
  input,
];

function git(...args: string[]): string {
  const { stdout } = new Deno.Command("git", { args: ["-C", ROOT, ...args], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

/** What was measured: the commit, and whether the files are as it has them. */
const commit = (): string =>
  `commit ${git("rev-parse", "--short=12", "HEAD") || "unknown"}${
    git("status", "--porcelain") === "" ? "" : ", changed"
  }`;

function machine(): string {
  const cpu = Deno.readTextFileSync("/proc/cpuinfo").match(/^model name\s*:\s*(.+)$/m)?.[1] ?? "unknown processor";
  const memory = Math.round(Deno.systemMemoryInfo().total / 2 ** 30);
  const load = Deno.loadavg()[0].toFixed(1);
  return `${navigator.hardwareConcurrency} x ${cpu}, ${memory} GiB, ${Deno.osRelease()}, load ${load} at the start`;
}

// What tests the binary finds it by this name.
Deno.env.set("VIGIL_BINARY", VIGIL);
const heading = `${commit()}; ${machine()}`;
const work = Deno.makeTempDirSync({ prefix: "vigil-bench-" });
try {
  const programs = new Map<string, string>();
  for (const name of ["empty", "wait", "parse_lines"]) {
    programs.set(name, join(work, name));
    await compileModule(join(ROOT, "tests", "bench", "programs", `${name}.ts`), join(work, name));
  }
  for (const figure of FIGURES) await figure({ programs, work });
} finally {
  Deno.removeSync(work, { recursive: true });
}
printTable(heading);
