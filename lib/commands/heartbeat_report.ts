// IO: environment, clock, the heartbeat file, stdout or the file given for it. The state of the heartbeat, printed.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { Failure, usageFailure } from "../failure.ts";
import type { Limits } from "../heartbeat/probe.ts";
import { type Finding, reportLine, reportObject } from "../heartbeat/report.ts";
import { reasonOf } from "../reason.ts";
import { report as tell } from "./guard.ts";
import {
  heartbeatHome,
  judge,
  limitsFrom,
  type Look,
  type Place,
  placeFrom,
  placeNamed,
  textOf,
} from "./heartbeat_place.ts";
import type { ReportFormat } from "./heartbeat_table.ts";
import type { Invocation } from "./table.ts";
import { writeStdout } from "./terminal.ts";

/** What is known of one heartbeat. */
interface NamedLook extends Look, Finding {
  readonly name: string;
  readonly limits: Limits;
}

/** How each format prints what was found; what the line has no use for is loaded when it is asked for. */
const FORMATS: Readonly<Record<ReportFormat, (looks: readonly NamedLook[]) => string | Promise<string>>> = {
  line: (looks) => looks.map((look) => `${reportLine(look)}\n`).join(""),
  json: async (looks) => {
    const { reasonFor } = await import("../heartbeat/explain.ts");
    return looks.map((look) => {
      const reason = reasonFor(look.sighting, look.verdict, look.now, look.limits);
      return `${JSON.stringify(reportObject({ ...look, reason }))}\n`;
    }).join("");
  },
  prometheus: async (looks) => (await import("../heartbeat/metrics.ts")).metricsText(looks),
};

async function placesFrom(options: Invocation["options"]): Promise<readonly Place[]> {
  if (options.all !== true) return [placeFrom(options)];
  const other = ["file", "name"].find((name) => options[name] !== undefined);
  if (other !== undefined) throw usageFailure(`--all and --${other} cannot be given together`);
  const { listHeartbeats } = await import("../heartbeat/store.ts");
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

function lookAt({ name, path }: Place, limits: Limits): NamedLook {
  return { ...judge(path, limits), name, limits, ttl: limits.ttl, file: path };
}

/** Prints the report. Of several heartbeats, one that cannot be looked at is told on stderr and costs only its own. */
export async function run({ options }: Invocation): Promise<ExitCode> {
  const limits = limitsFrom(options);
  const looks: NamedLook[] = [];
  let code: ExitCode = EXIT.ok;
  for (const place of await placesFrom(options)) {
    try {
      looks.push(lookAt(place, limits));
    } catch (error) {
      if (options.all !== true) throw error;
      code = tell(error);
    }
  }
  const text = await FORMATS[(options.format ?? "line") as ReportFormat](looks);
  const output = textOf(options, "output");
  if (output === null) writeStdout(text);
  else (await import("./output_file.ts")).replaceOutput(output, text);
  return code;
}
