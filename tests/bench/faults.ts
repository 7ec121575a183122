// Whether everything holds that must hold when disks, clocks, pipes and signals go wrong.
import { tryFaults } from "../faults/run.ts";
import { FAULTS } from "../faults/table.ts";
import { row } from "./table.ts";

export async function faults(): Promise<void> {
  const tried = await tryFaults(FAULTS, ({ fault, failure }) => {
    if (failure !== null) console.error(`${fault.command}, ${fault.fault}:`, failure);
  });
  const held = tried.filter(({ happened }) => happened !== null).length;
  const failed = tried.filter(({ failure }) => failure !== null).length;
  const skipped = tried.length - held - failed;
  const measured = `${held} hold, ${failed} do not${skipped > 0 ? `, ${skipped} skipped` : ""} (docs/faults.md)`;
  row("faults: right code, last beat intact", "all", measured, failed === 0 && held > 0);
}
