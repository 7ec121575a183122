// IO: reads and watches files and folders that grow. Their bytes -> one input each, until told to stop.
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import { codeOf, reasonOf } from "../reason.ts";
import { reconcile, type SeenFile } from "../stream/reconcile.ts";
import { Tail } from "../stream/tail.ts";

/** Where the bytes of one file go. A chunk is only good during the call. */
export interface FollowedInput {
  push(chunk: Uint8Array): void;
  /** The file is over: cut, or gone and quiet. What follows under its name is another input. */
  end(): void;
}

/** What the follower tells its caller. */
export interface FollowHooks {
  /** Something a reader of the output should know, on one line. */
  notice(message: string): void;
  /** What could not be read, and why, on one line. */
  trouble(message: string): void;
  /** No more bytes for now: what was translated should be out. */
  flush(): void;
  /** Everything that was there at the start has been pushed. Called once. */
  caughtUp?(): void;
}

/** When to stop. */
export interface FollowOptions {
  /**
   * Stops the reading. What is there by then is still read, for a second at most; inputs are left open, as their files
   * are not over.
   */
  readonly signal: AbortSignal;
}

/** How following ended. */
export interface FollowResult {
  /** Paths that could not be read when it stopped. */
  readonly unreadable: readonly string[];
}

const READ_BYTES = 64 * 1024;
/** After so many bytes signals and other files get their turn. */
const TURN_BYTES = 1024 * 1024;
/** A folder may hold a file for every session there ever was; only the busiest stay open. */
const MAX_OPEN_FILES = 128;
/** How many descriptors stay free for all else once the process has reached its limit. */
const SPARE_FILES = 4;
/** How long a file without a name may be silent before it is over: a writer that holds it may still go on. */
const GONE_QUIET_MS = 10_000;
/** How often to look at such a file: watching tells nothing about it. */
const GONE_POLL_MS = 40;
/** How often to look without being told, as watching misses network file systems, links, and all but 16 events of a burst. */
const POLL_MS = 1000;
/** The same where watching does not work at all. */
const UNWATCHED_POLL_MS = 250;
/** A look may take at most one part in so many of the time where nothing happens, and where something does. */
const POLL_SHARE = 50;
const BUSY_POLL_SHARE = 8;
/** How long reading may go on after the signal. */
const STOP_MS = 1000;

interface SeenInfo extends SeenFile {
  readonly sizeBytes: number;
  readonly modifiedAt: number;
}

interface Followed {
  readonly id: string;
  path: string;
  tail: Tail;
  input: FollowedInput;
  handle: Deno.FsFile | null;
  grewAt: number;
  vanishedAt: number | null;
}

/** Which file or folder it is, whatever its name. An inode number is soon used again, so the time of birth goes with it. */
const identity = (info: Deno.FileInfo): string => `${info.dev}:${info.ino}:${info.birthtime?.getTime()}`;

function infoOf(path: string, info: Deno.FileInfo): SeenInfo {
  return { path, id: identity(info), sizeBytes: info.size, modifiedAt: info.mtime?.getTime() ?? 0 };
}

/** Wakes a waiting loop, and remembers what for. */
class Waker {
  readonly paths = new Set<string>();
  everything = false;
  #wake: (() => void) | null = null;

  path(path: string): void {
    this.paths.add(path);
    this.#wake?.();
  }

  all(): void {
    this.everything = true;
    this.#wake?.();
  }

  /** Waits for a call of the others, or `ms`. */
  async wait(ms: number): Promise<void> {
    if (this.everything || this.paths.size > 0) return;
    let timer: number | undefined;
    await new Promise<void>((done) => {
      this.#wake = done;
      timer = setTimeout(() => {
        this.everything = true;
        done();
      }, ms);
    });
    clearTimeout(timer);
    this.#wake = null;
  }
}

/** Watches folders, and again when one of them is another folder than before. */
class FolderWatch {
  readonly #waker: Waker;
  readonly #onOddName: () => void;
  readonly #watched = new Map<string, { id: string; watcher: Deno.FsWatcher }>();
  /** Why a folder's watch broke: it would break again. */
  readonly #broken = new Map<string, string>();
  /** Why the first folder that cannot be watched cannot; null while all are. */
  failure: string | null = null;

  /** @param onOddName a file has a name that the runtime cannot say, nor open; it does not tell in which folder */
  constructor(waker: Waker, onOddName: () => void) {
    this.#waker = waker;
    this.#onOddName = onOddName;
  }

