// A capture as the hook line of `vigil hooks` leaves it: before each payload, the time at which it came.
import { join } from "@std/path/join";

const CORPUS = join(new URL("..", import.meta.url).pathname, "tests/data/corpus/claude");

/** The recording of a capture; with `startMs` (epoch milliseconds) its first payload came then, not when it did. */
export function recording(scenario: string, startMs: number | null = null): string {
  const linesOf = (name: string) => Deno.readTextFileSync(join(CORPUS, name)).trimEnd().split("\n");
  const times = linesOf(`${scenario}.hooks.times`).map((ns) => Number(BigInt(ns) / 1_000_000n));
  const shiftMs = startMs === null ? 0 : startMs - times[0];
  const clock = (at: number) => JSON.stringify({ observed_at: new Date(times[at] + shiftMs).toISOString() });
  return linesOf(`${scenario}.hooks.jsonl`).map((line, at) => `${clock(at)}\n${line}\n`).join("");
}
