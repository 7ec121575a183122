// Tries every fault on the binary that VIGIL_BINARY names and writes docs/faults.md: `deno task faults`.
import { FAULTS } from "../tests/faults/table.ts";
import { tryFaults } from "../tests/faults/run.ts";
import { faultsPage } from "./pages/faults.ts";

const tried = await tryFaults(FAULTS, ({ fault, happened, failure }) => {
  if (failure === null) console.log(`${fault.command}, ${fault.fault}: ${happened ?? "skipped"}`);
  else console.error(`${fault.command}, ${fault.fault}: it does not hold that ${fault.holds}:`, failure);
});
if (tried.some(({ failure }) => failure !== null)) Deno.exit(1);
Deno.writeTextFileSync(new URL("../docs/faults.md", import.meta.url), faultsPage(tried));
console.log("wrote docs/faults.md");