  /** Watches exactly `folders` from now on; tells whether any of them was not watched before. */
  set(folders: ReadonlySet<string>): boolean {
    this.failure = null;
    let added = false;
    for (const folder of folders) {
      try {
        const broken = this.#broken.get(folder);
        if (broken !== undefined) throw new Error(broken);
        const id = identity(Deno.statSync(folder));
        if (this.#watched.get(folder)?.id === id) continue;
        this.#close(folder);
        const watcher = Deno.watchFs(folder, { recursive: false });
        this.#watched.set(folder, { id, watcher });
        added = true;
        this.#pump(folder, watcher);
      } catch (error) {
        this.#close(folder);
        this.failure ??= `cannot watch "${folder}": ${reasonOf(error)}`;
      }
    }
    for (const folder of this.#watched.keys()) if (!folders.has(folder)) this.#close(folder);
    return added;
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#close(folder);
  }

  #close(folder: string): void {
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }

  async #pump(folder: string, watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const event of watcher) {
        // Reading a file is an event too; answering it would never end.
        if (event.kind === "access") continue;
        // What is made anew in its place within the same instant may look like the same folder.
        if (event.kind === "remove") event.paths.forEach((path) => this.#close(path));
        if (event.flag === "rescan") this.#waker.all();
        else event.paths.forEach((path) => this.#waker.path(path));
      }
    } catch (error) {
      this.#waker.all();
      if (this.#watched.get(folder)?.watcher !== watcher) return;
      this.#close(folder);
      const isOddName = error instanceof TypeError && error.message.includes("UTF-8");
      if (isOddName && this.#broken.size === 0) this.#onOddName();
      this.#broken.set(folder, isOddName ? "a name is not UTF-8" : reasonOf(error));
    }
  }
}

/** The nearest folder at or above `path` that is there. */
function nearestFolder(path: string): string {
  for (let folder = path;; folder = dirname(folder)) {
    try {
      if (Deno.statSync(folder).isDirectory) return folder;
    } catch {
      // Not there, or not to be seen from here: the next one up.
    }
    if (dirname(folder) === folder) return folder;
  }
}

class Follower {
  readonly #operands: readonly string[];
  readonly #openInput: (path: string) => FollowedInput;
  readonly #hooks: FollowHooks;
  readonly #signal: AbortSignal;
  readonly #waker = new Waker();
  readonly #watch = new FolderWatch(this.#waker, () => {
    this.#hooks.trouble("a watched folder holds a name that is not UTF-8: a file under such a name is passed over");
  });
  readonly #files = new Map<string, Followed>();
  readonly #idByPath = new Map<string, string>();
  /** Why a path cannot be read, said once until it changes. */
  readonly #troubles = new Map<string, string>();
  readonly #waitedFor = new Set<string>();
  readonly #buffer = new Uint8Array(READ_BYTES);
  #unwatchedSaid = false;
  #openCount = 0;
  #maxOpen = MAX_OPEN_FILES;
  #goneCount = 0;
  /** How long the last listing of everything took. */
  #listMs = 0;
  #turnBytes = 0;
  #stopAt = Infinity;

  constructor(
    operands: readonly string[],
    signal: AbortSignal,
    openInput: (path: string) => FollowedInput,
    hooks: FollowHooks,
  ) {
    this.#operands = operands.map((operand) => resolve(operand));
    this.#signal = signal;
    this.#openInput = openInput;
    this.#hooks = hooks;
  }

