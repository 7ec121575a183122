// IO: signals. SIGTERM and SIGINT as one event, also for a process that runs as PID 1, where they would do nothing by default.

/** Being asked to stop. Dispose of it to give the signals back their default. */
export interface StopSignal extends Disposable {
  /** Aborts on the first SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
}

const STOP_SIGNALS: readonly Deno.Signal[] = ["SIGTERM", "SIGINT"];

/** Listens for SIGTERM and SIGINT from now on. */
export function stopSignal(): StopSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const name of STOP_SIGNALS) Deno.addSignalListener(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of STOP_SIGNALS) Deno.removeSignalListener(name, stop);
    },
  };
}
