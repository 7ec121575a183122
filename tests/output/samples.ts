// One valid transition and one valid snapshot for tests to vary.
import type { AgedEntry, SessionSnapshot, SessionTransition } from "../../lib/session/model.ts";

const WHERE = { cwd: "/w", worktree: null, branch: null, unknownReason: "a hook payload does not say" };

/** A transition with `changes` over it, its keys still in order. */
export function sampleTransition(changes: Partial<SessionTransition> = {}): SessionTransition {
  return {
    sessionId: "session-1",
    seq: 1,
    at: "2026-05-01T02:03:04.005Z",
    from: "working",
    to: "working",
    activity: { kind: "tool", name: "Bash" },
    entryId: "toolu_1",
    cause: { kind: "hook", event: "PreToolUse", detail: "Bash" },
    where: WHERE,
    correlationId: null,
    entryOp: "open",
    ...changes,
  };
}

/** A snapshot with one open entry, with `changes` over it and `entryChanges` over its entry. */
export function sampleSnapshot(
  changes: Partial<SessionSnapshot> = {},
  entryChanges: Partial<AgedEntry> = {},
): SessionSnapshot {
  return {
    sessionId: "session-1",
    correlationId: null,
    state: "working",
    activity: { kind: "tool", name: "Bash" },
    where: WHERE,
    openEntries: [{
      entryId: "toolu_1",
      activity: { kind: "tool", name: "Bash" },
      lane: "foreground",
      openedAt: Date.parse("2026-05-01T02:03:04.005Z"),
      backgroundedAt: null,
      abandonedAt: null,
      abandonReason: null,
      cause: { kind: "hook", event: "PreToolUse", detail: "Bash" },
      agentId: null,
      ageMs: 0,
      ...entryChanges,
    }],
    lastTransitionAt: "2026-05-01T02:03:04.005Z",
    transitionCount: 7,
    abandonedDropped: 0,
    ...changes,
  };
}
