// Decoding a part gives what TextDecoder gives.
import { assertEquals } from "@std/assert";
import { Utf8Slices } from "../../lib/stream/utf8_slices.ts";
import { Random } from "./mutate.ts";

Deno.test("any part of any bytes is the text that TextDecoder makes of it", () => {
  const random = new Random(5);
  const slices = new Utf8Slices();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const rows = [[0x20, 0x5f], [0x80, 0x40], [0xc0, 0x20], [0xe0, 0x10], [0xf0, 0x10], [0x00, 0x100]];
  for (let round = 0; round < 20_000; round++) {
    const buffer = new Uint8Array(random.below(40));
    for (let at = 0; at < buffer.length; at++) {
      const [first, count] = rows[random.below(rows.length)];
      buffer[at] = first + random.below(count);
    }
    const bytes = buffer.subarray(Math.min(buffer.length, random.below(8)));
    const from = random.below(bytes.length + 1);
    const to = from + random.below(bytes.length - from + 1);
    assertEquals(slices.text(bytes, from, to), decoder.decode(bytes.subarray(from, to)));
  }
});
