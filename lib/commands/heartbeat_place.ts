// IO: environment. Which heartbeat a command is about and how it is judged, from the command line and the environment.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { Failure, usageFailure } from "../failure.ts";
import { parseDuration } from "../heartbeat/duration.ts";
import {
  type HeartbeatState,
  type Limits,
  parseTtl,
  probe,
  type Sighting,
  type TimeToLive,
  ttlOrDefault,
  type Verdict,
} from "../heartbeat/probe.ts";
import { readHeartbeat } from "../heartbeat/read_heartbeat.ts";
import { reasonOf } from "../reason.ts";
import type { Invocation } from "./table.ts";
import { environmentText, jscHome, type Variable, variable } from "./variables.ts";

type Options = Invocation["options"];

/** The variable that sets the limit where no option does. */
export const TTL_VARIABLE = "JSC_ASSISTANT_HEARTBEAT_TTL";

/** The name of the heartbeat that no option tells of. */
const DEFAULT_NAME = "assistant";

/** One heartbeat: what reports call it, and its path as composed. */
export interface Place {
  readonly name: string;
  readonly path: string;
}

/** A valued option's text, or null. */
export function textOf(options: Options, name: string): string | null {
  const value = options[name];
  return typeof value === "string" ? value : null;
}

/** The folder that each heartbeat has a folder in. */
export const heartbeatHome = (): string => jscHome("the heartbeat", "--file PATH");

/** The heartbeat below the home folder that `name` stands for. */
export function placeNamed(name: string): Place {
  return { name, path: `${heartbeatHome()}/${name}/heartbeat` };
}

/** The heartbeat that `--file` or `--name` means, or the default one. A file elsewhere has no name but its path. */
export function placeFrom(options: Options): Place {
  const file = textOf(options, "file");
  const name = textOf(options, "name");
  if (file !== null && name !== null) throw usageFailure("--file and --name cannot be given together");
  if (file !== null) return { name: file, path: file };
  if (name !== null && (name.includes("/") || name === "." || name === "..")) {
    throw usageFailure(`--name "${name}" is not the name of a folder`, "give a path with --file");
  }
  return placeNamed(name ?? DEFAULT_NAME);
}

/** A span that an option gives, in milliseconds. */
export function durationFrom(options: Options, name: string): number | null {
  const text = textOf(options, name);
  if (text === null) return null;
  const ms = parseDuration(text);
  if (ms === null) throw usageFailure(`--${name} "${text}" is not a time span`, "such as 90, 90s, 5m or 2h");
  return ms;
}

/** A span that an option gives, in whole seconds. */
function secondsFrom(options: Options, name: string): number | null {
  const ms = durationFrom(options, name);
  if (ms !== null && ms % 1000 !== 0) throw usageFailure(`--${name} "${options[name]}" is not in whole seconds`);
  return ms === null ? null : ms / 1000;
}

/** The variable that sets the limit; null where an option counts above it. */
export function ttlVariable(options: Options): Variable | null {
  return textOf(options, "ttl") === null ? variable(TTL_VARIABLE) : null;
}

/** The limit from `--ttl`, which must be right, or the environment, where what is wrong is as good as unset. */
function ttlFrom(options: Options): TimeToLive {
  const flag = textOf(options, "ttl");
  if (flag !== null) {
    const ttl = parseTtl(/^[0-9]+$/.test(flag) ? flag : String(secondsFrom(options, "ttl")));
    if (ttl === null) throw usageFailure(`--ttl "${flag}" is not above 0 and below 2^63 seconds`);
    return ttl;
  }
  return ttlOrDefault(environmentText(TTL_VARIABLE));
}

/** What a verdict is judged by. */
export function limitsFrom(options: Options): Limits {
  return { ttl: ttlFrom(options), maxSkewSeconds: secondsFrom(options, "max-skew") };
}

/** Looks at a heartbeat; where the runtime itself refuses the path there is no verdict, and so no state either. */
function look(path: string): Sighting {
  try {
    return readHeartbeat(path);
  } catch (error) {
    throw new Failure(EXIT.failed, `cannot look at "${path}": ${reasonOf(error)}`, "no verdict: choose another path");
  }
}

/** What `check` tells by its exit code. */
export const EXIT_OF: Readonly<Record<HeartbeatState, ExitCode>> = {
  fresh: EXIT.ok,
  stale: EXIT.stale,
  absent: EXIT.absent,
  invalid: EXIT.invalid,
};

/** What was seen, when, and what that means. */
export interface Look {
  readonly sighting: Sighting;
  readonly now: number;
  readonly verdict: Verdict;
}

/** Looks at a heartbeat and judges it. */
export function judge(path: string, limits: Limits): Look {
  const sighting = look(path);
  const now = nowSeconds();
  return { sighting, now, verdict: probe(sighting, now, limits) };
}

/** The time a verdict is made at, in seconds since the epoch. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
