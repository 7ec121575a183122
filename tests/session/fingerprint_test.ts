// Equal values have equal fingerprints; different ones hardly ever.
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { fingerprint } from "../../lib/session/fingerprint.ts";
import { fc } from "../fast_check.ts";

/** The same value with the keys of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reordered(inner)]));
}

Deno.test("a value that is not there has none; null has one", () => {
  assertEquals(fingerprint(undefined), null);
  assert(Number.isInteger(fingerprint(null)));
});

Deno.test("the order of keys does not count", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assertEquals(fingerprint(reordered(value)), fingerprint(JSON.parse(JSON.stringify(value))));
  }));
});

Deno.test("kinds, nesting and positions count", () => {
  const values = [1, "1", true, "true", null, "null", [], {}, [1], [[1]], { a: 1 }, { 0: 1 }, [1, 2], [2, 1], "", [""]];
  const more = [{ a: 1, b: 2 }, { a: 2, b: 1 }, { a: { b: 1 } }, { b: { a: 1 } }, [{}], [[]]];
  const prints = [...values, ...more].map(fingerprint);
  assertEquals(new Set(prints).size, prints.length);
});

Deno.test("of twenty thousand commands that differ by a number no two collide", () => {
  const prints = Array.from(
    { length: 20_000 },
    (_, at) => fingerprint({ command: `sed -n ${at}p log.txt`, timeout: 1 }),
  );
  assertEquals(new Set(prints).size, prints.length);
});

Deno.test("a long string counts by its length, start, middle and end", () => {
  const long = "x".repeat(100_000);
  const at = (index: number) => long.slice(0, index) + "y" + long.slice(index + 1);
  for (const other of [at(0), at(50_000), at(99_999), `${long}x`]) {
    assertNotEquals(fingerprint(other), fingerprint(long));
  }
});

Deno.test("a value nested a hundred thousand deep has one", () => {
  let deep: unknown = 1;
  for (let at = 0; at < 100_000; at++) deep = [deep];
  assert(Number.isInteger(fingerprint(deep)));
});
