// A long run over damaged lines: `deno run -A tests/stream/damage_run.ts [LINES] [SEED]` (default 1,000,000 lines, seed 1).
// Half of the lines are damaged. It fails when a whole line is lost, a value is told twice, or memory grows.
import { Framer } from "../../lib/stream/framer.ts";
import { damagedLines } from "./mutate.ts";

/** What a run found. */
export interface DamageReport {
  readonly lines: number;
  readonly values: number;
  readonly rejects: number;
  /** Offsets of whole lines that were told no value. */
  readonly lost: readonly number[];
  /** Offsets that were told two values. */
  readonly twice: readonly number[];
}

const LINES_PER_ROUND = 50;
/** No value of the input is larger. */
export const DAMAGE_MAX_BYTES = 1 << 20;

/** What a run tells meanwhile. */
export interface DamageHooks {
  readonly everyRound?: (lines: number) => void;
  readonly onValue?: (value: unknown) => void;
}

/** An input of so many lines, in pieces. */
export const damageInput = (lines: number, seed: number): ReturnType<typeof damagedLines> =>
  damagedLines({ seed, rounds: Math.ceil(lines / LINES_PER_ROUND), linesPerRound: LINES_PER_ROUND });

/** Frames one unbroken input of so many lines. */
export function runDamage(lines: number, seed: number, { everyRound, onValue }: DamageHooks = {}): DamageReport {
  const awaited = new Set<number>();
  let lastOffset = -1;
  let values = 0;
  let rejects = 0;
  const lost: number[] = [];
  const twice: number[] = [];
  const framer = new Framer({
    maxBytes: DAMAGE_MAX_BYTES,
    onValue: (value, { byteOffset }) => {
      values++;
      if (byteOffset <= lastOffset) twice.push(byteOffset);
      lastOffset = byteOffset;
      awaited.delete(byteOffset);
      onValue?.(value);
    },
    onReject: () => rejects++,
  });
  let length = 0;
  let done = 0;
  // A whole line is told at the latest when the next one is whole.
  let before: number[] = [];
  for (const { bytes, whole } of damageInput(lines, seed)) {
    for (const at of whole) awaited.add(length + at);
    framer.push(bytes);
    for (const at of before) if (awaited.delete(at)) lost.push(at);
    before = whole.map((at) => length + at);
    length += bytes.length;
    done += LINES_PER_ROUND;
    everyRound?.(done);
  }
  framer.end();
  return { lines: done, values, rejects, lost: [...lost, ...awaited], twice };
}

if (import.meta.main) {
  const lines = Number(Deno.args[0] ?? 1_000_000);
  let firstMiB = 0;
  const rss = () => Deno.memoryUsage().rss / 2 ** 20;
  const report = runDamage(lines, Number(Deno.args[1] ?? 1), {
    everyRound: (done) => {
      if (done === 50_000) firstMiB = rss();
    },
  });
  const { values, rejects, lost, twice } = report;
  const memory = firstMiB === 0
    ? ""
    : `, ${firstMiB.toFixed(0)} MiB after 50,000 lines and ${rss().toFixed(0)} at the end`;
  console.log(`${report.lines} lines: ${values} values, ${rejects} rejects${memory}`);
  console.log(`${lost.length} whole lines lost, ${twice.length} values told twice`);
  if (lost.length + twice.length > 0 || (firstMiB > 0 && rss() > 2 * firstMiB)) Deno.exit(1);
}
