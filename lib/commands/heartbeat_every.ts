// IO: clocks, timers, signals, the parent's id, the heartbeat file, stderr. Beats until told to end or left alone.
import { EXIT, type ExitCode } from "../exit_codes.ts";
import { advance, type Clocks, startSchedule } from "../heartbeat/schedule.ts";
import { report } from "./guard.ts";
import { clearOrFail } from "./heartbeat_clear.ts";
import { writeStderr } from "./terminal.ts";

/** How long at most until the clocks and the parent are looked at again. */
const LOOK_EVERY_MS = 1000;

/** What a steady writer is told besides its pace. */
export interface EveryOptions {
  readonly path: string;
  /** End when the process that started us is gone: no beat for a dead agent. */
  readonly watchesParent: boolean;
  readonly clearsOnExit: boolean;
}

const clocks = (): Clocks => ({ steadyMs: performance.now(), wallMs: Date.now() });

/** Ends a wait early, and says so from then on. */
class Stop {
  asked = false;
  #wake = () => {};

  ask(): void {
    this.asked = true;
    this.#wake();
  }

  /** Waits `ms`, or until asked. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/**
 * Beats at once and then every `everyMs`, until SIGTERM, SIGINT or the parent's end. A beat that fails is told on stderr
 * and the next one is tried in its time. Answers 0, or the code of the last beat, or that of clearing, if it failed.
 */
export async function beatEvery(everyMs: number, beat: () => void, options: EveryOptions): Promise<ExitCode> {
  const stop = new Stop();
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => stop.ask());
  const parent = Deno.ppid;
  let last: ExitCode = EXIT.ok;
  let schedule = startSchedule(everyMs, clocks());
  while (!stop.asked) {
    if (options.watchesParent && Deno.ppid !== parent) {
      writeStderr(`vigil: process ${parent}, which started this writer, is gone: no more beats\n`);
      break;
    }
    const { due, next } = advance(schedule, clocks());
    schedule = next;
    if (due) last = codeOf(beat);
    await stop.wait(Math.max(1, Math.min(LOOK_EVERY_MS, schedule.dueMs - performance.now())));
  }
  const cleared = options.clearsOnExit ? codeOf(() => clearOrFail(options.path)) : EXIT.ok;
  return cleared === EXIT.ok ? last : cleared;
}

/** Runs `step`; what it throws is told on stderr and becomes its code. */
function codeOf(step: () => void): ExitCode {
  try {
    step();
    return EXIT.ok;
  } catch (error) {
    return report(error);
  }
}
