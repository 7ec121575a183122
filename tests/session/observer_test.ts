// The rules of the translation, case by case: each file of tests/data/cases/session/ is one input and what it must record.
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { HookInput, SdkMessage } from "../../lib/session/input.ts";
import { type Result, SessionStateMachine } from "../../lib/session/machine.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { SessionObserver } from "../../lib/session/observer.ts";
import { assertInvariants, type End, endOf } from "./replay.ts";

const CASES = new URL("../data/cases/session/", import.meta.url).pathname;

/** An input, then what it records: `from > to | activity | operation ids | words in the detail`, `-` for none. */
type Step = readonly [input: Record<string, unknown>, ...records: string[]];

interface Case {
  readonly what: string;
  readonly countsTurns?: boolean;
  readonly steps: readonly Step[];
  readonly end: End;
  readonly counts?: Partial<Record<"unmatched" | "duplicate" | "ambiguous", number>>;
}

const files = [...Deno.readDirSync(CASES)].map((entry) => entry.name).sort();

/** Hooks and messages as they are; `call` is a method of the observer that the embedding program calls. */
function feed(observer: SessionObserver, input: Record<string, unknown>): Result<SessionTransition>[] {
  const value = { session_id: "s", ...input };
  if ("hook_event_name" in input) return observer.observeHook(value as unknown as HookInput);
  if ("type" in input) return observer.observeMessage(value as unknown as SdkMessage);
  const call = input.call as "created" | "promptSubmitted" | "interrupted";
  return [observer[call]("asked for by the host")];
}

/** A record in the words of the case files. */
function inWords({ from, to, activity, entryOp, entryId, abandoned }: SessionTransition): string {
  const holds = activity === null ? "-" : [activity.kind, activity.name].filter((word) => word !== null).join(" ");
  const operation = entryOp === null ? "-" : [entryOp, ...(abandoned ?? [entryId])].join(" ");
  return `${from} > ${to} | ${holds} | ${operation}`;
}

Deno.test("there are cases to walk", () => assert(files.length >= 18));

for (const file of files) {
  const { what, countsTurns, steps, end, counts }: Case = JSON.parse(Deno.readTextFileSync(CASES + file));
  Deno.test(`session case ${file.replace(".json", "")}: ${what}`, () => {
    let nowMs = 0;
    const machine = new SessionStateMachine({ clock: () => nowMs += 1000 });
    const observer = new SessionObserver(machine, { countsTurns });
    const made: SessionTransition[] = [];
    for (const [at, [input, ...expected]] of steps.entries()) {
      const records = feed(observer, input).map((result) => {
        assert(result.ok, `step ${at + 1} was refused`);
        return result.value;
      });
      const wanted = expected.map((line) => line.split(" | ").slice(0, 3).join(" | "));
      assertEquals(records.map(inWords), wanted, `step ${at + 1}: ${JSON.stringify(input)}`);
      for (const [index, line] of expected.entries()) {
        assertStringIncludes(records[index].cause.detail, line.split(" | ")[3] ?? "", `step ${at + 1}`);
      }
      made.push(...records);
    }
    assertInvariants(made, machine);
    assertEquals(endOf(machine), end, "the end");
    for (const [name, count] of Object.entries(counts ?? {})) {
      assertEquals(observer.counts[name as keyof typeof observer.counts], count, name);
    }
  });
}

Deno.test("a call that has just been opened stays known, however many abandoned ones the limit drops", () => {
  for (const [what, call] of [["nameless", {}], ["of a server", { tool_use_id: "a" }]] as const) {
    const machine = new SessionStateMachine({ clock: () => 0, maxAbandoned: 3 });
    const observer = new SessionObserver(machine);
    for (let turn = 0; turn < 60; turn++) {
      const common = { prompt_id: `p${turn}` };
      feed(observer, { ...common, hook_event_name: "UserPromptSubmit" });
      assertEquals(machine.activity, null, `${what}: what turn ${turn - 1} left open is abandoned`);
      const tool_use_id = "tool_use_id" in call ? `${call.tool_use_id}${turn}` : undefined;
      const tool_input = { turn };
      feed(observer, { ...common, hook_event_name: "PreToolUse", tool_name: "mcp__srv__x", tool_use_id, tool_input });
    }
    assertEquals([machine.entryCount, machine.abandonedDropped], [4, 56], what);
  }
});

Deno.test("what the embedding program knows: a refusal, a move, the end of the process", () => {
  const machine = new SessionStateMachine({ clock: () => 0 });
  const observer = new SessionObserver(machine);
  const where = { cwd: "/elsewhere", worktree: null, branch: null, unknownReason: "nobody looked" };
  observer.observeHook({ hook_event_name: "UserPromptSubmit", session_id: "s" } as HookInput);
  observer.observeHook(
    { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash", tool_use_id: "t" } as unknown as HookInput,
  );
  const records = [
    observer.refused({ kind: "refusal", event: "decision_unavailable", detail: "the model is away" }),
    observer.relocated(where, { kind: "hook", event: "CwdChanged", detail: "moved" }),
    observer.ended({ kind: "process", event: "process_ended", detail: "exit 0" }),
    observer.ended({ kind: "process", event: "no such event" as "process_ended", detail: "" }),
  ];
  assertEquals(records.map((result) => result.ok ? result.value.to : "refused"), [
    "working",
    "working",
    "ended",
    "refused",
  ]);
  const { state, openEntries, where: last } = machine.snapshot();
  assertEquals([state, last.cwd], ["ended", "/elsewhere"]);
  assertEquals(openEntries.map(({ entryId, abandonReason }) => [entryId, abandonReason]), [
    ["t", "process_ended ended the session with this entry still open"],
  ]);
});
