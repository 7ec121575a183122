// The record-keeper: what it refuses, whom it tells, what it keeps, and that all of it is derived from the records.
import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  type EntryOp,
  isoTime,
  type MachineOptions,
  type Rejection,
  SessionStateMachine,
  type TransitionRequest,
} from "../../lib/session/machine.ts";
import {
  type Activity,
  ACTIVITY_KINDS,
  CAUSE_EVENTS,
  SESSION_STATES,
  type SessionState,
  type SessionTransition,
  type TransitionCause,
} from "../../lib/session/model.ts";
import { fc } from "../fast_check.ts";

const CAUSE: TransitionCause = { kind: "hook", event: "PreToolUse", detail: "a call started" };
const BASH: Activity = { kind: "tool", name: "Bash" };

const open = (entryId: string, more: Partial<EntryOp & { op: "open" }> = {}): EntryOp => ({
  op: "open",
  entryId,
  activity: BASH,
  ...more,
});

/** A machine whose clock goes on by a second with every look. */
function machineOf(options: Partial<MachineOptions> = {}) {
  let nowMs = 0;
  const machine = new SessionStateMachine({ clock: () => nowMs += 1000, ...options });
  const record = (entry?: EntryOp, to: SessionState = "working") => {
    const result = machine.record({ to, cause: CAUSE, entry });
    assert(result.ok);
    return result.value;
  };
  return { machine, record };
}

Deno.test("before any record a session spawns and knows nothing", () => {
  const { machine } = machineOf();
  assertEquals(machine.snapshot(), {
    sessionId: null,
    correlationId: null,
    state: "spawning",
    activity: null,
    where: { cwd: null, worktree: null, branch: null, unknownReason: "nothing has told where the session works" },
    openEntries: [],
    lastTransitionAt: null,
    transitionCount: 0,
    abandonedDropped: 0,
  });
});

Deno.test("a transition has its keys in the public order, and `abandoned` only where something was marked", () => {
  const where = { cwd: "/w", worktree: null, branch: null, unknownReason: "not told" };
  const { machine, record } = machineOf({ sessionId: "s", correlationId: "c", where });
  assertEquals(
    JSON.stringify(record(open("t1"))),
    '{"sessionId":"s","seq":1,"at":"1970-01-01T00:00:01.000Z","from":"spawning","to":"working",' +
      '"activity":{"kind":"tool","name":"Bash"},"entryId":"t1",' +
      '"cause":{"kind":"hook","event":"PreToolUse","detail":"a call started"},' +
      '"where":{"cwd":"/w","worktree":null,"branch":null,"unknownReason":"not told"},' +
      '"correlationId":"c","entryOp":"open"}',
  );
  assertEquals(record({ op: "abandon-open", reason: "over" }, "ended").abandoned, ["t1"]);
  const nothing = record({ op: "abandon-open", reason: "over" }, "ended");
  assertEquals([nothing.entryOp, nothing.entryId, "abandoned" in nothing], [null, null, false]);
  assertEquals(machine.transitionCount, 3);
});

Deno.test("the session id of a record counts from that record on", () => {
  const { machine, record } = machineOf();
  assertEquals(record().sessionId, null);
  machine.record({ to: "ready", cause: CAUSE, sessionId: "s1" });
  assertEquals([machine.sessionId, record().sessionId], ["s1", "s1"]);
});

Deno.test("a cause outside the vocabulary is refused, counted, told, and changes nothing", () => {
  const rejections: Rejection[] = [];
  const { machine, record } = machineOf({ onRejected: (rejection) => rejections.push(rejection) });
  record(open("t1"));
  const before = JSON.stringify([...machine.entries()]);
  const causes = [
    { kind: "hook", event: "NoSuchEvent", detail: "" },
    { kind: "nosuch", event: "PreToolUse", detail: "" },
    { kind: "control", event: "PreToolUse", detail: "" },
    { kind: "hook", event: "toString", detail: "" },
    { kind: "__proto__", event: "Stop", detail: "" },
    { kind: "hook", detail: "" },
    null,
    undefined,
  ];
  for (const cause of causes) {
    const request = { to: "ended", cause, entry: { op: "close", entryId: "t1" } } as unknown as TransitionRequest;
    const result = machine.record(request);
    assert(!result.ok);
    assertStrictEquals(result.error.request, request);
  }
  assertEquals(rejections[0].reason, 'no cause "hook/NoSuchEvent" in the vocabulary');
  assertEquals([machine.rejectedCount, rejections.length], [causes.length, causes.length]);
  assertEquals([machine.state, machine.transitionCount, JSON.stringify([...machine.entries()])], [
    "working",
    1,
    before,
  ]);
});

