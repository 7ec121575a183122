// The line that ends a run in text mode: every count it can tell of.
import { assertEquals } from "@std/assert";
import { Observation } from "../../lib/commands/observation.ts";
import { summaryOf } from "../../lib/commands/summary.ts";

/** An observation of `values`, as one input, and the sessions that it told had dropped entries. */
function observed(values: readonly object[]): { readonly observation: Observation; readonly dropped: string[] } {
  const dropped: string[] = [];
  const observation = new Observation({
    dialect: "auto",
    arrivalMs: () => 0,
    onTransition: () => {},
    onReject: () => {},
    onUnknown: () => {},
    onDropped: (sessionId) => dropped.push(sessionId),
  });
  const input = Observation.input();
  for (const value of values) observation.take(value, input);
  return { observation, dropped };
}

const hook = (hook_event_name: string, more: object = {}) => ({ hook_event_name, session_id: "s1", ...more });
const call = (event: string, tool_use_id: string) => hook(event, { tool_name: "Bash", tool_input: {}, tool_use_id });
const at = (observed_at: number) => ({ observed_at });

/** What was seen -> the line. */
const CASES: readonly (readonly [values: readonly object[], line: string])[] = [
  [[at(0), hook("Stop")], "1 session, 1 transition, 0 rejected, no open entry"],
  [
    [at(0), call("PreToolUse", "t1"), at(60_000), call("PreToolUse", "t2")],
    "1 session, 2 transitions, 0 rejected, 2 open, oldest tool Bash for 1m 0s",
  ],
  [[at(0), call("PreToolUse", "t1"), hook("Stop")], "1 session, 2 transitions, 0 rejected, no open entry, 1 abandoned"],
  [
    [at(0), { hook_event_name: "Tomorrow" }, call("PostToolUse", "t1"), call("PostToolUse", "t2")],
    "1 session, 2 transitions, 0 rejected, no open entry, 1 unknown event, 2 ends without a start",
  ],
  [
    [at(0), call("PreToolUse", "t1"), call("PreToolUse", "t1")],
    "1 session, 2 transitions, 0 rejected, 1 open, oldest tool Bash for 0.0s, 1 start twice",
  ],
];

for (const [values, line] of CASES) {
  Deno.test(`the summary of ${values.length} values: ${line}`, () => {
    assertEquals(summaryOf(observed(values).observation, 0, null), `vigil: ${line}\n`);
  });
}

Deno.test("of entries that nothing ended a session keeps 1,000, and the first that is dropped is told once", () => {
  const turns = Array.from({ length: 1002 }, (_, n) => [call("PreToolUse", `t${n}`), hook("Stop")]).flat();
  const { observation, dropped } = observed([at(0), ...turns]);
  assertEquals(dropped, ["s1"]);
  assertEquals(observation.snapshot("s1", null)?.abandonedDropped, 2);
  assertEquals(observation.snapshot("s1", null)?.openEntries.length, 1000);
  assertEquals(observation.lastMs, 0);
});
