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

Deno.test("a source that is not ready is asked again, one that fails is not", async () => {
  const seen: unknown[] = [];
  const answers = [
    new Deno.errors.WouldBlock(),
    new Deno.errors.Interrupted(),
    "{}",
    new Deno.errors.WouldBlock(),
    null,
  ];
  const read = (buffer: Uint8Array) => {
    const answer = answers.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(answer === null ? null : new TextEncoder().encodeInto(answer ?? "", buffer).written);
  };
  const { signal } = new AbortController();
  await readTurns({ read }, valuesInto(seen), () => {}, signal);
  assertEquals([seen.length, answers.length], [1, 0]);
  const failing = { read: () => Promise.reject(new Deno.errors.BadResource("gone")) };
  const thrown = await readTurns(failing, valuesInto([]), () => {}, signal).catch((error) => error);
  assertEquals(thrown instanceof Deno.errors.BadResource, true);
});
