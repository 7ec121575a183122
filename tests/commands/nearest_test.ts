// What was meant: slips are told from other words.
import { assertEquals } from "@std/assert";
import { nearest } from "../../lib/commands/nearest.ts";

const KNOWN = ["auto", "claude", "bash", "zsh", "json", "otlp", "observe", "prometheus"];

const CASES: readonly (readonly [word: string, meant: string | null])[] = [
  ["obsrve", "observe"],
  ["jsno", "json"],
  ["zhs", null],
  ["JSON", "json"],
  ["zs", "zsh"],
  ["claud", "claude"],
  ["foo", null],
  ["xml", null],
  ["powershell", null],
  ["cursor", null],
  ["", null],
];

Deno.test("a word is taken for another one only where a slip tells them apart", () => {
  for (const [word, meant] of CASES) assertEquals(nearest(word, KNOWN), meant, word);
  assertEquals(nearest("x", []), null);
});
