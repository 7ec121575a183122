// The text of a heartbeat file and its fields.
import { assertEquals } from "@std/assert";
import { encodeValue, formatRecord, parseRecord, showPath, showValue } from "../../lib/heartbeat/record.ts";

Deno.test("a record reads back what was written", () => {
  const text = formatRecord({ ts: 1800000000, pid: 42, cli: "claude", session: "a b\n100%" });
  assertEquals(text, "ts=1800000000\npid=42\ncli=claude\nsession=a%20b%0A100%25\n");
  assertEquals(parseRecord(text), { ts: "1800000000", pid: "42", cli: "claude", session: "a%20b%0A100%25" });
});

Deno.test("the first line of a key counts, in any order, and nothing else matters", () => {
  const record = parseRecord("session=\nts=1\n ts=2\nxts=3\nts=4\nfoo=bar\n\nsession=s\n");
  assertEquals(record, { ts: "1", pid: null, cli: null, session: "" });
});

Deno.test("a CR, a BOM and inner equal signs stay in the value or hide the key", () => {
  assertEquals(parseRecord("\ufeffts=1\r\ncli=a=b\r\n"), { ts: null, pid: null, cli: "a=b\r", session: null });
});

Deno.test("every character that could split a line or a field is encoded, others are not", () => {
  for (let code = 0; code <= 0xffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCharCode(code);
    const unsafe = /[\p{Cc}\p{White_Space}%]/u.test(character);
    const expected = unsafe ? encodeURIComponent(character) : character;
    assertEquals(encodeValue(character), expected, `U+${code.toString(16)}`);
    assertEquals(showValue(character), expected, `U+${code.toString(16)}`);
  }
});

Deno.test("showing a stored value encodes nothing twice", () => {
  for (const value of ["a b", "100%", "%41", "\u00a0\u2028\u0085", "%%25", "ünï 🦕"]) {
    assertEquals(showValue(encodeValue(value)), encodeValue(value));
    assertEquals(decodeURIComponent(encodeValue(value)), value);
  }
  assertEquals(showValue("50% %2 %zz %0a %0A"), "50%25%20%252%20%25zz%20%0a%20%0A");
});

Deno.test("a path keeps its spaces and percent signs, but no control character", () => {
  assertEquals(showPath("/a b/100%/x\ny\u0085"), "/a b/100%/x%0Ay%C2%85");
});
