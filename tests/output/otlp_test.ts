// OTLP lines of every capture: read and written again through the published schema, and compared with the transitions.
import { assert, assertEquals, assertLess, assertMatch, assertNotEquals } from "@std/assert";
import { otlpFormat } from "../../lib/output/otlp.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { LINE_TYPES } from "../otlp_schema.ts";
import { hookCaptures, type Interval, intervalsOf, replayHooks, sorted } from "./replayed.ts";
import { sampleTransition } from "./samples.ts";

/** `line` after a way through the wire format: what the schema does not know is gone, what it knows otherwise differs. */
function throughSchema(line: Readonly<Record<string, unknown>>): unknown {
  const [signal] = Object.keys(line);
  const type = LINE_TYPES[signal];
  // Ids are bytes to the schema. Hexadecimal digits of their lengths happen to be base64 as well, and come back as such.
  const bytes = type.encode(type.fromObject(line)).finish();
  return type.toObject(type.decode(bytes), { longs: String, bytes: String });
}

// deno-lint-ignore no-explicit-any -- any shape of line; what is read of it is compared
type Json = any;

const linesOf = (text: string): Json[] => text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
const spansOf = (lines: readonly Json[]): Json[] =>
  lines.flatMap((line) => line.resourceSpans?.[0].scopeSpans[0].spans ?? []);
const logsOf = (lines: readonly Json[]): Json[] =>
  lines.flatMap((line) => line.resourceLogs?.[0].scopeLogs[0].logRecords ?? []);
const attributesOf = (item: Json): Record<string, string> =>
  Object.fromEntries(item.attributes.map(({ key, value }: Json) => [key, value.stringValue ?? value.intValue]));
const isoOf = (nanos: string): string => new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString();

Deno.test("every line of every capture is of the published schema, field by field", () => {
  for (const scenario of hookCaptures()) {
    for (const line of linesOf(replayHooks(scenario, otlpFormat).text)) {
      assertEquals(throughSchema(line), line, scenario);
    }
  }
});

Deno.test("the schema check fails on a field that the schema does not know", () => {
  const [line] = linesOf(replayHooks("bash", otlpFormat).text);
  const record = line.resourceLogs[0].scopeLogs[0].logRecords[0];
  record.severityNumbr = 9;
  assertNotEquals(JSON.stringify(throughSchema(line)), JSON.stringify(line));
});

Deno.test("spans are the entries of the transitions, log records the transitions", () => {
  for (const scenario of hookCaptures()) {
    const replayed = replayHooks(scenario, otlpFormat);
    const lines = linesOf(replayed.text);
    const spans = spansOf(lines);
    const drawn = spans.map((span): Interval => {
      const attributes = attributesOf(span);
      return {
        sessionId: attributes["gen_ai.conversation.id"],
        entryId: attributes["vigil.entry.id"],
        from: isoOf(span.startTimeUnixNano),
        to: isoOf(span.endTimeUnixNano),
        end: attributes["vigil.entry.end"] as Interval["end"],
      };
    });
    assertEquals(sorted(drawn), sorted(intervalsOf(replayed)), scenario);
    assertEquals(new Set(spans.map((span) => span.spanId)).size, spans.length, scenario);
    assertEquals(
      logsOf(lines).map((
        log,
      ) => [isoOf(log.timeUnixNano), attributesOf(log)["vigil.to"], attributesOf(log)["vigil.seq"]]),
      replayed.transitions.map((transition) => [transition.at, transition.to, String(transition.seq)]),
      scenario,
    );
  }
});

const SEVERITIES: readonly (readonly [what: string, changes: Partial<SessionTransition>, severity: string])[] = [
  ["a turn that failed", { to: "errored", entryOp: null }, "17 ERROR"],
  ["a turn that failed and left entries", { to: "errored", entryOp: "abandon", abandoned: ["a"] }, "17 ERROR"],
  ["a turn that was interrupted", { to: "interrupted", entryOp: null }, "13 WARN"],
  ["entries whose end nothing told", { to: "idle", entryOp: "abandon", abandoned: ["a"] }, "13 WARN"],
  ["a late event of a failed turn", { from: "errored", to: "errored", entryOp: "close" }, "9 INFO"],
  ["a new turn after a failed one", { from: "errored", to: "working", entryOp: null }, "9 INFO"],
  ["a clean end", { to: "idle", entryOp: null }, "9 INFO"],
];

for (const [what, changes, severity] of SEVERITIES) {
  Deno.test(`${what} is logged as ${severity}`, () => {
    const [log] = logsOf(linesOf(otlpFormat(() => null).transition(sampleTransition(changes))));
    assertEquals(`${log.severityNumber} ${log.severityText}`, severity);
  });
}

Deno.test("a session is one trace, found by its own id; a subagent's tools are under it", () => {
  const { text, transitions } = replayHooks("subagent", otlpFormat);
  const lines = linesOf(text);
  const traceId = transitions[0].sessionId!.replaceAll("-", "");
  assertMatch(traceId, /^[0-9a-f]{32}$/);
  const spans = spansOf(lines);
  for (const item of [...spans, ...logsOf(lines)]) assertEquals(item.traceId, traceId);
  const agent = spans.find((span) => attributesOf(span)["gen_ai.operation.name"] === "invoke_agent");
  const tools = spans.filter((span) =>
    attributesOf(span)["vigil.entry.agent_id"] === attributesOf(agent)["gen_ai.agent.id"] && span !== agent
  );
  assert(tools.length > 0);
  for (const tool of tools) assertEquals(tool.parentSpanId, agent.spanId);
});

Deno.test("reading the same input again gives the same lines", () => {
  assertEquals(replayHooks("subagents2", otlpFormat).text, replayHooks("subagents2", otlpFormat).text);
});

Deno.test("ids are never all zero, whatever the session's id is", () => {
  for (const sessionId of ["", "00000000-0000-0000-0000-000000000000", "__proto__", "x".repeat(10_000), "\ud800"]) {
    const [log] = logsOf(linesOf(otlpFormat(() => null).transition(sampleTransition({ sessionId }))));
    assertMatch(log.traceId, /^(?!0+$)[0-9a-f]{32}$/);
    assertMatch(log.spanId, /^(?!0+$)[0-9a-f]{16}$/);
  }
});

Deno.test("no line reaches the length at which the Collector cuts it", () => {
  const long = "\u0001".repeat(5_000_000);
  const cause = { kind: "hook", event: "PreToolUse", detail: long } as const;
  const where = { cwd: long, worktree: null, branch: null, unknownReason: null };
  const format = otlpFormat(() => null);
  const activity = { kind: "tool", name: long } as const;
  const text = format.transition(sampleTransition({ sessionId: long, entryId: long, activity, cause, where })) +
    format.end!([], Date.now());
  for (const line of text.split("\n")) assertLess(line.length, 1 << 20);
});

Deno.test("a clock that runs backwards ends no span before it starts, and an attribute tells", () => {
  const format = otlpFormat(() => null);
  const text = format.transition(sampleTransition({ at: "2026-05-01T02:03:05.000Z" })) +
    format.transition(sampleTransition({ seq: 2, at: "2026-05-01T02:03:04.000Z", entryOp: "close" }));
  const [span] = spansOf(linesOf(text));
  assertEquals(span.endTimeUnixNano, span.startTimeUnixNano);
  assertEquals(attributesOf(span)["vigil.clock_back_ms"], "1000");
});
