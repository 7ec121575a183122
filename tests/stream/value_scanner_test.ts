// Where a value ends, or which byte cannot stand in it, in every cut of the value into parts.
import { assertEquals } from "@std/assert";
import { HeldBytes } from "../../lib/stream/held_bytes.ts";
import { type Extent, ValueScanner } from "../../lib/stream/value_scanner.ts";

const encoder = new TextEncoder();
const LONG = "x".repeat(100);

/** An input that begins with a value; how far it is known; up to where it was looked at. */
const CASES: readonly (readonly [string, Extent, number])[] = [
  ['{"a":1} {', "closed", 7],
  ["[[1],[2]]]", "closed", 9],
  ['"a"b', "closed", 3],
  ['""', "closed", 2],
  ['"\\""', "closed", 4],
  ['"\\\\"x"', "closed", 4],
  ['"\\\\\\"x"', "closed", 7],
  [`"${LONG}\\"${LONG}"x`, "closed", 204],
  [`"${LONG}\\\\"x`, "closed", 104],
  ['{"}":"]"}', "closed", 9],
  // The kind of a bracket is the parser's to tell.
  ["{]", "closed", 2],
  ["{1,,:2}", "closed", 7],
  ["-1.5e+3,", "closed", 7],
  ["true\n", "closed", 4],
  ["1{", "closed", 1],
  ['1"', "closed", 1],
  ["1\0", "closed", 1],
  ["1\ufeff", "closed", 1],
  ["1x", "foreign", 1],
  ["nul1l_", "foreign", 5],
  ["oops", "foreign", 0],
  [",", "foreign", 0],
  ["}", "foreign", 0],
  ['{"a":x}', "foreign", 5],
  ['{"a"1}', "foreign", 4],
  ['{"a""b"}', "foreign", 4],
  ["[[]{}]", "foreign", 3],
  ['{"a":{}"b"}', "foreign", 7],
  ["[\0]", "foreign", 1],
  ["[1", "open", 2],
  ['"a', "open", 2],
  ['"a\\"', "open", 4],
  [`"${LONG}`, "open", 101],
];

/** Scans `input`, `size` bytes more at a time. */
function scan(input: string, size: number): { readonly scanner: ValueScanner; readonly at: number } {
  const bytes = encoder.encode(input);
  const held = new HeldBytes();
  const scanner = new ValueScanner();
  scanner.begin(bytes[0]);
  let at = 0;
  for (let from = 0; from < bytes.length; from += size) {
    held.append(bytes.subarray(from, from + size));
    at = scanner.scan(held, at, held.bytes.length, false);
    if (scanner.extent !== "open") break;
    assertEquals(at, held.bytes.length);
  }
  return { scanner, at };
}

for (const [input, extent, end] of CASES) {
  Deno.test(`${JSON.stringify(input)} is ${extent} at ${end}`, () => {
    for (const size of [1, 2, 3, 7, 30, Infinity]) {
      const { scanner, at } = scan(input, size);
      assertEquals([scanner.extent, at], [extent, end], `${size} bytes at a time`);
    }
  });
}

Deno.test("a literal ends at the end of what there is only when nothing can follow", () => {
  const held = new HeldBytes();
  held.append(encoder.encode("12"));
  for (const [isEnd, extent] of [[false, "open"], [true, "closed"]] as const) {
    const scanner = new ValueScanner();
    scanner.begin(held.bytes[0]);
    assertEquals([scanner.scan(held, 0, 2, isEnd), scanner.extent, scanner.isLiteral], [2, extent, true]);
  }
});

Deno.test("what the scanner says of a value that is open or broken", () => {
  const states = ['{"a', '{"a"', '{"a":', '{"a"x', "[1 x"].map((input) => {
    const { scanner } = scan(input, 1);
    return [input, scanner.inString, scanner.afterValue];
  });
  assertEquals(states, [
    ['{"a', true, false],
    ['{"a"', false, true],
    ['{"a":', false, false],
    ['{"a"x', false, true],
    ["[1 x", false, false],
  ]);
});

Deno.test("the first bracket on a line that closes what was opened on it, or before", () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ["[", '{"a":[1]},{}', 9],
    ["[", '{"a":[1],', -1],
    ["[{", "}, {}", 1],
    ["[", "1, 2", -1],
    ["[{", '"b":{}, "c":1', 6],
  ];
  for (const [before, line, close] of rows) {
    const held = new HeldBytes();
    const scanner = new ValueScanner();
    held.append(encoder.encode(`${before}\n`));
    scanner.begin(held.bytes[0]);
    const from = scanner.scan(held, 0, held.bytes.length, true);
    scanner.beginLine();
    assertEquals(scanner.lineClose, -1);
    held.append(encoder.encode(line));
    scanner.scan(held, from, held.bytes.length, true);
    assertEquals(scanner.lineClose, close < 0 ? -1 : from + close, line);
    scanner.lower(from);
    assertEquals(scanner.lineClose, close, "lowered");
  }
});
