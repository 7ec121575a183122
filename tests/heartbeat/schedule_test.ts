// When a beat is due.
import { assertEquals } from "@std/assert";
import { advance, type Schedule, startSchedule } from "../../lib/heartbeat/schedule.ts";

/** Looks at the clocks at each `[steady, wall]` and answers which looks found a beat due, and the schedule after them. */
function looks(everyMs: number, readings: readonly (readonly [number, number])[]): { due: boolean[]; last: Schedule } {
  let last = startSchedule(everyMs, { steadyMs: readings[0][0], wallMs: readings[0][1] });
  const due = readings.map(([steadyMs, wallMs]) => {
    const found = advance(last, { steadyMs, wallMs });
    last = found.next;
    return found.due;
  });
  return { due, last };
}

/** The wall clock runs along. */
const along = (...steady: number[]) => steady.map((ms) => [ms, ms + 1_000_000] as const);

Deno.test("the first beat is due at once, the next when its time has come", () => {
  assertEquals(looks(60_000, along(5, 6, 59_000, 60_004, 60_005, 60_006)).due, [
    true,
    false,
    false,
    false,
    true,
    false,
  ]);
});

Deno.test("late looks do not make the schedule drift", () => {
  const late = Array.from({ length: 1000 }, (_, k) => k * 60_000 + (k % 7) * 100);
  const { due, last } = looks(60_000, along(...late));
  assertEquals(due.every((each) => each), true);
  assertEquals(last.dueMs, 1000 * 60_000);
});

Deno.test("beats that were missed are made up for by one", () => {
  const { due, last } = looks(60_000, along(0, 250_000, 250_001, 299_999, 300_000));
  assertEquals(due, [true, true, false, false, true]);
  assertEquals(last.dueMs, 360_000);
});

Deno.test("after a sleep, when only the wall clock went on, it beats at once and starts a new grid", () => {
  const { due, last } = looks(60_000, [[0, 1_000_000], [1000, 1_001_000], [2000, 9_000_000], [3000, 9_001_000]]);
  assertEquals(due, [true, false, true, false]);
  assertEquals(last.dueMs, 62_000);
});

Deno.test("a wall clock set back is answered with a beat, not with silence", () => {
  assertEquals(looks(60_000, [[0, 9_000_000], [1000, 5_000_000], [2000, 5_001_000]]).due, [true, true, false]);
});

Deno.test("a wall clock that is nudged changes nothing", () => {
  assertEquals(looks(60_000, [[0, 9_000_000], [1000, 9_001_900], [2000, 9_002_100]]).due, [true, false, false]);
});
