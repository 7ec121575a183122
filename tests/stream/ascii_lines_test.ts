// Lines as ASCII text: the same lines at the same places, and as JSON the same values.
import { assert, assertEquals } from "@std/assert";
import { AsciiLines } from "../../lib/stream/ascii_lines.ts";
import { corpusFiles } from "./corpus.ts";
import { Random } from "./mutate.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The value of a text, or that it is no JSON. */
function valueOf(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "no JSON";
  }
}

/** Takes what can be taken from `from` on and holds each line against its own bytes; where the lines end. */
function check(lines: AsciiLines, chunk: Uint8Array, from: number): number {
  let at = from;
  while (lines.take(chunk, at)) {
    while (lines.hasNext) {
      const end = lines.next();
      assertEquals(chunk.indexOf(0x0a, at), end);
      assert(encoder.encode(lines.line).every((byte) => byte < 0x80), lines.line);
      assertEquals(valueOf(lines.line), valueOf(decoder.decode(chunk.subarray(at, end))));
      at = end + 1;
    }
  }
  return at;
}

Deno.test("every line of every capture is the same value at the same place", () => {
  const lines = new AsciiLines();
  let taken = 0;
  for (const { bytes } of corpusFiles()) {
    for (let from = 0; from < bytes.length;) {
      taken += check(lines, bytes, from) - from;
      const lineEnd = bytes.indexOf(0x0a, check(lines, bytes, from));
      from = lineEnd < 0 ? bytes.length : lineEnd + 1;
    }
  }
  assert(taken > 1_000_000, `${taken} bytes were taken`);
});

Deno.test("any line of any bytes is the same value, or is not taken", () => {
  const random = new Random(11);
  const lines = new AsciiLines();
  const parts = [
    '"',
    "\\",
    '\\"',
    "\\\\",
    "a",
    "é",
    "─",
    "😀",
    "\u2028",
    "\ud800",
    "{",
    "}",
    ":",
    " ",
    "\r",
    "\x00",
    "\x1f",
    "\x7f",
  ]
    .map((text) => encoder.encode(text)).concat(
      [[0x80], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x94]]
        .map((bytes) => new Uint8Array(bytes)),
    );
  let taken = 0;
  for (let round = 0; round < 20_000; round++) {
    const chosen = Array.from({ length: random.below(12) }, () => parts[random.below(parts.length)]);
    const chunk = new Uint8Array([0x22, ...chosen.flatMap((part) => [...part]), 0x22, 0x0a]);
    taken += check(lines, chunk, 0);
  }
  assert(taken > 20_000);
});

Deno.test("lines with many foreign characters, and lines that do not end, are not taken", () => {
  const lines = new AsciiLines();
  const chunk = encoder.encode(`"${"日".repeat(200)}"\n{"a":1}\n{"b"`);
  assertEquals(lines.take(chunk, 0), false);
  assertEquals(lines.take(chunk, chunk.indexOf(0x7b)), true);
  assertEquals([lines.next(), lines.line, lines.hasNext], [chunk.lastIndexOf(0x0a), '{"a":1}', false]);
  assertEquals(lines.take(chunk, chunk.lastIndexOf(0x7b)), false);
});
