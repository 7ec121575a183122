// What the faults leave behind: traffic whose every line is one transition, beats that are whole, folders without litter.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseSessionFile } from "../../lib/output/session_file.ts";
import { names } from "../run_vigil.ts";
import type { Ran } from "./running.ts";

/** All traffic is of this time, so that what comes out of it does not depend on when it is read. */
export const CLOCK_LINE = '{"observed_at":"2026-12-01T00:00:00.000Z"}\n';

/** The arguments that observe in silence, an object a transition. */
export const OBSERVE: readonly string[] = ["observe", "--quiet", "--format", "json"];

/** Hook lines: `turns` turns of four events in each of `sessions`, taking turns. Each line makes one transition. */
export function* hookLines(sessions: readonly string[], turns: number): Generator<string> {
  for (let turn = 0; turn < turns; turn++) {
    for (const session_id of sessions) {
      const common = { session_id, prompt_id: `prompt-${turn}`, cwd: "/home/user/project" };
      const call = { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: `call-${turn}` };
      yield `${JSON.stringify({ hook_event_name: "UserPromptSubmit", ...common, prompt: "go on" })}\n`;
      yield `${JSON.stringify({ hook_event_name: "PreToolUse", ...common, ...call })}\n`;
      yield `${JSON.stringify({ hook_event_name: "PostToolUse", ...common, ...call, tool_response: {} })}\n`;
      yield `${JSON.stringify({ hook_event_name: "Stop", ...common })}\n`;
    }
  }
}

/** Session ids. */
export const sessionIds = (count: number): string[] => Array.from({ length: count }, (_, n) => `s${n}`);

/** The lines of a JSON output, each of which must be whole. */
// deno-lint-ignore no-explicit-any
export function transitionsOf(stdout: string): any[] {
  assert(stdout === "" || stdout.endsWith("\n"), `the last line is torn: ${stdout.slice(-100)}`);
  return stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Asserts that each session's transitions are there from the first on, in their order, none twice; how many there are. */
export function assertDense(stdout: string): number {
  const last = new Map<string, { seq: number; to: string }>();
  const transitions = transitionsOf(stdout);
  for (const { sessionId, seq, from, to } of transitions) {
    const before = last.get(sessionId) ?? { seq: 0, to: "spawning" };
    assertEquals([seq, from], [before.seq + 1, before.to], sessionId);
    last.set(sessionId, { seq, to });
  }
  return transitions.length;
}

/** Asserts that a run ended with `code` and no stack trace, and says so in a few words, paths without `folder`. */
export function told({ code, signal, stderr }: Ran, expected: number, folder = ""): string {
  assert(!/^\s+at |Uncaught|panicked/m.test(stderr), `a stack trace: ${stderr}`);
  assertEquals([code, signal], [expected, null], stderr);
  const [first = ""] = stderr.split("\n").filter((line) => line.startsWith("vigil: "));
  const words = first.slice("vigil: ".length).replaceAll(folder === "" ? /$^/g : `${folder}/`, "");
  return words === "" ? `exit ${code}` : `exit ${code}: ${words}`;
}

/** The same for a program that a signal has killed. */
export function assertKilled({ signal, stderr }: Ran): void {
  assertEquals(signal, "SIGKILL", stderr);
}

/** The text of a file, empty where there is none. */
export function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

/** How many transitions a session's file speaks of, 0 where there is none. */
export const transitionCountIn = (path: string): number => parseSessionFile(textOf(path))?.transitionCount ?? 0;

/** Makes every temp in `folder` look as if its writer had died long ago; how many there are. */
export function ageTemps(folder: string): number {
  const long = new Date(Date.now() - 3600e3);
  const temps = names(folder).filter((name) => name.endsWith(".tmp"));
  for (const name of temps) {
    try {
      Deno.utimeSync(`${folder}/${name}`, long, long);
    } catch {
      // Its writer lives, and was quicker.
    }
  }
  return temps.length;
}

const WHOLE_BEAT = /^ts=\d+\npid=\d+\ncli=c\nsession=x{300}\n$/;

/** The arguments that write a beat of some length. */
export const writeArgs = (file: string, ...more: string[]): string[] => //
["heartbeat", "write", "--file", file, "--cli", "c", "--session", "x".repeat(300), ...more];

/** Asserts that the beat at `file` is one of {@linkcode writeArgs}, all of it; its text. */
export function assertWholeBeat(file: string): string {
  const text = Deno.readTextFileSync(file);
  assertMatch(text, WHOLE_BEAT);
  return text;
}
