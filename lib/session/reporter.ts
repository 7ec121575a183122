// Pure. What this host can say about the sessions it holds: enumeration only, no filter and no verdict.
import type { SessionStateMachine } from "./machine.ts";
import type { AgedEntry, SessionSnapshot } from "./model.ts";

/**
 * Lists the sessions of one host. It closes nothing and forgets nothing by itself.
 *
 * @example
 * ```ts
 * import { SessionStateMachine } from "./machine.ts";
 * import { SessionStateReporter } from "./reporter.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const reporter = new SessionStateReporter();
 * const machine = new SessionStateMachine({ clock: () => 0, sessionId: "s1" });
 * reporter.add(machine);
 * reporter.add(machine);
 * assertEquals(reporter.count, 1);
 * assertEquals(reporter.list()[0].state, "spawning");
 * ```
 */
export class SessionStateReporter {
  readonly #machines = new Set<SessionStateMachine>();

  /** Starts to report a session; a second time changes nothing. */
  add(machine: SessionStateMachine): void {
    this.#machines.add(machine);
  }

  /** Stops reporting a session: what it left open is no longer seen here. */
  remove(machine: SessionStateMachine): void {
    this.#machines.delete(machine);
  }

  /** How many sessions are reported. */
  get count(): number {
    return this.#machines.size;
  }

  /** A snapshot of every session, in the order they were added. */
  list(): SessionSnapshot[] {
    return Array.from(this.#machines, (machine) => machine.snapshot());
  }

  /** Every entry that is open, abandoned ones included, with its age and its session. */
  openEntries(): (AgedEntry & { readonly sessionId: string | null })[] {
    return Array.from(this.#machines).flatMap((machine) =>
      machine.openEntries().map((entry) => ({ ...entry, sessionId: machine.sessionId }))
    );
  }
}
