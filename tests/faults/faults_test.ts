// Every fault is tried on the binary, what must hold is asserted, and docs/faults.md says what happened.
import { assert, assertEquals } from "@std/assert";
import { BINARY, needing } from "../binary.ts";
import { withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";
import { type Fault, withoutNumbers } from "./fault.ts";
import { faultCells } from "../../tools/pages/faults.ts";
import { FAULTS } from "./table.ts";

/** The rows of the page, as cells, by its first three. */
const written = new Map(
  Deno.readTextFileSync(`${ROOT}docs/faults.md`).split("\n").filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()))
    .map((cells) => [cells.slice(0, 3).join(" | "), cells[3]]),
);

const all = Object.values(FAULTS).flat();
const OUT_OF_DATE = '"deno task faults" writes docs/faults.md';

Deno.test("docs/faults.md has a row for every fault that is tried, and no other", () => {
  const rows = all.map((fault) => faultCells(fault, "").slice(0, 3).join(" | "));
  assertEquals(new Set(rows).size, rows.length, "no row twice");
  const found = [...written.keys()].filter((key) => !/^(?:command|-+) \|/.test(key));
  assertEquals(found.toSorted(), rows.toSorted(), OUT_OF_DATE);
});

async function tryFault(fault: Fault): Promise<void> {
  await withFolder(async (folder) => {
    const cells = faultCells(fault, await fault.run(folder));
    const before = written.get(cells.slice(0, 3).join(" | "));
    assert(before !== undefined, OUT_OF_DATE);
    assertEquals(withoutNumbers(cells[3]), withoutNumbers(before), OUT_OF_DATE);
  });
}

for (const fault of all) {
  Deno.test({
    ...needing(`${fault.command}: ${fault.fault}: ${fault.holds}`, { VIGIL_BINARY: BINARY !== "", ...fault.needs }),
    fn: () => tryFault(fault),
  });
}
