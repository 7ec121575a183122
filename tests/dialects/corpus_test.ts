// Every capture of every client is read without a reject, and ends as its expectation file says.
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Reading } from "../../lib/dialects/read_value.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { assertInvariants, type End, endsOf } from "../session/replay.ts";
import {
  CAPTURED,
  capturesOf,
  CLIENTS,
  CORPUS_FOLDERS,
  longestCapture,
  readAll,
  replayReadings,
  valuesOf,
} from "./replay.ts";

const EXPECT = new URL("../data/expect/", import.meta.url).pathname;

type Ends = Record<string, End>;

/** `ok.pascal.hooks` -> scenario `ok`, lane `pascal`: Copilot spells its hooks in two ways. */
function laneOf(capture: string): { readonly scenario: string; readonly lane: string } {
  const [scenario, lane] = capture.split(".");
  return { scenario, lane };
}

const dialectOf = (reading: Reading): string | null => ("dialect" in reading ? reading.dialect : null);

Deno.test("every folder of the corpus is a dialect's", () => {
  assertEquals(CORPUS_FOLDERS, [...CAPTURED].sort(), "a dialect's captures are in the folder of its name in DIALECTS");
  assert(CAPTURED.flatMap(capturesOf).length > 250, "there are captures to walk");
});

for (const client of CAPTURED) {
  Deno.test(`${client}: every captured value is known, and known to be its own`, () => {
    const captures = capturesOf(client);
    assert(captures.length > 0, "there are captures to walk");
    for (const capture of captures) {
      for (const [at, reading] of readAll(valuesOf(client, capture)).entries()) {
        const where = `${capture} value ${at + 1}`;
        assert(
          ["hook", "message", "declined"].includes(reading.kind),
          `${where}: ${JSON.stringify(reading)}; lib/dialects/detect.ts tells whose it is`,
        );
        // Most lines of Qwen's stream are Claude Code's to the letter, and mean the same.
        const isShared = client === "qwen" && capture.endsWith(".stream");
        if (!isShared) assertEquals(dialectOf(reading), client, where);
      }
    }
  });

  Deno.test(`${client}: naming the dialect changes nothing`, () => {
    for (const capture of capturesOf(client)) {
      const values = valuesOf(client, capture);
      const byName = replayReadings(readAll(values, client));
      assertEquals(endsOf(replayReadings(readAll(values))), endsOf(byName), capture);
    }
  });
}

for (const client of CLIENTS) {
  for (const capture of capturesOf(client)) {
    const { scenario, lane } = laneOf(capture);
    Deno.test(`${client} capture ${capture}`, () => {
      const expected: Record<string, Ends | string> = JSON.parse(
        Deno.readTextFileSync(`${EXPECT}${client}/${scenario}.json`),
      );
      const played = replayReadings(readAll(valuesOf(client, capture)));
      for (const [id, machine] of played.machines) assertInvariants(played.transitions.get(id) ?? [], machine);
      assertEquals(endsOf(played), expected[lane]);
    });
  }
}

/** One deterministic shuffle that keeps the order within each list: as one pipe that all agents write to. */
function interleave(lists: readonly (readonly unknown[])[]): unknown[] {
  const rest = lists.map((list) => [...list]);
  const mixed: unknown[] = [];
  let seed = 7;
  while (rest.some((list) => list.length > 0)) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const list = rest[seed % rest.length];
    if (list.length > 0) mixed.push(list.shift());
  }
  return mixed;
}

/** What a transition says apart from when. */
const timeless = (transitions: readonly SessionTransition[]) => transitions.map(({ at: _at, ...rest }) => rest);

Deno.test("all agents in one pipe give each session the transitions it has alone", () => {
  const sources = CAPTURED.flatMap((client) => {
    const hooks = longestCapture(client, "hooks");
    const stream = longestCapture(client, "stream", hooks);
    return [hooks, stream].filter((capture) => capture !== null).map((capture) => valuesOf(client, capture));
  });
  const alone = sources.map((values) => replayReadings(readAll(values)).transitions);
  const together = replayReadings(readAll(interleave(sources))).transitions;
  let sessions = 0;
  for (const transitions of alone) {
    for (const [id, expected] of transitions) {
      assertEquals(timeless(together.get(id) ?? []), timeless(expected), id);
      sessions++;
    }
  }
  assert(sessions >= 8, `${sessions} sessions compared`);
});

Deno.test("the end of a failed turn has the client's own words, that of an interrupt has not", () => {
  const detailsOf = (client: string, capture: string) =>
    [...replayReadings(readAll(valuesOf(client, capture))).transitions.values()].flat()
      .filter(({ cause }) => cause.event === "result").map(({ cause }) => cause.detail);
  assertMatch(
    detailsOf("codex", "err.stream")[0],
    /^result of the turn: error_during_execution: .*bad request.*\(turn\.failed\)$/,
  );
  assertMatch(detailsOf("qwen", "err.stream")[0], /: \[API Error: 400 bad request\]$/);
  assertMatch(detailsOf("claude", "max_turns_agent.stream").join("\n"), /: Reached maximum number of turns \(2\)$/m);
  const interrupted = detailsOf("claude", "sigint.stream").find((detail) => detail.includes("aborted_"));
  assertMatch(interrupted ?? "", /error_during_execution, aborted_tools$/);
});
