// How long a probe takes, against a program that does nothing.
import { join } from "@std/path/join";
import { installed } from "../installed.ts";
import { type Program, timeInTurns } from "./measure.ts";
import { type Bench, isQuick, ratioOf, row, VIGIL } from "./table.ts";

export async function start({ programs, work }: Bench): Promise<void> {
  const beat = join(work, "beat");
  // Of two equal programs, the one written longer ago starts up to a twentieth later: both are copied here, and settled.
  const [vigil, nothing] = [VIGIL, programs.get("empty") as string].map((program, index) => {
    const copy = join(work, `start-${index}`);
    Deno.copyFileSync(program, copy);
    return copy;
  });
  if (await installed("sync")) await new Deno.Command("sync").output();
  const env = (...args: string[]): Program => ["env", "-i", `JSC_HOME=${beat}`, vigil, "heartbeat", ...args];
  await timeInTurns([{ program: env("write"), inputPath: null }], 1);
  const empty: Program = ["env", "-i", nothing];
  const runs = [empty, env("check"), env("report")].map((program) => ({ program, inputPath: null }));
  const [none, check, report] = (await timeInTurns(runs, isQuick ? 5 : 101)).map(({ median }) => median);
  for (const [name, took] of [["check", check], ["report", report]] as const) {
    const { wall, text } = ratioOf(took, none);
    const measured = `${text}; ${took.wallMs.toFixed(1)} ms, ${none.wallMs.toFixed(1)} ms)`;
    row(`start: heartbeat ${name} to an empty program`, "at most 1.05 x", measured, wall <= 1.05);
  }
}
