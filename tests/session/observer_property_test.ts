// What holds for the observer whatever comes, in whatever order, however often.
import { assert, assertEquals } from "@std/assert";
import { HOOK_HANDLERS } from "../../lib/session/hook_lane.ts";
import type { HookInput, SdkMessage } from "../../lib/session/input.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import { MESSAGE_HANDLERS } from "../../lib/session/message_lane.ts";
import { HOOK_EVENTS, MESSAGE_EVENTS, type SessionTransition } from "../../lib/session/model.ts";
import { SessionObserver } from "../../lib/session/observer.ts";
import { fc } from "../fast_check.ts";
import { type Arrival, assertInvariants, endOf, endsOf, readLane, replay } from "./replay.ts";

type Input = Record<string, unknown>;

function observerOf(countsTurns = false) {
  let nowMs = 0;
  return new SessionObserver(new SessionStateMachine({ clock: () => nowMs++ }), { countsTurns });
}

function feed(observer: SessionObserver, input: Input): SessionTransition[] {
  const results = "hook_event_name" in input
    ? observer.observeHook(input as unknown as HookInput)
    : observer.observeMessage(input as unknown as SdkMessage);
  return results.map((result) => {
    assert(result.ok);
    return result.value;
  });
}

// --- anything ---

/** Every field that a handler reads, top level and nested. */
const FIELDS = [
  ...["session_id", "cwd", "prompt_id", "agent_id", "agent_type", "tool_name", "tool_use_id", "tool_input"],
  ...["tool_response", "tool_calls", "mcp_server", "error", "is_interrupt", "duration_ms", "source", "model", "reason"],
  ...["trigger", "background_tasks", "old_cwd", "new_cwd", "from_model", "to_model", "mcp_server_name", "action"],
  ...["elicitation_id", "nativeEvent", "message", "parent_tool_use_id", "tool_use_result", "tool_result_meta"],
  ...["is_error", "num_turns", "terminal_reason", "status", "state", "compact_result", "compact_metadata", "task_id"],
  ...["task_type", "subagent_type", "is_backgrounded", "patch", "original_model", "claude_code_version", "subtype"],
];

/** Objects that cannot be turned into text, as JSON can hold them. */
const UNPRINTABLE = JSON.parse('[{"toString": 1, "valueOf": 1}, {"__proto__": null}, [{"toString": null}]]');

const small = fc.constantFrom("a", "b", "compact", "resume", "idle", "requesting", "compacting", "local_agent", "Bash");
const truthy = fc.constantFrom(true, false, 0, 1, null);
const nested = fc.record({ id: small, type: small, name: small, tool_use_id: small, status: small, taskId: small }, {
  requiredKeys: [],
});
const anything = fc.oneof(
  { weight: 6, arbitrary: small },
  { weight: 2, arbitrary: truthy },
  { weight: 2, arbitrary: nested },
  { weight: 2, arbitrary: fc.array(fc.oneof(nested, fc.constant(null), small), { maxLength: 3 }) },
  fc.constantFrom(...UNPRINTABLE),
  fc.jsonValue({ maxDepth: 2 }),
);
const fields = fc.dictionary(fc.constantFrom(...FIELDS), anything, { maxKeys: 8 });
const messageName = fc.constantFrom(...MESSAGE_EVENTS, "system", "nonsense").map((event): Input => {
  const [type, subtype] = event.split("/");
  return subtype === undefined ? { type } : { type, subtype };
});
const hookName = fc.constantFrom(...HOOK_EVENTS, "nonsense", "__proto__").map((event): Input => ({
  hook_event_name: event,
}));
const anyInput = fc.tuple(fields, fc.oneof(hookName, messageName)).map(([more, name]): Input => ({ ...more, ...name }));

Deno.test("no value in any field throws, and the invariants hold after every record", () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 25, size: "max" }), fc.boolean(), (inputs, countsTurns) => {
      const observer = observerOf(countsTurns);
      const made = inputs.flatMap((input) => feed(observer, input));
      assertInvariants(made, observer.machine);
      JSON.stringify(made);
    }),
    { numRuns: 3000 },
  );
});

