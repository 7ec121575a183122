// IO: stdin, files, signals, environment. `vigil observe`: agent hook JSON in, state transitions with their causes out.
import { type ExitCode, TERMINATED } from "../exit_codes.ts";
import { oneLine, usageFailure } from "../failure.ts";
import type { EntryLookup, TransitionFormat } from "../output/format.ts";
import { jsonFormat } from "../output/json.ts";
import { otlpFormat } from "../output/otlp.ts";
import { textFormat } from "../output/text.ts";
import { traceFormat } from "../output/trace.ts";
import { codeOf } from "../reason.ts";
import { followInto } from "./follow.ts";
import type { ObserveFormat } from "./formats.ts";
import type { ObservationOptions } from "./observation.ts";
import { type ByteInput, Observing } from "./observing.ts";
import { readInto, readTurns } from "./read_loop.ts";
import { stopSignal } from "./stop_signal.ts";
import type { Invocation } from "./table.ts";
import { isTransient, writeStderr } from "./terminal.ts";
import { environmentText } from "./variables.ts";

/** The largest value that is held, unless `--max-bytes` says otherwise: 64 MiB. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** What to do about a source that cannot be read, where there is something; null where the reason says it all. */
function remedyFor(path: string, error: unknown): string | null {
  // /dev/stdin, or /dev/fd/63 of a shell's `<(…)`.
  if (error instanceof Deno.errors.NotCapable) return "pipe it into vigil observe, or give - for standard input";
  if (path !== "-" && codeOf(error) === "EISDIR") return `vigil observe --follow "${path}" reads its *.jsonl`;
  return null;
}

/** A source that could not be read; told from trouble of any other kind. */
class ReadFailure extends Error {
  constructor(cause: unknown) {
    super("read failed", { cause });
  }
}

/** Runs `io`; what it throws is a failure to read, but for what may pass by itself. */
function reading<T>(io: () => T): T {
  try {
    return io();
  } catch (error) {
    throw isTransient(error) ? error : new ReadFailure(error);
  }
}

/** Feeds all of one source to `input`; a source that cannot be read is told and left. */
async function readSource(observing: Observing, path: string, inTurns: AbortSignal | null): Promise<void> {
  const isStdin = path === "-";
  const name = isStdin ? "stdin" : path;
  const input = observing.open(name);
  try {
    if (inTurns === null) readWhole(isStdin ? null : path, input, () => observing.flush());
    else await readWholeInTurns(isStdin ? null : path, input, () => observing.flush(), inTurns);
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    observing.cannotRead(name, error.cause);
    const remedy = remedyFor(path, error.cause);
    if (remedy !== null) writeStderr(`hint: ${oneLine(remedy)}\n`);
  }
  if (inTurns?.aborted !== true) input.end();
}

function readWhole(path: string | null, input: ByteInput, beforeBlocking: () => void): void {
  const source = path === null ? Deno.stdin : reading(() => Deno.openSync(path));
  try {
    readInto({ readSync: (buffer) => reading(() => source.readSync(buffer)) }, input.framer, beforeBlocking);
  } finally {
    if (path !== null) (source as Deno.FsFile).close();
  }
}

/** The same for what timers and signals must not wait for. Opening a FIFO that has no writer yet blocks them all the same. */
async function readWholeInTurns(
  path: string | null,
  input: ByteInput,
  beforeBlocking: () => void,
  signal: AbortSignal,
): Promise<void> {
  const failed = (error: unknown) => Promise.reject(isTransient(error) ? error : new ReadFailure(error));
  const source = path === null ? Deno.stdin : reading(() => Deno.openSync(path));
  try {
    await readTurns(
      { read: (buffer) => source.read(buffer).catch(failed) },
      input.framer,
      beforeBlocking,
      signal,
    );
  } finally {
    if (path !== null) (source as Deno.FsFile).close();
  }
}

/** What prints, by the name of the format. */
const FORMATS: Readonly<Record<ObserveFormat, (entryOf: EntryLookup) => TransitionFormat>> = {
  text: () => {
    const isTerminal = Deno.stdout.isTerminal();
    return textFormat({
      color: isTerminal && environmentText("NO_COLOR") === null,
      widthColumns: isTerminal ? Deno.consoleSize().columns : null,
    });
  },
  json: () => jsonFormat,
  trace: traceFormat,
  otlp: otlpFormat,
};

function maxBytesOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_MAX_BYTES;
  const maxBytes = Number(value);
  if (!/^[0-9]+$/.test(value) || maxBytes < 2 || !Number.isSafeInteger(maxBytes)) {
    throw usageFailure(`option "--max-bytes" cannot be "${value}": it is a number of bytes, 2 or more`);
  }
  return maxBytes;
}

/** Follows files and folders until told to stop. */
async function follow(observing: Observing, paths: readonly string[], fromNow: boolean): Promise<ExitCode> {
  using stop = stopSignal();
  if (fromNow) observing.hush();
  const { unreadable } = await followInto(paths, { signal: stop.signal }, (path) => observing.open(path), {
    notice: (message) => observing.notice(message),
    trouble: (message) => observing.trouble(message),
    flush: () => observing.flush(),
    caughtUp: () => observing.speak(),
  });
  return observing.finish(unreadable);
}

/** Runs `vigil observe`. */
export async function run({ options, operands }: Invocation): Promise<ExitCode> {
  const formatName = (options.format ?? "text") as ObserveFormat;
  const isFollowing = options.follow === true;
  if (isFollowing && operands.length === 0) throw usageFailure("--follow needs the files or folders to follow");
  if (isFollowing && operands.includes("-")) throw usageFailure("--follow cannot follow standard input");
  if (options["from-now"] === true && !isFollowing) throw usageFailure("--from-now goes with --follow");
  const stateDir = typeof options["state-dir"] === "string" ? options["state-dir"] : null;
  const isQuiet = options.quiet === true;
  using observing = new Observing({
    formatFor: FORMATS[formatName],
    dialect: (options.dialect ?? "auto") as ObservationOptions["dialect"],
    maxBytes: maxBytesOf(options["max-bytes"] as string | undefined),
    stateDir,
    isLive: isFollowing,
    prints: { snapshot: options.snapshot === true, summary: formatName === "text" && !isQuiet, notes: !isQuiet },
  });
  if (isFollowing) return await follow(observing, operands, options["from-now"] === true);

  const sources = operands.length === 0 ? ["-"] : operands;
  if (sources.includes("-") && Deno.stdin.isTerminal() && !isQuiet) {
    writeStderr("vigil: reading hook JSON from the terminal; Ctrl-D ends it\n");
  }
  // A read that blocks stops timers and signal listeners too. State files need timers; PID 1 is not killed by a signal
  // that nobody listens to.
  const isInit = Deno.pid === 1;
  if (stateDir === null && !isInit) {
    for (const path of sources) await readSource(observing, path, null);
    return observing.finish();
  }
  using stop = isInit ? stopSignal() : null;
  const signal = stop?.signal ?? new AbortController().signal;
  for (const path of sources) if (!signal.aborted) await readSource(observing, path, signal);
  const code = observing.finish();
  return signal.aborted ? TERMINATED : code;
}
