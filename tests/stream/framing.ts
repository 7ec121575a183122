// Runs a framer over bytes cut in a given way and writes down all it tells.
import { Framer } from "../../lib/stream/framer.ts";

/** Everything a framer told, in order, as plain data. */
export type Told = { readonly value: unknown; readonly at: readonly [number, number, number] } | {
  readonly reject: string;
  readonly at: readonly [number, number];
  readonly excerpt: string;
};

export const MAX_BYTES = 64 << 20;

/** Frames `bytes` in chunks of the sizes that `nextSize` gives. */
export function frame(bytes: Uint8Array, nextSize: () => number, maxBytes = MAX_BYTES): Told[] {
  const told: Told[] = [];
  const framer = new Framer({
    maxBytes,
    onValue: (value, { line, byteOffset, byteLength }) => told.push({ value, at: [line, byteOffset, byteLength] }),
    onReject: ({ line, byteOffset, reason, excerpt }) => told.push({ reject: reason, at: [line, byteOffset], excerpt }),
  });
  // The chunk is overwritten after each push, as a read loop does it.
  const buffer = new Uint8Array(Math.max(1, bytes.length));
  for (let at = 0; at < bytes.length;) {
    const size = Math.min(nextSize(), bytes.length - at);
    buffer.set(bytes.subarray(at, at + size));
    framer.push(buffer.subarray(0, size));
    buffer.fill(0x7d, 0, size);
    at += size;
  }
  framer.end();
  return told;
}

/** The chunk sizes that every input must give the same result with. */
export const SIZES = [1, 2, 3, 7, 64, 1021, 65535, 65536, 65537, Infinity];
