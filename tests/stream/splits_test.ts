// Any cut of the input into chunks gives the same values and rejects.
import { assertEquals } from "@std/assert";
import { corpusFiles } from "./corpus.ts";
import { frame, SIZES } from "./framing.ts";
import { mutations } from "./mutate.ts";

for (const file of corpusFiles()) {
  Deno.test(`${file.name}: chunks of any size tell the same`, () => {
    const whole = frame(file.bytes, () => Infinity);
    for (const size of SIZES) assertEquals(frame(file.bytes, () => size), whole, `chunks of ${size}`);
  });
}

Deno.test("mutated input: chunks of any size tell the same", () => {
  let count = 0;
  for (const { bytes, random } of mutations({ seed: 1, rounds: 400, linesPerRound: 12 })) {
    const maxBytes = random.below(4) === 0 ? 300 + random.below(3000) : undefined;
    const whole = frame(bytes, () => Infinity, maxBytes);
    for (const size of [1, 7, 64]) assertEquals(frame(bytes, () => size, maxBytes), whole, `chunks of ${size}`);
    for (let times = 0; times < 3; times++) {
      const limit = 1 << random.below(12);
      assertEquals(frame(bytes, () => 1 + random.below(limit), maxBytes), whole, "chunks of random size");
    }
    count++;
  }
  assertEquals(count, 400);
});
