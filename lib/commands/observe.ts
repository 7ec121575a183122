// IO: stdin, files, stdout, stderr, clock. `vigil observe`: agent hook JSON in, state transitions with their causes out.
import type { DialectName } from "../dialects/read_value.ts";
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { oneLine, usageFailure } from "../failure.ts";
import type { TransitionFormat } from "../output/format.ts";
import { jsonFormat } from "../output/json.ts";
import { textFormat } from "../output/text.ts";
import { Framer } from "../stream/framer.ts";
import { Observation } from "./observation.ts";
import { OutputBuffer } from "./output_buffer.ts";
import { readInto } from "./read_loop.ts";
import { summaryOf } from "./summary.ts";
import type { Invocation } from "./table.ts";
import { reasonOf, writeStderr } from "./terminal.ts";

/** The largest value that is held, unless `--max-bytes` says otherwise: 64 MiB. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** A source that could not be read; told from trouble of any other kind. */
class ReadFailure extends Error {
  constructor(cause: unknown) {
    super("read failed", { cause });
  }
}

/** One thing to read, by the name that messages give it. */
interface Source {
  readonly name: string;
  open(): { readSync(buffer: Uint8Array): number | null; close(): void };
}

const STDIN: Source = {
  name: "stdin",
  open: () => ({ readSync: (buffer) => Deno.stdin.readSync(buffer), close: () => {} }),
};

const fileSource = (path: string): Source => ({ name: path, open: () => Deno.openSync(path) });

/** One run of `observe`. */
class Run {
  readonly #output = new OutputBuffer();
  readonly #format: TransitionFormat;
  readonly #observation: Observation;
  readonly #maxBytes: number;
  #values = 0;
  #rejected = 0;
  #unreadable = 0;
  #inputName = "";
  #framer: Framer | null = null;

  constructor(format: TransitionFormat, dialect: DialectName | "auto", maxBytes: number) {
    this.#format = format;
    this.#maxBytes = maxBytes;
    this.#observation = new Observation({
      dialect,
      arrivalMs: Date.now,
      onTransition: (transition) => this.#output.write(this.#format.transition(transition)),
      onReject: (reason) => this.#reject(this.#framer?.line ?? 0, this.#framer?.byteOffset ?? 0, reason),
      onUnknown: (event) => this.#say(`event "${oneLine(event).slice(0, 80)}" is in no table: counted, not recorded`),
      onDropped: (id) => this.#say(`session ${oneLine(id)} left over 1000 entries abandoned: the oldest are dropped`),
    });
  }

  /** Reads one source to its end. */
  read(source: Source): void {
    this.#inputName = oneLine(source.name);
    const input = Observation.input();
    const framer = new Framer({
      maxBytes: this.#maxBytes,
      onValue: (value) => {
        this.#values++;
        this.#observation.take(value, input);
      },
      onReject: ({ line, byteOffset, reason, excerpt }) => {
        this.#reject(line, byteOffset, excerpt === "" ? reason : `${reason}: ${excerpt}`);
      },
    });
    this.#framer = framer;
    try {
      this.#readAll(source, framer);
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error;
      this.#unreadable++;
      this.#output.flush();
      writeStderr(`vigil: cannot read "${this.#inputName}": ${reasonOf(error.cause)}\n`);
    }
    framer.end();
  }

  #readAll(source: Source, framer: Framer): void {
    const reading = <T>(io: () => T): T => {
      try {
        return io();
      } catch (error) {
        const passes = error instanceof Deno.errors.WouldBlock || error instanceof Deno.errors.Interrupted;
        throw passes ? error : new ReadFailure(error);
      }
    };
    const stream = reading(() => source.open());
    try {
      const readSync = (buffer: Uint8Array) => reading(() => stream.readSync(buffer));
      readInto({ readSync }, framer, () => this.#output.flush());
    } finally {
      stream.close();
    }
  }

  /** Prints what is left to print and returns the exit code. */
  finish(prints: { snapshot: boolean; summary: boolean }): ExitCode {
    const endMs = this.#observation.counts.arrivalTimes > 0 ? Date.now() : null;
    if (prints.snapshot) {
      for (const snapshot of this.#observation.snapshots(endMs)) this.#output.write(this.#format.snapshot(snapshot));
    }
    this.#output.flush();
    if (this.#values === 0 && this.#rejected === 0 && this.#unreadable === 0) {
      writeStderr("vigil: no value in the input\n");
    } else if (prints.summary) writeStderr(summaryOf(this.#observation, this.#rejected, endMs));
    if (this.#unreadable > 0) return EXIT.io;
    return this.#rejected > 0 ? EXIT.invalid : EXIT.ok;
  }

  #reject(line: number, byteOffset: number, reason: string): void {
    this.#rejected++;
    writeStderr(`vigil: ${this.#inputName}:${line} (byte ${byteOffset}): ${oneLine(reason)}\n`);
  }

  #say(text: string): void {
    writeStderr(`vigil: ${this.#inputName}:${this.#framer?.line ?? 0}: ${text}\n`);
  }
}

function formatNamed(name: string): TransitionFormat {
  if (name === "json") return jsonFormat;
  const isTerminal = Deno.stdout.isTerminal();
  const noColor = Deno.env.get("NO_COLOR") ?? "";
  return textFormat({
    color: isTerminal && noColor === "",
    widthColumns: isTerminal ? Deno.consoleSize().columns : null,
  });
}

function maxBytesOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_MAX_BYTES;
  const maxBytes = Number(value);
  if (!/^[0-9]+$/.test(value) || maxBytes < 2 || !Number.isSafeInteger(maxBytes)) {
    throw usageFailure(`option "--max-bytes" cannot be "${value}": it is a number of bytes, 2 or more`);
  }
  return maxBytes;
}

/** Runs `vigil observe`. */
export function run({ options, operands }: Invocation): ExitCode {
  const format = typeof options.format === "string" ? options.format : "text";
  const dialect = (options.dialect ?? "auto") as DialectName | "auto";
  const maxBytes = maxBytesOf(options["max-bytes"] as string | undefined);
  const observing = new Run(formatNamed(format), dialect, maxBytes);
  const sources = operands.length === 0 ? [STDIN] : operands.map((path) => (path === "-" ? STDIN : fileSource(path)));
  if (sources.includes(STDIN) && Deno.stdin.isTerminal()) {
    writeStderr("vigil: reading hook JSON from the terminal; end it with Ctrl-D\n");
  }
  for (const source of sources) observing.read(source);
  return observing.finish({ snapshot: options.snapshot === true, summary: format === "text" });
}
