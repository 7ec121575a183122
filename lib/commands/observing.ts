// IO: stdout, stderr, clock. One run of `observe`, whatever it reads: bytes of many inputs in, printed transitions out.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { oneLine } from "../failure.ts";
import type { EntryLookup, TransitionFormat } from "../output/format.ts";
import { Framer } from "../stream/framer.ts";
import { Observation, type ObservationOptions } from "./observation.ts";
import { OutputBuffer } from "./output_buffer.ts";
import { StateDir } from "./state_dir.ts";
import { summaryOf } from "./summary.ts";
import { reasonOf, writeStderr } from "./terminal.ts";

/** How to run. */
export interface ObservingOptions {
  /** How to print, for formats that need to know what stands open. */
  readonly formatFor: (entryOf: EntryLookup) => TransitionFormat;
  readonly dialect: ObservationOptions["dialect"];
  readonly maxBytes: number;
  /** The folder to keep each session's state in. */
  readonly stateDir: string | null;
  /** The input goes on while we read: ages are against now. */
  readonly isLive: boolean;
  /** What is printed besides transitions and troubles. */
  readonly prints: { readonly snapshot: boolean; readonly summary: boolean; readonly notes: boolean };
}

/** One input: its bytes go in, in order. */
export interface ByteInput {
  /** For the read loop, which feeds it. */
  readonly framer: Framer;
  push(chunk: Uint8Array): void;
  end(): void;
}

/** A value's place, for messages about it. */
interface Spot {
  readonly name: string;
  readonly framer: Framer;
}

/** Event names come from the input: no more of one than this goes into a message. */
const MAX_NAME_LENGTH = 80;

export class Observing implements Disposable {
  readonly #options: ObservingOptions;
  readonly #format: TransitionFormat;
  readonly #output = new OutputBuffer();
  readonly #observation: Observation;
  readonly #stateDir: StateDir | null;
  /** Whether what happens is printed; the past may be read in silence. */
  #isSilent = false;
  #valueCount = 0;
  #rejectCount = 0;
  #unreadableCount = 0;
  #spot: Spot | null = null;

  constructor(options: ObservingOptions) {
    this.#options = options;
    const { stateDir } = options;
    const format = options.formatFor((sessionId, entryId) =>
      this.#observation.machine(sessionId ?? "")?.entry(entryId) ?? null
    );
    this.#format = format;
    const keepsState = stateDir !== null;
    this.#observation = new Observation({
      dialect: options.dialect,
      arrivalMs: Date.now,
      onTransition: (transition) => {
        if (!this.#isSilent) this.#output.write(format.transition(transition));
        if (keepsState) this.#stateDir?.touch(transition.sessionId ?? "");
      },
      onReject: (reason) => {
        if (this.#spot !== null) this.#reject(this.#spot.name, this.#spot.framer, reason);
      },
      onUnknown: (event) => {
        const name = oneLine(event.slice(0, MAX_NAME_LENGTH));
        this.#note(`event "${name}" is in no table: counted, not recorded`);
      },
      onDropped: (id) => this.#note(`session ${oneLine(id)} left too many entries abandoned: the oldest are dropped`),
    });
    this.#stateDir = stateDir === null ? null : new StateDir({
      path: stateDir,
      snapshotOf: (sessionId) => this.#observation.snapshot(sessionId, options.isLive ? Date.now() : null),
      onFailure: (message) => writeStderr(`vigil: ${oneLine(message)}\n`),
    });
    if (format.begin !== undefined) this.#output.write(format.begin());
  }

  /** Reads in silence until `speak`: what is recorded counts, but nothing of it is printed. */
  hush(): void {
    this.#isSilent = true;
  }

  /** Prints what happens from now on. */
  speak(): void {
    this.#isSilent = false;
  }

  /** Opens an input by the name that messages give it. */
  open(name: string): ByteInput {
    const input = Observation.input();
    const framer: Framer = new Framer({
      maxBytes: this.#options.maxBytes,
      onValue: (value) => {
        this.#valueCount++;
        this.#spot = spot;
        this.#observation.take(value, input);
      },
      onReject: (place) => {
        this.#spot = spot;
        this.#reject(name, place, place.excerpt === "" ? place.reason : `${place.reason}: ${place.excerpt}`);
      },
    });
    const spot = { name: oneLine(name), framer };
    return { framer, push: (chunk) => framer.push(chunk), end: () => framer.end() };
  }

  /** Puts out what is printed so far. */
  flush(): void {
    this.#output.flush();
  }

  /** An input that cannot be read, or not to its end. */
  cannotRead(name: string, error: unknown): void {
    this.#unreadableCount++;
    this.trouble(`cannot read "${name}": ${reasonOf(error)}`);
  }

  /** Something worth a line on stderr that is no trouble. */
  notice(message: string): void {
    if (this.#options.prints.notes) this.trouble(message);
  }

  /** What went wrong, on a line of stderr of its own. */
  trouble(message: string): void {
    this.#output.flush();
    writeStderr(`vigil: ${oneLine(message)}\n`);
  }

  /** Prints what is left to print, and returns the exit code. */
  finish(unreadablePaths: readonly string[] = []): ExitCode {
    const { isLive, prints } = this.#options;
    const format = this.#format;
    const observation = this.#observation;
    const nowMs = isLive || observation.counts.arrivalTimes > 0 ? Date.now() : null;
    if (prints.snapshot) {
      for (const snapshot of observation.snapshots(nowMs)) this.#output.write(format.snapshot(snapshot));
    }
    if (format.end !== undefined) {
      this.#output.write(format.end([...observation.snapshots(nowMs)], nowMs ?? observation.lastMs));
    }
    this.#output.flush();
    this.#stateDir?.[Symbol.dispose]();
    const unreadable = this.#unreadableCount + unreadablePaths.length;
    if (this.#valueCount === 0 && this.#rejectCount === 0 && unreadable === 0) {
      if (prints.notes) writeStderr("vigil: no value in the input\n");
    } else if (prints.summary) {
      writeStderr(summaryOf(observation, this.#rejectCount, nowMs));
    }
    if (unreadable > 0 || this.#stateDir?.failing === true) return EXIT.io;
    return this.#rejectCount > 0 ? EXIT.invalid : EXIT.ok;
  }

  /** However the run ends: what is known of the sessions is in their files. */
  [Symbol.dispose](): void {
    this.#stateDir?.[Symbol.dispose]();
  }

  #reject(name: string, place: { readonly line: number; readonly byteOffset: number }, reason: string): void {
    if (this.#isSilent) return;
    this.#rejectCount++;
    writeStderr(`vigil: ${oneLine(name)}:${place.line} (byte ${place.byteOffset}): ${oneLine(reason)}\n`);
  }

  #note(text: string): void {
    if (!this.#options.prints.notes || this.#isSilent || this.#spot === null) return;
    writeStderr(`vigil: ${this.#spot.name}:${this.#spot.framer.line}: ${text}\n`);
  }
}
