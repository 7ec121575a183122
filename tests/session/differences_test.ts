// Every difference between the observer and the translation to the letter has its row, and every row its differences.
import { assert, assertEquals } from "@std/assert";
import { discriminatorOf } from "../../lib/session/coverage.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import { type Difference, differencesOver, rowOf, ROWS } from "./differences.ts";
import { inputsToCompare } from "./differences_inputs.ts";
import { literally, requestsOf } from "./literal_translation.ts";
import { type Arrival, endOf, endsOf, replay } from "./replay.ts";

const inputs = inputsToCompare().map((input) => ({ ...input, differences: differencesOver(input.arrivals) }));

const inWords = ({ event, facet, before, theirs, ours, op, entry }: Difference): string =>
  `${event}: ${facet} ${op ?? ""} ${entry?.activity.kind ?? ""}, ${before} > ${theirs}, here ${ours}`;

/** Where every session of an input stands by the translation to the letter, from its own records alone. */
function literalEnds(arrivals: readonly Arrival[]) {
  const sessions = new Map<string, { machine: SessionStateMachine; tasks: Map<string, string> }>();
  for (const { value } of arrivals) {
    const id = value.session_id;
    if (typeof id !== "string" || id === "") continue;
    const session = sessions.get(id) ?? { machine: new SessionStateMachine({ clock: () => 0 }), tasks: new Map() };
    sessions.set(id, session);
    const { machine, tasks } = session;
    const view = { state: machine.state, isOpen: (entryId: string) => machine.entry(entryId) !== undefined };
    const isHook = typeof value.hook_event_name === "string";
    const event = isHook ? value.hook_event_name as string : discriminatorOf(value as { type: string });
    for (const request of requestsOf(event, isHook, literally(event, value, view, tasks))) machine.record(request);
  }
  const moved = [...sessions].filter(([, { machine }]) => machine.transitionCount > 0);
  return Object.fromEntries(moved.map(([id, { machine }]) => [id, endOf(machine)]));
}

Deno.test("there are inputs to compare, and they differ", () => {
  assert(inputs.length > 400);
  assert(inputs.some(({ differences }) => differences.length > 0));
});

Deno.test("every difference is covered by a row", () => {
  const uncovered = inputs.flatMap(({ name, differences }) =>
    differences.filter((difference) => rowOf(difference) === null).map((difference) =>
      `${name}, ${inWords(difference)}`
    )
  );
  // A capture is translated several times over, by lane and by how late its stream comes.
  assertEquals(
    [...new Set(uncovered)],
    [],
    "each is wrong, or is covered by a row in tests/session/differences.ts that says why",
  );
});

Deno.test("an input that ends otherwise to the letter has a difference on its way", () => {
  const otherwise = inputs.filter(({ arrivals }) =>
    JSON.stringify(literalEnds(arrivals)) !== JSON.stringify(endsOf(replay(arrivals)))
  );
  assert(otherwise.length > 50);
  assertEquals(otherwise.filter(({ differences }) => differences.length === 0).map(({ name }) => name), []);
});

for (const row of ROWS) {
  Deno.test(`${row.rule}, ${row.situation}: there is an input that differs so`, () => {
    assert(inputs.some(({ differences }) => differences.some((difference) => rowOf(difference) === row)));
  });
}
