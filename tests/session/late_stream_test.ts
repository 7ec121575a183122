// What a stream that comes late moves beside its hooks, over every capture that has both: nothing but what a table lists.
import { assertEquals } from "@std/assert";
import { merge, readLane, replay } from "./replay.ts";

const CORPUS = new URL("../data/corpus/claude/", import.meta.url).pathname;
const LATE_MS = Array.from({ length: 50 }, (_, step) => 40 * (step + 1));

const REQUEST = "a request after a Stop: a Stop that a hook refused is followed by the same; the result ends it";
const LOCAL = "a local command after the next prompt: no prompt tells its turn";
const PROCESS = "the process before, after the start of the next: its init is taken for the new one's";
const COMPACTION = "a compaction outside a turn looks the same, and returns to idle";

/** `capture: message from > to`, and why no evidence tells that it is late. */
const MOVES: Readonly<Record<string, string>> = {
  "clear_stream: result working > idle": LOCAL,
  "compact_print: assistant idle > working": PROCESS,
  "compact_print: assistant ready > working": PROCESS,
  "compact_print: result working > idle": LOCAL,
  "compact_print: system/status idle > working": COMPACTION,
  "err413: system/status errored > working": COMPACTION,
  "err413: system/status working > idle": COMPACTION,
  "sigterm: assistant ready > working": PROCESS,
  "state_events: result working > idle": REQUEST,
  "state_events: system/status idle > working": REQUEST,
  "thinking_partial: system/status idle > working": REQUEST,
  "tool_progress: system/status idle > working": REQUEST,
};

/** The messages that moved a session, how often each. */
function movesOf(name: string, lateMs: number): Map<string, number> {
  const lane = (lane: string) => readLane(`${CORPUS}${name}.${lane}.jsonl`);
  const moves = new Map<string, number>();
  for (const made of replay(merge(lane("hooks"), lane("stream"), lateMs)).transitions.values()) {
    for (const { cause, from, to } of made) {
      if (cause.kind !== "sdk-message" || from === to || from === "spawning") continue;
      const move = `${name}: ${cause.event} ${from} > ${to}`;
      moves.set(move, (moves.get(move) ?? 0) + 1);
    }
  }
  return moves;
}

Deno.test("a late stream moves a session only where the table says why", () => {
  const files = new Set([...Deno.readDirSync(CORPUS)].map(({ name }) => name));
  const names = [...files].filter((name) => name.endsWith(".hooks.jsonl")).map((name) => name.split(".")[0]);
  const late = new Set<string>();
  for (const name of names.filter((name) => files.has(`${name}.stream.jsonl`))) {
    const inTime = movesOf(name, 0);
    for (const lateMs of LATE_MS) {
      for (const [move, count] of movesOf(name, lateMs)) if (count > (inTime.get(move) ?? 0)) late.add(move);
    }
  }
  assertEquals([...late].sort(), Object.keys(MOVES).sort());
});
