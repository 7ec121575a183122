// Pure. What one JSON value turns out to be, and the few things an input must remember to tell.
import type { HookInput, SdkMessage } from "../session/input.ts";

/** Every dialect that is read. */
export const DIALECTS = ["claude", "codex", "gemini", "qwen", "copilot", "cursor", "droid"] as const;
/** The name of an agent CLI's dialect. */
export type DialectName = (typeof DIALECTS)[number];

/** Those that hook settings are printed for. */
export const HOOK_CLIENTS = ["claude", "codex", "gemini", "qwen", "copilot"] as const satisfies readonly DialectName[];
/** One of them. */
export type HookClient = (typeof HOOK_CLIENTS)[number];

/** When something happened, as it was written: ISO 8601 text or epoch milliseconds. */
export type Moment = string | number;

/** An event that the observer takes, in the model's vocabulary. */
export type EventReading =
  | { readonly kind: "hook"; readonly dialect: DialectName; readonly input: HookInput; readonly at: Moment | null }
  | {
    readonly kind: "message";
    readonly dialect: DialectName;
    readonly message: SdkMessage;
    readonly at: Moment | null;
  };

/** An event that is known and left alone. */
export interface DeclinedReading {
  readonly kind: "declined";
  readonly dialect: DialectName;
  readonly event: string;
}

/** An event name that no table has; `dialect` is null where nothing tells whose it is. */
export interface UnknownReading {
  readonly kind: "unknown";
  readonly dialect: DialectName | null;
  readonly event: string;
}

/**
 * What one JSON value is.
 *
 * - `hook`, `message`: an event for the observer; `at` is the value's own `observed_at` or `timestamp`
 * - `clock`: an object whose one key is `observed_at`; it dates the values after it
 * - `declined`: an event that is known and left alone
 * - `unknown`: an event name that is in no table; no error
 * - `reject`: the wrong shape
 */
export type Reading =
  | EventReading
  | { readonly kind: "clock"; readonly at: Moment }
  | DeclinedReading
  | UnknownReading
  | { readonly kind: "reject"; readonly reason: string };

/** A JSON object. */
export type JsonObject = { readonly [field: string]: unknown };

/** Whether `value` is a JSON object: not an array, not null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` where it is a text with something in it, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * What one input (a file, standard input) must remember between its values: some streams name their session once, and
 * Copilot names the root of a subagent only now and then. It grows with the subagents of sessions that have not ended.
 */
export interface InputScope {
  /** The session of the `codex exec` stream that is being read. */
  codexSession: string | null;
  /** The session of the Gemini stream that is being read. */
  geminiSession: string | null;
  /** The session of the Copilot stream that is being read. */
  copilotSession: string | null;
  /** Copilot's subagents -> the session at their root. */
  readonly copilotRoots: Map<string, string>;
}

/** What a new input remembers: nothing. */
export function newScope(): InputScope {
  return { codexSession: null, geminiSession: null, copilotSession: null, copilotRoots: new Map() };
}
