// The JSON format: key order, one line each, valid UTF-8 whatever the strings hold.
import { assert, assertEquals } from "@std/assert";
import { jsonFormat } from "../../lib/output/json.ts";
import { sampleSnapshot, sampleTransition } from "./samples.ts";

Deno.test("a transition is one line with its keys in the published order", () => {
  const line = jsonFormat.transition(sampleTransition({ entryOp: "abandon", abandoned: ["toolu_1"] }));
  assertEquals(
    line,
    '{"sessionId":"session-1","seq":1,"at":"2026-05-01T02:03:04.005Z","from":"working","to":"working",' +
      '"activity":{"kind":"tool","name":"Bash"},"entryId":"toolu_1",' +
      '"cause":{"kind":"hook","event":"PreToolUse","detail":"Bash"},' +
      '"where":{"cwd":"/w","worktree":null,"branch":null,"unknownReason":"a hook payload does not say"},' +
      '"correlationId":null,"entryOp":"abandon","abandoned":["toolu_1"]}\n',
  );
});

Deno.test("a transition is what JSON.stringify makes of it", () => {
  const odd = '"\\\u0000\ud800\u2028é👍';
  for (
    const fields of [
      {},
      { sessionId: null, activity: null, entryId: null, entryOp: null, correlationId: odd },
      { sessionId: odd, activity: { kind: "compacting", name: null }, entryId: odd },
      { activity: { kind: "tool", name: odd }, entryOp: "abandon", abandoned: [odd, "x"] },
      { cause: { kind: "refusal", event: "host_unavailable", detail: odd } },
      { where: { cwd: odd, worktree: null, branch: "main", unknownReason: null } },
    ] as const
  ) {
    const transition = sampleTransition(fields);
    assertEquals(jsonFormat.transition(transition), `${JSON.stringify(transition)}\n`);
  }
});

Deno.test("lone surrogates, line breaks and NUL stay inside valid UTF-8 on one line", () => {
  const detail = "\ud800 \udfff \n \u2028 \u0000 👍";
  const line = jsonFormat.transition(sampleTransition({ cause: { kind: "hook", event: "Stop", detail } }));
  const bytes = new TextEncoder().encode(line);
  const back = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  assertEquals(back.indexOf("\n"), back.length - 1);
  assertEquals(JSON.parse(back).cause.detail, detail);
});

Deno.test("a snapshot is one line, told apart by its openEntries key", () => {
  const line = jsonFormat.snapshot(sampleSnapshot());
  assert("openEntries" in JSON.parse(line));
  assertEquals(line.indexOf("\n"), line.length - 1);
});