Deno.test("every kind and event of the vocabulary is recorded", () => {
  const { machine } = machineOf();
  const causes = Object.entries(CAUSE_EVENTS).flatMap(([kind, events]) => events.map((event) => ({ kind, event })));
  for (const cause of causes) {
    const { ok } = machine.record({ to: "working", cause: { ...cause, detail: "" } as TransitionCause });
    assert(ok, `${cause.kind}/${cause.event}`);
  }
  assertEquals(machine.transitionCount, causes.length);
});

Deno.test("a listener that throws stops neither the record nor other listeners", () => {
  const errors: unknown[] = [];
  const heard: number[] = [];
  const { machine, record } = machineOf({
    onListenerError: (error) => {
      errors.push(error);
      throw new Error("and the one told about it throws too");
    },
    onRejected: () => {
      throw new Error("rejected");
    },
  });
  machine.onTransition(() => {
    throw new Error("first");
  });
  machine.onTransition(({ seq }) => heard.push(seq));
  record();
  record();
  machine.record({ to: "working", cause: { kind: "hook", event: "Nope", detail: "" } as never });
  assertEquals([heard, machine.transitionCount], [[1, 2], 2]);
  assertEquals(errors.map(String), ["Error: first", "Error: first", "Error: rejected"]);
  const silent = new SessionStateMachine({ clock: () => 0 });
  silent.onTransition(() => {
    throw new Error("nobody listens");
  });
  assert(silent.record({ to: "working", cause: CAUSE }).ok);
});

Deno.test("a record that a listener makes reaches every listener after the one before", () => {
  const { machine, record } = machineOf();
  const heard: string[] = [];
  machine.onTransition(({ seq }) => {
    heard.push(`a${seq}`);
    if (seq === 1) record();
  });
  machine.onTransition(({ seq }) => heard.push(`b${seq}`));
  record();
  assertEquals(heard, ["a1", "b1", "a2", "b2"]);
});

Deno.test("a listener hears what is recorded between its start and its stop, once a registration", () => {
  const { machine, record } = machineOf();
  const heard: string[] = [];
  const listener = ({ seq }: SessionTransition) => heard.push(`x${seq}`);
  record();
  const stopFirst = machine.onTransition(listener);
  const stopSecond = machine.onTransition(listener);
  const stopLate = machine.onTransition(() => heard.push("never"));
  stopLate();
  record();
  stopFirst();
  stopFirst();
  machine.onTransition(({ seq }) => seq === 3 && stopSecond());
  record();
  record();
  assertEquals(heard, ["x2", "x2", "x3"]);
});

Deno.test("a listener that is stopped while a record is being told does not hear it any more", () => {
  const { machine, record } = machineOf();
  const heard: number[] = [];
  const later = { stop: () => {} };
  machine.onTransition(() => later.stop());
  later.stop = machine.onTransition(({ seq }) => heard.push(seq));
  record();
  assertEquals(heard, []);
});

