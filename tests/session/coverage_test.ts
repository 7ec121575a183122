// The coverage table against the code, the model's lists and the SDK's own declarations.
import { assert, assertEquals } from "@std/assert";
import { COVERAGE, discriminatorOf, HOOK_COVERAGE, MESSAGE_COVERAGE } from "../../lib/session/coverage.ts";
import { HOOK_HANDLERS } from "../../lib/session/hook_lane.ts";
import { MESSAGE_HANDLERS } from "../../lib/session/message_lane.ts";
import { HOOK_EVENTS, MESSAGE_EVENTS } from "../../lib/session/model.ts";
import { readLane } from "./replay.ts";
import { differences, SEEN_FILE, type SeenSdk } from "../../tools/sdk.ts";

const SEEN = "tests/data/sdk/claude-agent-sdk.json";
const seen: SeenSdk = JSON.parse(Deno.readTextFileSync(SEEN_FILE));

const wired = (table: Record<string, { status: string }>) =>
  Object.keys(table).filter((event) => table[event].status === "wired").sort();

Deno.test("every wired event has a handler and every handler a wired row", () => {
  assertEquals(Object.keys(HOOK_HANDLERS).sort(), wired(HOOK_COVERAGE));
  assertEquals(Object.keys(MESSAGE_HANDLERS).sort(), wired(MESSAGE_COVERAGE));
});

Deno.test("every wired event stands in a case of its own rule", () => {
  const cases = new URL("../data/cases/session/", import.meta.url).pathname;
  const inputs = [...Deno.readDirSync(cases)]
    .flatMap(({ name }) => JSON.parse(Deno.readTextFileSync(cases + name)).steps)
    .filter(([, ...records]) => records.length > 0)
    .map(([input]) => input.hook_event_name ?? (input.type === undefined ? "" : discriminatorOf(input)));
  const untold = [...wired(HOOK_COVERAGE), ...wired(MESSAGE_COVERAGE)].filter((event) => !inputs.includes(event));
  assertEquals(untold, [], "a file of tests/data/cases/session/ has to send each of these and say what it records");
});

Deno.test("every row says why", () => {
  assertEquals(COVERAGE.filter((row) => row.reason.length < 10), []);
});

Deno.test("the table has a row for every event of the SDK that was last seen, and no other", () => {
  assert(seen.hookEvents.length >= 34 && seen.messages.length >= 40, "the list is whole");
  assertEquals(differences(seen), [], `the SDK is what ${SEEN} says: "deno task sdk --write" reads the newest`);
});

Deno.test("the model names no event that the SDK has not, but for Codex's Interrupt", () => {
  assertEquals(HOOK_EVENTS.filter((event) => !seen.hookEvents.includes(event)), ["Interrupt"], `by ${SEEN}`);
  const messages = [...seen.messages, ...seen.controlLines];
  assertEquals(MESSAGE_EVENTS.filter((event) => !messages.includes(event)), [], `by ${SEEN}`);
});

Deno.test("the comparison names what is missing and what is one too many", () => {
  const sdk = { hookEvents: ["Stop", "SessionEnd"], messages: ["result"], controlLines: ["keep_alive"] };
  const rows = [
    { lane: "hook", event: "SessionEnd" },
    { lane: "message", event: "result" },
    { lane: "message", event: "system/gone" },
  ];
  assertEquals(differences(sdk, rows), [
    'the coverage table lacks the hook "Stop"',
    'the coverage table lacks the message "keep_alive"',
    'the coverage table has the message "system/gone", which the SDK has not',
  ]);
});

Deno.test("what is said to be known by a run is in a capture", () => {
  const corpus = new URL("../data/corpus/claude/", import.meta.url).pathname;
  const captures = [...Deno.readDirSync(corpus)].filter(({ name }) => name.endsWith(".jsonl"));
  const captured = new Set(
    captures.flatMap(({ name }) =>
      readLane(corpus + name).map(({ value }) => value.hook_event_name ?? discriminatorOf(value as { type: string }))
    ),
  );
  const uncaptured = COVERAGE.filter((row) => row.evidence === undefined && !captured.has(row.event));
  // Both were seen to fire, with a team and with a dialog, in runs whose captures are not here.
  const advice = 'put a capture with it into tests/data/corpus/claude/, or give its row the evidence "documented"';
  assertEquals(uncaptured.map((row) => row.event), ["TeammateIdle", "ElicitationResult"], advice);
});
