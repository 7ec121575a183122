// Pure. The settings that make an agent CLI append its hook payloads to a file, without starting a runtime.
import { coverageOf } from "./coverage.ts";
import type { HookClient } from "./reading.ts";

/** How a client starts hooks, and where its settings are. */
interface HookClientRow {
  /** The variable that names the session in the environment of a hook; null where there is none. */
  readonly sessionVariable: string | null;
  /** The payload ends with a line feed. */
  readonly sendsNewline: boolean;
  /** Started as `$SHELL -lc`, whatever shell that is; else by a POSIX shell. */
  readonly anyShell?: true;
  /** Where the settings go. */
  readonly place: string;
  /** What else must be done before the hooks run. */
  readonly alsoNeeded?: string;
  /** How the client spells one hook. */
  readonly entry: (command: string) => unknown;
  /** What stands around the hooks. */
  readonly frame: (hooks: Readonly<Record<string, unknown>>) => unknown;
}

/** A hook that hangs must not hold the agent; the line needs a few milliseconds. */
const TIMEOUT_SECONDS = 10;

const nested = (handler: object) => [{ hooks: [handler] }];
const settings = (hooks: Readonly<Record<string, unknown>>) => ({ hooks });

const CLIENTS: Readonly<Record<HookClient, HookClientRow>> = {
  claude: {
    sessionVariable: "CLAUDE_CODE_SESSION_ID",
    sendsNewline: true,
    place: "~/.claude/settings.json, or a file given to `claude --settings`",
    entry: (command) => nested({ type: "command", command, timeout: TIMEOUT_SECONDS }),
    frame: settings,
  },
  codex: {
    sessionVariable: null,
    sendsNewline: false,
    anyShell: true,
    place: "~/.codex/hooks.json",
    alsoNeeded: "Codex runs no hook that was not trusted: review them with /hooks in Codex",
    entry: (command) => nested({ type: "command", command, timeout: TIMEOUT_SECONDS }),
    frame: settings,
  },
  gemini: {
    sessionVariable: "GEMINI_SESSION_ID",
    sendsNewline: false,
    place: "~/.gemini/settings.json",
    entry: (command) => nested({ name: "vigil", type: "command", command, timeout: TIMEOUT_SECONDS * 1000 }),
    frame: settings,
  },
  qwen: {
    sessionVariable: "QWEN_CODE_SESSION_ID",
    sendsNewline: false,
    place: "~/.qwen/settings.json",
    entry: (command) => nested({ name: "vigil", type: "command", command, timeout: TIMEOUT_SECONDS }),
    frame: settings,
  },
  copilot: {
    sessionVariable: null,
    sendsNewline: false,
    place: "~/.copilot/hooks/vigil.json, a file of its own",
    entry: (command) => [{ type: "command", bash: command, timeoutSec: TIMEOUT_SECONDS }],
    frame: (hooks) => ({ version: 1, hooks }),
  },
};

/**
 * The shell line that a client runs for each hook event.
 *
 * It appends the payload, after a line with the time, to one file a session, `hooks/SESSION.jsonl` below the home of
 * the heartbeat. Folder and files are the user's own (0700, 0600): prompts are in them. It prints nothing and always
 * exits 0, since an agent takes any other end for a word on its tool call. Where the client tells hooks no session, or
 * one that is a path, the file is named after the client's process.
 *
 * Gemini CLI and Qwen Code replace `$NAME` and `${NAME:-DEFAULT}` in their settings from their own environment before
 * any shell sees them. So the line's own variables have names that no environment has, and no default stands in braces.
 */
export function hookLine(client: HookClient): string {
  const { sessionVariable, sendsNewline, anyShell } = CLIENTS[client];
  const line = [
    // A client ends some of its hooks with SIGTERM after some 20 ms, and with SIGKILL only a second later.
    'trap "" HUP INT TERM',
    "exec >/dev/null 2>&1",
    // Without a home it would be the root folder's.
    '[ "$JSC_HOME$HOME" ] || { cat; exit 0; }',
    'vigil_dir="$JSC_HOME"',
    '[ "$vigil_dir" ] || vigil_dir="$HOME/.jsc"',
    'vigil_dir="$vigil_dir/hooks"',
    '[ -d "$vigil_dir" ] || mkdir -p -m 700 "$vigil_dir"',
    "umask 077",
    ...(sessionVariable === null ? [`vigil_name=${client}-$PPID`] : [
      `vigil_name="$${sessionVariable}"`,
      `case $vigil_name in ""|*/*) vigil_name=${client}-$PPID;; esac`,
    ]),
    "vigil_at=$(date -u +%Y-%m-%dT%H:%M:%S.%3N)",
    // Where `date` knows no fractions it prints letters in their place.
    "case $vigil_at in *[!0-9T:.-]*) vigil_at=$(date -u +%Y-%m-%dT%H:%M:%S);; esac",
    // Hooks run at once, and a pipe gives a large payload in pieces. Where there is no lock to be had, or not within a
    // second, pieces of two may mix: `observe` finds the whole ones among them.
    String.raw`{ flock -w 1 1; printf "{\"observed_at\":\"%sZ\"}\n" "$vigil_at"; cat${
      sendsNewline ? "" : " && echo"
    }; }` +
    // What could not be kept is read all the same: a client may take a closed pipe for an error.
    ' >>"$vigil_dir/$vigil_name.jsonl" || cat',
    "exit 0",
  ].join("; ");
  return anyShell === true ? `exec sh -c '${line}'` : line;
}

/** The events of a client that its settings name: those that the model takes, under the client's own names. */
export function hookedEvents(client: HookClient): readonly string[] {
  return coverageOf(client).filter((row) => row.lane === "hook" && row.status === "wired").map((row) => row.event);
}

/**
 * The settings as JSON text.
 *
 * @example
 * ```ts
 * import { hookSettings } from "./hook_settings.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const { hooks } = JSON.parse(hookSettings("gemini"));
 * assertEquals(Object.keys(hooks).slice(0, 3), ["SessionStart", "SessionEnd", "BeforeAgent"]);
 * ```
 */
export function hookSettings(client: HookClient): string {
  const { entry, frame } = CLIENTS[client];
  const line = hookLine(client);
  const hooks = Object.fromEntries(hookedEvents(client).map((event) => [event, entry(line)]));
  return JSON.stringify(frame(hooks), null, 2) + "\n";
}

/** Where the settings go, and what else is needed, a line each. */
export function hookAdvice(client: HookClient): { readonly place: string; readonly hints: readonly string[] } {
  const { place, alsoNeeded } = CLIENTS[client];
  return {
    place,
    hints: [
      ...(client === "copilot" ? [] : ['where that file has "hooks" already, add these to the list of each event']),
      ...(alsoNeeded === undefined ? [] : [alsoNeeded]),
      'read what they write with: vigil observe --follow "${JSC_HOME:-$HOME/.jsc}/hooks"',
    ],
  };
}
