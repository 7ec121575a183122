// A failed system call in words.
import { assertEquals } from "@std/assert";
import { reasonOf } from "../lib/reason.ts";

const coded = (code: string) => Object.assign(new Error(`something (os error 1)`), { code });

const CASES: readonly (readonly [error: unknown, words: string])[] = [
  [coded("ENOSPC"), "no space left on device"],
  [new Error("Is a thing of its own (os error 99), stat '/X'"), "is a thing of its own"],
  [new Error("is a FIFO"), "is a FIFO"],
  [new Error("EOF"), "EOF"],
  [
    new Deno.errors.NotCapable('Requires all access to "/dev/stdin", run again with the --allow-all flag'),
    "vigil's runtime opens nothing below /dev, /proc and /sys",
  ],
  ["text", "text"],
];

Deno.test("a reason is the system's, in the middle of a sentence", () => {
  for (const [error, words] of CASES) assertEquals(reasonOf(error), words);
});
