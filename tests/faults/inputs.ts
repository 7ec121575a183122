// Faults: input that is too large, too deep, too many, or made to break a parser.
import { assert, assertEquals, assertMatch } from "@std/assert";
import { assertDense, CLOCK_LINE, hookLines, OBSERVE, sessionIds, told, transitionsOf } from "./evidence.ts";
import type { Fault } from "./fault.ts";
import { type Ran, ran, residentMiB, Running, until } from "./running.ts";

const MB = 1e6;

const hook = (hook_event_name: string, session_id: string, more: object = {}): string =>
  JSON.stringify({ hook_event_name, session_id, ...more });
const call = (session: string, more: object = {}): string =>
  hook("PreToolUse", session, { tool_name: "Bash", tool_use_id: "t1", ...more });
/** A payload with a member that JSON.stringify would not write. */
const withMember = (payload: string, member: string): string => `${payload.slice(0, -1)},${member}}`;

const BRACKETS = 100_000;
const DIGITS = "9".repeat(400);

/** An input between two good lines, each of which must come out. */
interface Case {
  readonly fault: string;
  readonly holds: string;
  /** What stands between the two good lines, itself whole lines. */
  readonly lines: () => string | Uint8Array;
  readonly args?: readonly string[];
  /** 4 where something is rejected. */
  readonly code: 0 | 4;
  /** What must be on stderr, in this order, one a line. */
  readonly said: readonly RegExp[];
  /** Looks at the transitions between those of the good lines. */
  // deno-lint-ignore no-explicit-any
  readonly check: (between: any[], end: Ran) => void;
}

const count = (expected: number): Case["check"] => (between) => assertEquals(between.length, expected);

