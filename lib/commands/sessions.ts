// IO: environment, clock, the session files, stderr, stdout or the file given for it. `vigil sessions`: what the sessions of this host were last seen doing.
import { join } from "@std/path/join";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { Failure, oneLine, usageFailure } from "../failure.ts";
import { sessionsMetrics } from "../output/prometheus.ts";
import { agedAt, parseSessionFile, sessionFileName, sessionFilePrefix } from "../output/session_file.ts";
import { snapshotsText } from "../output/text.ts";
import { reasonOf } from "../reason.ts";
import type { SessionSnapshot } from "../session/model.ts";
import type { SessionsFormat } from "./formats.ts";
import { replaceOutput } from "./output_file.ts";
import type { Invocation } from "./table.ts";
import { writeStderr, writeStdout } from "./terminal.ts";
import { environmentText, jscHome } from "./variables.ts";

/** What an answer depends on besides the sessions. */
interface Setting {
  readonly nowMs: number;
  readonly color: boolean;
}

/** Snapshots -> the answer, by the name of the format. Ages are current. */
const FORMATS: Readonly<Record<SessionsFormat, (snapshots: readonly SessionSnapshot[], setting: Setting) => string>> = {
  text: (snapshots, { nowMs, color }) => snapshotsText(snapshots, { color, wholeIds: true, nowMs }),
  json: (snapshots, { nowMs }) =>
    snapshots.map((snapshot) => {
      const last = snapshot.lastTransitionAt;
      const lastTransitionAgeMs = last === null ? null : Math.max(0, nowMs - Date.parse(last));
      return `${JSON.stringify({ ...snapshot, lastTransitionAgeMs })}\n`;
    }).join(""),
  prometheus: sessionsMetrics,
};

/** More than any session's state: what is larger is not read. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** As many ids are named where one is not told from the others. */
const MAX_NAMED = 5;

/**
 * The names of the session files in `folder`, sorted. Where there is no such folder nothing was ever observed, which is
 * no failure unless somebody `named` it.
 */
function fileNames(folder: string, isNamed: boolean): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name)
      .filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotADirectory) {
      throw new Failure(
        EXIT.io,
        `cannot list "${folder}": it is no folder`,
        "give the folder that vigil observe --state-dir writes to",
      );
    }
    if (!(error instanceof Deno.errors.NotFound)) {
      throw new Failure(EXIT.io, `cannot list "${folder}": ${reasonOf(error)}`);
    }
    if (!isNamed) return [];
    throw new Failure(
      EXIT.absent,
      `there is no folder "${folder}"`,
      "vigil observe --state-dir makes it, or it is misspelt",
    );
  }
}

/** Whether something is at `path`; what cannot be looked at counts, so that the reading says why. */
function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory);
  }
}

/** The files that may hold the sessions asked for: all, the one of this `id`, else those of ids that begin like it. */
function filesFor(id: string | undefined, folder: string, isNamed: boolean): readonly string[] {
  if (id === undefined) return fileNames(folder, isNamed);
  const whole = sessionFileName(id);
  if (isThere(join(folder, whole))) return [whole];
  const prefix = sessionFilePrefix(id);
  return fileNames(folder, isNamed).filter((name) => id !== "" && name.startsWith(prefix));
}

/** `id` begins more than one session's. */
function ambiguous(id: string, snapshots: readonly SessionSnapshot[]): Failure {
  const ids = snapshots.map(({ sessionId }) => sessionId ?? "-");
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : "";
  return usageFailure(
    `"${id}" begins the ids of ${ids.length} sessions`,
    `give more of one: ${ids.slice(0, MAX_NAMED).join(", ")}${more}`,
  );
}

/** Runs `vigil sessions`. */
export function run({ options, operands }: Invocation): ExitCode {
  const isNamed = typeof options.dir === "string";
  const folder = isNamed ? options.dir as string : join(jscHome("sessions", "--dir DIR"), "sessions");
  const [id] = operands;
  const snapshots: SessionSnapshot[] = [];
  let code: ExitCode = EXIT.ok;
  const complain = (path: string, problem: string, problemCode: ExitCode) => {
    writeStderr(`vigil: ${oneLine(`cannot read "${path}": ${problem}`)}\n`);
    if (code !== EXIT.io) code = problemCode;
  };
  const nowMs = Date.now();
  for (const name of filesFor(id, folder, isNamed)) {
    const path = join(folder, name);
    try {
      const info = Deno.statSync(path);
      const snapshot = info.isFile && info.size <= MAX_FILE_BYTES
        ? parseSessionFile(Deno.readTextFileSync(path))
        : null;
      if (snapshot === null) complain(path, "not a session's state", EXIT.invalid);
      else if (snapshot.sessionId?.startsWith(id ?? "")) snapshots.push(agedAt(snapshot, nowMs));
    } catch (error) {
      // A file that is gone since the listing is a session that somebody tidied away.
      if (!(error instanceof Deno.errors.NotFound)) complain(path, reasonOf(error), EXIT.io);
    }
  }
  if (id !== undefined && snapshots.length > 1) throw ambiguous(id, snapshots);
  if (id !== undefined && snapshots.length === 0 && code === EXIT.ok) {
    throw new Failure(EXIT.absent, `no session "${id}" in "${folder}"`, "vigil sessions lists those there are");
  }
  if (snapshots.length === 0) writeStderr(`vigil: no session in "${oneLine(folder)}"\n`);
  const output = typeof options.output === "string" ? options.output : null;
  const color = output === null && Deno.stdout.isTerminal() && environmentText("NO_COLOR") === null;
  const text = FORMATS[(options.format ?? "text") as SessionsFormat](snapshots, { nowMs, color });
  if (output === null) writeStdout(text);
  else replaceOutput(output, text);
  return code;
}
