// What a framer holds on to when it is done, and values that no string can hold.
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../source_files.ts";
import { frame } from "./framing.ts";

/** What each program begins with: `leftMiB` waits until no more than 8 MiB are held beyond what was, and tells how many. */
const PRELUDE = `
  import { Framer } from "${ROOT}lib/stream/framer.ts";
  let values = 0;
  const newFramer = () => new Framer({ maxBytes: 1 << 27, onValue: () => values++, onReject: () => {} });
  const encoder = new TextEncoder();
  const heldMiB = () => Deno.memoryUsage().external / 2 ** 20;
  const before = heldMiB();
  const leftMiB = async () => {
    for (let times = 0; times < 200 && heldMiB() - before > 8; times++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return Math.round(heldMiB() - before);
  };`;

const ONE_VALUE = `${PRELUDE}
  const framer = newFramer();
  framer.push(encoder.encode('{"a":"'));
  for (let times = 0; times < 40; times++) framer.push(encoder.encode("x".repeat(1 << 20)));
  framer.push(encoder.encode('"}\\n'));
  console.log(values, await leftMiB());
  framer.end();`;

/** Each input has a line that is no ASCII text and one that goes on. */
const MANY_INPUTS = `${PRELUDE}
  const framers = [];
  for (let times = 0; times < 100; times++) {
    const buffer = new Uint8Array(1 << 20);
    const { written } = encoder.encodeInto('{"a":"' + "é".repeat(200) + '"}\\n{"b":', buffer);
    framers.push(newFramer());
    framers.at(-1).push(buffer.subarray(0, written));
  }
  console.log(values, await leftMiB());
  for (const framer of framers) framer.end();`;

for (
  const [what, program, expected] of [
    ["a value of 40 MiB leaves no memory behind", ONE_VALUE, 1],
    ["a hundred inputs hold on to none of the buffers that they were read into", MANY_INPUTS, 100],
  ] as const
) {
  Deno.test(what, async () => {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", "--no-lock", "--v8-flags=--expose-gc", program],
    }).output();
    const [values, leftMiB] = new TextDecoder().decode(stdout).split(" ").map(Number);
    assertEquals([values, new TextDecoder().decode(stderr)], [expected, ""]);
    assert(leftMiB <= 8, `${leftMiB} MiB are left`);
  });
}

Deno.test("a value longer than a string can be is rejected alone", () => {
  const prototype = Buffer.prototype as Buffer & { utf8Slice(from: number, to: number): string };
  const original = prototype.utf8Slice;
  prototype.utf8Slice = function (from, to) {
    if (to - from > 1000) throw new Error("Cannot create a string longer than 1000 characters");
    return original.call(this, from, to);
  };
  try {
    const long = `{"session_id":"${"é".repeat(1000)}"}`;
    for (const line of [long, `oops ${long}`]) {
      const bytes = new TextEncoder().encode(`${line}\n{"a":1}\n`);
      for (const size of [100, Infinity]) {
        const told = frame(bytes, () => size).map((each) => [each.at[0], "value" in each ? each.value : "rejected"]);
        assertEquals(told, [[1, "rejected"], [2, { a: 1 }]]);
      }
    }
  } finally {
    prototype.utf8Slice = original;
  }
});
