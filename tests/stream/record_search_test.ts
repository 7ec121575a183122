// Which records are found in a broken stretch, in every cut of the stretch into parts.
import { assert, assertEquals } from "@std/assert";
import { HeldBytes } from "../../lib/stream/held_bytes.ts";
import { RecordSearch } from "../../lib/stream/record_search.ts";
import type { Reject } from "../../lib/stream/reject.ts";

interface Case {
  readonly what: string;
  /** The stretch; each part that is to be found stands between `«` and `»`, which are no part of it. */
  readonly stretch: string;
  readonly maxBytes?: number;
}

const CASES: readonly Case[] = [
  { what: "nothing", stretch: "oops" },
  { what: "behind junk", stretch: 'oops «{"session_id":"a"}»' },
  { what: "by a session", stretch: 'x«{"sessionId":"a"}»' },
  { what: "by a hook event", stretch: 'x«{"hook_event_name":1}»«{"hookEventName":1}»' },
  { what: "by a clock", stretch: 'x«{"observed_at":1}»' },
  { what: "nameless", stretch: 'x{"tool_input":{"command":"ls"}}' },
  { what: "named deeper only", stretch: 'x{"a":{"session_id":"a"}}' },
  { what: "more than one, and what is between them", stretch: 'x«{"session_id":"a"}» y «{"session_id":"b"}»z' },
  { what: "one that spans lines", stretch: 'x\n«{"session_id":"a",\n"b":[1,{}]}»\n' },
  { what: "at the end of a string", stretch: '{"a":"b«{"session_id":"a"}»\nc"}' },
  { what: "in a string, but escaped", stretch: '{"a":"{\\"session_id\\":\\"a\\"}" x' },
  { what: "behind a string that ends in a brace", stretch: '{"a":"{", x «{ "session_id":"a"}»' },
  { what: "behind an escape", stretch: '{"a":"\\«{"session_id":"a"}»\nc"}' },
  { what: "behind an escaped quote", stretch: '"\\" «{"session_id":"a"}»\n' },
  { what: "behind an escape that a line feed cut", stretch: '"\\\n«{"session_id":"a"}»' },
  { what: "a brace in a string of it", stretch: 'x«{"session_id":"}"}»' },
  { what: "a member followed by a comma", stretch: 'x[{"session_id":"a"} , 1' },
  { what: "a member followed by a bracket", stretch: 'x[{"session_id":"a"}]' },
  { what: "a key twice", stretch: 'x{"session_id":"a","a":{"k":1,"k":2}}' },
  { what: "a key twice, in two objects", stretch: 'x«{"session_id":"a","a":[{"k":":"},{"k":"\\":"}]}»' },
  { what: "no JSON", stretch: 'x{"session_id":a}' },
  { what: "closed more often than opened", stretch: 'x}}«{"session_id":"a"}»' },
  { what: "of as many bytes as may be", stretch: 'x«{"session_id":"abc"}»', maxBytes: 20 },
  { what: "of more bytes", stretch: 'x{"session_id":"abcd"} «{"session_id":"abc"}»', maxBytes: 20 },
  { what: "inside a larger object", stretch: `x{"b":"${"y".repeat(99)}","a":«{"session_id":"abc"}» z`, maxBytes: 20 },
  {
    what: "with a thousand objects in it",
    stretch: `«{"session_id":"a","b":${'{"a":'.repeat(1000)}1${"}".repeat(1001)}»`,
  },
  {
    what: "with more objects in it than are kept",
    stretch: `{"session_id":"a","b":${'{"a":'.repeat(1024)}1${"}".repeat(1025)}`,
  },
  { what: "a thousand objects deep", stretch: `x${'{"a":'.repeat(1000)}«{"session_id":"a"}»x` },
  { what: "more objects deep than are kept", stretch: `x${'{"a":'.repeat(5000)}«{"session_id":"a"}»x` },
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** What an earlier stretch left open is none of the next one's. */
const EARLIER = '[{"a":"b"},[{"session_id":"left"}';
/** As long as an excerpt: nothing is searched before that is there. */
const JUNK = "x".repeat(48);
const LINE = 7;

/** A found record: its line, offset and text. */
type Found = readonly [line: number, byteOffset: number, text: string];

/** The input of a case, and what is to be found in it. Everything is ASCII. */
function inputOf(stretch: string): { readonly bytes: Uint8Array; readonly expected: readonly Found[] } {
  const text = EARLIER + JUNK + stretch.replaceAll(/[«»]/g, "");
  const expected: Found[] = [];
  for (const { index, 1: record } of stretch.matchAll(/«(.*?)»/gs)) {
    const at = EARLIER.length + JUNK.length + index - 2 * expected.length;
    expected.push([LINE + text.slice(0, at).split("\n").length - 1, at, record]);
  }
  return { bytes: encoder.encode(text), expected };
}

/** Searches both stretches; `size` more bytes are held at a time, and what the search does not need is gone. */
function searched(bytes: Uint8Array, size: number, maxBytes: number): { found: Found[]; rejects: Reject[] } {
  const held = new HeldBytes();
  const found: Found[] = [];
  const rejects: Reject[] = [];
  const search = new RecordSearch({
    held,
    maxBytes,
    onRecord: (value, line, byteOffset, byteLength) => {
      const text = decoder.decode(bytes.subarray(byteOffset, byteOffset + byteLength));
      assertEquals(value, JSON.parse(text));
      found.push([line, byteOffset, text]);
    },
    onReject: (reject) => rejects.push(reject),
  });
  held.append(bytes.subarray(0, EARLIER.length));
  search.begin({ line: 1, byteOffset: 0, byteEnd: Infinity, reason: "earlier" });
  search.advance(held.bytes.length, true);
  held.drop(held.bytes.length);

  search.begin({ line: LINE, byteOffset: held.base, byteEnd: Infinity, reason: "broken" });
  for (let at = EARLIER.length; at < bytes.length; at += size) {
    held.append(bytes.subarray(at, at + size));
    search.advance(held.bytes.length, at + size >= bytes.length);
    held.drop(search.keepFrom() - held.base);
  }
  search.end();
  return { found, rejects };
}

for (const { what, stretch, maxBytes = 1 << 20 } of CASES) {
  Deno.test(`records in a broken stretch: ${what}`, () => {
    const { bytes, expected } = inputOf(stretch);
    for (const size of [1, 2, 3, 7, 64, Infinity]) {
      const { found, rejects } = searched(bytes, size, maxBytes);
      assertEquals(found, expected, `${size} bytes at a time`);
      assertEquals(rejects.map(({ reason, line, byteOffset }) => [reason, line, byteOffset]), [
        ["earlier", 1, 0],
        ["broken", LINE, EARLIER.length],
      ]);
    }
  });
}

Deno.test("the broken value itself is no record", () => {
  for (const size of [1, 7, Infinity]) {
    const { found } = searched(encoder.encode(`${EARLIER}{"session_id":"a"} ${JUNK}`), size, 1 << 20);
    assertEquals(found, []);
  }
});

Deno.test("the reject is told once, before any record, with an excerpt that no cut changes", () => {
  const long = "oops".repeat(20);
  const rows: readonly (readonly [string, string])[] = [
    [long, long.slice(0, 48)],
    ["oops", "oops"],
    ['oops {"session_id":"a"}\n', 'oops {"session_id":"a"} '],
  ];
  for (const [stretch, excerpt] of rows) {
    for (const size of [1, 7, 47, 48, 49, Infinity]) {
      const { rejects } = searched(encoder.encode(EARLIER + stretch), size, 1 << 20);
      assertEquals(rejects.map((reject) => reject.excerpt), [EARLIER, excerpt], `${size} bytes at a time`);
    }
  }
});

Deno.test("an excerpt ends where the broken value is known to end", () => {
  const held = new HeldBytes();
  held.append(encoder.encode("[1,2 3] and more"));
  const excerpts: string[] = [];
  const search = new RecordSearch({
    held,
    maxBytes: 100,
    onRecord: () => {},
    onReject: ({ excerpt }) => excerpts.push(excerpt),
  });
  search.begin({ line: 1, byteOffset: 0, byteEnd: 7, reason: "broken" });
  search.advance(6, false);
  assertEquals(excerpts, []);
  search.advance(7, false);
  assertEquals(excerpts, ["[1,2 3]"]);
});

Deno.test("a line feed that is passed ends a string and counts", () => {
  const held = new HeldBytes();
  const found: Found[] = [];
  const search = new RecordSearch({
    held,
    maxBytes: 100,
    onRecord: (value, line, byteOffset) => found.push([line, byteOffset, JSON.stringify(value)]),
    onReject: () => {},
  });
  held.append(encoder.encode('x"y\n'));
  search.begin({ line: 1, byteOffset: 0, byteEnd: Infinity, reason: "broken" });
  search.advance(3, true);
  search.passLineFeed();
  held.append(encoder.encode('{"session_id":"a"}'));
  search.advance(held.bytes.length, false);
  assertEquals(found, []);
  search.end();
  assertEquals(found, [[2, 4, '{"session_id":"a"}']]);
});

Deno.test("no more stays held than the largest record needs", () => {
  const held = new HeldBytes();
  const search = new RecordSearch({ held, maxBytes: 1000, onRecord: () => {}, onReject: () => {} });
  held.append(encoder.encode('x{"a":'));
  search.begin({ line: 1, byteOffset: 0, byteEnd: Infinity, reason: "broken" });
  for (let times = 0; times < 100; times++) {
    held.append(encoder.encode(`${"[".repeat(97)} {"`));
    search.advance(held.bytes.length, false);
    held.drop(search.keepFrom() - held.base);
    assert(held.bytes.length <= 2200, `${held.bytes.length} bytes are held`);
  }
});
