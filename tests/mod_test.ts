// The library outside of Deno: bundled for browsers, run by Node.
import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path/join";
import {
  type AgedEntry,
  COVERAGE,
  type EntryOp,
  type Result,
  type SessionSnapshot,
  SessionStateMachine,
  type SessionTransition,
  type TransitionRequest,
} from "../mod.ts";
import { installed } from "./installed.ts";
import { withFolder } from "./run_vigil.ts";
import { ROOT } from "./source_files.ts";

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** What an embedder does with the library, without a Deno API in sight. */
const PROGRAM = `
import * as vigil from "./vigil.js";

let now = Date.UTC(2026, 0, 1);
const heard = [];
const reporter = new vigil.SessionStateReporter();
const observers = ["s1", "s2"].map((sessionId) => {
  const machine = new vigil.SessionStateMachine({ clock: () => now, sessionId, correlationId: "host-" + sessionId });
  machine.onTransition(({ seq, from, to }) => heard.push([sessionId, seq, from, to]));
  reporter.add(machine);
  return new vigil.SessionObserver(machine);
});
const [first, second] = observers;
first.created("asked for");
first.observeMessage({ type: "system", subtype: "init", session_id: "s1", model: "m" });
first.observeHook({ hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/w" });
first.observeHook({ hook_event_name: "PreToolUse", session_id: "s1", tool_name: "Bash", tool_use_id: "t1" });
second.observeMessage({ type: "system", subtype: "init", session_id: "s2" });
now += 60_000;
const rejected = first.machine.record({ to: "idle", cause: { kind: "hook", event: "Nope", detail: "" } });
console.log(JSON.stringify({
  heard,
  rejected: rejected.ok ? null : rejected.error.reason,
  snapshot: first.machine.snapshot(),
  sessions: reporter.list().map(({ sessionId, state }) => [sessionId, state]),
  open: reporter.openEntries().map(({ sessionId, entryId, ageMs }) => [sessionId, entryId, ageMs]),
  rows: vigil.COVERAGE.length,
  discriminator: vigil.discriminatorOf({ type: "system", subtype: "init" }),
  beat: vigil.parseRecord(vigil.formatRecord({ ts: 1, pid: 2, cli: "claude", session: "s1" })),
}));
`;

const node = await installed("node");

Deno.test({
  name: `the library bundles without Deno and runs in Node${node ? "" : " (skipped: no node here)"}`,
  ignore: !node,
  fn: () =>
    withFolder(async (folder) => {
      const bundle = join(folder, "vigil.js");
      const args = ["bundle", "--quiet", "--lock=deno.lock", "--platform", "browser", "-o", bundle, "mod.ts"];
      await run(Deno.execPath(), args, ROOT);
      const code = await Deno.readTextFile(bundle);
      assertEquals(code.match(/\bDeno\b|\brequire\(|\bprocess\.|from "/g), null);
      await Deno.writeTextFile(join(folder, "package.json"), '{ "type": "module" }');
      await Deno.writeTextFile(join(folder, "embed.js"), PROGRAM);

      const said = JSON.parse(await run("node", ["embed.js"], folder));
      assertEquals(said.heard, [
        ["s1", 1, "spawning", "spawning"],
        ["s1", 2, "spawning", "ready"],
        ["s1", 3, "ready", "working"],
        ["s1", 4, "working", "working"],
        ["s2", 1, "spawning", "ready"],
      ]);
      assertMatch(said.rejected, /"hook\/Nope"/);
      const { state, activity, where, correlationId, lastTransitionAt, transitionCount } = said.snapshot;
      assertEquals([state, activity, where.cwd, correlationId, lastTransitionAt, transitionCount], [
        "working",
        { kind: "tool", name: "Bash" },
        "/w",
        "host-s1",
        "2026-01-01T00:00:00.000Z",
        4,
      ]);
      assertEquals(said.sessions, [["s1", "working"], ["s2", "ready"]]);
      assertEquals(said.open, [["s1", "t1", 60_000]]);
      assertEquals([said.rows, said.discriminator], [COVERAGE.length, "system/init"]);
      assertEquals(said.beat, { ts: "1", pid: "2", cli: "claude", session: "s1" });
    }),
});

Deno.test("the library has the types that embedders write down", () => {
  // Types leave nothing at run time: this compiles, or the type check fails.
  const entry: EntryOp = { op: "close", entryId: "t1" };
  const request: TransitionRequest = { to: "idle", cause: { kind: "hook", event: "Stop", detail: "" }, entry };
  const machine = new SessionStateMachine({ clock: () => 0 });
  const result: Result<SessionTransition> = machine.record(request);
  const snapshot: SessionSnapshot = machine.snapshot();
  const entries: readonly AgedEntry[] = snapshot.openEntries;
  assertEquals([result.ok, snapshot.state, entries.length], [true, "idle", 0]);
});
