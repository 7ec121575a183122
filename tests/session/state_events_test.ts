// Our states beside the client's own word for them, over the one capture in which the client gives it.
import { assert, assertEquals } from "@std/assert";
import type { HookInput, SdkMessage } from "../../lib/session/input.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import { SessionObserver } from "../../lib/session/observer.ts";
import { merge, readLane } from "./replay.ts";

const CAPTURE = new URL("../data/corpus/claude/state_events", import.meta.url).pathname;

/** The client's word, ours (with `permission` where one holds the session), and why they differ where they do. */
type Row = readonly [client: string, ours: string, why?: string];

const RACE = "two processes: a hook's payload is on its way while the client prints, or the other way round";

/** Every pair of words that held at the same time, in order. */
const TABLE: readonly Row[] = [
  ["nothing yet", "spawning", "the client says nothing before it runs; SessionStart has come"],
  ["running", "spawning", RACE],
  ["running", "working"],
  ["requires_action", "working", RACE],
  ["requires_action", "working, permission"],
  ["running", "working, permission", "allowed: no hook says so before the call's own end"],
  ["running", "working"],
  ["running", "idle", RACE],
  ["idle", "idle"],
  ["running", "idle", RACE],
  ["running", "working"],
  ["running", "idle", "the turn ended by Stop, and a background subagent runs on: the client counts it as running"],
  ["running", "working"],
  ["running", "idle", RACE],
  ["idle", "idle"],
  ["running", "idle", RACE],
  ["running", "working"],
  ["requires_action", "working", RACE],
  ["requires_action", "working, permission"],
  ["running", "working, permission", "allowed: no hook says so before the call's own end"],
  ["running", "interrupted", "the client goes from an interrupted turn to a queued one without a word"],
  ["running", "working"],
  ["running", "idle", RACE],
  ["idle", "idle"],
  ["idle", "ended"],
];

/** Which of our words mean the same as each of the client's. */
const AGREES: Readonly<Record<string, readonly string[]>> = {
  running: ["working"],
  requires_action: ["working, permission"],
  idle: ["idle", "ended"],
};

/** Both words over the capture, ours formed without the client's. */
function wordsOfBoth(): [string, string][] {
  let nowMs = 0;
  const machine = new SessionStateMachine({ clock: () => nowMs });
  const observer = new SessionObserver(machine);
  let client = "nothing yet";
  const pairs: [string, string][] = [];
  for (const { atMs, value } of merge(readLane(`${CAPTURE}.hooks.jsonl`), readLane(`${CAPTURE}.stream.jsonl`))) {
    nowMs = atMs;
    if (value.subtype === "session_state_changed") client = String(value.state);
    else if ("hook_event_name" in value) observer.observeHook(value as unknown as HookInput);
    else observer.observeMessage(value as SdkMessage);
    const ours = machine.activity?.kind === "permission" ? `${machine.state}, permission` : machine.state;
    const last = pairs.at(-1);
    if (last?.[0] !== client || last?.[1] !== ours) pairs.push([client, ours]);
  }
  return pairs;
}

Deno.test("our states and the client's own word differ only where the table says why", () => {
  assertEquals(wordsOfBoth(), TABLE.map(([client, ours]) => [client, ours]));
});

Deno.test("every row in which the words differ has its reason, and no other", () => {
  for (const [client, ours, why] of TABLE) {
    assertEquals(why === undefined, AGREES[client]?.includes(ours) ?? false, `${client} beside ${ours}`);
  }
  assert(TABLE.some(([client]) => client === "requires_action"));
});
