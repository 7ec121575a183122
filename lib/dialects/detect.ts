// Pure. Whose JSON is this? Told from the value alone, by fields that only one agent CLI sends.
import { CLAUDE_MESSAGES } from "./claude.ts";
import { CODEX_MESSAGES } from "./codex.ts";
import { COPILOT_HOOKS, COPILOT_MESSAGES } from "./copilot.ts";
import { GEMINI_HOOKS, GEMINI_MESSAGES } from "./gemini.ts";
import { type DialectName, isObject, type JsonObject } from "./reading.ts";

const isText = (field: unknown): field is string => typeof field === "string";

/** Where each client keeps its transcripts, which it names in its payloads. */
const FOLDER = /[\\/]\.(claude|codex|gemini|qwen|copilot|factory)[\\/]/;
const FOLDER_OF: Readonly<Record<string, DialectName>> = { factory: "droid" };

function folderDialect(path: unknown): DialectName | null {
  const name = isText(path) ? FOLDER.exec(path)?.[1] : undefined;
  return name === undefined ? null : FOLDER_OF[name] ?? (name as DialectName);
}

/** Gemini's events that other clients name the same. */
const SHARED = new Set(["SessionStart", "SessionEnd", "Notification"]);
const isGeminis = (event: string): boolean => GEMINI_HOOKS.rows.has(event) && !SHARED.has(event);

const isCapital = (code: number): boolean => code >= 65 && code <= 90;

/** Fields that only one client sends; the first row that holds decides. */
const EVIDENCE: readonly (readonly [DialectName, (value: JsonObject, event: string) => boolean])[] = [
  ["cursor", (value) => isText(value.cursor_version)],
  ["copilot", (value) => isText(value.sessionId) || isText(value.parent_agent_id)],
  ["qwen", (value) => isText(value.tool_call_id) || (isText(value.prompt_id) && value.prompt_id.includes("########"))],
  ["gemini", (_value, event) => isGeminis(event)],
];

/**
 * The dialect of a hook payload; Claude Code's where nothing speaks against it, null where the event's name is spelled
 * as Claude Code never does.
 */
export function hookDialect(value: JsonObject, event: string): DialectName | null {
  const bare = value.timestamp === undefined && value.cursor_version === undefined && value.sessionId === undefined;
  // The common case first: everything after it is for clients that are harder to tell apart.
  if (bare && isText(value.transcript_path) && value.transcript_path.includes("/.claude/")) return "claude";
  for (const [dialect, holds] of EVIDENCE) if (holds(value, event)) return dialect;
  const folder = folderDialect(value.transcript_path);
  if (folder !== null) return folder;
  // Claude Code puts a turn_id on what it displays, beside its prompt_id.
  if (isText(value.turn_id) && value.prompt_id === undefined && event !== "MessageDisplay") return "codex";
  if (isText(value.timestamp) && value.prompt_id === undefined && value.tool_use_id === undefined) {
    if (value.permission_mode !== undefined) return "qwen";
    if (value.transcript_path !== undefined) return "gemini";
    if (COPILOT_HOOKS.rows.has(event) && event !== "PermissionRequest") return "copilot";
  }
  return isCapital(event.charCodeAt(0)) ? "claude" : null;
}

/** The dialect of a message of an output stream; null where nothing tells whose it is. */
export function messageDialect(value: JsonObject, type: string): DialectName | null {
  if (isText(value.session_id)) {
    if (type === "init") return "gemini";
    const ofQwen = type === "system" && (value.qwen_code_version !== undefined || isObject(value.data)) ||
      type === "result" && isObject(value.error);
    return ofQwen ? "qwen" : "claude";
  }
  if (isText(value.sessionId)) return COPILOT_MESSAGES.rows.has(type) ? "copilot" : null;
  if (type.includes(".")) {
    if (CODEX_MESSAGES.rows.has(type) || /^(?:thread|turn|item)\./.test(type)) return "codex";
    return isObject(value.data) ? "copilot" : null;
  }
  if (type === "abort") return isObject(value.data) ? "copilot" : null;
  if (isText(value.timestamp) && value.message === undefined || type === "error" && isText(value.severity)) {
    return GEMINI_MESSAGES.rows.has(type) || type === "message" ? "gemini" : null;
  }
  if (type === "error") return isText(value.message) ? "codex" : null;
  return type === "system" || CLAUDE_MESSAGES.rows.has(type) ? "claude" : null;
}
