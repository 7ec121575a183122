// The text format: the lines in tests/data/output/text, and that no input can put a control character into one.
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { walkSync } from "@std/fs/walk";
import { columns, cut } from "../../lib/output/columns.ts";
import { durationText } from "../../lib/output/duration.ts";
import { snapshotsText, textFormat, type TextOptions } from "../../lib/output/text.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { ROOT } from "../source_files.ts";
import { sampleSnapshot, sampleTransition } from "./samples.ts";

interface Case {
  readonly what: string;
  readonly options: TextOptions;
  readonly transition: SessionTransition;
  readonly expect: string;
}

const paths = [...walkSync(`${ROOT}tests/data/output/text`, { includeDirs: false })].map((entry) => entry.path).sort();

Deno.test("every text case prints its line", async (t) => {
  assert(paths.length > 0, "there are cases");
  for (const path of paths) {
    const { what, options, transition, expect } = JSON.parse(Deno.readTextFileSync(path)) as Case;
    await t.step(what, () => assertEquals(textFormat(options).transition(transition), expect));
  }
});

/** Every code unit, in slices short enough that none is cut away. */
function* everyCodeUnit(): Iterable<string> {
  for (let from = 0; from < 0x10000; from += 20) {
    yield String.fromCharCode(...Array.from({ length: 20 }, (_, at) => from + at));
  }
}

// deno-lint-ignore no-control-regex -- what must never be in a line
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;

Deno.test("no code unit in any foreign field reaches a terminal as a control character", () => {
  const format = textFormat({ color: false, widthColumns: null });
  for (const odd of everyCodeUnit()) {
    const line = format.transition(sampleTransition({
      sessionId: odd,
      activity: { kind: "tool", name: odd },
      cause: { kind: "hook", event: "PreToolUse", detail: odd },
    }));
    assert(line.endsWith("\n"));
    assert(!FORBIDDEN.test(line.slice(0, -1)), JSON.stringify(line));
    const snapshot = format.snapshot(sampleSnapshot({ sessionId: odd }, { agentId: odd, abandonReason: odd }));
    for (const line of snapshot.slice(0, -1).split("\n")) assert(!FORBIDDEN.test(line), JSON.stringify(line));
  }
});

Deno.test("a detail of megabytes is cut at 200 columns", () => {
  const format = textFormat({ color: false, widthColumns: null });
  for (const unit of ["x", "漢", "👩‍🚀", "\u0007"]) {
    const line = format.transition(
      sampleTransition({ cause: { kind: "hook", event: "Stop", detail: unit.repeat(1_000_000) } }),
    );
    const detail = line.slice(line.indexOf("hook/Stop") + 25, -1);
    assertLessOrEqual(columns(detail), 200);
    assert(detail.endsWith("…"), detail);
  }
});

Deno.test("cutting keeps what fits and never halves a surrogate pair", () => {
  assertEquals(cut("abc", 3), "abc");
  assertEquals(cut("abcd", 3), "ab…");
  assertEquals(cut("a👍b", 4), "a👍b");
  assertEquals(cut("a👍bc", 4), "a👍…");
  assertEquals(cut("👍👍", 3), "👍…");
  assertEquals(cut("👍👍", 2), "…");
});

Deno.test("a snapshot lists its open entries with age, agent and mark", () => {
  const format = textFormat({ color: false, widthColumns: null });
  assertEquals(
    format.snapshot(sampleSnapshot({}, { ageMs: 90_000, agentId: "a1", abandonedAt: 1, abandonReason: "Stop" })),
    "session- working     tool Bash                 7 transitions  last 2026-05-01T02:03:04.005Z  in /w\n" +
      "         tool Bash                 foreground  open 1m 30s  agent a1  abandoned: Stop\n",
  );
});

Deno.test("facts of sessions and of their entries stand below each other, whatever their widths", () => {
  const name = "mcp__tickets__search_by_owner";
  const text = snapshotsText([
    sampleSnapshot({ sessionId: "long-id-of-a-session", activity: { kind: "tool", name } }, {
      activity: { kind: "tool", name },
      ageMs: 90_000,
      agentId: "a1",
    }),
    sampleSnapshot({ state: "interrupted", activity: null, transitionCount: 1000 }, {
      activity: { kind: "tool", name: "漢字" },
      lane: "background",
    }),
    sampleSnapshot({ sessionId: "x", activity: { kind: "tool", name: "T".repeat(50) }, openEntries: [] }),
  ], { color: false, wholeIds: true, nowMs: Date.parse("2026-05-01T02:04:14.005Z") });
  assertEquals(text.split("\n"), [
    "long-id-of-a-session working     tool mcp__tickets__search_by_owner  7 transitions     last 2026-05-01T02:03:04.005Z (1m 10s ago)  in /w",
    "         tool mcp__tickets__search_by_owner  foreground  open 1m 30s  agent a1",
    "session-1            interrupted -                                   1000 transitions  last 2026-05-01T02:03:04.005Z (1m 10s ago)  in /w",
    "         tool 漢字                           background  open 0.0s",
    `x                    working     tool ${
      "T".repeat(50)
    }  7 transitions     last 2026-05-01T02:03:04.005Z (1m 10s ago)  in /w`,
    "",
  ]);
});

Deno.test("durations read by their two largest units", () => {
  const cases: [number, string][] = [
    [0, "0.0s"],
    [59_949, "59.9s"],
    [59_999, "1m 0s"],
    [3_599_999, "1h 0m"],
    [86_400_000 * 400 + 3_600_000, "400d 1h"],
    [-90_000, "-1m 30s"],
  ];
  for (const [ms, text] of cases) assertEquals(durationText(ms), text);
});

Deno.test("a name is cut like a detail, wherever it is printed", () => {
  const name = "T".repeat(100_000);
  const format = textFormat({ color: false, widthColumns: null });
  const line = format.transition({ ...sampleTransition({}), activity: { kind: "tool", name } });
  assertLessOrEqual(line.length, 600);
  assertLessOrEqual(format.snapshot(sampleSnapshot({ activity: { kind: "tool", name } })).length, 1000);
});
