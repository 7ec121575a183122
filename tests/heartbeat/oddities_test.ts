// Heartbeat files as they were found in the wild, at 1800000000 with a limit of 300 seconds.
import { assertEquals } from "@std/assert";
import { DEFAULT_TTL, probe } from "../../lib/heartbeat/probe.ts";
import { reportLine } from "../../lib/heartbeat/report.ts";
import { readHeartbeat } from "../../lib/heartbeat/read_heartbeat.ts";

const FOLDER = new URL("../data/oddities/heartbeat/", import.meta.url).pathname;

/** The report of each file, from `state=` up to its path. */
const ANSWERS: Readonly<Record<string, string>> = {
  "age_ttl.hb": "stale ts=1799999700 age=300 ttl=300 pid=1 cli= session=",
  "age_ttl_minus1.hb": "fresh ts=1799999701 age=299 ttl=300 pid=1 cli= session=",
  "age_ttl_plus1.hb": "stale ts=1799999699 age=301 ttl=300 pid=1 cli= session=",
  "comment.hb": "fresh ts=1800000000 age=0 ttl=300 pid=1 cli= session=",
  "crlf.hb": "invalid ts= age= ttl=300 pid=42%0D cli=c%0D session=s%0D",
  "empty.hb": "invalid ts= age= ttl=300 pid= cli= session=",
  "eq_in_value.hb": "fresh ts=1800000000 age=0 ttl=300 pid=1 cli=a=b=c session=x",
  "future_1s.hb": "fresh ts=1800000001 age=-1 ttl=300 pid=1 cli= session=",
  "json.hb": "invalid ts= age= ttl=300 pid= cli= session=",
  "newline.hb": "invalid ts= age= ttl=300 pid= cli= session=",
  "no_final_newline.hb": "fresh ts=1800000000 age=0 ttl=300 pid=42 cli=c session=s",
  "no_ts.hb": "invalid ts= age= ttl=300 pid=42 cli=c session=",
  "ok.hb": "fresh ts=1800000000 age=0 ttl=300 pid=42 cli=claude session=s1",
  "pid_neg.hb": "fresh ts=1800000000 age=0 ttl=300 pid=-1 cli= session=",
  "pid_text.hb": "fresh ts=1800000000 age=0 ttl=300 pid=abc cli=c session=s",
  "spaces.hb": "invalid ts= age= ttl=300 pid= cli= session=",
  "trunc_ts.hb": "stale ts=180000 age=1799820000 ttl=300 pid= cli= session=",
  "ts_comma.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_empty.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_exp.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_float.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_hex.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_iso.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_neg.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_octal.hb": "fresh ts=1800000000 age=0 ttl=300 pid=1 cli= session=",
  "ts_spaces.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_u64max.hb": "invalid ts= age= ttl=300 pid=1 cli= session=",
  "ts_zero.hb": "stale ts=0 age=1800000000 ttl=300 pid=1 cli= session=",
  "unknown_keys.hb": "fresh ts=1800000000 age=0 ttl=300 pid=1 cli= session=",
};

Deno.test("every file of the collection has its answer here", () => {
  assertEquals([...Deno.readDirSync(FOLDER)].map((entry) => entry.name).sort(), Object.keys(ANSWERS));
});

for (const [name, answer] of Object.entries(ANSWERS)) {
  Deno.test(`the file ${name}`, () => {
    const verdict = probe(readHeartbeat(FOLDER + name), 1800000000, { ttl: DEFAULT_TTL, maxSkewSeconds: null });
    assertEquals(reportLine({ verdict, ttl: DEFAULT_TTL, file: name }), `state=${answer} file=${name}`);
  });
}
