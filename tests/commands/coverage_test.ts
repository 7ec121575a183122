// `vigil coverage`, as its users run it.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { coverageOf } from "../../lib/dialects/coverage.ts";
import { DIALECTS } from "../../lib/dialects/reading.ts";
import { coverageMarkdown } from "../../lib/output/coverage.ts";
import { runVigil } from "../run_vigil.ts";

const ROWS = DIALECTS.flatMap((dialect) => coverageOf(dialect).map((row) => ({ dialect, ...row })));

Deno.test("vigil coverage prints a line for every event of every agent", async () => {
  const { code, stdout, stderr } = await runVigil(["coverage"]);
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  assertEquals(lines.length, ROWS.length);
  for (const [at, { dialect, lane, event, status, reason }] of ROWS.entries()) {
    assertEquals(lines[at].split(/ {2,}/).slice(0, 4), [dialect, lane, event, status]);
    assert(lines[at].includes(`  ${reason}`), lines[at]);
  }
  assertMatch(stdout, /^gemini +hook +AfterAgent +wired +.*\(as Stop\)$/m);
});

Deno.test("as JSON an object a line, with every key", async () => {
  const { code, stdout } = await runVigil(["coverage", "--format", "json", "--dialect", "gemini"]);
  assertEquals(code, 0);
  const rows = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(rows.map((row) => row.event), coverageOf("gemini").map((row) => row.event));
  for (const row of rows) {
    const keys = ["dialect", "lane", "event", "status", "maps", "needs", "evidence", "reason"];
    assertEquals(Object.keys(row), keys);
  }
  assertEquals(rows.find((row) => row.event === "AfterAgent").maps, "Stop");
});

Deno.test("as Markdown a table a lane of each agent", async () => {
  const { code, stdout } = await runVigil(["coverage", "--format", "markdown", "--dialect", "claude"]);
  assertEquals(code, 0);
  assertEquals(stdout, coverageMarkdown([{ dialect: "claude", rows: coverageOf("claude") }]));
  const wired = coverageOf("claude").filter((row) => row.status === "wired");
  const [title, counts, lane] = stdout.split("\n\n", 3);
  assertEquals(
    [title, counts, lane],
    ["## claude", `${coverageOf("claude").length} events, ${wired.length} of them wired.`, "### Hooks"],
  );
  assertMatch(stdout, /^### Hooks\n\n\| event +\| +\| why +\| known by +\|\n/m);
});

Deno.test("an agent or a format that is not known is a usage error", async () => {
  for (const args of [["--dialect", "auto"], ["--format", "yaml"], ["claude"]]) {
    const { code, stdout } = await runVigil(["coverage", ...args]);
    assertEquals({ code, stdout }, { code: 6, stdout: "" });
  }
});