Deno.test("nothing done to what the machine was given or has handed out reaches the machine", () => {
  const { machine } = machineOf();
  const request = {
    to: "working" as const,
    cause: { kind: "hook" as const, event: "PreToolUse" as const, detail: "before" },
    entry: { op: "open" as const, entryId: "t1", activity: { kind: "tool" as const, name: "Bash" } },
    where: { cwd: "/before", worktree: null, branch: null, unknownReason: null },
  };
  machine.record(request);
  request.cause.detail = "after";
  request.entry.activity.name = "after";
  request.where.cwd = "/after";
  assertEquals([machine.activity?.name, machine.where.cwd, machine.entry("t1")?.cause.detail], [
    "Bash",
    "/before",
    "before",
  ]);
  const result = machine.record({ to: "working", cause: CAUSE, entry: { op: "abandon-open", reason: "r" } });
  assert(result.ok);
  const kept = { ...machine.snapshot(), openEntries: [...machine.entries()] };
  const { value } = result;
  Object.assign(value, { to: "idle", at: "never", sessionId: "other", seq: 40, activity: null, where: null });
  Object.assign(value.cause, { detail: "after" });
  (value.abandoned as string[]).length = 0;
  assertEquals({ ...machine.snapshot(), openEntries: [...machine.entries()] }, kept);
  const frozen = [machine.where, machine.entry("t1"), machine.entry("t1")?.cause, machine.entry("t1")?.activity];
  for (const part of frozen) assertThrows(() => Object.assign(part as object, { to: "idle" }), TypeError);
});

Deno.test("where a session starts is the machine's own: it changes by no other hand", () => {
  const where = { cwd: "/start", worktree: null, branch: null, unknownReason: null };
  const told = new SessionStateMachine({ clock: () => 0, where });
  where.cwd = "/after";
  assertEquals(told.where.cwd, "/start");
  for (const machine of [told, new SessionStateMachine({ clock: () => 0 })]) {
    const result = machine.record({ to: "working", cause: CAUSE });
    assert(result.ok);
    for (const handed of [machine.where, result.value.where, machine.snapshot().where]) {
      assertThrows(() => Object.assign(handed, { cwd: "/after" }), TypeError);
    }
  }
  assertEquals(new SessionStateMachine({ clock: () => 0 }).where.cwd, null);
});

Deno.test("an entry handed out does not change with the machine", () => {
  const { machine, record } = machineOf();
  record(open("t1"));
  const before = machine.entry("t1");
  record({ op: "background", entryId: "t1" });
  record({ op: "abandon", entryIds: ["t1"], reason: "gone" });
  assertEquals([before?.lane, before?.abandonedAt], ["foreground", null]);
  assertEquals([machine.entry("t1")?.lane, machine.entry("t1")?.abandonReason], ["background", "gone"]);
});

Deno.test("opening what is open with the same kind keeps its time, name, lane and cause", () => {
  const { machine, record } = machineOf();
  record(open("t1"));
  record({ op: "background", entryId: "t1" });
  const before = machine.entry("t1");
  record(open("t1", { activity: { kind: "tool", name: "Read" }, lane: "foreground" }));
  assertEquals(machine.entry("t1"), before);
  assertEquals(machine.activity, null);
});

Deno.test("opening it with another kind, or after it was abandoned, makes a new entry, the last in order", () => {
  const { machine, record } = machineOf({ maxAbandoned: 1 });
  record(open("t1"));
  record(open("t2"));
  record(open("t1", { activity: { kind: "permission", name: "Bash" } }));
  assertEquals([...machine.entries()].map((entry) => [entry.entryId, entry.openedAt]), [["t2", 2000], ["t1", 3000]]);
  record({ op: "abandon", entryIds: ["t2"], reason: "gone" });
  record(open("t2"));
  record({ op: "abandon", entryIds: ["t1"], reason: "gone" });
  assertEquals([...machine.entries()].map((entry) => [entry.entryId, entry.openedAt, entry.abandonedAt]), [
    ["t1", 3000, 6000],
    ["t2", 5000, null],
  ]);
  assertEquals(machine.abandonedDropped, 0);
});

Deno.test("closing or backgrounding what is not open changes nothing and is recorded", () => {
  const { machine, record } = machineOf();
  assertEquals([record({ op: "close", entryId: "x" }).entryOp, record({ op: "background", entryId: "x" }).entryOp], [
    "close",
    "background",
  ]);
  assertEquals([machine.entryCount, machine.transitionCount], [0, 2]);
});

