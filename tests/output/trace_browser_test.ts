// The traces of every capture, opened by the viewer of chrome://tracing in a real browser: what it shows is what the
// transitions tell.
import { assert, assertEquals } from "@std/assert";
import { traceFormat } from "../../lib/output/trace.ts";
import { openTraces, type ShownSpan, viewerFolder } from "../../tools/trace_viewer.ts";
import { installed } from "../installed.ts";
import { withFolder } from "../run_vigil.ts";
import { hookCaptures, type Interval, intervalsOf, replayHooks, sorted, statesOf } from "./replayed.ts";

const viewer = viewerFolder();
const missing = [...await installed("chromium") ? [] : ["chromium"], ...viewer === null ? ["golang-src"] : []];
const skipped = missing.length === 0 ? "" : ` (skipped: Debian's ${missing.join(" and ")} not installed)`;

const timeOf = (ms: number): string => new Date(ms).toISOString();

function intervalOf(sessionId: string, { startMs, durationMs, args }: ShownSpan): Interval {
  const end = args.end as Interval["end"];
  return { sessionId, entryId: args.entryId!, from: timeOf(startMs), to: timeOf(startMs + durationMs), end };
}

/** State first, then the main thread, then subagents, each with its further rows. */
const RANKS = [/^state$/, /^main( · \d+)?$/, /./];
const rankOf = (thread: string): number => RANKS.findIndex((pattern) => pattern.test(thread));

Deno.test({
  name: `the viewer of chrome://tracing shows every capture's sessions, threads and spans${skipped}`,
  ignore: skipped !== "",
  fn: () =>
    withFolder(async (folder) => {
      const scenarios = hookCaptures();
      const replays = scenarios.map((scenario) => replayHooks(scenario, traceFormat));
      const shown = await openTraces(viewer!, folder, replays.map(({ text }) => text));
      assertEquals(shown.length, scenarios.length);
      for (const [at, { warnings, processes, headings }] of shown.entries()) {
        const scenario = scenarios[at];
        assertEquals(warnings, [], scenario);

        const sessionIds = [...new Set(replays[at].transitions.map(({ sessionId }) => sessionId!))];
        assertEquals(processes.map(({ name }) => name), sessionIds.map((id) => `session ${id}`), scenario);
        assertEquals(headings, processes.flatMap(({ threads }) => threads.map(({ name }) => name)), scenario);

        const intervals: Interval[] = [];
        for (const [number, { threads }] of processes.entries()) {
          const ranks = threads.map(({ name }) => rankOf(name));
          assertEquals(ranks, ranks.toSorted(), scenario);
          const [states, ...others] = threads;
          assertEquals(states.spans.at(-1)?.isNested, false, scenario);
          assertEquals(states.spans.map(({ name }) => name), statesOf(replays[at], sessionIds[number]), scenario);
          for (const { spans } of others) intervals.push(...spans.map((span) => intervalOf(sessionIds[number], span)));
          const nested = threads.flatMap(({ spans }) => spans.filter((span) => span.isNested && span.durationMs > 0));
          assertEquals(nested, [], scenario);
        }
        assertEquals(sorted(intervals), sorted(intervalsOf(replays[at])), scenario);
      }
      assert(shown.some(({ headings }) => headings.some((heading) => rankOf(heading) === RANKS.length - 1)));
    }),
});
