// What two looks at a folder tell about files that come, go and change their names.
import { assertEquals } from "@std/assert";
import { reconcile } from "../../lib/stream/reconcile.ts";

const file = (path: string, id: string) => ({ path, id });

Deno.test("a rotation is the old file moved and a new one under its name", () => {
  const seen = [file("a.jsonl", "2"), file("a-1.jsonl", "1")];
  assertEquals(reconcile(new Map([["1", "a.jsonl"]]), seen), {
    appeared: [seen[0]],
    moved: [seen[1]],
    vanished: [],
  });
});

Deno.test("a rotation out of sight is the old file vanished", () => {
  const seen = [file("a.jsonl", "2")];
  assertEquals(reconcile(new Map([["1", "a.jsonl"]]), seen), { appeared: seen, moved: [], vanished: ["1"] });
});

Deno.test("two names of one file are one file, and keep the name it is known by", () => {
  const seen = [file("a.jsonl", "1"), file("b.jsonl", "1")];
  assertEquals(reconcile(new Map(), seen), { appeared: [seen[0]], moved: [], vanished: [] });
  assertEquals(reconcile(new Map([["1", "b.jsonl"]]), seen), { appeared: [], moved: [], vanished: [] });
});
