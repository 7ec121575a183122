// Pure. The text of a heartbeat file <-> its fields, and how a field is shown on one line.

/** The fields of a heartbeat file as it spells them; null for a key it does not have. */
export interface HeartbeatRecord {
  /** Meant to be seconds since the epoch; may be any text. */
  readonly ts: string | null;
  /** Meant to be the writer's process id; may be any text. */
  readonly pid: string | null;
  /** The writer's agent. */
  readonly cli: string | null;
  /** The writer's session. */
  readonly session: string | null;
}

/** What a beat is written from. */
export interface Beat {
  /** Seconds since the epoch: the only field a verdict rests on. */
  readonly ts: number;
  /** Only a hint for people: a pid means nothing in another container and is given out again. */
  readonly pid: number | string;
  /** The writer's agent; empty where it is not known. */
  readonly cli: string;
  /** The writer's session; empty where it is not known. */
  readonly session: string;
}

const KEYS = ["ts", "pid", "cli", "session"] as const;

/** The record of a file that says nothing. */
export const EMPTY_RECORD: HeartbeatRecord = { ts: null, pid: null, cli: null, session: null };

/**
 * Reads `key=value` lines: any order, unknown keys ignored, the first line of a key counts. Lines end at LF only and
 * nothing is trimmed, so a CR, a space or a BOM stays where it makes `ts` unreadable.
 *
 * ```ts
 * import { parseRecord } from "./record.ts";
 * parseRecord("pid=7\nts=1800000000\n").ts; // "1800000000"
 * ```
 */
export function parseRecord(text: string): HeartbeatRecord {
  const found: { -readonly [key in keyof HeartbeatRecord]: string | null } = { ...EMPTY_RECORD };
  for (const line of text.split("\n")) {
    for (const key of KEYS) {
      if (found[key] === null && line.startsWith(`${key}=`)) found[key] = line.slice(key.length + 1);
    }
  }
  return found;
}

/** The file's text for a beat. Values are encoded, so each stays on its own line. */
export function formatRecord(beat: Beat): string {
  return `ts=${beat.ts}\npid=${beat.pid}\ncli=${encodeValue(beat.cli)}\nsession=${encodeValue(beat.session)}\n`;
}

/** Visible ASCII but `%`: nearly every value is that. */
const isPlain = (text: string): boolean => /^[!-$&-~]*$/.test(text);

/** No literals: the engine would read the classes in them when it reads this file, which is a fiftieth of a start. */
const classes = (source: string): RegExp => new RegExp(source, "gu");

/** `%XX` for each byte of `text` in UTF-8. */
function percentBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}

/** `value` as it is stored: control characters, white space and `%` as `%XX` of their UTF-8 bytes. */
export function encodeValue(value: string): string {
  // What would split a line or a field, and `%`, which marks an encoded byte.
  return isPlain(value) ? value : value.replace(classes("[\\p{Cc}\\p{White_Space}%]"), percentBytes);
}

/** A stored `value` as it is shown: like `encodeValue`, but a `%XX` is left alone, so nothing is encoded twice. */
export function showValue(value: string): string {
  if (isPlain(value)) return value;
  return value.replace(classes("[\\p{Cc}\\p{White_Space}]|%(?![0-9A-Fa-f]{2})"), percentBytes);
}

/** A path as it is shown: it stands last on its line, so only control characters could break it. */
export function showPath(path: string): string {
  return isPlain(path) ? path : path.replace(classes("\\p{Cc}"), percentBytes);
}
