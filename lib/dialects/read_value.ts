// Pure. One JSON value -> what it means to the session model, whichever agent CLI wrote it.
import { readClaudeHook, readClaudeMessage } from "./claude.ts";
import { readCodexHook, readCodexMessage } from "./codex.ts";
import { namelessCopilotEvent, readCopilotHook, readCopilotMessage } from "./copilot.ts";
import { readCursorHook } from "./cursor.ts";
import { hookDialect, messageDialect } from "./detect.ts";
import { readDroidHook } from "./droid.ts";
import { readGeminiHook, readGeminiMessage } from "./gemini.ts";
import { readQwenHook, readQwenMessage } from "./qwen.ts";
import { type DialectName, type InputScope, isObject, type JsonObject, type Reading, textOf } from "./reading.ts";

interface Reader {
  hook(value: JsonObject, event: string, scope: InputScope): Reading;
  message?(value: JsonObject, type: string, scope: InputScope): Reading;
}

const READERS: Readonly<Record<DialectName, Reader>> = {
  claude: { hook: readClaudeHook, message: readClaudeMessage },
  codex: { hook: readCodexHook, message: readCodexMessage },
  gemini: { hook: readGeminiHook, message: readGeminiMessage },
  qwen: { hook: readQwenHook, message: readQwenMessage },
  copilot: { hook: readCopilotHook, message: readCopilotMessage },
  cursor: { hook: readCursorHook },
  droid: { hook: readDroidHook },
};

/**
 * Reads one JSON value.
 *
 * The value is never changed, and where its shape is the model's own (Claude Code's), it is passed on without a copy.
 *
 * @param scope what the same input said before; see {@linkcode InputScope}
 * @param forced the dialect to read it in, or `auto` to tell it from the value itself
 *
 * @example
 * ```ts
 * import { newScope, readValue } from "./read_value.ts";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const scope = newScope();
 * const value = { hook_event_name: "BeforeAgent", session_id: "s1", timestamp: "2026-12-01T00:01:22.223Z" };
 * const reading = readValue(value, scope, "auto");
 * assert(reading.kind === "hook");
 * assertEquals([reading.dialect, reading.input.hook_event_name], ["gemini", "UserPromptSubmit"]);
 * assertEquals(readValue(5, scope, "auto"), { kind: "reject", reason: "not a JSON object" });
 * ```
 */
export function readValue(value: unknown, scope: InputScope, forced: DialectName | "auto"): Reading {
  if (!isObject(value)) {
    return { kind: "reject", reason: Array.isArray(value) ? "a JSON array, not an object" : "not a JSON object" };
  }
  const event = textOf(value.hook_event_name) ?? textOf(value.hookEventName);
  if (event !== null) {
    const dialect = forced === "auto" ? hookDialect(value, event) : forced;
    return dialect === null ? { kind: "unknown", dialect, event } : READERS[dialect].hook(value, event, scope);
  }
  const type = textOf(value.type);
  if (type !== null) {
    const dialect = forced === "auto" ? messageDialect(value, type) : forced;
    const message = dialect === null ? undefined : READERS[dialect].message;
    return message === undefined ? { kind: "unknown", dialect, event: type } : message(value, type, scope);
  }
  return readNameless(value, scope, forced);
}

/** A clock value, or a Copilot payload: two of its events come without a name, and all of them in camelCase. */
function readNameless(value: JsonObject, scope: InputScope, forced: DialectName | "auto"): Reading {
  const { observed_at: at } = value;
  if ((typeof at === "string" || typeof at === "number") && Object.keys(value).length === 1) {
    return { kind: "clock", at };
  }
  if (forced === "auto" || forced === "copilot") {
    const wrapped = textOf(value._registered_event);
    if (wrapped !== null && isObject(value.payload)) return readCopilotHook(value.payload, wrapped, scope);
    const event = textOf(value.sessionId) === null ? null : namelessCopilotEvent(value);
    if (event !== null) return readCopilotHook(value, event, scope);
  }
  return { kind: "reject", reason: "no event name (hook_event_name, hookEventName or type)" };
}

export {
  type DialectName,
  DIALECTS,
  type EventReading,
  type InputScope,
  type Moment,
  newScope,
  type Reading,
} from "./reading.ts";
export { DIALECT_TRAITS, type DialectTraits } from "./traits.ts";
