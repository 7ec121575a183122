// IO: the heartbeat file. Writes, removes and lists it; read_heartbeat.ts reads it.
import { codeOf, REFUSED_BY_RUNTIME } from "../reason.ts";
import { FileError } from "./file_error.ts";
import { oddKind } from "./odd_kind.ts";
import { type Beat, formatRecord } from "./record.ts";
import { replaceFile } from "./replace_file.ts";

/**
 * Writes a beat: whole or not at all, and the last good one stays when it fails.
 *
 * @throws {FileError} naming the step that failed
 */
export function writeHeartbeat(path: string, beat: Beat): void {
  replaceFile(path, new TextEncoder().encode(formatRecord(beat)));
}

/** With these no file can be at a path. EACCES is not among them: what cannot be looked at may well be there. */
const NOTHING_THERE: readonly (string | null)[] = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

/**
 * Removes the file; a link goes itself, not what it points to. Nothing there is success.
 *
 * @throws {FileError} when something is, or may be, still there
 */
export function clearHeartbeat(path: string): void {
  try {
    const info = Deno.lstatSync(path);
    // Removing would take an empty directory, too; and a device is never a heartbeat, but /dev/null is soon named as one.
    if (info.isDirectory || info.isCharDevice || info.isBlockDevice) throw new Error(oddKind(info) ?? "");
    refuseSystemFolder(path);
    Deno.removeSync(path);
  } catch (error) {
    if (NOTHING_THERE.includes(codeOf(error))) return;
    throw new FileError("remove", path, error);
  }
}

/**
 * The runtime opens nothing in these folders but lets anyone remove it: /dev/stdin is a link, and what `clear` would take
 * from a whole machine is no heartbeat.
 */
function refuseSystemFolder(path: string): void {
  if (/^\/+(?:dev|proc|sys)\//.test(path)) throw new Deno.errors.NotCapable(REFUSED_BY_RUNTIME);
}

/** The names of the folders of `home` that hold a heartbeat, in order; none where `home` does not exist. */
export function listHeartbeats(home: string): string[] {
  const names: string[] = [];
  try {
    for (const { name } of Deno.readDirSync(home)) {
      if (!name.startsWith(".") && exists(`${home}/${name}/heartbeat`)) names.push(name);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

/** Whether anything is at `path`; what cannot be looked at counts, so that a report can say so. */
function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    return !NOTHING_THERE.includes(codeOf(error));
  }
}
