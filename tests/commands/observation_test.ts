// Every capture of every agent CLI, and every oddity, ends as its expectation file says, whichever way it is fed in.
import { assert, assertEquals } from "@std/assert";
import { Observation, type ObservationOptions } from "../../lib/commands/observation.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { Framer } from "../../lib/stream/framer.ts";
import { CAPTURED, CLIENTS, longestCapture } from "../dialects/replay.ts";
import { assertInvariants, type End, endOf } from "../session/replay.ts";

const DATA = new URL("../data/", import.meta.url).pathname;

interface Played {
  readonly ends: Record<string, End>;
  readonly transitions: Map<string, SessionTransition[]>;
  readonly rejects: string[];
  readonly unknown: string[];
}

/** Feeds inputs to one observation, each with a framer and a memory of its own, in turns of `chunkBytes`. */
function play(
  inputs: readonly Uint8Array[],
  chunkBytes = Infinity,
  dialect: ObservationOptions["dialect"] = "auto",
): Played {
  const transitions = new Map<string, SessionTransition[]>();
  const rejects: string[] = [];
  const unknown: string[] = [];
  const observation = new Observation({
    dialect,
    arrivalMs: () => 0,
    onTransition: (transition) => {
      const id = transition.sessionId ?? "";
      transitions.set(id, [...(transitions.get(id) ?? []), transition]);
    },
    onReject: (reason) => rejects.push(reason),
    onUnknown: (event) => unknown.push(event),
    onDropped: () => {},
  });
  const feeds = inputs.map((bytes) => {
    const input = Observation.input();
    const framer = new Framer({
      maxBytes: 1 << 26,
      onValue: (value) => observation.take(value, input),
      onReject: ({ reason }) => rejects.push(reason),
    });
    return { bytes, framer };
  });
  const longest = Math.max(...inputs.map((bytes) => bytes.length));
  for (let at = 0; at < longest; at += chunkBytes) {
    for (const { bytes, framer } of feeds) if (at < bytes.length) framer.push(bytes.subarray(at, at + chunkBytes));
    if (chunkBytes === Infinity) break;
  }
  for (const { framer } of feeds) framer.end();
  const ends: Record<string, End> = {};
  for (const [id, records] of transitions) {
    const machine = observation.machine(id);
    assert(machine !== undefined);
    assertInvariants(records, machine);
    ends[id] = endOf(machine);
  }
  return { ends, transitions, rejects, unknown };
}

/** What was recorded, without the times. */
const traceOf = (played: Played) =>
  [...played.transitions].map(([id, records]) => [id, records.map((record) => ({ ...record, at: "" }))]);

interface Expectation {
  readonly what: string;
  readonly rejects?: number;
  readonly [lane: string]: unknown;
}

const readExpectation = (path: string): Expectation => JSON.parse(Deno.readTextFileSync(path));
const lanes = ["hooks", "stream", "pascal", "camel"] as const;
const suffixOf = { hooks: "hooks", stream: "stream", pascal: "pascal.hooks", camel: "camel.hooks" } as const;

const names = (folder: string, end: string) =>
  [...Deno.readDirSync(folder)].map((entry) => entry.name).filter((name) => name.endsWith(end)).sort();

for (const dialect of CLIENTS) {
  const corpus = `${DATA}corpus/${dialect}/`;
  const captures = names(corpus, ".jsonl");
  Deno.test(`there are captures of ${dialect}`, () => assert(captures.length > 0));
  for (const scenario of new Set(captures.map((name) => name.split(".")[0]))) {
    Deno.test(`${dialect} capture ${scenario}`, () => {
      const expected = readExpectation(`${DATA}expect/${dialect}/${scenario}.json`);
      assert(expected.what.length > 20, "the expectation says why");
      for (const lane of lanes) {
        const name = `${scenario}.${suffixOf[lane]}.jsonl`;
        if (!captures.includes(name)) continue;
        const bytes = Deno.readFileSync(corpus + name);
        const played = play([bytes]);
        assertEquals([played.rejects, played.unknown], [[], []], lane);
        assertEquals(played.ends, expected[lane], lane);
        assertEquals(traceOf(play([bytes], Infinity, dialect)), traceOf(played), `${lane}, dialect forced`);
        const welded = new TextEncoder().encode(new TextDecoder().decode(bytes).replaceAll("\n", ""));
        assertEquals(traceOf(play([welded])), traceOf(played), `${lane}, welded`);
      }
    });
  }
}

Deno.test("all agents in one pipe: each session as if it were alone", () => {
  const inputs = CAPTURED.map((client) => `${client}/${longestCapture(client, "hooks")}`)
    .map((name) => Deno.readTextFileSync(`${DATA}corpus/${name}.jsonl`).trimEnd().split("\n"));
  const alone = inputs.flatMap((lines) => traceOf(play([new TextEncoder().encode(lines.join("\n"))])));
  const mixed: string[] = [];
  for (let at = 0; inputs.some((lines) => at < lines.length); at++) {
    for (const lines of inputs) if (at < lines.length) mixed.push(lines[at]);
  }
  const together = traceOf(play([new TextEncoder().encode(mixed.join(""))]));
  assertEquals(new Map(together as [string, unknown][]), new Map(alone as [string, unknown][]));
});

const oddities = names(`${DATA}oddities/observe/`, ".jsonl");
Deno.test("there are oddities to walk", () => assert(oddities.length > 30));
for (const name of oddities) {
  Deno.test(`oddity ${name}`, () => {
    const expected = readExpectation(`${DATA}expect/oddities/${name.replace(".jsonl", ".json")}`);
    const bytes = Deno.readFileSync(`${DATA}oddities/observe/${name}`);
    const played = play([bytes]);
    assertEquals(played.ends, expected.hooks);
    assertEquals(played.rejects.length, expected.rejects);
    for (const chunkBytes of [...(bytes.length < 100_000 ? [1] : []), 65_535, 65_536, 65_537]) {
      const cut = play([bytes], chunkBytes);
      assertEquals([traceOf(cut), cut.rejects], [traceOf(played), played.rejects], `in chunks of ${chunkBytes}`);
    }
  });
}
