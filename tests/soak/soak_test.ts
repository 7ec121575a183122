// A short soak: every line of five agents' traffic through rotating files comes out once, in order.
import { assert, assertEquals } from "@std/assert";
import { BINARY, needing } from "../binary.ts";
import { withFolder } from "../run_vigil.ts";
import { AGENTS } from "./traffic.ts";
import { faultsOf, soak } from "./soak.ts";

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
