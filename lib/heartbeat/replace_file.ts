// IO: the target's directory. Puts a whole file in a path's place: readers see the old one or the new one, never less.
import { codeOf } from "../reason.ts";
import { FileError, type FileStep } from "./file_error.ts";
import { oddKind } from "./odd_kind.ts";

/** A temp of ours. The name does not come from the target's, which may be as long as the system allows. */
const TEMP = /^\.vigil-[0-9a-f]{32}\.tmp$/;
/** A writer locks its temp at once; one older than this and not locked has lost its writer. */
const ABANDONED_MS = 2000;

/**
 * Writes `bytes` to a new file beside `path`, flushes it to the disk and renames it over `path`. Makes the directory
 * when it is missing. A link at `path` is replaced, never followed; on failure `path` stays as it was, and no temp stays.
 * The new file's mode is 0666 less the umask, whatever the old one's was.
 *
 * @throws {FileError} naming the step that failed
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  attempt("look", path, () => refuseOddTarget(path));
  try {
    replaceOnce(path, bytes);
  } catch (error) {
    if (!(error instanceof FileError && mayPass(error))) throw error;
    replaceOnce(path, bytes);
  }
}

/** Whether a second try may succeed; makes room for it where temps of killed writers took the last of it. */
function mayPass({ step, path, cause }: FileError): boolean {
  if (step === "create temp" && codeOf(cause) === "ENOSPC") return removeAbandoned(directoryOf(path), null) > 0;
  // A writer that was stopped before it had locked its temp may find that another one took it for abandoned.
  return step === "replace" && cause instanceof Deno.errors.NotFound;
}

function replaceOnce(path: string, bytes: Uint8Array): void {
  const directory = directoryOf(path);
  const temp = createTemp(directory, path);
  try {
    removeAbandoned(directory, temp.file);
    attempt("fill temp", path, () => {
      writeAll(temp.file, bytes);
      temp.file.syncSync();
    });
    attempt("replace", path, () => Deno.renameSync(temp.path, path));
  } catch (error) {
    quietly(() => Deno.removeSync(temp.path));
    throw error;
  } finally {
    temp.file.close();
  }
}

function attempt<T>(step: FileStep, path: string, io: () => T): T {
  try {
    return io();
  } catch (cause) {
    throw new FileError(step, path, cause);
  }
}

function quietly(io: () => void): void {
  try {
    io();
  } catch {
    // Tidying up is not what the caller asked for: it must not hide how that went.
  }
}

/** The text before the last slash, so that the path stays as composed. */
function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "." : path.slice(0, Math.max(slash, 1));
}

/** A rename would not fail on a FIFO or a device but take its place. */
function refuseOddTarget(path: string): void {
  if (/(?:^|\/)\.{0,2}$/.test(path)) throw new Error("is a directory");
  const info = infoOrNull(() => Deno.lstatSync(path));
  if (info === null) return;
  const target = info.isSymlink ? infoOrNull(() => Deno.statSync(path)) : info;
  const odd = target === null ? null : oddKind(target);
  if (odd !== null) throw new Error(odd);
}

/** Null where the path cannot be looked at: then creating the temp tells why, or there is nothing to refuse. */
function infoOrNull(look: () => Deno.FileInfo): Deno.FileInfo | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function createTemp(directory: string, path: string): { readonly path: string; readonly file: Deno.FsFile } {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const name = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const temp = `${directory}/.vigil-${name}.tmp`;
  // `createNew` never opens what is there already, not even through a dangling link.
  const open = () => Deno.openSync(temp, { write: true, createNew: true, mode: 0o666 });
  let file: Deno.FsFile;
  try {
    file = open();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw new FileError("create temp", path, error);
    attempt("make directory", path, () => Deno.mkdirSync(directory, { recursive: true }));
    file = attempt("create temp", path, open);
  }
  // Where the file system has no locks the beat still counts; only tidying up after a killed writer is lost.
  quietly(() => void file.tryLockSync(true));
  return { path: temp, file };
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
}

/**
 * Removes the temps of writers that were killed: our own user's, regular, older than `ABANDONED_MS` by the file system's
 * own clock, and unlocked. Without an own temp to tell the user and the time by, whatever this user may write counts, by
 * our clock: the lock alone already tells the living from the dead but for an instant. Returns how many it removed.
 */
function removeAbandoned(directory: string, ownTemp: Deno.FsFile | null): number {
  let removed = 0;
  quietly(() => {
    let own: Deno.FileInfo | null = null;
    for (const entry of Deno.readDirSync(directory)) {
      if (!entry.isFile || !TEMP.test(entry.name)) continue;
      own ??= ownTemp?.statSync() ?? null;
      const newestMs = own === null ? Date.now() : own.mtime?.getTime() ?? 0;
      quietly(() => {
        const leftover = `${directory}/${entry.name}`;
        const info = Deno.lstatSync(leftover);
        if (!info.isFile || (own !== null && (info.uid !== own.uid || info.ino === own.ino))) return;
        if (info.mtime === null || newestMs - info.mtime.getTime() < ABANDONED_MS) return;
        const file = Deno.openSync(leftover, { write: true });
        try {
          if (!file.tryLockSync(true)) return;
          Deno.removeSync(leftover);
          removed++;
        } finally {
          file.close();
        }
      });
    }
  });
  return removed;
}