const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const block = fc.record({
  type: fc.constantFrom("tool_use", "tool_result"),
  id: fc.constantFrom("t1", "t2"),
  tool_use_id: fc.constantFrom("t1", "t2"),
  name: fc.constantFrom("Bash", "Agent"),
});
const task = fc.record({ id: fc.constantFrom("a1", "b1"), type: fc.constantFrom("subagent", "shell", "teammate") });
/** Fields as a client would send them, with so few ids that events meet. */
const plausible = fc.record({
  prompt_id: maybe("p1", "p2"),
  agent_id: maybe<string | undefined>(undefined, undefined, "a1"),
  tool_name: fc.constantFrom("Bash", "Agent", "Monitor"),
  tool_use_id: maybe("t1", "t2"),
  tool_input: fc.constantFrom({ command: "a" }, { command: "b" }),
  tool_response: maybe({ backgroundTaskId: "b1" }),
  tool_calls: fc.array(fc.record({ tool_name: fc.constant("Bash"), tool_use_id: maybe("t1", "t2") }), { maxLength: 2 }),
  background_tasks: fc.option(fc.array(task, { maxLength: 2 }), { nil: undefined }),
  is_interrupt: fc.boolean(),
  source: fc.constantFrom("startup", "resume", "compact"),
  mcp_server_name: fc.constantFrom("srv"),
  task_id: fc.constantFrom("b1", "a1"),
  task_type: fc.constantFrom("local_agent", "local_bash"),
  is_backgrounded: fc.boolean(),
  patch: fc.constantFrom({ is_backgrounded: true }, { status: "completed" }, {}),
  parent_tool_use_id: maybe<string | undefined>(undefined, "t1"),
  message: fc.record({ content: fc.array(block, { maxLength: 2 }) }),
  tool_use_result: maybe<unknown>("User rejected tool use", { backgroundTaskId: "b1" }),
  status: fc.constantFrom("requesting", "compacting", null),
  compact_result: maybe("success"),
  state: fc.constantFrom("idle", "running"),
  num_turns: fc.nat(1),
  is_error: fc.boolean(),
  terminal_reason: maybe("aborted_tools"),
});
const wiredHook = fc.constantFrom(...Object.keys(HOOK_HANDLERS)).map((event): Input => ({ hook_event_name: event }));
const wiredMessage = messageName.filter(({ type, subtype }) =>
  (subtype === undefined ? String(type) : `${type}/${subtype}`) in MESSAGE_HANDLERS
);
const plausibleInput = fc.tuple(plausible, fc.oneof(wiredHook, wiredMessage)).map(([more, name]): Input => ({
  ...more,
  ...name,
}));

