// The least that reading JSON lines can cost in this runtime: read, find the line feed, decode, JSON.parse, forget.
const decoder = new TextDecoder();
let buffer = new Uint8Array(1 << 16);
let held = 0;
for (;;) {
  if (held === buffer.length) {
    const larger = new Uint8Array(buffer.length * 2);
    larger.set(buffer);
    buffer = larger;
  }
  const count = Deno.stdin.readSync(buffer.subarray(held));
  if (count === null) break;
  const chunk = buffer.subarray(0, held + count);
  let at = 0;
  for (let lineEnd = chunk.indexOf(0x0a, held); lineEnd >= 0; lineEnd = chunk.indexOf(0x0a, at)) {
    if (lineEnd > at) JSON.parse(decoder.decode(chunk.subarray(at, lineEnd)));
    at = lineEnd + 1;
  }
  held = chunk.length - at;
  buffer.copyWithin(0, at, at + held);
}
if (held > 0) JSON.parse(decoder.decode(buffer.subarray(0, held)));
