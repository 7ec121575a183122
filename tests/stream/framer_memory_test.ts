// Values too large: a framer lets go of one when it is done with it, and one that no string can hold is no end of it.
import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../source_files.ts";
import { frame } from "./framing.ts";

const PROGRAM = `
  import { Framer } from "${ROOT}lib/stream/framer.ts";
  let values = 0;
  const framer = new Framer({ maxBytes: 1 << 27, onValue: () => values++, onReject: () => {} });
  const push = (text) => framer.push(new TextEncoder().encode(text));
  const heldMiB = () => Deno.memoryUsage().external / 2 ** 20;
  const before = heldMiB();
  push('{"a":"');
  for (let times = 0; times < 40; times++) push("x".repeat(1 << 20));
  push('"}\\n');
  for (let times = 0; times < 200 && heldMiB() - before > 8; times++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  console.log(values, Math.round(heldMiB() - before));
  framer.end();`;

Deno.test("a value of 40 MiB leaves no memory behind", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-lock", "--v8-flags=--expose-gc", PROGRAM],
  }).output();
  const [values, leftMiB] = new TextDecoder().decode(stdout).split(" ").map(Number);
  assertEquals([values, new TextDecoder().decode(stderr)], [1, ""]);
  assert(leftMiB <= 8, `${leftMiB} MiB are left`);
});

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
