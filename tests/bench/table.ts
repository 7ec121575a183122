// The table that the benchmark fills: a row a figure, with what it is to reach and whether it did.
import { join } from "@std/path/join";
import { ROOT } from "../source_files.ts";
import { type InputPlan, USUAL } from "./generate.ts";
import type { Program, Took } from "./measure.ts";

interface Row {
  readonly figure: string;
  readonly target: string;
  readonly measured: string;
  /** Null where there is nothing to reach. */
  readonly reached: boolean | null;
}

/** How much is measured: a look whether everything runs, the usual, or hours. */
export const isQuick = Deno.args.includes("--quick");
export const isLong = Deno.args.includes("--long");

export const MB = 1e6;
export const VIGIL = join(ROOT, "dist", "vigil");
export const observe = (...args: string[]): Program => [VIGIL, "observe", "--quiet", "--format", "json", ...args];
/** Payloads of 0.5 to 8 KB only. */
export const EVEN: InputPlan = { ...USUAL, largeEvery: 0 };

/** What a figure is measured with. */
export interface Bench {
  /** Compiled programs to compare with, by name. */
  readonly programs: ReadonlyMap<string, string>;
  /** A folder of its own. */
  readonly work: string;
}

const rows: Row[] = [];

export const times = (ratio: number): string => `${ratio.toFixed(2)} x`;

/** One run to another: the ratio of wall time, and that of processor time, which other work on the machine moves less. */
export function ratioOf(over: Took, under: Took): { readonly wall: number; readonly text: string } {
  const wall = over.wallMs / under.wallMs;
  return { wall, text: `${times(wall)} (processor time ${times(over.cpuMs / under.cpuMs)}` };
}

export function row(figure: string, target: string, measured: string, reached: boolean | null): void {
  rows.push({ figure, target, measured, reached });
  console.error(`${figure}: ${measured}`);
}

export const skip = (figure: string, target: string, why: string): void => row(figure, target, `skipped: ${why}`, null);

export function printTable(heading: string): void {
  console.log(`${heading}\n\n| figure | to reach | measured | |\n|---|---|---|---|`);
  for (const { figure, target, measured, reached } of rows) {
    console.log(
      `| ${figure} | ${target} | ${measured} | ${reached === null ? "" : reached ? "reached" : "**missed**"} |`,
    );
  }
}