Deno.test("the invariants hold in any order of plausible events", () => {
  fc.assert(
    fc.property(fc.array(plausibleInput, { maxLength: 40, size: "max" }), fc.boolean(), (inputs, countsTurns) => {
      const observer = observerOf(countsTurns);
      assertInvariants(inputs.flatMap((input) => feed(observer, input)), observer.machine);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("what is no event at all records nothing", () => {
  const observer = observerOf();
  for (const value of [null, undefined, 1, "x", [], {}, { hook_event_name: null }, { type: {} }, ...UNPRINTABLE]) {
    assertEquals(observer.observeHook(value as never), []);
    assertEquals(observer.observeMessage(value as never), []);
    assertEquals(observer.observeHook({ hook_event_name: value } as never), []);
    assertEquals(observer.observeMessage({ type: value } as never), []);
  }
  assertEquals(observer.machine.transitionCount, 0);
});

// --- concurrent calls ---

/** The events of one call, in its own order; the last may never come. */
interface CallPlan {
  readonly agent: string | null;
  readonly tool: string;
  readonly hasId: boolean;
  readonly asks: boolean;
  readonly end: "PostToolUse" | "PostToolUseFailure" | "PostToolBatch" | "never" | "background";
}

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  agent: fc.constantFrom(null, null, "a1"),
  tool: fc.constantFrom("Bash", "Read", "mcp__srv__ask"),
  hasId: fc.boolean(),
  asks: fc.boolean(),
  end: fc.constantFrom("PostToolUse", "PostToolUseFailure", "PostToolBatch", "never", "background"),
});

function eventsOf(plan: CallPlan, at: number): Input[] {
  const who = plan.agent === null ? {} : { agent_id: plan.agent, agent_type: "A" };
  const call = {
    tool_name: plan.tool,
    tool_input: { command: `command ${at}` },
    ...(plan.hasId ? { tool_use_id: `t${at}` } : {}),
  };
  const events: Input[] = [{ hook_event_name: "PreToolUse", ...who, ...call }];
  if (plan.asks) {
    const { tool_name, tool_input } = call;
    events.push({ hook_event_name: "PermissionRequest", ...who, tool_name, tool_input });
  }
  if (plan.end === "PostToolBatch") events.push({ hook_event_name: plan.end, ...who, tool_calls: [call] });
  else if (plan.end === "background") {
    const tool_response = { backgroundTaskId: `b${at}` };
    events.push({ hook_event_name: "PostToolUse", ...who, ...call, tool_response });
  } else if (plan.end !== "never") events.push({ hook_event_name: plan.end, ...who, ...call, error: "x" });
  return events;
}

/** Deals the events of every call by `order`, each call's own in their order. */
function deal(calls: readonly Input[][], order: readonly number[]): Input[] {
  const rest = calls.map((events) => [...events]);
  const dealt: Input[] = [];
  for (const pick of order) {
    const open = rest.filter((events) => events.length > 0);
    if (open.length === 0) break;
    dealt.push(open[pick % open.length].shift() as Input);
  }
  return [...dealt, ...rest.flat()];
}

Deno.test("concurrent calls end in the same entries, in whatever order their hooks arrive", () => {
  fc.assert(
    fc.property(
      fc.array(callPlan, { maxLength: 6 }),
      fc.array(fc.nat(59), { maxLength: 20 }),
      fc.constantFrom("none", "Stop", "UserPromptSubmit"),
      (plans, order, last) => {
        const calls = plans.map(eventsOf);
        const first = { hook_event_name: "UserPromptSubmit", prompt_id: "p1" };
        const after: Input[] = last === "none" ? [] : [{ hook_event_name: last, prompt_id: "p2" }];
        const ends = [calls.flat(), deal(calls, order)].map((events) => {
          const observer = observerOf();
          const made = [first, ...events.map((event) => ({ prompt_id: "p1", ...event })), ...after].flatMap((input) =>
            feed(observer, input)
          );
          assertInvariants(made, observer.machine);
          return endOf(observer.machine);
        });
        assertEquals(ends[1], ends[0]);
        const stillOpen = plans.filter(({ end }) => end === "never").length;
        if (last === "none") assertEquals(ends[0].live.filter((name) => name.startsWith("tool")).length, stillOpen);
      },
    ),
    { numRuns: 1000 },
  );
});

// --- the captures, delivered more than once ---

const CORPUS = new URL("../data/corpus/claude/", import.meta.url).pathname;
const captures = [...Deno.readDirSync(CORPUS)].map(({ name }) => name).filter((name) => name.endsWith(".hooks.jsonl"));

/** Events that say which one they are; a request for permission, or a question without id, does not. */
const carriesIds = ({ value }: Arrival) =>
  value.hook_event_name === "Elicitation" || value.hook_event_name === "ElicitationResult"
    ? "elicitation_id" in value
    : value.hook_event_name !== "PermissionRequest";

Deno.test("there are captures to deliver twice", () => assert(captures.length > 90));

for (const name of captures) {
  const hooks = readLane(CORPUS + name);
  const once = endsOf(replay(hooks));
  Deno.test(`every event with ids twice at once ends as once: ${name}`, () => {
    const twice = hooks.flatMap((arrival) => carriesIds(arrival) ? [arrival, arrival] : [arrival]);
    assertEquals(endsOf(replay(twice)), once);
  });
  Deno.test(`every event twice, the second time up to three events later, ends as once: ${name}`, () => {
    for (const lag of [1, 2, 3]) {
      const late: Arrival[] = [];
      for (const [at, arrival] of hooks.entries()) {
        late.push(arrival);
        if (at >= lag && carriesIds(hooks[at - lag])) late.push(hooks[at - lag]);
      }
      late.push(...hooks.slice(-lag).filter(carriesIds));
      assertEquals(endsOf(replay(late)), once, `${lag} later`);
    }
  });
}
