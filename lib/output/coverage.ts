// Pure. Coverage rows -> text, JSON lines or Markdown.
import type { CoverageRow } from "../session/coverage.ts";
import { columns, pad } from "./columns.ts";

/** The rows of one dialect, hooks first. */
export interface DialectCoverage {
  readonly dialect: string;
  readonly rows: readonly CoverageRow[];
}

/** How a row is known, in words. */
const EVIDENCE: Readonly<Record<NonNullable<CoverageRow["evidence"]>, string>> = {
  run: "run",
  source: "read in its source",
  documented: "documented",
};

const evidenceOf = (row: CoverageRow) => row.evidence ?? "run";

/** The model's name of a wired event, where it is another. */
const mapsOf = (row: CoverageRow): string | null => row.maps === undefined || row.maps === row.event ? null : row.maps;

/** `cells` padded to the widest of each column; the last column is not. */
function aligned(rows: readonly (readonly string[])[], join: (cells: readonly string[]) => string): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((cells) => columns(cells[at]))));
  return rows.map((cells) => `${join(cells.map((cell, at) => pad(cell, widths[at]))).trimEnd()}\n`).join("");
}

/** One line a row, in columns: dialect, lane, event, what becomes of it, and why. */
export function coverageText(coverage: readonly DialectCoverage[]): string {
  const rows = coverage.flatMap(({ dialect, rows }) =>
    rows.map((row) => {
      const maps = mapsOf(row);
      return [dialect, row.lane, row.event, row.status, maps === null ? row.reason : `${row.reason} (as ${maps})`];
    })
  );
  return aligned(rows, (cells) => cells.join("  "));
}

/** One object a line, every key always there. */
export function coverageJson(coverage: readonly DialectCoverage[]): string {
  return coverage.flatMap(({ dialect, rows }) =>
    rows.map((row) => {
      const { lane, event, status, reason, needs = [] } = row;
      const told = { dialect, lane, event, status, maps: mapsOf(row), needs, evidence: evidenceOf(row), reason };
      return `${JSON.stringify(told)}\n`;
    })
  ).join("");
}

/** A Markdown table whose columns are aligned in its source too. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const cells = [head, ...body].map((row) => row.map((text) => text.replaceAll("|", "\\|")));
  const rule = head.map((_, at) => "-".repeat(Math.max(3, ...cells.map((row) => columns(row[at])))));
  return aligned([cells[0], rule, ...cells.slice(1)], (row) => `| ${row.join(" | ")} |`);
}

/** A section a dialect, a table a lane. */
export function coverageMarkdown(coverage: readonly DialectCoverage[]): string {
  const tableOf = (title: string, rows: readonly CoverageRow[]) => {
    if (rows.length === 0) return "";
    const body = rows.map((row) => {
      const maps = mapsOf(row);
      const status = maps === null ? row.status : `${row.status} as \`${maps}\``;
      return [`\`${row.event}\``, status, row.reason, EVIDENCE[evidenceOf(row)]];
    });
    return `### ${title}\n\n${markdownTable(["event", "", "why", "known by"], body)}\n`;
  };
  return coverage.map(({ dialect, rows }) => {
    const wired = rows.filter((row) => row.status === "wired").length;
    return `## ${dialect}\n\n${rows.length} events, ${wired} of them wired.\n\n` +
      tableOf("Hooks", rows.filter((row) => row.lane === "hook")) +
      tableOf("Messages of the output stream", rows.filter((row) => row.lane === "message"));
  }).join("").trimEnd() + "\n";
}