  async run(): Promise<FollowResult> {
    const stop = () => {
      this.#stopAt = performance.now() + STOP_MS;
      this.#waker.all();
    };
    this.#signal.addEventListener("abort", stop);
    try {
      this.#watchFolders();
      await this.#lookAtAll();
      this.#hooks.caughtUp?.();
      this.#hooks.flush();
      let dueMs = 0;
      while (!this.#signal.aborted) {
        await this.#waker.wait(dueMs - performance.now());
        const paths = [...this.#waker.paths];
        const everything = this.#waker.everything || performance.now() >= dueMs;
        this.#waker.paths.clear();
        this.#waker.everything = false;
        if (everything || !await this.#lookAt(paths)) {
          // A folder that came into being between a look and its watch is seen by looking again.
          if (this.#watchFolders()) this.#waker.all();
          await this.#lookAtAll();
          dueMs = Infinity;
        }
        this.#hooks.flush();
        const least = this.#goneCount > 0 ? GONE_POLL_MS : this.#watch.failure === null ? POLL_MS : UNWATCHED_POLL_MS;
        const share = paths.length === 0 ? POLL_SHARE : BUSY_POLL_SHARE;
        // Events do not put off a look that is due: more of them may have come than were told.
        dueMs = Math.min(dueMs, performance.now() + Math.max(least, this.#listMs * share));
      }
      await this.#lookAtAll();
      this.#hooks.flush();
      return { unreadable: [...this.#troubles.keys()] };
    } finally {
      this.#signal.removeEventListener("abort", stop);
      this.#watch.close();
      for (const file of this.#files.values()) file.handle?.close();
    }
  }

  /** Watches every folder that matters, and above each the nearest one that is there, where a missing one will appear. */
  #watchFolders(): boolean {
    const folders = new Set<string>();
    for (const operand of this.#operands) {
      folders.add(nearestFolder(operand));
      folders.add(nearestFolder(dirname(operand)));
    }
    const added = this.#watch.set(folders);
    const { failure } = this.#watch;
    if (failure !== null && !this.#unwatchedSaid) {
      this.#unwatchedSaid = true;
      this.#hooks.notice(`${failure}: looking every ${UNWATCHED_POLL_MS} ms instead`);
    }
    return added;
  }

  /** Reads on in the files at `paths`; false when one of them is not the file it was, so that all must be looked at. */
  async #lookAt(paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      const id = this.#idByPath.get(path);
      if (id === undefined) {
        if (this.#concerns(path)) return false;
        continue;
      }
      const info = this.#stat(path);
      if (info === null || info.id !== id) return false;
      await this.#read(this.#files.get(id)!, info);
    }
    return true;
  }

  /** Whether a file or folder at `path` could be one to follow: neighbours in a watched folder mostly are not. */
  #concerns(path: string): boolean {
    return this.#operands.some((operand) =>
      operand === path || operand.startsWith(`${path}/`) || dirname(path) === operand && isLines(path)
    );
  }

  /** One look at everything: old files first, so that a renamed one is finished before its successor starts. */
  async #lookAtAll(): Promise<void> {
    const started = performance.now();
    const seen = this.#list();
    this.#listMs = performance.now() - started;
    const known = new Map([...this.#files.values()].map((file) => [file.id, file.path]));
    const { appeared, moved, vanished } = reconcile(known, seen);
    for (const { id, path } of moved) this.#files.get(id)!.path = path;
    this.#idByPath.clear();
    for (const { id, path } of seen) this.#idByPath.set(path, id);

    const now = performance.now();
    this.#goneCount = vanished.length;
    for (const id of vanished) await this.#readGone(this.#files.get(id)!, now);
    for (const info of seen) {
      const file = this.#files.get(info.id);
      if (file === undefined) continue;
      file.vanishedAt = null;
      await this.#read(file, info);
    }
    for (const info of appeared) {
      const file: Followed = {
        id: info.id,
        path: info.path,
        tail: new Tail(),
        input: this.#openInput(info.path),
        handle: null,
        grewAt: now,
        vanishedAt: null,
      };
      this.#files.set(info.id, file);
      await this.#read(file, info);
    }
  }

  /** Every file there is now, in path order. */
  #list(): SeenInfo[] {
    const seen: SeenInfo[] = [];
    for (const operand of this.#operands) {
      const names = this.#linesIn(operand);
      if (names === null) {
        const info = this.#stat(operand);
        if (info !== null) seen.push(info);
        continue;
      }
      for (const name of names) {
        const info = this.#stat(join(operand, name));
        if (info !== null) seen.push(info);
      }
    }
    return seen;
  }

  /** The `*.jsonl` of a folder, sorted; null when `path` is no folder. */
  #linesIn(path: string): string[] | null {
    try {
      if (!Deno.statSync(path).isDirectory) return null;
      const names = [...Deno.readDirSync(path)].filter((entry) => !entry.isDirectory && isLines(entry.name))
        .map((entry) => entry.name);
      this.#troubles.delete(path);
      return names.sort();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) this.#missing(path);
      else this.#trouble(path, error);
      return [];
    }
  }

  #stat(path: string): SeenInfo | null {
    try {
      const info = Deno.statSync(path);
      if (!info.isFile) throw new Error("not a regular file");
      return infoOf(path, info);
    } catch (error) {
      // Between a listing and a look files come and go.
      if (!(error instanceof Deno.errors.NotFound)) this.#trouble(path, error);
      return null;
    }
  }

