// Spans of time, read and spelled.
import { assertEquals } from "@std/assert";
import { parseDuration, spanText } from "../../lib/heartbeat/duration.ts";

Deno.test("a span is a whole number with a unit, seconds without one", () => {
  const spans = { "90": 90_000, "90s": 90_000, "5m": 300_000, "2h": 7_200_000, "250ms": 250, "0": 0, "007": 7000 };
  for (const [text, ms] of Object.entries(spans)) assertEquals(parseDuration(text), ms, text);
  for (const text of ["", "s", "-1", "+1", "1.5", "1 s", "1d", "1S", "1m30s", "٣", "9007199254740992"]) {
    assertEquals(parseDuration(text), null, text);
  }
});

Deno.test("a span is spelled in its two greatest units", () => {
  const spans = {
    0: "0 s",
    59: "59 s",
    60: "1 min",
    61: "1 min 1 s",
    7380: "2 h 3 min",
    10800: "3 h",
    10801: "3 h",
    90000: "1 day 1 h",
    31536000: "1 year",
    1800000000: "57 years 28 days",
  };
  for (const [seconds, text] of Object.entries(spans)) assertEquals(spanText(Number(seconds)), text);
});
