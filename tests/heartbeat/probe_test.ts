// The verdict, from a sighting and a time.
import { assertEquals } from "@std/assert";
import { DEFAULT_TTL, type Limits, parseTs, parseTtl, probe } from "../../lib/heartbeat/probe.ts";

const NOW = 1800000000;
const limits: Limits = { ttl: DEFAULT_TTL, maxSkewSeconds: null };

function verdict(ts: string | null, change: Partial<Limits> = {}) {
  const text = `pid=1\n${ts === null ? "" : `ts=${ts}\n`}`;
  const found = probe({ kind: "file", text, cut: false }, NOW, { ...limits, ...change });
  assertEquals(found.record.pid, "1");
  return [found.state, found.ts, found.ageSeconds];
}

Deno.test("a beat is fresh below the limit and stale from it on", () => {
  assertEquals(verdict("1799999701"), ["fresh", 1799999701, 299]);
  assertEquals(verdict("1799999700"), ["stale", 1799999700, 300]);
  assertEquals(verdict("0"), ["stale", 0, NOW]);
});

Deno.test("the future is skew, and fresh, until a limit is set for it", () => {
  assertEquals(verdict("1800000010"), ["fresh", 1800000010, -10]);
  assertEquals(verdict("1800000010", { maxSkewSeconds: 10 }), ["fresh", 1800000010, -10]);
  assertEquals(verdict("1800000011", { maxSkewSeconds: 10 }), ["invalid", null, null]);
  assertEquals(verdict("1800000001", { maxSkewSeconds: 0 }), ["invalid", null, null]);
});

Deno.test("only ASCII digits up to 2^53-1 are a ts", () => {
  assertEquals(parseTs("01800000000"), NOW);
  assertEquals(parseTs("0000"), 0);
  assertEquals(parseTs("9007199254740991"), 9007199254740991);
  for (
    const text of [null, "", "-5", "+5", " 5", "5 ", "5\r", "5.0", "1e3", "0x5", "٣", "5\0", "9007199254740992"]
  ) {
    assertEquals(parseTs(text), null, JSON.stringify(text));
    assertEquals(verdict(text), ["invalid", null, null], JSON.stringify(text));
  }
});

Deno.test("a limit is a positive whole number, printed as given", () => {
  assertEquals(parseTtl("0300"), { seconds: 300, text: "0300" });
  assertEquals(parseTtl("9223372036854775807")?.text, "9223372036854775807");
  for (const text of ["", "0", "000", "-1", "+1", "1.5", " 5", "5s", "9223372036854775808", "9".repeat(400)]) {
    assertEquals(parseTtl(text), null, JSON.stringify(text));
  }
});

Deno.test("nothing found is absent, an unreadable file is invalid", () => {
  assertEquals(probe({ kind: "absent", reason: "it is a FIFO" }, NOW, limits).state, "absent");
  assertEquals(probe({ kind: "broken", reason: "input/output error" }, NOW, limits).state, "invalid");
});
