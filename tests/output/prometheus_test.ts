// The metrics of sessions: what they say, and that Prometheus' own checker takes them.
import { assertEquals, assertStringIncludes } from "@std/assert";
import { sessionsMetrics } from "../../lib/output/prometheus.ts";
import type { SessionSnapshot } from "../../lib/session/model.ts";
import { installed } from "../installed.ts";
import { sampleSnapshot } from "./samples.ts";

const night: SessionSnapshot[] = [
  sampleSnapshot({ sessionId: "a" }, { ageMs: 1500 }),
  sampleSnapshot({ sessionId: "b", lastTransitionAt: "2026-05-01T03:00:00.500Z" }, { ageMs: 90_000 }),
  sampleSnapshot({ sessionId: "c", state: "idle" }, { ageMs: 999_000, abandonedAt: 1, abandonReason: "Stop" }),
  sampleSnapshot({ sessionId: "d", state: "ended", openEntries: [], lastTransitionAt: null }),
  sampleSnapshot({ sessionId: "e" }, { lane: "background", activity: { kind: "subagent", name: '"\n\\' }, ageMs: 0 }),
];

Deno.test("sessions are counted by state, open entries by kind and lane, abandoned ones apart", () => {
  const text = sessionsMetrics(night);
  for (
    const line of [
      'vigil_sessions{state="working"} 3\n',
      'vigil_sessions{state="idle"} 1\n',
      'vigil_sessions{state="errored"} 0\n',
      'vigil_session_open_entries{kind="tool",lane="foreground"} 2\n',
      'vigil_session_open_entries{kind="subagent",lane="background"} 1\n',
      'vigil_session_abandoned_entries{kind="tool"} 1\n',
      'vigil_session_oldest_open_entry_age_seconds{kind="tool"} 90\n',
      'vigil_session_oldest_open_entry_age_seconds{kind="subagent"} 0\n',
      "vigil_session_last_transition_timestamp_seconds 1777604400.5\n",
    ]
  ) assertStringIncludes(text, line);
});

Deno.test("no session is zeros, with no age and no time", () => {
  const text = sessionsMetrics([]);
  assertStringIncludes(text, 'vigil_sessions{state="working"} 0\n');
  assertEquals(text.includes("_seconds"), false);
});

const promtool = await installed("promtool");
Deno.test({
  name: `promtool takes the metrics${promtool ? "" : " (skipped: promtool of Debian's prometheus is not installed)"}`,
  ignore: !promtool,
  fn: async () => {
    for (const snapshots of [[], night]) {
      const child = new Deno.Command("promtool", {
        args: ["check", "metrics"],
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(sessionsMetrics(snapshots)));
      await writer.close();
      const { code, stdout, stderr } = await child.output();
      const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      assertEquals({ code, said }, { code: 0, said: "" });
    }
  },
});
