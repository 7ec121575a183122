// What the script that the contract comes from answered (tests/data/heartbeat/facts.json), and what vigil answers.
import { assert, assertEquals } from "@std/assert";
import { type HeartbeatState, parseTs, probe, ttlOrDefault } from "../../lib/heartbeat/probe.ts";
import { reportLine } from "../../lib/heartbeat/report.ts";
import { readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";
import type { Facts } from "../../tools/heartbeat_facts.ts";
import { runVigil, withFolder } from "../run_vigil.ts";
import { ROOT } from "../source_files.ts";
import { kindAt, PLACES } from "./places.ts";

const facts: Facts = JSON.parse(Deno.readTextFileSync(`${ROOT}tests/data/heartbeat/facts.json`));
const EXIT: Readonly<Record<HeartbeatState, number>> = { fresh: 0, stale: 1, absent: 3, invalid: 4 };

const bytesOf = (latin1: string) => Uint8Array.from(latin1, (character) => character.charCodeAt(0));
const latin1Of = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");

type Answer = readonly [code: number, line: string];

/** A way in which vigil answers otherwise on purpose: its row in docs/heartbeat.md, and what vigil answers. */
interface Difference {
  readonly row: string;
  /** What vigil answers to a file of this name and content; null where the difference does not concern it. */
  answer(name: string, content: string, script: Answer): Answer | null;
}

/** The report from `pid=` on, for files whose values are shown otherwise. */
const ENCODED: Readonly<Record<string, string>> = {
  "CRLF": "pid=42%0D cli=c%0D session=s%0D",
  "CR in values": "pid=42%0D cli=c%0D session=",
  "blank in values": "pid=4%202 cli=c%20d session=s%09t",
  "percent in values": "pid= cli=100%25 session=%41%25zz",
  "control characters": "pid= cli=%1B[31mred session=a%07b%7F",
  "no-break space": "pid= cli=a%C2%A0b session=",
};

const invalid = (line: string): Answer => [4, line.replace(/^state=\S* ts=\S* age=\S*/, "state=invalid ts= age=")];

const DIFFERENCES: readonly Difference[] = [
  {
    row: "`ts` above 2^53-1",
    answer: (_, content, [, line]) => {
      const ts = /^ts=([0-9]+)$/m.exec(content)?.[1];
      return ts !== undefined && parseTs(ts) === null ? invalid(line) : null;
    },
  },
  { row: "a NUL in `ts`", answer: (name, _, [, line]) => name === "NUL in ts" ? invalid(line) : null },
  {
    row: "white space, control characters or `%` in `pid`, `cli`, `session`",
    answer: (name, _, [code, line]) => {
      const shown = ENCODED[name];
      return shown === undefined ? null : [code, line.replace(/pid=[^]* file=/, () => `${shown} file=`)];
    },
  },
  {
    row: "bytes that are no UTF-8",
    answer: (name, _, [code, line]) =>
      name === "not UTF-8" ? [code, line.replaceAll("\u00e9", latin1Of("\ufffd"))] : null,
  },
];

Deno.test(`${facts.files.length} files x limits: vigil answers as the script did, but for the documented differences`, async () => {
  assert(facts.files.length >= 200 && facts.answers.length >= 1000);
  const met = new Set<string>();
  await withFolder((folder) => {
    let written = -1;
    for (const [fileAt, ttlAt, code, line] of facts.answers) {
      const [name, content] = facts.files[fileAt];
      if (written !== fileAt) Deno.writeFileSync(`${folder}/heartbeat`, bytesOf(content));
      written = fileAt;
      const ttl = ttlOrDefault(facts.ttls[ttlAt] || null);
      const verdict = probe(readHeartbeat(`${folder}/heartbeat`), facts.now, { ttl, maxSkewSeconds: null });
      const ours: Answer = [EXIT[verdict.state], latin1Of(reportLine({ verdict, ttl, file: "FILE" }))];
      const difference = DIFFERENCES.find((each) => each.answer(name, content, [code, line]) !== null);
      assertEquals(ours, difference?.answer(name, content, [code, line]) ?? [code, line], name);
      if (difference === undefined) continue;
      assert(ours[0] !== code || ours[1] !== line, `${name}: ${difference.row} is no difference`);
      met.add(difference.row);
    }
  });
  assertEquals(met.size, DIFFERENCES.length);
  const docs = Deno.readTextFileSync(`${ROOT}docs/heartbeat.md`);
  for (const row of met) assert(docs.includes(`| ${row} `), `docs/heartbeat.md has a row "${row}"`);
});

/** Answers that hold at any time: the file says nothing readable, or a time far from now. */
const TIMELESS = facts.answers.filter(([, , , line]) => {
  const age = Number(/ age=(-?\d*) /.exec(line)?.[1]);
  return line.startsWith("state=invalid") || Math.abs(age) > 1_000_000_000;
}).filter(([file, , code, line]) =>
  DIFFERENCES.every((each) => each.answer(...facts.files[file], [code, line]) === null)
);

Deno.test("the program itself answers as the script did to a sample of them", async () => {
  const sample = TIMELESS.filter((_, at) => at % Math.ceil(TIMELESS.length / 12) === 0);
  assert(sample.length >= 8);
  const withoutAge = (line: string) => line.replace(/ age=-?\d+ /, " age=N ");
  await withFolder(async (folder) => {
    const file = `${folder}/assistant/heartbeat`;
    Deno.mkdirSync(`${folder}/assistant`);
    for (const [fileAt, ttlAt, code, line] of sample) {
      Deno.writeFileSync(file, bytesOf(facts.files[fileAt][1]));
      const ttl = facts.ttls[ttlAt];
      const env = { JSC_HOME: folder, ...(ttl === null ? {} : { JSC_ASSISTANT_HEARTBEAT_TTL: ttl }) };
      assertEquals(await runVigil(["heartbeat", "check"], { env }), { code, stdout: "", stderr: "" });
      const report = await runVigil(["heartbeat", "report"], { env });
      assertEquals(withoutAge(latin1Of(report.stdout)), `${withoutAge(line).replace(/FILE$/, file)}\n`);
    }
  });
});

for (const place of PLACES) {
  Deno.test(`with ${place.name} in its place, every command ends as the script did`, async () => {
    const rows = facts.places.filter(([name]) => name === place.name);
    assertEquals(rows.map(([, command]) => command), ["check", "report", "write", "clear"]);
    for (const [, command, code, before, after] of rows) {
      await withFolder(async (folder) => {
        const file = `${folder}/assistant/heartbeat`;
        const look = () => `${kindAt(file)}, ${kindAt(`${folder}/target`)}`;
        await place.make(folder, file);
        assertEquals(look(), before);
        const env = { JSC_HOME: folder, JSC_ASSISTANT_HEARTBEAT_TTL: "9000000000" };
        const outcome = await runVigil(["heartbeat", command], { env });
        assertEquals([outcome.code, look()], [code, after], command);
        assertEquals(outcome.stderr === "", code !== 5, command);
      });
    }
  });
}
