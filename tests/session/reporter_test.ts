// The reporter lists, and does nothing else.
import { assertEquals } from "@std/assert";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import { SessionStateReporter } from "../../lib/session/reporter.ts";

let nowMs = 1000;
const clock = () => nowMs;

function holding(sessionId: string, entryId: string): SessionStateMachine {
  const machine = new SessionStateMachine({ clock, sessionId, correlationId: `host-${sessionId}` });
  machine.record({
    to: "working",
    cause: { kind: "hook", event: "PreToolUse", detail: "" },
    entry: { op: "open", entryId, activity: { kind: "tool", name: "Bash" } },
  });
  return machine;
}

Deno.test("a session is reported once, in the order of adding, until it is removed", () => {
  const reporter = new SessionStateReporter();
  const [a, b] = [holding("a", "t1"), holding("b", "t1")];
  for (const machine of [b, a, b]) reporter.add(machine);
  assertEquals(reporter.count, 2);
  assertEquals(reporter.list(), [b.snapshot(), a.snapshot()]);
  reporter.remove(b);
  reporter.remove(b);
  assertEquals(reporter.list().map((snapshot) => snapshot.sessionId), ["a"]);
});

Deno.test("open entries of all sessions come with their session and their age, ended sessions included", () => {
  nowMs = 1000;
  const reporter = new SessionStateReporter();
  const [a, b] = [holding("a", "t1"), holding("b", "t1")];
  reporter.add(a);
  reporter.add(b);
  nowMs = 3500;
  b.record({
    to: "ended",
    cause: { kind: "process", event: "process_ended", detail: "" },
    entry: { op: "abandon-open", reason: "over" },
  });
  assertEquals(
    reporter.openEntries().map(({ sessionId, entryId, ageMs, abandonReason }) => [
      sessionId,
      entryId,
      ageMs,
      abandonReason,
    ]),
    [["a", "t1", 2500, null], ["b", "t1", 2500, "over"]],
  );
  assertEquals([a.state, b.state], ["working", "ended"]);
});

Deno.test("a session whose id is not known is reported all the same", () => {
  const reporter = new SessionStateReporter();
  reporter.add(new SessionStateMachine({ clock }));
  assertEquals(reporter.list()[0].sessionId, null);
  assertEquals(reporter.openEntries(), []);
});
