// File names for any id, and that a session's file says what the snapshot said.
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { fnv1a } from "../../lib/output/fnv.ts";
import { agedAt, parseSessionFile, sessionFileName, sessionFileText } from "../../lib/output/session_file.ts";
import { sampleSnapshot } from "./samples.ts";

const ODD_IDS = [
  "",
  ".",
  "..",
  "../../etc/passwd",
  "/",
  "a/b",
  "a\\b",
  "\u0000",
  "a\nb",
  "__proto__",
  "constructor",
  "%",
  "%2E",
  "%.json",
  "~",
  "é",
  "e\u0301",
  "👍",
  "\ud83d",
  "\ud83e",
  "\ufffd",
  "x".repeat(300),
  `${"x".repeat(299)}y`,
  `${"x".repeat(150)}~${"0".repeat(32)}`,
  "漢".repeat(300),
  "0b54ac1e-99b2-4f8d-9c0a-111122223333",
];

Deno.test("every id has a file name of its own that every file system takes", () => {
  const names = ODD_IDS.map(sessionFileName);
  assertEquals(new Set(names).size, ODD_IDS.length);
  for (const name of names) {
    assert(/^[A-Za-z0-9_%-][A-Za-z0-9._%~-]*\.json$/.test(name) && name.length <= 210, name);
  }
});

Deno.test("ordinary ids stand for themselves", () => {
  for (const id of ["0b54ac1e-99b2-4f8d-9c0a-111122223333", "ses_1.2", "__proto__"]) {
    assertEquals(sessionFileName(id), `${id}.json`);
  }
});

Deno.test("a file gives back the snapshot that was written, odd text included", () => {
  for (const id of ODD_IDS) {
    const snapshot = sampleSnapshot({ sessionId: id }, { agentId: id, abandonReason: id, abandonedAt: 1 });
    assertEquals(parseSessionFile(sessionFileText(snapshot)), snapshot);
  }
});

Deno.test("text that is no snapshot is told from one", () => {
  const whole = sessionFileText(sampleSnapshot());
  for (const broken of ["", "{}", "null", "[]", whole.slice(0, -3), whole.replace("working", "stuck")]) {
    assertEquals(parseSessionFile(broken), null, broken);
  }
  for (const field of Object.keys(JSON.parse(whole))) {
    const value = JSON.parse(whole);
    delete value[field];
    assertEquals(parseSessionFile(JSON.stringify(value)), null, `without ${field}`);
    value[field] = { wrong: "kind" };
    assertEquals(parseSessionFile(JSON.stringify(value)), null, `with a wrong ${field}`);
  }
});

Deno.test("ages are against the time given, and never negative", () => {
  const openedAt = 1_000_000;
  const age = (nowMs: number) => agedAt(sampleSnapshot({}, { openedAt }), nowMs).openEntries[0].ageMs;
  assertEquals([age(openedAt + 5), age(openedAt), age(openedAt - 5)], [5, 0, 0]);
});

Deno.test("FNV-1a gives the published values", () => {
  assertEquals(fnv1a("", 64), "cbf29ce484222325");
  assertEquals(fnv1a("a", 64), "af63dc4c8601ec8c");
  assertEquals(fnv1a("foobar", 64), "85944171f73967e8");
  assertEquals(fnv1a("", 128), "6c62272e07bb014262b821756295c58d");
  assertEquals(fnv1a("a", 128), "d228cb696f1a8caf78912b704e4a8964");
  assertNotEquals(fnv1a("ab", 128), fnv1a("ba", 128));
});
