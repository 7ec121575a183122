// Pure. How an event of any dialect becomes a reading: look its row up, check what the row needs, reshape what differs.
import type { CoverageRow } from "../session/coverage.ts";
import type { HookInput, SdkMessage } from "../session/input.ts";
import type { HookEvent, MessageEvent } from "../session/model.ts";
import {
  type DeclinedReading,
  type DialectName,
  isObject,
  type JsonObject,
  type Moment,
  type Reading,
  textOf,
} from "./reading.ts";

type Evidence = CoverageRow["evidence"];

/** What a dialect's table says of an event that the observer takes. */
interface Wired {
  /** What it tells us. */
  readonly wired: string;
  readonly needs?: readonly string[];
  readonly evidence?: Evidence;
}
/** What it says of one that is left alone. */
interface Declined {
  /** Why. */
  readonly declined: string;
  readonly evidence?: Evidence;
}

/** One hook event of a dialect. */
export type HookEntry =
  | Wired & {
    /** The model's event, where it has another name. */
    readonly maps?: HookEvent;
    /** The fields that differ from the model's; `hook_event_name` overrides `maps`. Null leaves this payload alone. */
    readonly reshape?: (value: JsonObject) => Partial<HookInput> | null;
  }
  | Declined;

/** One message of a dialect's output stream. */
export type MessageEntry =
  | Wired & {
    /** The model's message, where it has another name. */
    readonly maps?: MessageEvent;
    /** The message in the model's shape, without its session. Null leaves this one alone. */
    readonly reshape?: (value: JsonObject) => SdkMessage | null;
  }
  | Declined;

interface Row<Reshaped> {
  readonly coverage: CoverageRow;
  readonly reshape?: (value: JsonObject) => Reshaped | null;
  /** The one reading that every value of an event left alone shares. */
  readonly declined: DeclinedReading;
}

/** The events of one lane of a dialect, by name. */
export interface EventTable<Reshaped> {
  readonly dialect: DialectName;
  readonly rows: ReadonlyMap<string, Row<Reshaped>>;
}
export type HookTable = EventTable<Partial<HookInput>>;
export type MessageTable = EventTable<SdkMessage>;

function tableOf<Reshaped>(
  dialect: DialectName,
  lane: CoverageRow["lane"],
  entries: Readonly<
    Record<
      string,
      (Wired & { readonly maps?: string; readonly reshape?: (value: JsonObject) => Reshaped | null }) | Declined
    >
  >,
  evidence: Evidence,
): EventTable<Reshaped> {
  const rows = Object.entries(entries).map(([event, entry]): [string, Row<Reshaped>] => {
    const declined: DeclinedReading = { kind: "declined", dialect, event };
    const common = { lane, event, evidence: entry.evidence ?? evidence };
    if ("declined" in entry) {
      return [event, { declined, coverage: { ...common, status: "declined", reason: entry.declined } }];
    }
    const { wired, needs, maps, reshape } = entry;
    const coverage = {
      ...common,
      status: "wired" as const,
      reason: wired,
      ...(needs === undefined ? {} : { needs }),
      ...(maps === undefined || maps === event ? {} : { maps }),
    };
    return [event, { declined, coverage, reshape }];
  });
  return { dialect, rows: new Map(rows) };
}

/** A dialect's hook events. `evidence` is how they are known where an entry says nothing else. */
export function hookTable(
  dialect: DialectName,
  entries: Readonly<Record<string, HookEntry>>,
  evidence: Evidence = "run",
): HookTable {
  return tableOf(dialect, "hook", entries, evidence);
}

/** A dialect's messages. `evidence` is how they are known where an entry says nothing else. */
export function messageTable(
  dialect: DialectName,
  entries: Readonly<Record<string, MessageEntry>>,
  evidence: Evidence = "run",
): MessageTable {
  return tableOf(dialect, "message", entries, evidence);
}

/** A table of coverage rows whose values are the model's own shapes. */
export function plainTable<Reshaped>(
  dialect: DialectName,
  lane: CoverageRow["lane"],
  coverage: readonly CoverageRow[],
): EventTable<Reshaped> {
  const rows = coverage.filter((row) => row.lane === lane).map((row): [string, Row<Reshaped>] => [
    row.event,
    { coverage: row, declined: { kind: "declined", dialect, event: row.event } },
  ]);
  return { dialect, rows: new Map(rows) };
}

/** When the value says it happened: our own mark first, then the client's. */
export function momentOf(value: JsonObject): Moment | null {
  const own = value.observed_at;
  if (typeof own === "string" || typeof own === "number") return own;
  const native = value.timestamp;
  return typeof native === "string" || typeof native === "number" ? native : null;
}

const isGiven = (field: unknown): boolean =>
  typeof field === "string" ? field !== "" : typeof field === "object" && field !== null;

/** The model's names of fields -> the client's, where they differ. */
export type ClientNames = Readonly<Record<string, string>>;
const SAME_NAMES: ClientNames = {};

