// Pure. What every output format of `observe` is: transitions in, text out, nothing held but what is still open.
import type { OpenEntry, SessionSnapshot, SessionTransition } from "../session/model.ts";

/** One way to print what happened. Each text it returns ends its last line, so that a reader never sees half of one. */
export interface TransitionFormat {
  /** What stands before the first transition. */
  begin?(): string;
  /** The text for one transition; "" when it prints nothing by itself. */
  transition(transition: SessionTransition): string;
  /** The text for one session after the input ended. */
  snapshot(snapshot: SessionSnapshot): string;
  /** What is left to print after the input ended at `endAt` (epoch milliseconds). */
  end?(snapshots: readonly SessionSnapshot[], endAt: number): string;
}

/**
 * The open entry of a session as it stands right after a record, for formats that draw entries: a transition names
 * the entry it is about, and only the machine knows what that entry is and whose.
 */
export type EntryLookup = (sessionId: string | null, entryId: string) => OpenEntry | null;