Deno.test("abandoning marks once, what is in the background too, and erases nothing", () => {
  const { machine, record } = machineOf();
  record(open("t1"));
  record(open("t2", { lane: "background", agentId: "a1" }));
  assertEquals(record({ op: "abandon", entryIds: ["t1", "t1", "none"], reason: "first" }).abandoned, ["t1"]);
  assertEquals(record({ op: "abandon-open", reason: "second" }).abandoned, ["t2"]);
  assertEquals(
    [...machine.entries()].map(({ entryId, abandonReason, abandonedAt, agentId }) => [
      entryId,
      abandonReason,
      abandonedAt,
      agentId,
    ]),
    [["t1", "first", 3000, null], ["t2", "second", 4000, "a1"]],
  );
  assertEquals(record({ op: "close", entryId: "t1" }).entryOp, "close");
  assertEquals(machine.entryCount, 1);
});

Deno.test("without a limit every abandoned entry is kept; with one the oldest is dropped and counted", () => {
  const ids = Array.from({ length: 3000 }, (_, at) => `t${at}`);
  for (const [maxAbandoned, kept] of [[undefined, 3000], [1000, 1000], [0, 0]] as const) {
    const { machine, record } = machineOf({ maxAbandoned });
    record(open("live"));
    for (const id of ids) record(open(id));
    record({ op: "abandon", entryIds: ids, reason: "gone" });
    assertEquals(machine.entryCount, kept + 1);
    assertEquals([machine.abandonedDropped, machine.snapshot().abandonedDropped], [3000 - kept, 3000 - kept]);
    assertEquals([...machine.entries()].map((entry) => entry.entryId), ["live", ...ids.slice(3000 - kept)]);
  }
});

Deno.test("ages are against the clock now and never negative", () => {
  let nowMs = 5000;
  const machine = new SessionStateMachine({ clock: () => nowMs });
  machine.record({ to: "working", cause: CAUSE, entry: open("t1") });
  const ageAt = (ms: number) => {
    nowMs = ms;
    return [machine.openEntries()[0].ageMs, machine.snapshot().openEntries[0].ageMs];
  };
  assertEquals([ageAt(65_000), ageAt(4000)], [[60_000, 60_000], [0, 0]]);
});

Deno.test("a clock that throws or tells no time leaves the last good one", () => {
  const times: unknown[] = [1000, NaN, "2000", undefined, 3n, new Error("no clock"), Infinity, -Infinity];
  const errors: unknown[] = [];
  const machine = new SessionStateMachine({
    clock: () => {
      const time = times.shift();
      if (time instanceof Error) throw time;
      return time as number;
    },
    onListenerError: (error) => errors.push(error),
  });
  const at = Array.from({ length: 8 }, () => {
    const result = machine.record({ to: "working", cause: CAUSE });
    return result.ok ? result.value.at : "refused";
  });
  assertEquals(at.slice(0, 6), Array(6).fill("1970-01-01T00:00:01.000Z"));
  assertEquals(at.slice(6), ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"]);
  assertEquals(errors.length, 1);
});

Deno.test("times are ISO 8601 with milliseconds", () => {
  assertEquals(isoTime(Date.UTC(2026, 1, 3, 4, 5, 6, 7)), "2026-02-03T04:05:06.007Z");
  assertEquals(isoTime(NaN), "1970-01-01T00:00:00.000Z");
});

// --- any order of operations ---

interface NaiveEntry {
  readonly entryId: string;
  readonly activity: Activity;
  readonly lane: "foreground" | "background";
  readonly openedAt: number;
  readonly abandoned: boolean;
}

/** What a list, rebuilt by every operation, says is open after it; `dropped` counts what the limit took. */
function naively(entries: readonly NaiveEntry[], op: EntryOp | undefined, atMs: number, most: number) {
  const change = (ids: readonly string[], to: Partial<NaiveEntry>) =>
    entries.map((entry) => (ids.includes(entry.entryId) ? { ...entry, ...to } : entry));
  const without = (id: string) => entries.filter((entry) => entry.entryId !== id);
  const next = () => {
    switch (op?.op) {
      case undefined:
        return entries;
      case "open": {
        const { entryId, activity } = op;
        const known = entries.find((entry) => entry.entryId === entryId);
        if (known !== undefined && !known.abandoned && known.activity.kind === activity.kind) return entries;
        return [...without(entryId), {
          entryId,
          activity,
          lane: op.lane ?? "foreground",
          openedAt: atMs,
          abandoned: false,
        }];
      }
      case "close":
        return without(op.entryId);
      case "background":
        return change([op.entryId], { lane: "background" });
      case "abandon":
        return change(op.entryIds, { abandoned: true });
      case "abandon-open":
        return entries.map((entry) => ({ ...entry, abandoned: true }));
    }
  };
  const after = next();
  const tooMany = Math.max(0, after.filter((entry) => entry.abandoned).length - most);
  let left = tooMany;
  return { entries: after.filter((entry) => !(entry.abandoned && left-- > 0)), dropped: tooMany };
}

const id = fc.constantFrom("t1", "t2", "t3", "__proto__", "");
const lane = fc.constantFrom("foreground" as const, "background" as const);
const activity = fc.record({ kind: fc.constantFrom(...ACTIVITY_KINDS), name: fc.constantFrom("Bash", null) });
const entryOp: fc.Arbitrary<EntryOp | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant("open" as const), entryId: id, activity, lane }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom("close" as const, "background" as const), entryId: id }) },
  fc.record({ op: fc.constant("abandon" as const), entryIds: fc.array(id), reason: fc.string() }),
  fc.record({ op: fc.constant("abandon-open" as const), reason: fc.string() }),
  fc.constant(undefined),
);
const step = fc.record({ to: fc.constantFrom(...SESSION_STATES), entry: entryOp, passMs: fc.nat(5000) });