/** Reads a hook payload whose session is in `session_id`. `names` are for people: what is lacking is said in them. */
export function readHook(table: HookTable, event: string, value: JsonObject, names: ClientNames = SAME_NAMES): Reading {
  const row = table.rows.get(event);
  if (row === undefined) return { kind: "unknown", dialect: table.dialect, event };
  const { coverage, reshape } = row;
  if (coverage.status === "declined") return row.declined;
  const lacking = textOf(value.session_id) === null ? "session_id" : lackingIn(value, coverage.needs);
  if (lacking !== null) return { kind: "reject", reason: `${event} without ${names[lacking] ?? lacking}` };
  const fields = reshape === undefined ? undefined : reshape(value);
  if (fields === null) return row.declined;
  const plain = fields === undefined && coverage.maps === undefined && value.hook_event_name === event;
  // The table's names are the model's, and what it needs has been seen: the casts add nothing else.
  const input = (plain ? value : inputOf(coverage, value, fields ?? {})) as unknown as HookInput;
  return { kind: "hook", dialect: table.dialect, input, at: momentOf(value) };
}

function lackingIn(value: JsonObject, needs: readonly string[] | undefined): string | null {
  if (needs !== undefined) {
    for (const field of needs) if (!isGiven(value[field])) return field;
  }
  return null;
}

function inputOf(row: CoverageRow, value: JsonObject, fields: Partial<HookInput>): JsonObject {
  const event = fields.hook_event_name ?? row.maps ?? row.event;
  const input = { ...value, ...fields, hook_event_name: event };
  return event === row.event ? input : { ...input, nativeEvent: row.event };
}

/** The field that names a stream's session, and the one line that has it; without `of` every line does. */
export interface SessionField {
  readonly field: string;
  readonly of?: string;
}
const ON_EVERY_LINE: SessionField = { field: "session_id" };

/** Reads a message of the session `session`; null where nothing has named it, in `named` or otherwise. */
export function readMessage(
  table: MessageTable,
  event: string,
  value: JsonObject,
  session: string | null,
  named: SessionField = ON_EVERY_LINE,
): Reading {
  const row = table.rows.get(event);
  if (row === undefined) return { kind: "unknown", dialect: table.dialect, event };
  const { coverage, reshape } = row;
  if (coverage.status === "declined") return row.declined;
  const lacking = session === null ? sessionText(named, event) : lackingIn(value, coverage.needs);
  if (lacking !== null) return { kind: "reject", reason: `${event} without ${lacking}` };
  if (reshape === undefined) {
    return { kind: "message", dialect: table.dialect, message: value as SdkMessage, at: momentOf(value) };
  }
  const reshaped = reshape(value);
  if (reshaped === null) return row.declined;
  const native = coverage.maps === undefined ? {} : { nativeEvent: event };
  const message = { ...native, ...reshaped, session_id: session };
  return { kind: "message", dialect: table.dialect, message, at: momentOf(value) };
}

const sessionText = ({ field, of }: SessionField, event: string): string =>
  of === undefined || of === event ? field : `the ${field} of the ${of} before it`;

/** For events that would start or end the whole session: a subagent's own must not. */
export const mainOnly = (value: JsonObject): Partial<HookInput> | null => textOf(value.agent_id) === null ? {} : null;

/** A message that opens calls: the model's own shape of an answer that asks for one tool. */
export function callMessage(id: unknown, name: string, input: unknown, parent: string | null = null): SdkMessage {
  return {
    type: "assistant",
    message: { content: [{ type: "tool_use", id, name, input }] },
    parent_tool_use_id: parent,
  };
}

/** A message that closes a call. */
export function callEndMessage(id: unknown, isError: boolean, parent: string | null = null): SdkMessage {
  return {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, is_error: isError }] },
    parent_tool_use_id: parent,
  };
}

/** An answer in words: a turn is in flight. */
export function answerMessage(text: unknown, parent: string | null = null): SdkMessage {
  return { type: "assistant", message: { content: [{ type: "text", text }] }, parent_tool_use_id: parent };
}

/** The turn is in flight (`running`) or over (`idle`), in the client's own word. */
export function stateMessage(state: "running" | "idle"): SdkMessage {
  return { type: "system", subtype: "session_state_changed", state };
}

/** The end of the one turn that a headless run is. */
export function resultMessage(error: string | null, more: Omit<SdkMessage, "type"> = {}): SdkMessage {
  return {
    type: "result",
    subtype: error === null ? "success" : "error_during_execution",
    is_error: error !== null,
    num_turns: 1,
    ...(error === null ? {} : { errors: [error] }),
    ...more,
  };
}

/** The text of an error that is a text or an object with one. */
export function errorText(error: unknown): string {
  const text = isObject(error) ? textOf(error.message) : textOf(error);
  return text ?? "no reason given";
}
