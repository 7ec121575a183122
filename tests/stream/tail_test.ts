// What a followed file must be recognised by, against a plain model of a file that grows, is cut and is rewritten.
import { assertEquals } from "@std/assert";
import { Tail } from "../../lib/stream/tail.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** A tail that has read `content` in chunks of `size`. */
function tailAfter(content: string, size: number): Tail {
  const tail = new Tail();
  for (let at = 0; at < content.length; at += size) tail.advance(bytes(content.slice(at, at + size)));
  return tail;
}

Deno.test("marks are the first and the last bytes read, however they were cut into chunks", () => {
  const content = Array.from({ length: 300 }, (_, n) => String.fromCharCode(33 + n % 90)).join("");
  for (const length of [0, 1, 63, 64, 65, 127, 128, 129, 300]) {
    for (const size of [1, 7, 63, 64, 65, 300]) {
      const read = content.slice(0, length);
      const tail = tailAfter(read, size);
      const [head, last] = tail.marks();
      assertEquals([head.offsetBytes, text(head.bytes)], [0, read.slice(0, 64)], `head of ${length} by ${size}`);
      assertEquals(
        [last.offsetBytes, text(last.bytes)],
        [Math.max(0, length - 64), read.slice(-64)],
        `end of ${length} by ${size}`,
      );
      assertEquals(tail.offsetBytes, length);
    }
  }
});

Deno.test("a mark is a copy: the reader's buffer may be used again", () => {
  const buffer = bytes("abc");
  const tail = new Tail();
  tail.advance(buffer);
  buffer.fill(0);
  assertEquals(tail.marks().map((mark) => text(mark.bytes)), ["abc", "abc"]);
});

Deno.test("a look tells growth, a cut and a rewrite of the same length from silence", () => {
  const tail = tailAfter("abc", 3);
  tail.settle(10);
  assertEquals(tail.look(3, 10), "wait");
  assertEquals(tail.look(3, 11), "verify");
  assertEquals(tail.look(4, 10), "verify");
  assertEquals(tail.look(2, 10), "restart");
  assertEquals(new Tail().look(0, 10), "read");
});
