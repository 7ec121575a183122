// Every capture of Claude Code ends as its expectation file says: hooks alone, the stream alone, both together.
import { assert, assertEquals } from "@std/assert";
import { type Arrival, assertInvariants, type End, endsOf, merge, readLane, replay } from "./replay.ts";

const CORPUS = new URL("../data/corpus/claude/", import.meta.url).pathname;
const EXPECT = new URL("../data/expect/claude/", import.meta.url).pathname;

type Ends = Record<string, End>;

/** How one capture must end, written by hand from the capture and the rules. */
interface Expectation {
  readonly what: string;
  readonly hooks?: Ends;
  readonly stream?: Ends;
  readonly merged?: "hooks" | Ends;
  readonly mergedWhy?: string;
  /** Ends that the stream may also lead to when it comes late, and why. */
  readonly late?: Ends[];
  readonly lateWhy?: string;
}

/** How late the stream may come, in milliseconds. */
const LATE_MS = Array.from({ length: 50 }, (_, step) => 40 * (step + 1));

const captures = [...Deno.readDirSync(CORPUS)].map((entry) => entry.name).filter((name) => name.endsWith(".jsonl"));
const scenarios = [...new Set(captures.map((name) => name.split(".")[0]))].sort();

function check(arrivals: readonly Arrival[]): Ends {
  const played = replay(arrivals);
  for (const [id, machine] of played.machines) assertInvariants(played.transitions.get(id) ?? [], machine);
  return endsOf(played);
}

Deno.test("there are captures to walk", () => assert(scenarios.length > 100));

for (const scenario of scenarios) {
  Deno.test(`claude capture ${scenario}`, () => {
    const expected: Expectation = JSON.parse(Deno.readTextFileSync(`${EXPECT}${scenario}.json`));
    assert(expected.what.length > 20, "the expectation says why");
    const has = (lane: string) => captures.includes(`${scenario}.${lane}.jsonl`);
    const hooks = has("hooks") ? readLane(`${CORPUS}${scenario}.hooks.jsonl`) : [];
    const stream = has("stream") ? readLane(`${CORPUS}${scenario}.stream.jsonl`) : [];
    if (hooks.length > 0) assertEquals(check(hooks), expected.hooks, "hooks alone");
    if (stream.length > 0) assertEquals(check(stream), expected.stream, "stream alone");
    if (hooks.length === 0 || stream.length === 0) return;
    const merged = expected.merged === "hooks" ? expected.hooks : expected.merged;
    if (expected.merged !== "hooks") assert(expected.mergedWhy, "the exception has its reason");
    assertEquals(check(merge(hooks, stream)), merged, "hooks and stream");
    for (const lateMs of LATE_MS) {
      const end = check(merge(hooks, stream, lateMs));
      const isKnownException = (expected.late ?? []).some((late) => JSON.stringify(late) === JSON.stringify(end));
      if (!isKnownException) assertEquals(end, merged, `the stream ${lateMs} ms late`);
    }
  });
}
