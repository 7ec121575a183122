// Pure. A session's snapshot as a file: its name from any id, its content and back.
import {
  type Activity,
  ACTIVITY_KINDS,
  type AgedEntry,
  SESSION_STATES,
  type SessionSnapshot,
  type TransitionWhere,
} from "../session/model.ts";
import { fnv1a } from "./fnv.ts";

/** File systems allow names of 255 bytes; this leaves room for the suffix and for a temporary name beside it. */
const MAX_NAME_BYTES = 200;
/** What is kept of a longer one. */
const KEPT_BYTES = 150;

const encoder = new TextEncoder();

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** Percent-encoded UTF-8; a lone surrogate has none, so its code unit stands for it. */
function encoded(character: string): string {
  const unit = character.charCodeAt(0);
  if (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff) return `%u${unit.toString(16).toUpperCase()}`;
  return Array.from(encoder.encode(character), percent).join("");
}

const encodedName = (sessionId: string): string => sessionId.replace(/^\.|[^A-Za-z0-9._-]/gu, encoded);

/**
 * The file name for a session id. Letters, digits, `_`, `-` and inner dots stand for themselves, all else is
 * percent-encoded; a long name is cut and ends in a hash after `~`. Different ids have different names.
 *
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { sessionFileName } from "./session_file.ts";
 * assertEquals(sessionFileName("0b54ac1e-99b2"), "0b54ac1e-99b2.json");
 * assertEquals(sessionFileName("../x"), "%2E.%2Fx.json");
 * assertEquals(sessionFileName(""), "%.json");
 * ```
 */
export function sessionFileName(sessionId: string): string {
  if (sessionId === "") return "%.json";
  const name = encodedName(sessionId);
  if (name.length <= MAX_NAME_BYTES) return `${name}.json`;
  return `${name.slice(0, KEPT_BYTES)}~${fnv1a(name, 128)}.json`;
}

/**
 * What the file names of all sessions begin with whose ids begin with `idStart`. A long name tells only the beginning of
 * its id, so the id in the file has the last word.
 *
 * ```ts
 * import { assert } from "@std/assert";
 * import { sessionFileName, sessionFilePrefix } from "./session_file.ts";
 * assert(sessionFileName("0b54ac1e-99b2").startsWith(sessionFilePrefix("0b54ac1e")));
 * ```
 */
export function sessionFilePrefix(idStart: string): string {
  return encodedName(idStart).slice(0, KEPT_BYTES);
}

/** The content of a session's file. */
export function sessionFileText(snapshot: SessionSnapshot): string {
  return `${JSON.stringify(snapshot)}\n`;
}

type Check = (value: unknown) => boolean;
type Fields<T> = Readonly<Record<keyof T, Check>>;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => typeof value === "string" && !Number.isNaN(Date.parse(value));
const orNull = (check: Check): Check => (value) => value === null || check(value);
const oneOf = (words: readonly string[]): Check => (value) => words.includes(value as string);
const arrayOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);

function record<T>(fields: Fields<T>): Check {
  const checks = Object.entries(fields) as [string, Check][];
  return (value) =>
    typeof value === "object" && value !== null &&
    checks.every(([field, check]) => Object.hasOwn(value, field) && check((value as Record<string, unknown>)[field]));
}

const isActivity = record<Activity>({ kind: oneOf(ACTIVITY_KINDS), name: orNull(isText) });
const isWhere = record<TransitionWhere>({
  cwd: orNull(isText),
  worktree: orNull(isText),
  branch: orNull(isText),
  unknownReason: orNull(isText),
});
const isEntry = record<AgedEntry>({
  entryId: isText,
  activity: isActivity,
  lane: oneOf(["foreground", "background"]),
  openedAt: isNumber,
  backgroundedAt: orNull(isNumber),
  abandonedAt: orNull(isNumber),
  abandonReason: orNull(isText),
  cause: record({ kind: isText, event: isText, detail: isText }),
  agentId: orNull(isText),
  ageMs: isNumber,
});
const isSnapshot = record<SessionSnapshot>({
  sessionId: isText,
  correlationId: orNull(isText),
  state: oneOf(SESSION_STATES),
  activity: orNull(isActivity),
  where: isWhere,
  openEntries: arrayOf(isEntry),
  lastTransitionAt: orNull(isTime),
  transitionCount: isCount,
  abandonedDropped: isCount,
});

/** The snapshot in a session's file; null when the text is none. */
export function parseSessionFile(text: string): SessionSnapshot | null {
  try {
    const value: unknown = JSON.parse(text);
    return isSnapshot(value) ? value as SessionSnapshot : null;
  } catch {
    return null;
  }
}

/** `snapshot` with its ages at `nowMs` (epoch milliseconds). */
export function agedAt(snapshot: SessionSnapshot, nowMs: number): SessionSnapshot {
  const openEntries = snapshot.openEntries.map((entry) => ({ ...entry, ageMs: Math.max(0, nowMs - entry.openedAt) }));
  return { ...snapshot, openEntries };
}
