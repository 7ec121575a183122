// A short soak: every line of five agents' traffic through rotating files comes out once, in order. Its bound can fail.
import { assert, assertEquals } from "@std/assert";
import { BINARY, needing } from "../binary.ts";
import { withFolder } from "../run_vigil.ts";
import { AGENTS } from "./traffic.ts";
import { faultsOf, soak, type SoakReport } from "./soak.ts";

const SECONDS = 6;

Deno.test({
  ...needing(`${SECONDS} seconds of five agents through observe --follow lose no line`, {
    VIGIL_BINARY: BINARY !== "",
  }),
  fn: () =>
    withFolder(async (folder) => {
      const report = await soak(folder, SECONDS);
      assertEquals(faultsOf(report), []);
      for (const agent of AGENTS) assert(report.lines[agent] > 100, agent);
      assert(report.rotations > 0 && report.out > 1000, `${report.rotations} rotations, ${report.out} transitions`);
    }),
});

/** A report of five minutes without a fault, in which memory and kept entries rise evenly by so much. */
function risingBy(grownMiB: number, entries: number): SoakReport {
  const rising = (most: number) => Array.from({ length: 101 }, (_, n) => most * n / 100);
  const lines = Object.fromEntries(AGENTS.map((agent) => [agent, 1])) as SoakReport["lines"];
  return {
    seconds: 300,
    lines,
    bytes: 1,
    rotations: 0,
    expected: 1,
    out: 1,
    troubles: [],
    rssMiB: rising(grownMiB),
    entries: rising(entries),
    latenciesMs: [1],
  };
}

/** From a fifth to the end it is three quarters of the rise that count. */
const BOUNDS = [
  { what: "a little growth that nothing explains", grownMiB: 10, entries: 0, isFault: false },
  { what: "a leak", grownMiB: 12, entries: 0, isFault: true },
  { what: "as much for entries that are kept", grownMiB: 12, entries: 4096, isFault: false },
  { what: "a leak beside them", grownMiB: 16, entries: 4096, isFault: true },
  { what: "a leak while entries go", grownMiB: 12, entries: -4096, isFault: true },
] as const;

for (const { what, grownMiB, entries, isFault } of BOUNDS) {
  Deno.test(`memory in a soak, ${what}: ${isFault ? "a fault" : "no fault"}`, () => {
    assertEquals(faultsOf(risingBy(grownMiB, entries)).length, isFault ? 1 : 0);
  });
}
