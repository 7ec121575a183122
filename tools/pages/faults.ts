// docs/faults.md: what was done to the binary, and what happened.
import { markdownTable } from "../../lib/output/coverage.ts";
import { type Fault, missingFor, type Tried } from "../../tests/faults/fault.ts";

/** The cells of a fault's row; the first three say which one it is. */
export const faultCells = (fault: Fault, happened: string | null): string[] => [
  `\`${fault.command}\``,
  fault.fault,
  fault.holds,
  happened ?? `skipped: needs ${missingFor(fault).join(", ")}`,
];

function section(title: string, tried: readonly Tried[]): string {
  const rows = tried.map(({ fault, happened }) => faultCells(fault, happened));
  return `## ${title}\n\n${markdownTable(["command", "fault", "what must hold", "what happened"], rows)}`;
}

/** The page about what was tried. */
export function faultsPage(all: readonly Tried[]): string {
  const groups = Map.groupBy(all, ({ group }) => group);
  return `# Faults

What was done to the binary, what must hold, and what happened. \`deno task faults\` tries every row of
tests/faults/table.ts on \`dist/vigil\` and writes this page; \`deno task test-binary\` tries them again and fails where one
does not hold or comes out otherwise, numbers aside. What is random has a seed, but for the moments the system chooses.

${[...groups].map(([title, tried]) => section(title, tried)).join("\n")}`;
}
