// Pure. Claude Code's dialect: the model's own shapes, passed on as they are.
import { COVERAGE, discriminatorOf } from "../session/coverage.ts";
import { type HookTable, type MessageTable, plainTable, readHook, readMessage } from "./dialect.ts";
import { type JsonObject, type Reading, textOf } from "./reading.ts";

export const CLAUDE_HOOKS: HookTable = plainTable("claude", "hook", COVERAGE);
export const CLAUDE_MESSAGES: MessageTable = plainTable("claude", "message", COVERAGE);

/** Reads a hook payload of Claude Code. */
export function readClaudeHook(value: JsonObject, event: string): Reading {
  return readHook(CLAUDE_HOOKS, event, value);
}

/** Reads a line of Claude Code's `stream-json`. */
export function readClaudeMessage(value: JsonObject, type: string): Reading {
  const event = type === "system" ? discriminatorOf({ type, subtype: value.subtype }) : type;
  return readMessage(CLAUDE_MESSAGES, event, value, textOf(value.session_id));
}
