// What single values turn out to be, case by case from data files, and what must hold for any value at all.
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { coverageOf } from "../../lib/dialects/coverage.ts";
import { type DialectName, DIALECTS, newScope, type Reading, readValue } from "../../lib/dialects/read_value.ts";
import { CAPTURED, capturesOf, CORPUS_FOLDERS, readAll, valuesOf } from "./replay.ts";

const CASES = new URL("../data/dialects/", import.meta.url).pathname;

/** A reading as a case file tells it: of `input` and `message` only the fields that matter, null for one that is not there. */
type ExpectedReading = Record<string, unknown>;

interface CaseFile {
  readonly what: string;
  readonly dialect?: DialectName;
  /** Read one after the other, as one input. */
  readonly cases: readonly { readonly value: unknown; readonly reading: ExpectedReading }[];
}

/** `reading` with no more of its event than `expected` asks about. */
function shown(reading: Reading, expected: ExpectedReading): ExpectedReading {
  const part = reading.kind === "hook" ? "input" : reading.kind === "message" ? "message" : null;
  if (part === null) return { ...reading };
  const event = (reading as unknown as Record<string, Record<string, unknown>>)[part];
  const asked = Object.keys((expected[part] ?? {}) as object);
  return { ...reading, [part]: Object.fromEntries(asked.map((field) => [field, event[field] ?? null])) };
}

const files = [...Deno.readDirSync(CASES)].map((entry) => entry.name).sort();

Deno.test("there are cases for every dialect", () => {
  for (const dialect of DIALECTS) {
    const advice = `tests/data/dialects/${dialect}_hooks.json is missing: values, and what each of them is read as`;
    assert(files.some((name) => name.startsWith(dialect)), advice);
  }
});

for (const name of files) {
  const { what, dialect, cases }: CaseFile = JSON.parse(Deno.readTextFileSync(CASES + name));
  Deno.test(`${name.replace(".json", "")}: ${what}`, () => {
    assert(cases.length > 0);
    const scope = newScope();
    for (const [at, { value, reading }] of cases.entries()) {
      const before = JSON.stringify(value);
      const actual = readValue(value, scope, dialect ?? "auto");
      assertEquals(shown(actual, reading), reading, `value ${at + 1}: ${before}`);
      assertEquals(JSON.stringify(value), before, "the value is as it was");
    }
  });
}

Deno.test("Claude Code's values are passed on without a copy", () => {
  const value = { hook_event_name: "Stop", session_id: "s1", transcript_path: "/home/user/.claude/projects/p/x.jsonl" };
  const hook = readValue(value, newScope(), "auto");
  assertStrictEquals(hook.kind === "hook" ? hook.input as unknown : null, value);
  const line = { type: "result", session_id: "s1", subtype: "success" };
  const message = readValue(line, newScope(), "auto");
  assertStrictEquals(message.kind === "message" ? message.message as unknown : null, line);
});

Deno.test("an event that is left alone costs no object", () => {
  const value = { hook_event_name: "MessageDisplay", delta: "x" };
  assertStrictEquals(readValue(value, newScope(), "auto"), readValue({ ...value }, newScope(), "auto"));
});

Deno.test("a field that is new does not move a value to another dialect", () => {
  for (const client of CAPTURED) {
    for (const capture of capturesOf(client).filter((name) => name.endsWith(".hooks"))) {
      for (const value of valuesOf(client, capture)) {
        const extended = { ...(value as object), brand_new_field: { nested: [1, 2, 3] } };
        const [plain, more] = [readAll([value])[0], readAll([extended])[0]];
        assertEquals(
          [more.kind, "dialect" in more && more.dialect],
          [plain.kind, "dialect" in plain && plain.dialect],
        );
      }
    }
  }
});

Deno.test("a value with any field of the wrong type is read or rejected, never thrown on", () => {
  const odd = [null, 0, -1, "", "x", true, [], [null], {}, { message: 5 }];
  let read = 0;
  for (const client of CAPTURED) {
    for (const capture of capturesOf(client).slice(0, 12)) {
      for (const value of valuesOf(client, capture).slice(0, 40)) {
        for (const field of Object.keys(value as object)) {
          for (const content of odd) {
            readValue({ ...(value as object), [field]: content }, newScope(), "auto");
            readValue({ ...(value as object), [field]: content }, newScope(), client);
            read++;
          }
        }
      }
    }
  }
  assert(read > 10_000, `${read} values`);
});

Deno.test("every row says why, once an event, and how it is known", () => {
  for (const dialect of DIALECTS) {
    const rows = coverageOf(dialect);
    const names = rows.map((row) => `${row.lane} ${row.event}`);
    assertEquals(names.length, new Set(names).size, `${dialect}: no event twice`);
    for (const row of rows) assert(row.reason.length > 8, `${dialect} ${row.event}`);
  }
  assert(coverageOf("cursor").every((row) => row.evidence === "documented"));
  assert(coverageOf("droid").every((row) => row.evidence === "source"));
});

/** Events that were seen running in a session whose capture was not kept. */
const SEEN_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  codex: ["SubagentStart", "SubagentStop", "PreCompact", "PostCompact"],
};

Deno.test("a row that says it was run was run: its event is in a capture", () => {
  for (const client of DIALECTS) {
    if (client === "claude") continue;
    const seen = new Set<string>();
    for (const capture of CORPUS_FOLDERS.includes(client) ? capturesOf(client) : []) {
      for (const value of valuesOf(client, capture)) {
        for (const name of namesIn(value)) seen.add(name);
      }
    }
    const claimed = coverageOf(client).filter((row) => row.evidence === "run").map((row) => row.event);
    const advice = `put a capture with it into tests/data/corpus/${client}/, or call it "source" or "documented"`;
    assertEquals(claimed.filter((event) => !seen.has(event)), SEEN_ELSEWHERE[client] ?? [], advice);
  }
});

/** The names an event may stand under in its dialect's table. */
function namesIn(value: unknown): string[] {
  const { hook_event_name, hookName, agentName, type, subtype, role, item, _registered_event } = value as Record<
    string,
    unknown
  >;
  if (typeof hook_event_name === "string") return [hook_event_name];
  if (typeof _registered_event === "string") {
    return [_registered_event.slice(0, 1).toUpperCase() + _registered_event.slice(1)];
  }
  if (typeof hookName === "string") return ["PermissionRequest"];
  if (typeof agentName === "string") return ["SubagentStart"];
  const inner = subtype ?? role ?? (item as { type?: unknown } | undefined)?.type;
  return [String(type), `${type}/${inner}`];
}