const CASES: readonly Case[] = [
  {
    fault: "a value of 50 MB",
    holds: "it is a value like any other",
    lines: () => `${call("s", { tool_input: { command: "x".repeat(50 * MB) } })}\n`,
    code: 0,
    said: [],
    check: ([opened], { stdout }) => {
      assertEquals([opened.entryOp, opened.entryId], ["open", "t1"]);
      assert(stdout.length < 10_000, "the output does not quote it");
    },
  },
  {
    fault: "a value of 70 MB, above --max-bytes",
    holds: "rejected by place and reason; its neighbours are kept",
    lines: () => `${call("s", { tool_input: { command: "x".repeat(70 * MB) } })}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): larger than --max-bytes/],
    check: count(0),
  },
  {
    fault: "100,000 brackets, closed, in a payload",
    holds: "it is a value like any other",
    lines: () => `${withMember(call("s"), `"tool_input":${"[".repeat(BRACKETS)}${"]".repeat(BRACKETS)}`)}\n`,
    code: 0,
    said: [],
    check: ([opened]) => assertEquals(opened.entryOp, "open"),
  },
  {
    fault: "100,000 brackets, closed, by themselves",
    holds: "rejected: no object",
    lines: () => `${"[".repeat(BRACKETS)}${"]".repeat(BRACKETS)}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): a JSON array, not an object/],
    check: count(0),
  },
  {
    fault: "100,000 brackets that nobody closes",
    holds: "rejected; the next line is kept",
    lines: () => `${'{"a":['.repeat(BRACKETS / 2)}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): incomplete value/],
    check: count(0),
  },
  {
    fault: "100,000 brackets that nobody opened",
    holds: "rejected; the next line is kept",
    lines: () => `${"]}".repeat(BRACKETS / 2)}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): not JSON/],
    check: count(0),
  },
  {
    fault: "1e999 and 400 digits as numbers of a payload",
    holds: "the event counts",
    lines: () =>
      `${withMember(call("s"), `"duration_ms":1e999,"num_turns":${DIGITS}`)}\n` +
      `${withMember(hook("PostToolUse", "s", { tool_name: "Bash", tool_use_id: "t1" }), `"duration_ms":-1e999`)}\n`,
    code: 0,
    said: [],
    check: (between) => assertEquals(between.map(({ entryOp }) => entryOp), ["open", "close"]),
  },
  {
    fault: "1e999 and 400 digits as times",
    holds: "a clock that is none is rejected; a payload has the last good time",
    lines: () =>
      `{"observed_at":1e999}\n{"observed_at":${DIGITS}}\n{"observed_at":-1e999}\n${
        withMember(hook("Stop", "s"), `"timestamp":1e999`)
      }\n`,
    code: 4,
    said: [3, 4, 5].map((line) => new RegExp(`^stdin:${line} \\(byte \\d+\\): its observed_at is no time`)),
    check: ([stop]) => assertEquals(stop.at, "2026-12-01T00:00:00.000Z"),
  },
  {
    fault: "400 digits as a session id",
    holds: "rejected: an id is text",
    lines: () => `{"hook_event_name":"Stop","session_id":${DIGITS}}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): Stop without session_id/],
    check: count(0),
  },
  {
    fault: "a key twice",
    holds: "the last one counts, as everywhere in JSON.parse",
    lines: () => '{"hook_event_name":"Stop","hook_event_name":"SessionEnd","session_id":"a","session_id":"s"}\n',
    code: 0,
    said: [],
    check: ([end]) => assertEquals([end.sessionId, end.to], ["s", "ended"]),
  },
  {
    fault: "`__proto__` and `constructor` as ids, tools and keys",
    holds: "names like any other; a key lends no field",
    lines: () =>
      `${call("__proto__", { tool_name: "constructor", tool_use_id: "__proto__" })}\n` +
      `${withMember(hook("Stop", "constructor"), '"__proto__":{"agent_id":"a","cwd":"/planted"}')}\n`,
    code: 0,
    said: [],
    check: ([opened, stop]) => {
      assertEquals([opened.sessionId, opened.activity.name, opened.entryId], ["__proto__", "constructor", "__proto__"]);
      assertEquals([stop.sessionId, stop.to, stop.where.cwd], ["constructor", "idle", null]);
    },
  },
  {
    fault: "`__proto__` as an event, and payloads that hide below `__proto__`",
    holds: "counted or rejected; nothing is recorded",
    lines: () => `{"hook_event_name":"__proto__","session_id":"s"}\n{"__proto__":${hook("Stop", "s")}}\n`,
    code: 4,
    said: [/^stdin:4 \(byte \d+\): no event name/],
    check: count(0),
  },
  {
    fault: "lone surrogates in ids and names",
    holds: "accepted; the output is valid UTF-8",
    lines: () =>
      '{"hook_event_name":"PreToolUse","session_id":"\\ud800","tool_name":"\\udfff","tool_use_id":"\\ud83d"}\n',
    code: 0,
    said: [],
    check: ([opened]) => assertEquals(opened.entryOp, "open"),
  },
  {
    fault: "bytes that are no UTF-8",
    holds: "accepted as U+FFFD",
    lines: () => Uint8Array.from(`{"hook_event_name":"Stop","session_id":"\xff\xfe"}\n`, (c) => c.charCodeAt(0)),
    code: 0,
    said: [],
    check: ([stop]) => assertEquals(stop.sessionId, "\ufffd\ufffd"),
  },
  {
    fault: "a hole of 1 MB of NUL, as a crash leaves one",
    holds: "rejected once; the line behind it is kept",
    lines: () => `${"\0".repeat(1 << 20)}${hook("Stop", "s")}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): NUL bytes between values/],
    check: ([stop]) => assertEquals(stop.sessionId, "s"),
  },
  {
    fault: "a hole of NUL in the middle of a line",
    holds: "that line is rejected alone",
    lines: () => `{"hook_event_name":"Stop",${"\0".repeat(5000)}"session_id":"s"}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): not JSON/],
    check: count(0),
  },
  {
    fault: "20 MB of braces, quotes and backslashes without one value",
    holds: "linear time; the lines around it are kept",
    lines: () => `${'{"\\'.repeat(7 * MB)}\n`,
    code: 4,
    said: [/^stdin:3 \(byte \d+\): (?:not JSON|incomplete value)/],
    check: count(0),
  },
];

async function tryCase({ lines, args = [], code, said, check }: Case): Promise<string> {
  const encoder = new TextEncoder();
  const between = lines();
  const input = await new Blob([
    CLOCK_LINE,
    `${hook("Stop", "good-before")}\n`,
    typeof between === "string" ? between : new Uint8Array(between),
    encoder.encode(`${hook("Stop", "good-after")}\n`),
  ]).arrayBuffer();
  const running = new Running([...OBSERVE, ...args], { stdin: "piped" });
  await running.write(new Uint8Array(input));
  const end = await running.close();
  const words = told(end, code).replaceAll(/\(byte \d+\)/g, "(byte N)");
  new TextDecoder("utf-8", { fatal: true }).decode(running.bytes);
  const all = transitionsOf(end.stdout);
  assertEquals(all[0]?.sessionId, "good-before", end.stderr);
  assertEquals(all[all.length - 1].sessionId, "good-after", end.stderr);
  const rejections = end.stderr.split("\n").slice(0, -1).map((line) => line.replace("vigil: ", ""));
  assertEquals(rejections.length, said.length, end.stderr.slice(0, 2000));
  said.forEach((expected, at) => assertMatch(rejections[at], expected));
  check(all.slice(1, -1), end);
  return withoutExcerpt(words);
}

/** A rejection's reason without what it quotes of the input. */
const withoutExcerpt = (words: string): string =>
  words.replace(/(\(byte N\): (?:not JSON: unexpected "[^"]+"[^:]*|[^:]+)): .*$/s, "$1");

const FOLLOWED: readonly Fault[] = [
  {
    fault: "10,000 files in the followed folder",
    command: "observe --follow",
    holds: "each line of each of them once, also what is appended later; less than 400 MiB held",
    run: async (folder) => {
      const lines = [...hookLines(sessionIds(10_000), 1)];
      for (let n = 0; n < 10_000; n++) {
        Deno.writeTextFileSync(`${folder}/${n}.jsonl`, CLOCK_LINE + lines.slice(4 * n, 4 * n + 3).join(""));
      }
      const running = new Running([...OBSERVE, "--follow", folder]);
      await until("what was there is out", () => running.lineCount === 30_000);
      for (let n = 0; n < 10_000; n += 100) {
        Deno.writeTextFileSync(`${folder}/${n}.jsonl`, lines[4 * n + 3], { append: true });
      }
      await until("what was appended is out", () => running.lineCount === 30_100);
      const heldMiB = residentMiB(running.pid);
      assert(heldMiB < 400, `${heldMiB} MiB held`);
      const end = await running.terminate();
      assertEquals(assertDense(end.stdout), 30_100);
      return `30,100 lines in, as many out, each session in order; ${told(end, 0)}`;
    },
  },
  {
    fault: "a hole of 1 MB of NUL in a growing file, as a cut file with an open writer has one",
    command: "observe --follow",
    holds: "rejected once; what comes behind it is kept",
    run: async (folder) => {
      const path = `${folder}/a.jsonl`;
      Deno.writeTextFileSync(path, `${CLOCK_LINE}${hook("Stop", "s1")}\n`);
      const running = new Running([...OBSERVE, "--follow", path]);
      await until("the first line is out", () => running.lineCount === 1);
      const { size } = Deno.statSync(path);
      Deno.truncateSync(path, size + (1 << 20));
      Deno.writeTextFileSync(path, `${hook("Stop", "s2")}\n`, { append: true });
      await until("the second line is out", () => running.lineCount === 2);
      const end = await running.terminate();
      assertEquals(end.stderr.split("\n").length, 2, end.stderr);
      return withoutExcerpt(told(end, 4, folder).replace(/\(byte \d+\)/, "(byte N)"));
    },
  },
];

/** What a heartbeat file may hold, and the verdict. */
const BEATS: Readonly<Record<string, { readonly content: string; readonly code: 1 | 4 }>> = {
  "a ts of 400 digits": { content: `ts=${DIGITS}\n`, code: 4 },
  "a ts of 1e999": { content: "ts=1e999\n", code: 4 },
  "a ts twice": { content: "ts=1000000000\nts=9999999999\n", code: 1 },
  "keys `__proto__` and `constructor`": { content: "__proto__=1\nconstructor=2\nts=1000000000\n", code: 1 },
  "64 KiB of NUL, as a power cut leaves them": { content: "\0".repeat(1 << 16), code: 4 },
  "100,000 lines before its ts": { content: `${"x=1\n".repeat(BRACKETS)}ts=1000000000\n`, code: 4 },
};

export const INPUTS: readonly Fault[] = [
  ...CASES.map((one): Fault => ({
    fault: one.fault,
    command: ["observe", ...one.args ?? []].join(" "),
    holds: one.holds,
    run: () => tryCase(one),
  })),
  ...FOLLOWED,
  ...Object.entries(BEATS).map(([fault, { content, code }]): Fault => ({
    fault,
    command: "heartbeat check --explain",
    holds: code === 1 ? "stale: the first ts counts" : "invalid, never fresh",
    run: async (folder) => {
      const file = `${folder}/heartbeat`;
      Deno.writeTextFileSync(file, content);
      const end = await ran(["heartbeat", "check", "--explain", "--file", file]);
      told(end, code);
      return `exit ${code}: ${end.stderr.split("\n")[1]}`;
    },
  })),
];
