// Any cut of the input into chunks gives the same values and rejects; whole lines and whole records are never lost.
import { assert, assertEquals } from "@std/assert";
import { corpusFiles, tornAppends } from "./corpus.ts";
import { frame, SIZES } from "./framing.ts";
import { runDamage } from "./damage_run.ts";
import { damagedLines, mutations } from "./mutate.ts";

Deno.test("captured and odd inputs tell the same in chunks of any size", async (t) => {
  for (const file of corpusFiles()) {
    await t.step(file.name, () => {
      const whole = frame(file.bytes, () => Infinity);
      assert(whole.length > 0, "nothing told");
      for (const size of SIZES) assertEquals(frame(file.bytes, () => size), whole, `chunks of ${size}`);
    });
  }
});

Deno.test("damaged inputs tell the same in chunks of any size", () => {
  let values = 0;
  let rejects = 0;
  for (const { bytes, random } of mutations({ seed: 1, rounds: 400, linesPerRound: 12 })) {
    const maxBytes = random.below(4) === 0 ? 300 + random.below(3000) : undefined;
    const whole = frame(bytes, () => Infinity, maxBytes);
    for (const told of whole) "value" in told ? values++ : rejects++;
    for (const size of [1, 7, 64]) assertEquals(frame(bytes, () => size, maxBytes), whole, `chunks of ${size}`);
    for (let times = 0; times < 3; times++) {
      const limit = 1 << random.below(12);
      assertEquals(frame(bytes, () => 1 + random.below(limit), maxBytes), whole, "chunks of random size");
    }
  }
  assert(values > 1000 && rejects > 500, `${values} values and ${rejects} rejects are no fair trial`);
});

Deno.test("a whole line among damaged ones is a value, and only once", () => {
  for (const { bytes, whole } of damagedLines({ seed: 2, rounds: 600, linesPerRound: 12 })) {
    const told = frame(bytes, () => Infinity).filter((each) => "value" in each).map((each) => each.at[1]);
    assertEquals(whole.filter((at) => !told.includes(at)), [], new TextDecoder().decode(bytes));
    assertEquals(new Set(told).size, told.length);
  }
});

Deno.test("twenty thousand lines, half of them damaged, in one input", () => {
  const { values, rejects, lost, twice } = runDamage(20_000, 5);
  assertEquals([lost, twice], [[], []]);
  assert(values > 10_000 && rejects > 5_000, `${values} values and ${rejects} rejects are no fair trial`);
});

Deno.test("torn appends lose no record that is whole in the bytes, and none is made up", async () => {
  const bytes = await tornAppends();
  const values = frame(bytes, () => 65536).flatMap((told) => "value" in told ? [told] : []);
  const told = new Set(values.map(({ at }) => at[1]));

  const mark = new TextEncoder().encode('{"session_id"');
  const missing: number[] = [];
  let whole = 0;
  for (let at = bytes.indexOf(mark[0]); at >= 0; at = bytes.indexOf(mark[0], at + 1)) {
    if (!mark.every((byte, index) => bytes[at + index] === byte)) continue;
    const lineEnd = bytes.indexOf(0x0a, at);
    try {
      JSON.parse(new TextDecoder().decode(bytes.subarray(at, lineEnd)));
    } catch {
      continue;
    }
    whole++;
    if (!told.has(at)) missing.push(at);
  }
  assertEquals(whole, 52);
  // The head of one session's record with the tail of another's: JSON by chance, with a key that is there twice.
  assertEquals(missing, [91798262]);

  const owners = new Map<unknown, unknown>();
  for (const { value } of values) {
    const { session_id, tool_use_id } = value as { session_id?: unknown; tool_use_id?: unknown };
    if (tool_use_id === undefined) continue;
    assertEquals(owners.get(tool_use_id) ?? session_id, session_id, `${tool_use_id} belongs to one session`);
    owners.set(tool_use_id, session_id);
  }
  assertEquals(values.length, 51);
  assert(owners.size > 10);
});
