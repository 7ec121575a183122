// IO: a folder of session files, timers. Keeps each session's snapshot in a file that is always whole.
import { join } from "@std/path/join";
import { EXIT } from "../exit_codes.ts";
import { Failure } from "../failure.ts";
import { sessionFileName, sessionFileText } from "../output/session_file.ts";
import { reasonOf } from "../reason.ts";
import type { SessionSnapshot } from "../session/model.ts";

/** Each session's file is written at most once in this time. */
const WRITE_EVERY_MS = 100;
/** A temp of ours that is older has lost its writer: writing one takes milliseconds. */
const ABANDONED_MS = 60_000;
const TEMP = /^\.vigil-[0-9a-f]{32}\.tmp$/;

const encoder = new TextEncoder();

/** What a state folder needs from its owner. */
export interface StateDirOptions {
  readonly path: string;
  /** The session as it is now. */
  readonly snapshotOf: (sessionId: string) => SessionSnapshot | null;
  /** A session's file, or all of them, could not be written: said once until it can be. */
  readonly onFailure: (message: string) => void;
}

/**
 * One file a session, replaced whole by rename, at most ten times a second. Writing is done by a timer: whoever
 * blocks the event loop must call `flush` before. The folder is made private (0700), and so are the files (0600):
 * details may quote what an agent was doing.
 */
export class StateDir implements Disposable {
  readonly #options: StateDirOptions;
  readonly #temp: string;
  readonly #changed = new Set<string>();
  #timer: number | null = null;
  #writtenAt = -Infinity;
  /** The folder took no file at all when last tried. */
  #folderFails = false;
  /** Sessions whose place took no file when last tried, as something else stands there. */
  readonly #refused = new Set<string>();

  /** @throws {Failure} with exit 5 when the folder cannot be made or written to */
  constructor(options: StateDirOptions) {
    this.#options = options;
    const random = crypto.getRandomValues(new Uint8Array(16));
    const name = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
    this.#temp = join(options.path, `.vigil-${name}.tmp`);
    try {
      Deno.mkdirSync(options.path, { recursive: true, mode: 0o700 });
      this.#removeAbandoned();
      this.#fillTemp("");
      Deno.removeSync(this.#temp);
    } catch (error) {
      throw new Failure(
        EXIT.io,
        `cannot write to "${options.path}": ${reasonOf(error)}`,
        "no session's state would be kept: mend the folder, or leave --state-dir out",
      );
    }
  }

  /** Whether any session's last state could not be written. */
  get failing(): boolean {
    return this.#folderFails || this.#refused.size > 0;
  }

  /** Takes note that a session has changed; its file follows at once, or a tenth of a second after the last write. */
  touch(sessionId: string): void {
    this.#changed.add(sessionId);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.flush();
    }, Math.max(0, this.#writtenAt + WRITE_EVERY_MS - performance.now()));
  }

  /** Writes every session that has changed; what cannot be written is tried again with the next change. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writtenAt = performance.now();
    for (const sessionId of this.#changed) {
      const snapshot = this.#options.snapshotOf(sessionId);
      if (snapshot !== null) {
        const path = join(this.#options.path, sessionFileName(sessionId));
        if (!this.#prepare(snapshot, path)) return;
        if (!this.#replace(sessionId, path)) continue;
      }
      this.#changed.delete(sessionId);
    }
  }

  /** Writes what is left, and stops. */
  [Symbol.dispose](): void {
    this.flush();
  }

  /** Fills the temp; false where the folder does not take it, and then it takes no other session's either. */
  #prepare(snapshot: SessionSnapshot, path: string): boolean {
    try {
      this.#fillTemp(sessionFileText(snapshot));
      this.#folderFails = false;
      return true;
    } catch (error) {
      this.#removeTemp();
      if (!this.#folderFails) this.#complain(path, error);
      this.#folderFails = true;
      return false;
    }
  }

  /** Puts the temp in the session's place; false where something else stands there, which is that session's trouble alone. */
  #replace(sessionId: string, path: string): boolean {
    try {
      Deno.renameSync(this.#temp, path);
      this.#refused.delete(sessionId);
      return true;
    } catch (error) {
      this.#removeTemp();
      if (!this.#refused.has(sessionId)) this.#complain(path, error);
      this.#refused.add(sessionId);
      return false;
    }
  }

  #complain(path: string, error: unknown): void {
    this.#options.onFailure(`cannot write "${path}": ${reasonOf(error)}`);
  }

  #removeTemp(): void {
    try {
      Deno.removeSync(this.#temp);
    } catch {
      // It may not be there at all; the failure that matters is the first one.
    }
  }

  #fillTemp(text: string): void {
    const bytes = encoder.encode(text);
    const file = Deno.openSync(this.#temp, { write: true, createNew: true, mode: 0o600 });
    try {
      for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    } finally {
      file.close();
    }
  }

  #removeAbandoned(): void {
    for (const { name, isFile } of Deno.readDirSync(this.#options.path)) {
      if (!isFile || !TEMP.test(name)) continue;
      const leftover = join(this.#options.path, name);
      try {
        const { mtime } = Deno.lstatSync(leftover);
        if (mtime !== null && Date.now() - mtime.getTime() > ABANDONED_MS) Deno.removeSync(leftover);
      } catch {
        // Another writer was quicker, or it is another user's: not ours to complain about.
      }
    }
  }
}
