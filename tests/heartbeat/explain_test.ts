// The sentence for each verdict.
import { assertEquals } from "@std/assert";
import { explain, ignoredTtl, reasonFor } from "../../lib/heartbeat/explain.ts";
import { DEFAULT_TTL, probe, type Sighting } from "../../lib/heartbeat/probe.ts";

const NOW = 1800000000;
const WANTED = "whole seconds since 1970 in ASCII digits are wanted";

function sentence(sighting: Sighting, maxSkewSeconds: number | null = null): string {
  const limits = { ttl: DEFAULT_TTL, maxSkewSeconds };
  return explain(sighting, probe(sighting, NOW, limits), NOW, limits);
}

const text = (text: string, cut = false): Sighting => ({ kind: "file", text, cut });

const CASES: readonly (readonly [Sighting, string])[] = [
  [{ kind: "absent", reason: "permission denied" }, "there is no heartbeat to read: permission denied"],
  [{ kind: "broken", reason: "input/output error" }, "reading the file failed: input/output error"],
  [text("ts=1799999958\n"), "the last beat is 42 s old, the limit is 5 min"],
  [text("ts=1799992620\n"), "the last beat is 2 h 3 min old, the limit is 5 min"],
  [
    text("ts=180000"),
    "the last beat is 57 years 26 days old, the limit is 5 min: ts looks cut short, or the writer's clock was not set",
  ],
  [text("ts=1800010800\n"), "the beat is 3 h in the future, which counts as fresh"],
  [
    text("ts=1800000000000\n"),
    "ts looks like milliseconds: the beat is 57020 years 200 days in the future, which counts as fresh",
  ],
  [text("ts=1800000000000000000\n"), `ts looks like nanoseconds: ${WANTED}`],
  [text("ts=99999999999999999\n"), `ts is above 2^53-1: ${WANTED}`],
  [text(""), "the file is empty"],
  [text("\0\0\0\0"), "the file holds nothing but zeros, as after a power loss"],
  [text("\ufeffts=1800000000\n"), "the file begins with a byte order mark"],
  [text('{"ts":1800000000}'), "the file is JSON, not lines of key=value"],
  [text("pid=1\nts = 1800000000\n"), "there is white space before ts or its equal sign"],
  [text("pid=1\n"), "there is no ts line"],
  [text("", true), "there is no ts line in the first 64 KiB, and no more is read"],
  [text("ts=\n"), `ts is empty: ${WANTED}`],
  [text("ts=1800000000\r\n"), `ts ends in a carriage return: the file has Windows line ends: ${WANTED}`],
  [text("ts=-5\n"), `ts has a sign: ${WANTED}`],
  [text("ts= 1800000000\n"), `there is white space around the value of ts: ${WANTED}`],
  [text("ts=1800000000,045580\n"), `ts has a fraction: ${WANTED}`],
  [text("ts=2027-01-15T08:00:00\n"), `ts looks like a date: ${WANTED}`],
  [text("ts=0x6B49D200\n"), `ts looks like a hexadecimal number: ${WANTED}`],
  [text("ts=1.8e9\n"), `ts looks like a number with an exponent: ${WANTED}`],
  [text("ts=١٨\n"), `ts is in digits that are not ASCII: ${WANTED}`],
  [text("ts=now\n"), `ts is not a number: ${WANTED}`],
];

for (const [sighting, expected] of CASES) {
  Deno.test(`explained: ${expected}`, () => assertEquals(sentence(sighting), expected));
}

Deno.test("a beat further in the future than allowed is explained by both spans", () => {
  assertEquals(sentence(text("ts=1800010800\n"), 10), "the beat is 3 h in the future, more than the 10 s allowed");
  assertEquals(sentence(text("ts=1800000000000\n"), 10), `ts looks like milliseconds: ${WANTED}`);
});

Deno.test("a plainly fresh beat has no reason", () => {
  const limits = { ttl: DEFAULT_TTL, maxSkewSeconds: null };
  const sighting = text("ts=1800000000\n");
  assertEquals(reasonFor(sighting, probe(sighting, NOW, limits), NOW, limits), null);
});

/** The text of the variable -> what is wrong with it. */
const TTL_TEXTS: readonly (readonly [text: string | null, wrong: string | null])[] = [
  [null, null],
  ["600", null],
  ["0300", null],
  ["10m", '"10m" is no number of seconds'],
  ["abc", '"abc" is no number of seconds'],
  [" 600", '" 600" is no number of seconds'],
  ["-5", '"-5" is no number of seconds'],
  ["6\n0", '"6%0A0" is no number of seconds'],
  ["0", '"0" is not above 0 and below 2^63'],
  ["9223372036854775808", '"9223372036854775808" is not above 0 and below 2^63'],
];

Deno.test("a limit of the environment that does not count is told, and what counts instead", () => {
  for (const [text, wrong] of TTL_TEXTS) {
    assertEquals(ignoredTtl("TTL", { text, isUtf8: true }), wrong === null ? null : `TTL ${wrong}: 300 counts`);
  }
  assertEquals(ignoredTtl("TTL", { text: null, isUtf8: false }), "TTL is not valid UTF-8: 300 counts");
});
