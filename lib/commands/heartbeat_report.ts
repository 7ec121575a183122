// IO: environment, clock, the heartbeat file, stdout or the file given for it. The state of the heartbeat, printed.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { Failure, usageFailure } from "../failure.ts";
import { reasonFor } from "../heartbeat/explain.ts";
import { FileError } from "../heartbeat/file_error.ts";
import { metricsText, type NamedReport } from "../heartbeat/metrics.ts";
import { type Limits, probe } from "../heartbeat/probe.ts";
import { replaceFile } from "../heartbeat/replace_file.ts";
import { reportLine, reportObject } from "../heartbeat/report.ts";
import { listHeartbeats } from "../heartbeat/store.ts";
import { reasonOf } from "../reason.ts";
import { report as tell } from "./guard.ts";
import { fileFailure } from "./heartbeat_failure.ts";
import {
  heartbeatHome,
  limitsFrom,
  look,
  nowSeconds,
  type Place,
  placeFrom,
  placeNamed,
  textOf,
} from "./heartbeat_place.ts";
import type { Invocation } from "./table.ts";
import { writeStdout } from "./terminal.ts";

/** How each format prints reports. */
const FORMATS: Readonly<Record<string, (reports: readonly NamedReport[]) => string>> = {
  line: (reports) => reports.map((report) => `${reportLine(report)}\n`).join(""),
  json: (reports) => reports.map((report) => `${JSON.stringify(reportObject(report))}\n`).join(""),
  prometheus: metricsText,
};

function placesFrom(options: Invocation["options"]): readonly Place[] {
  if (options.all !== true) return [placeFrom(options)];
  const other = ["file", "name"].find((name) => options[name] !== undefined);
  if (other !== undefined) throw usageFailure(`--all and --${other} cannot be given together`);
  const home = heartbeatHome();
  try {
    return listHeartbeats(home).map(placeNamed);
  } catch (error) {
    throw new Failure(
      EXIT.io,
      `cannot list "${home}": ${reasonOf(error)}`,
      "give this user read and search permission on that folder",
    );
  }
}

function reportOn({ name, path }: Place, limits: Limits): NamedReport {
  const sighting = look(path);
  const now = nowSeconds();
  const verdict = probe(sighting, now, limits);
  return { name, verdict, ttl: limits.ttl, file: path, reason: reasonFor(sighting, verdict, now, limits) };
}

/** Prints the report. Of several heartbeats, one that cannot be looked at is told on stderr and costs only its own. */
export function run({ options }: Invocation): ExitCode {
  const limits = limitsFrom(options);
  const reports: NamedReport[] = [];
  let code: ExitCode = EXIT.ok;
  for (const place of placesFrom(options)) {
    try {
      reports.push(reportOn(place, limits));
    } catch (error) {
      if (options.all !== true) throw error;
      code = tell(error);
    }
  }
  const text = FORMATS[textOf(options, "format") ?? "line"](reports);
  const output = textOf(options, "output");
  if (output === null) {
    writeStdout(text);
    return code;
  }
  try {
    replaceFile(output, new TextEncoder().encode(text));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw fileFailure(error, "write", "what stood there still stands");
  }
  return code;
}
