// IO: environment, clock, the heartbeat file; stderr when asked for. The verdict as an exit code, and nothing else.
import type { ExitCode } from "../exit_codes.ts";
import type { Limits } from "../heartbeat/probe.ts";
import {
  durationFrom,
  EXIT_OF,
  judge,
  limitsFrom,
  type Look,
  placeFrom,
  TTL_VARIABLE,
  ttlVariable,
} from "./heartbeat_place.ts";
import type { Invocation } from "./table.ts";
import { writeStderr } from "./terminal.ts";

/** How often `--wait` looks again. */
const LOOK_EVERY_MS = 100;

/** Looks until the heartbeat is fresh or `waitMs` are over, and answers with the last look. */
async function lookUntilFresh(path: string, limits: Limits, waitMs: number): Promise<Look> {
  const end = performance.now() + waitMs;
  for (;;) {
    const last = judge(path, limits);
    const left = end - performance.now();
    if (last.verdict.state === "fresh" || left <= 0) return last;
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, LOOK_EVERY_MS)));
  }
}

/** Judges the heartbeat. */
export async function run({ options }: Invocation): Promise<ExitCode> {
  const { path } = placeFrom(options);
  const limits = limitsFrom(options);
  const waitMs = durationFrom(options, "wait");
  const { sighting, now, verdict } = waitMs === null ? judge(path, limits) : await lookUntilFresh(path, limits, waitMs);
  if (options.explain === true) {
    const { explain, ignoredTtl } = await import("../heartbeat/explain.ts");
    const { reportLine } = await import("../heartbeat/report.ts");
    const variable = ttlVariable(options);
    const lines = [
      reportLine({ verdict, ttl: limits.ttl, file: path }),
      explain(sighting, verdict, now, limits),
      variable === null ? null : ignoredTtl(TTL_VARIABLE, variable),
    ];
    writeStderr(lines.filter((line) => line !== null).map((line) => `${line}\n`).join(""));
  }
  return EXIT_OF[verdict.state];
}
