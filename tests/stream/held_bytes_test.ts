// What is held of an input: bytes come at the end, go from the beginning, and keep their place in the input.
import { assert, assertEquals } from "@std/assert";
import { HeldBytes } from "../../lib/stream/held_bytes.ts";
import { Random } from "./mutate.ts";

const encoder = new TextEncoder();

Deno.test("any order of appending and dropping holds the bytes from its base on", () => {
  const random = new Random(17);
  const input = new Uint8Array(200_000);
  for (let at = 0; at < input.length; at++) input[at] = random.below(256);
  const held = new HeldBytes();
  let end = 0;
  let kept = 0;
  let dropped = 0;
  while (end < input.length) {
    const chunk = input.slice(end, end + random.below(3000));
    held.append(chunk);
    // A reader's buffer is used again.
    chunk.fill(0);
    end = Math.min(input.length, end + chunk.length);
    const { length } = held.bytes;
    const count = random.below(length + 1);
    const { base } = held;
    const gone = held.drop(count);
    assertEquals(gone, 2 * count >= length ? count : 0);
    assertEquals(held.base, base + gone);
    assertEquals(held.bytes, input.subarray(held.base, end));
    gone > 0 ? dropped++ : kept++;
  }
  assert(dropped > 20 && kept > 20, `dropped ${dropped} times and kept ${kept} times is no fair trial`);
});

Deno.test("bytes that pass without being held count", () => {
  const held = new HeldBytes();
  held.pass(5);
  held.append(encoder.encode("abc"));
  assertEquals([held.base, held.drop(2), held.base], [5, 2, 7]);
  assertEquals(held.drop(1), 1);
  held.pass(10);
  assertEquals([held.base, held.bytes.length], [18, 0]);
});

Deno.test("text and bytes are found in what is held now, whichever buffer it is in", () => {
  const held = new HeldBytes();
  held.append(encoder.encode('aé"b'));
  assertEquals([held.text(0, 3), held.indexOf(0x22, 0, 5)], ["aé", 3]);
  held.append(encoder.encode(`${"x".repeat(5000)}ü"`));
  assertEquals([held.text(5004, 5007), held.indexOf(0x22, 4, 5008)], ["xü", 5007]);
  held.drop(5003);
  assertEquals([held.text(0, 4), held.indexOf(0x22, 0, 5)], ["xxü", 4]);
});

Deno.test("a large buffer goes as soon as little is held, and not before", () => {
  const held = new HeldBytes();
  const bufferMiB = () => held.bytes.buffer.byteLength / 2 ** 20;
  held.append(new Uint8Array(20 << 20));
  held.append(encoder.encode('12"'));
  held.drop(18 << 20);
  assert(bufferMiB() >= 20, `${bufferMiB()} MiB`);
  held.drop(2 << 20);
  assert(bufferMiB() < 1, `${bufferMiB()} MiB are left`);
  assertEquals([held.text(0, 3), held.indexOf(0x22, 0, 3), held.base], ['12"', 2, 20 << 20]);
});
