// The trace of every capture: valid, drawable, and the same entries as the transitions tell.
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { traceFormat } from "../../lib/output/trace.ts";
import { hookCaptures, type Interval, intervalsOf, replayHooks, sorted, statesOf } from "./replayed.ts";
import { sampleTransition } from "./samples.ts";

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly cname?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Readonly<Record<string, string>>;
}

const isSpan = (event: TraceEvent) => event.ph === "X";
const isEntry = (event: TraceEvent) => isSpan(event) && event.cat !== "state";

/** What each process is called. */
function processNames(events: readonly TraceEvent[]): Map<number, string> {
  const named = events.filter((event) => event.name === "process_name");
  return new Map(named.map((event) => [event.pid, event.args.name]));
}

/** Spans that overlap another on their thread. */
function overlaps(events: readonly TraceEvent[]): string[] {
  const ends = new Map<number, number>();
  const found: string[] = [];
  for (const { tid, ts, dur, name } of events.filter(isSpan).sort((a, b) => a.ts - b.ts || a.dur - b.dur)) {
    if (ts < (ends.get(tid) ?? 0)) found.push(`${name} on ${tid}`);
    ends.set(tid, ts + dur);
  }
  return found;
}

Deno.test("every capture's trace has the entries and states of its transitions, none over another on a thread", () => {
  const scenarios = hookCaptures();
  assert(scenarios.length > 50);
  for (const scenario of scenarios) {
    const replayed = replayHooks(scenario, traceFormat);
    const events = JSON.parse(replayed.text) as TraceEvent[];
    assertEquals(overlaps(events), [], scenario);

    const processes = processNames(events);
    const drawn = events.filter(isEntry).map((event): Interval => ({
      sessionId: processes.get(event.pid)!.replace("session ", ""),
      entryId: event.args.entryId,
      from: event.args.from,
      to: event.args.to,
      end: event.args.end as Interval["end"],
    }));
    assertEquals(sorted(drawn), sorted(intervalsOf(replayed)), scenario);
    for (const event of events.filter(isEntry)) {
      assertEquals(event.ts / 1000, Date.parse(event.args.from), scenario);
      assertEquals((event.ts + event.dur) / 1000, Date.parse(event.args.to), scenario);
    }

    for (const [pid, name] of processes) {
      const states = events.filter((event) => event.cat === "state" && event.pid === pid).map((event) => event.name);
      assertEquals(states, statesOf(replayed, name.replace("session ", "")), scenario);
    }
  }
});

Deno.test("each subagent has a thread of its own, named by its type", () => {
  const events = JSON.parse(replayHooks("subagents2", traceFormat).text) as TraceEvent[];
  const threads = events.filter((event) => event.name === "thread_name").map((event) => event.args.name);
  const agents = events.filter((event) => event.cat === "subagent");
  assertEquals(agents.length, 2);
  for (const agent of agents) {
    assert(threads.includes(`${agent.name.replace("subagent ", "")} ${agent.args.entryId}`), threads.join());
    const ofAgent = events.filter((event) => isEntry(event) && event.args.agentId === agent.args.entryId);
    const tids = new Set(ofAgent.map((event) => event.tid));
    const others = events.filter((event) => isEntry(event) && event.args.agentId !== agent.args.entryId);
    assert(others.every((event) => !tids.has(event.tid)));
    assert(ofAgent.length > 1, "its tools stand with it");
  }
});

Deno.test("names tell what went on in the background, was abandoned or is still open", () => {
  const events = JSON.parse(replayHooks("state_events", traceFormat).text) as TraceEvent[];
  const marked = events.filter((event) => isEntry(event) && event.name.includes("("));
  assertEquals(marked.map(({ name, cname }) => `${name} ${cname ?? ""}`.trimEnd()), [
    "Bash (background)",
    "subagent general-purpose (background)",
    "Bash (abandoned) cq_build_abandoned",
    "permission Bash (abandoned) cq_build_abandoned",
    "Bash (background)",
  ]);

  const format = traceFormat(() => null);
  const text = format.begin!() + format.transition(sampleTransition({ entryId: "a" })) + format.end!([], 0);
  const [open] = (JSON.parse(text) as TraceEvent[]).filter(isEntry);
  assertEquals([open.name, open.cname], ["Bash (open)", "yellow"]);
});

Deno.test("sessions are sorted as they came, and the last state has a length even if the input ends with it", () => {
  const format = traceFormat(() => null);
  const at = "2026-05-01T02:03:05.000Z";
  const transitions = ["b", "a"].map((sessionId) => sampleTransition({ sessionId, at, to: "ended", entryOp: null }));
  const text = format.begin!() + transitions.map(format.transition).join("") + format.end!([], Date.parse(at));
  const events = JSON.parse(text) as TraceEvent[];
  const names = processNames(events);
  const places = events.filter((event) => event.name === "process_sort_index");
  const sorted = places.toSorted((a, b) => Number(a.args.sort_index) - Number(b.args.sort_index));
  assertEquals(sorted.map(({ pid }) => names.get(pid)), ["session b", "session a"]);
  assertEquals(events.filter(isSpan).map(({ name, dur }) => [name, dur]), [["ended", 1], ["ended", 1]]);
});

Deno.test("a trace that was cut off after any line is read as the viewers read it", () => {
  const { text } = replayHooks("subagent", traceFormat);
  const lines = text.split("\n").slice(0, -2);
  for (let count = 2; count <= lines.length; count++) JSON.parse(`${lines.slice(0, count).join("\n")}]`);
});

Deno.test("a clock that runs backwards draws nothing backwards, and the arguments tell", () => {
  const format = traceFormat(() => null);
  const at = (second: number) => `2026-05-01T02:03:0${second}.000Z`;
  const open = (entryId: string, seq: number, second: number) => sampleTransition({ entryId, seq, at: at(second) });
  const text = format.begin!() + format.transition(open("a", 1, 5)) + format.transition(open("b", 2, 3)) +
    format.transition(sampleTransition({ entryId: "a", seq: 3, at: at(1), entryOp: "close" })) +
    format.transition(sampleTransition({ entryId: "b", seq: 4, at: at(2), entryOp: "close", to: "idle" })) +
    format.end!([], Date.parse(at(0)));
  const events = JSON.parse(text) as TraceEvent[];
  assertEquals(overlaps(events), []);
  assert(events.filter(isSpan).every((event) => event.dur >= 0));
  const [a] = events.filter((event) => event.args.entryId === "a");
  assertEquals([a.args.from, a.args.to], [at(5), at(1)]);
});

Deno.test("rows are used again: what ran one after the other stands on one row", () => {
  const format = traceFormat(() => null);
  let text = format.begin!();
  for (let n = 0; n < 1000; n++) {
    text += format.transition(sampleTransition({ entryId: `t${n}`, seq: 2 * n + 1 }));
    text += format.transition(sampleTransition({ entryId: `t${n}`, seq: 2 * n + 2, entryOp: "close" }));
  }
  const events = JSON.parse(text + format.end!([], 0)) as TraceEvent[];
  assertLessOrEqual(new Set(events.filter(isSpan).map((event) => event.tid)).size, 2);
});
