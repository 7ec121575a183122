// Tries every fault of the table on the binary, one after the other.
import { withFolder } from "../run_vigil.ts";
import { type FaultTable, missingFor, type Tried } from "./fault.ts";

/** What became of each fault. */
export async function tryFaults(table: FaultTable, onTried: (tried: Tried) => void = () => {}): Promise<Tried[]> {
  const all: Tried[] = [];
  for (const [group, faults] of Object.entries(table)) {
    for (const fault of faults) {
      let [happened, failure]: [string | null, unknown] = [null, null];
      if (missingFor(fault).length === 0) {
        await withFolder(async (folder) => {
          happened = await fault.run(folder);
        }).catch((error) => failure = error);
      }
      const tried = { group, fault, happened, failure };
      all.push(tried);
      onTried(tried);
    }
  }
  return all;
}
