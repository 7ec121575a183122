// Pure. Milliseconds -> the words people use for how long something took.

const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], ["s", 1000]] as const;

/**
 * A duration by its two largest units; below a minute by seconds with one decimal. A negative one keeps its sign: a
 * clock that ran backwards is shown.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { durationText } from "./duration.ts";
 * assertEquals(durationText(1_500), "1.5s");
 * assertEquals(durationText(3 * 3_600_000 + 25 * 60_000), "3h 25m");
 * ```
 */
export function durationText(ms: number): string {
  if (ms < 0) return `-${durationText(-ms)}`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const rounded = Math.round(ms / 1000) * 1000;
  const first = UNITS.findIndex(([, size]) => rounded >= size);
  const [unit, size] = UNITS[first];
  const [nextUnit, nextSize] = UNITS[first + 1];
  return `${Math.floor(rounded / size)}${unit} ${Math.floor((rounded % size) / nextSize)}${nextUnit}`;
}
