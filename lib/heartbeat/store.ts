// IO: the heartbeat file. Reads, writes and removes it; judges nothing.
import { codeOf, reasonOf, REFUSED_BY_RUNTIME } from "../reason.ts";
import { FileError } from "./file_error.ts";
import type { Sighting } from "./probe.ts";
import { type Beat, formatRecord } from "./record.ts";
import { oddKind, replaceFile } from "./replace_file.ts";

/** As much of a file as is read: a heartbeat has about a hundred bytes, and whatever is larger is not one. */
export const MAX_BYTES = 64 * 1024;

/**
 * Looks at `path`, following links. Never opens anything but a regular file, so it cannot block.
 *
 * @throws {Deno.errors.NotCapable} where the runtime itself refuses the path: that is no verdict about the file
 */
export function readHeartbeat(path: string): Sighting {
  let file: Deno.FsFile;
  try {
    const odd = oddKind(Deno.statSync(path));
    if (odd !== null) return { kind: "absent", reason: `it ${odd}` };
    file = Deno.openSync(path, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return { kind: "absent", reason: reasonOf(error) };
  }
  try {
    const { bytes, cut } = readStart(file);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    // The last line of a cut text may be half a value, and half a number is another number.
    return { kind: "file", text: cut ? text.slice(0, text.lastIndexOf("\n") + 1) : text, cut };
  } catch (error) {
    return { kind: "broken", reason: reasonOf(error) };
  } finally {
    file.close();
  }
}

function readStart(file: Deno.FsFile): { readonly bytes: Uint8Array; readonly cut: boolean } {
  const buffer = new Uint8Array(MAX_BYTES);
  let length = 0;
  while (length < buffer.length) {
    const count = file.readSync(buffer.subarray(length));
    if (count === null) break;
    length += count;
  }
  return { bytes: buffer.subarray(0, length), cut: file.statSync().size > length };
}

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
