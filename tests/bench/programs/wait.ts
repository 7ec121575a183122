// A program that only waits for its input to end: what every process holds.
const buffer = new Uint8Array(1 << 16);
while (Deno.stdin.readSync(buffer) !== null);
