// Pure. Factory Droid's dialect, from its program text only: Claude Code's base events without call ids.
import { hookTable, readHook } from "./dialect.ts";
import type { JsonObject, Reading } from "./reading.ts";

export const DROID_HOOKS = hookTable("droid", {
  SessionStart: { wired: "a process started or took a session over" },
  SessionEnd: { wired: "the session is over" },
  UserPromptSubmit: { wired: "a turn was submitted" },
  PreToolUse: { wired: "a tool call started", needs: ["tool_name"] },
  PostToolUse: { wired: "a tool call ended, with an error or without", needs: ["tool_name"] },
  Stop: { wired: "the turn ended" },
  Notification: { declined: "a text for people that names no call" },
  SubagentStop: { declined: "names no agent, and nothing tells when one starts" },
  PreCompact: { declined: "nothing tells when the compaction is over" },
}, "source");

/** Reads a hook payload of Factory Droid. */
export function readDroidHook(value: JsonObject, event: string): Reading {
  return readHook(DROID_HOOKS, event, value);
}
