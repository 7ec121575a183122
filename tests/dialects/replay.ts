// Reads captured values in their dialects and feeds them to session machines, for tests.
import { type InputScope, newScope, readValue } from "../../lib/dialects/read_value.ts";
import { DIALECT_TRAITS, type DialectName, DIALECTS, type Reading } from "../../lib/dialects/read_value.ts";
import { SessionStateMachine } from "../../lib/session/machine.ts";
import type { SessionTransition } from "../../lib/session/model.ts";
import { SessionObserver } from "../../lib/session/observer.ts";
import type { Replay } from "../session/replay.ts";

/** The folder of captured sessions. */
export const CORPUS = new URL("../data/corpus/", import.meta.url).pathname;

/** The folders of the corpus: one a dialect that was captured. */
export const CORPUS_FOLDERS = [...Deno.readDirSync(CORPUS)].map(({ name }) => name).sort();

/** Every dialect that was captured. */
export const CAPTURED = DIALECTS.filter((dialect) => CORPUS_FOLDERS.includes(dialect));

/** Those but for Claude Code, whose captures have tests of their own as well. */
export const CLIENTS = CAPTURED.filter((dialect) => dialect !== "claude");

/** The names of a client's captures, without `.jsonl`. */
export function capturesOf(client: string): string[] {
  return [...Deno.readDirSync(CORPUS + client)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length)).sort();
}

/** A client's longest capture of a lane, leaving out what is captured in `otherThan`; null where there is none. */
export function longestCapture(
  client: string,
  lane: "hooks" | "stream",
  otherThan: string | null = null,
): string | null {
  const scenario = otherThan?.split(".", 1)[0];
  const sizeOf = (capture: string) => Deno.statSync(`${CORPUS}${client}/${capture}.jsonl`).size;
  const captures = capturesOf(client).filter((name) => name.endsWith(`.${lane}`) && name.split(".", 1)[0] !== scenario);
  return captures.sort((a, b) => sizeOf(b) - sizeOf(a))[0] ?? null;
}

/** The values of a capture that are JSON; a torn line is another test's matter. */
export function valuesOf(client: string, capture: string): unknown[] {
  const values: unknown[] = [];
  for (const line of Deno.readTextFileSync(`${CORPUS}${client}/${capture}.jsonl`).split("\n")) {
    try {
      values.push(JSON.parse(line));
    } catch {
      // Blank or torn.
    }
  }
  return values;
}

/** What each value of one input turns out to be. */
export function readAll(
  values: readonly unknown[],
  forced: DialectName | "auto" = "auto",
  scope: InputScope = newScope(),
): Reading[] {
  return values.map((value) => readValue(value, scope, forced));
}

/** Feeds readings to one machine a session, one reading a millisecond. */
export function replayReadings(readings: readonly Reading[]): Replay {
  const observers = new Map<string, SessionObserver>();
  const transitions = new Map<string, SessionTransition[]>();
  let nowMs = 0;
  for (const reading of readings) {
    nowMs++;
    if (reading.kind !== "hook" && reading.kind !== "message") continue;
    const sessionId = String(reading.kind === "hook" ? reading.input.session_id : reading.message.session_id);
    let observer = observers.get(sessionId);
    if (observer === undefined) {
      const { countsTurns } = DIALECT_TRAITS[reading.dialect];
      observer = new SessionObserver(new SessionStateMachine({ clock: () => nowMs, sessionId }), { countsTurns });
      observers.set(sessionId, observer);
    }
    const results = reading.kind === "hook"
      ? observer.observeHook(reading.input)
      : observer.observeMessage(reading.message);
    for (const result of results) {
      if (!result.ok) throw new Error(result.error.reason);
      transitions.set(sessionId, [...(transitions.get(sessionId) ?? []), result.value]);
    }
  }
  const machines = new Map(
    [...observers].filter(([id]) => transitions.has(id)).map(([id, { machine }]) => [id, machine]),
  );
  return { transitions, machines };
}
