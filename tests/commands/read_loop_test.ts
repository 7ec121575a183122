// Reading in turns: to the end or to the signal, and nothing kept of the reads in between.
import { assertEquals } from "@std/assert";
import { readTurns } from "../../lib/commands/read_loop.ts";
import { Framer } from "../../lib/stream/framer.ts";

/** A signal that counts who listens to it. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  return { controller, signal, listeners: () => listeners };
}

const valuesInto = (seen: unknown[]) =>
  new Framer({ maxBytes: 1024, onValue: (value) => seen.push(value), onReject: () => {} });

Deno.test("a source read to its end leaves no listener behind, however often it was read", async () => {
  const { signal, listeners } = countedSignal();
  const seen: unknown[] = [];
  let left = 1000;
  const read = (buffer: Uint8Array) =>
    Promise.resolve(left-- === 0 ? null : new TextEncoder().encodeInto("{}\n", buffer).written);
  await readTurns({ read }, valuesInto(seen), () => {}, signal);
  assertEquals([seen.length, listeners()], [1000, 0]);
});

Deno.test("the signal ends a read that never comes back", async () => {
  const { controller, signal } = countedSignal();
  await readTurns({ read: () => new Promise(() => controller.abort()) }, valuesInto([]), () => {}, signal);
});
