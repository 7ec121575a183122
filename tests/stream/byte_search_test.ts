// Finding a byte gives what looking at each gives.
import { assertEquals } from "@std/assert";
import { ByteSearch } from "../../lib/stream/byte_search.ts";
import { Random } from "./mutate.ts";

Deno.test("a byte is found where looking at each finds it, at any alignment", () => {
  const random = new Random(3);
  const search = new ByteSearch();
  const wanted = [0x00, 0x0a, 0x22, 0x7f, 0x80, 0xff];
  for (let round = 0; round < 20_000; round++) {
    const buffer = new Uint8Array(random.below(80));
    const bytes = buffer.subarray(Math.min(buffer.length, random.below(8)));
    // Neighbours of what is wanted are what a search over whole words could take for it.
    const byte = wanted[random.below(wanted.length)];
    for (let at = 0; at < bytes.length; at++) {
      bytes[at] = random.below(12) === 0 ? byte : [byte ^ 1, byte ^ 0x80, byte + 1, byte - 1, 0, 0xff][random.below(6)];
    }
    const from = random.below(bytes.length + 1);
    const to = from + random.below(bytes.length - from + 1);
    const expected = bytes.subarray(from, to).indexOf(byte);
    assertEquals(search.indexOf(bytes, byte, from, to), expected < 0 ? -1 : from + expected);
  }
});
