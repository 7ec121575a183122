// IO: environment, clock, the heartbeat file. Writes a beat, or one after the other.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { usageFailure } from "../failure.ts";
import { identifyAgent } from "../heartbeat/agents.ts";
import { FileError } from "../heartbeat/file_error.ts";
import { writeHeartbeat } from "../heartbeat/store.ts";
import { fileFailure } from "./file_failure.ts";
import { durationFrom, nowSeconds, placeFrom, textOf } from "./heartbeat_place.ts";
import type { Invocation } from "./table.ts";
import { environmentText } from "./variables.ts";

/** Options that mean something only between beats. */
const WITH_EVERY = ["clear-on-exit", "no-parent-check"];

/** Writes one beat, in silence; with `--every`, beats until it is told to end. */
export async function run({ options }: Invocation): Promise<ExitCode> {
  const { path } = placeFrom(options);
  const pid = textOf(options, "pid") ?? String(Deno.pid);
  if (!/^[0-9]+$/.test(pid)) throw usageFailure(`--pid "${pid}" is not a process id`);
  const agent = identifyAgent(environmentText, {
    cli: textOf(options, "cli") ?? undefined,
    session: textOf(options, "session") ?? undefined,
  });
  const everyMs = durationFrom(options, "every");
  if (everyMs === 0) throw usageFailure("--every must be above 0");

  const beat = () => {
    try {
      writeHeartbeat(path, { ts: nowSeconds(), pid, ...agent });
    } catch (error) {
      if (error instanceof FileError) throw fileFailure(error, "beat");
      throw error;
    }
  };
  if (everyMs === null) {
    const lost = WITH_EVERY.find((name) => options[name] === true);
    if (lost !== undefined) throw usageFailure(`--${lost} needs --every`);
    beat();
    return EXIT.ok;
  }
  const { beatEvery } = await import("./heartbeat_every.ts");
  return await beatEvery(everyMs, beat, {
    path,
    watchesParent: options["no-parent-check"] !== true,
    clearsOnExit: options["clear-on-exit"] === true,
  });
}