Deno.test("any order of operations: dense seq, unbroken states, and entries and activity as a plain list has them", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60, size: "max" }),
      fc.option(fc.nat(3), { nil: undefined }),
      (steps, maxAbandoned) => {
        let nowMs = 0;
        const machine = new SessionStateMachine({ clock: () => nowMs, maxAbandoned });
        const heard: SessionTransition[] = [];
        machine.onTransition((transition) => heard.push(transition));
        let naive: readonly NaiveEntry[] = [];
        let dropped = 0;
        let from: SessionState = "spawning";
        for (const [at, { to, entry, passMs }] of steps.entries()) {
          nowMs += passMs;
          const marked = naive.filter((one) => !one.abandoned).length;
          const next = naively(naive, entry, nowMs, maxAbandoned ?? Infinity);
          [naive, dropped] = [next.entries, dropped + next.dropped];
          const result = machine.record({ to, cause: CAUSE, entry });
          assert(result.ok);
          const transition = result.value;
          assertStrictEquals(heard[at], transition);
          assertEquals([transition.seq, transition.from, transition.to], [at + 1, from, to]);
          if (entry?.op === "abandon-open") assertEquals(transition.abandoned?.length ?? 0, marked);
          from = to;
          const holding = naive.filter((one) => one.lane === "foreground" && !one.abandoned);
          assertEquals(transition.activity, holding.at(-1)?.activity ?? null);
          assertEquals(machine.activity, transition.activity);
          assertEquals(
            [...machine.entries()].map(({ entryId, activity, lane, openedAt, abandonedAt }) => ({
              entryId,
              activity,
              lane,
              openedAt,
              abandoned: abandonedAt !== null,
            })),
            [...naive],
          );
          assertEquals(machine.abandonedDropped, dropped);
        }
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("an abandoned entry leaves only by its own close, or as the oldest above the limit", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 40, size: "max" }), (steps) => {
    const { machine } = machineOf();
    for (const { to, entry } of steps) {
      const before = [...machine.entries()].filter(({ abandonedAt }) => abandonedAt !== null);
      machine.record({ to, cause: CAUSE, entry });
      for (const { entryId } of before) {
        const ownOp = (entry?.op === "close" || entry?.op === "open") && entry.entryId === entryId;
        if (!ownOp) assert(machine.entry(entryId)?.abandonedAt !== null && machine.entry(entryId) !== undefined);
      }
    }
    assertEquals(machine.abandonedDropped, 0);
  }));
});