  /** Reads what a file without a name still gets, until it has been silent for long enough. */
  async #readGone(file: Followed, now: number): Promise<void> {
    file.vanishedAt ??= now;
    if (file.handle !== null) {
      await this.#read(file, infoOf(file.path, file.handle.statSync()));
      if (now - Math.max(file.vanishedAt, file.grewAt) < GONE_QUIET_MS) return;
    }
    this.#close(file);
    this.#files.delete(file.id);
    this.#troubles.delete(file.path);
    file.input.end();
  }

  /** Reads `file` on to the length that `info` found. */
  async #read(file: Followed, info: SeenInfo): Promise<void> {
    const step = file.tail.look(info.sizeBytes, info.modifiedAt);
    if (step === "wait") return;
    try {
      const handle = this.#handleOf(file);
      if (step === "restart" || (step === "verify" && !this.#holds(handle, file.tail))) {
        this.#restart(file, info.sizeBytes);
      }
      handle.seekSync(file.tail.offsetBytes, Deno.SeekMode.Start);
      await this.#readTo(file, handle, info.sizeBytes);
      if (file.tail.offsetBytes === info.sizeBytes) file.tail.settle(info.modifiedAt);
      this.#troubles.delete(file.path);
    } catch (error) {
      // What has no code is the taker's own; what the runtime refuses has none either.
      if (codeOf(error) === null && !(error instanceof Deno.errors.NotCapable)) throw error;
      this.#close(file);
      this.#trouble(file.path, error);
    }
  }

  async #readTo(file: Followed, handle: Deno.FsFile, sizeBytes: number): Promise<void> {
    while (file.tail.offsetBytes < sizeBytes && performance.now() < this.#stopAt) {
      const count = handle.readSync(this.#buffer.subarray(0, sizeBytes - file.tail.offsetBytes));
      if (count === null) return;
      const chunk = this.#buffer.subarray(0, count);
      file.tail.advance(chunk);
      file.grewAt = performance.now();
      file.input.push(chunk);
      this.#turnBytes += count;
      if (this.#turnBytes < TURN_BYTES) continue;
      this.#turnBytes = 0;
      this.#hooks.flush();
      await new Promise((done) => setTimeout(done, 0));
    }
  }

  /** Whether the file still holds the bytes that were read of it, as far as they were kept. */
  #holds(handle: Deno.FsFile, tail: Tail): boolean {
    return tail.marks().every(({ offsetBytes, bytes }) => {
      handle.seekSync(offsetBytes, Deno.SeekMode.Start);
      const there = this.#buffer.subarray(0, bytes.length);
      const count = bytes.length === 0 ? 0 : handle.readSync(there);
      return count === bytes.length && bytes.every((byte, at) => byte === there[at]);
    });
  }

  #restart(file: Followed, sizeBytes: number): void {
    file.input.end();
    this.#hooks.notice(
      `"${file.path}" was cut or rewritten after ${file.tail.offsetBytes} bytes of it had been read (it has ` +
        `${sizeBytes} now): what was appended between the last read and that is not here`,
    );
    file.tail = new Tail();
    file.input = this.#openInput(file.path);
  }

  #handleOf(file: Followed): Deno.FsFile {
    if (file.handle !== null) return file.handle;
    while (this.#openCount >= this.#maxOpen && this.#closeQuietest());
    file.handle = this.#open(file.path);
    this.#openCount++;
    return file.handle;
  }

  /** Opens a file; where the process may open no more, with fewer others open from then on. */
  #open(path: string): Deno.FsFile {
    for (;;) {
      try {
        return Deno.openSync(path);
      } catch (error) {
        if (codeOf(error) !== "EMFILE" || !this.#closeQuietest()) throw error;
        this.#maxOpen = Math.max(1, Math.min(this.#maxOpen, this.#openCount - SPARE_FILES));
        while (this.#openCount > this.#maxOpen && this.#closeQuietest());
      }
    }
  }

  /** Closes the file that has been silent longest; false where none may be closed. */
  #closeQuietest(): boolean {
    let quietest: Followed | null = null;
    for (const file of this.#files.values()) {
      if (file.handle === null || file.vanishedAt !== null) continue;
      if (quietest === null || file.grewAt < quietest.grewAt) quietest = file;
    }
    if (quietest === null) return false;
    this.#close(quietest);
    return true;
  }

  #close(file: Followed): void {
    if (file.handle === null) return;
    file.handle.close();
    file.handle = null;
    this.#openCount--;
  }

  #missing(path: string): void {
    this.#troubles.delete(path);
    if (this.#waitedFor.has(path) || this.#idByPath.has(path)) return;
    this.#waitedFor.add(path);
    this.#hooks.notice(`"${path}" is not there yet: waiting for it`);
  }

  #trouble(path: string, error: unknown): void {
    const reason = reasonOf(error);
    if (this.#troubles.get(path) === reason) return;
    this.#troubles.set(path, reason);
    this.#hooks.trouble(`cannot read "${path}": ${reason}`);
  }
}

/** What a folder is read for; names that a shell's `*` leaves out are left out. */
const isLines = (path: string): boolean => /(?:^|\/)[^./][^/]*\.jsonl$/.test(path);

/**
 * Reads files and folders (all `*.jsonl` in them) that grow, each file into an input of its own, until the signal
 * comes. A file is known by its inode: it may be renamed, and what is then written under its old name is another
 * input. Missing paths are waited for.
 */
export function followInto(
  paths: readonly string[],
  options: FollowOptions,
  openInput: (path: string) => FollowedInput,
  hooks: FollowHooks,
): Promise<FollowResult> {
  return new Follower(paths, options.signal, openInput, hooks).run();
}
