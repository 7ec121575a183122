// The report line, its JSON, and the metrics.
import { assertEquals } from "@std/assert";
import { metricsText, type NamedReport } from "../../lib/heartbeat/metrics.ts";
import { DEFAULT_TTL, probe, type Sighting } from "../../lib/heartbeat/probe.ts";
import { type HeartbeatReport, reportLine, reportObject } from "../../lib/heartbeat/report.ts";

function reportOn(
  sighting: Sighting,
  name = "assistant",
  file = `/home/me/${name}/heartbeat`,
): NamedReport & HeartbeatReport {
  const verdict = probe(sighting, 1800000042, { ttl: DEFAULT_TTL, maxSkewSeconds: null });
  return { name, verdict, ttl: DEFAULT_TTL, file, reason: verdict.state === "fresh" ? null : "why" };
}

const fresh: Sighting = { kind: "file", text: "ts=01800000000\npid=7\ncli=claude\nsession=s1\n", cut: false };
const odd: Sighting = { kind: "file", text: "ts=x\npid=7 8\ncli=a\tb\u2028c%\nsession=%20%zz\r\n", cut: false };
const absent: Sighting = { kind: "absent", reason: "no such file or directory" };

Deno.test("the line has every key in order, whatever is known", () => {
  assertEquals(
    reportLine(reportOn(fresh)),
    "state=fresh ts=1800000000 age=42 ttl=300 pid=7 cli=claude session=s1 file=/home/me/assistant/heartbeat",
  );
  assertEquals(
    reportLine(reportOn(absent, "a b", "/a b/x\ny")),
    "state=absent ts= age= ttl=300 pid= cli= session= file=/a b/x%0Ay",
  );
  assertEquals(
    reportLine(reportOn(odd)),
    "state=invalid ts= age= ttl=300 pid=7%208 cli=a%09b%E2%80%A8c%25 session=%20%25zz%0D file=/home/me/assistant/heartbeat",
  );
});

Deno.test("JSON has numbers where there are numbers, null where nothing is known, and the path as it is", () => {
  assertEquals(reportObject(reportOn(fresh)), {
    state: "fresh",
    ts: 1800000000,
    ageSeconds: 42,
    ttlSeconds: 300,
    pid: 7,
    cli: "claude",
    session: "s1",
    file: "/home/me/assistant/heartbeat",
    reason: null,
  });
  const nothing = { ts: null, ageSeconds: null, ttlSeconds: 300, pid: null };
  assertEquals(reportObject(reportOn(absent, "a", "/x\ny")), {
    state: "absent",
    ...nothing,
    cli: null,
    session: null,
    file: "/x\ny",
    reason: "why",
  });
  assertEquals(reportObject(reportOn(odd)), {
    state: "invalid",
    ...nothing,
    cli: "a%09b%E2%80%A8c%25",
    session: "%20%25zz%0D",
    file: "/home/me/assistant/heartbeat",
    reason: "why",
  });
});

Deno.test("metrics name each metric once, escape labels and give no time of a sample", () => {
  assertEquals(
    metricsText([reportOn(fresh), reportOn(absent, 'b"\\c')]),
    `# HELP vigil_heartbeat_timestamp_seconds When the last beat was written, in seconds since the epoch; no sample without a readable beat.
# TYPE vigil_heartbeat_timestamp_seconds gauge
vigil_heartbeat_timestamp_seconds{name="assistant",cli="claude"} 1800000000
# HELP vigil_heartbeat_ttl_seconds From which age on a beat is stale.
# TYPE vigil_heartbeat_ttl_seconds gauge
vigil_heartbeat_ttl_seconds{name="assistant",cli="claude"} 300
vigil_heartbeat_ttl_seconds{name="b\\"\\\\c",cli=""} 300
# HELP vigil_heartbeat_state 1 for the state the heartbeat was in when this was written, 0 for the others.
# TYPE vigil_heartbeat_state gauge
vigil_heartbeat_state{name="assistant",cli="claude",state="fresh"} 1
vigil_heartbeat_state{name="assistant",cli="claude",state="stale"} 0
vigil_heartbeat_state{name="assistant",cli="claude",state="absent"} 0
vigil_heartbeat_state{name="assistant",cli="claude",state="invalid"} 0
vigil_heartbeat_state{name="b\\"\\\\c",cli="",state="fresh"} 0
vigil_heartbeat_state{name="b\\"\\\\c",cli="",state="stale"} 0
vigil_heartbeat_state{name="b\\"\\\\c",cli="",state="absent"} 1
vigil_heartbeat_state{name="b\\"\\\\c",cli="",state="invalid"} 0
`,
  );
  assertEquals(metricsText([]), "");
});
