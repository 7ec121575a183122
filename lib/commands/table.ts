// Pure data. Every command, option and example of the binary: parsing, help, completions, man page and README read this table.
import { DIALECTS, HOOK_CLIENTS } from "../dialects/reading.ts";
import type { ExitCode } from "../exit_codes.ts";
import { COVERAGE_FORMATS, formatOption, OBSERVE_FORMATS, SESSIONS_FORMATS } from "./formats.ts";
import { HEARTBEAT_COMMANDS } from "./heartbeat_table.ts";
import { SHELLS } from "./shells.ts";

/** One option of a command. */
export interface OptionRow {
  /** Long name, without the dashes. */
  readonly name: string;
  /** What stands for the value in help; absent for a switch. */
  readonly value?: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  readonly summary: string;
}

/** One line to try, and what it is for. */
export interface ExampleRow {
  readonly line: string;
  readonly summary: string;
}

/** What a command gets to work on. */
export interface Invocation {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly operands: readonly string[];
}

/** The code of a command, loaded only when it is asked for. */
export interface CommandModule {
  run(invocation: Invocation): ExitCode | Promise<ExitCode>;
}

/** One command. */
export interface CommandRow {
  /** The words after `vigil`. */
  readonly path: readonly string[];
  readonly summary: string;
  /** What stands for the operands in help; absent when the command takes none. */
  readonly operands?: string;
  /** The fewest and the most operands. */
  readonly operandCount?: readonly [number, number];
  /** The only operands allowed; without them a FILE in `operands` is completed as a file. */
  readonly operandChoices?: readonly string[];
  readonly about?: readonly string[];
  readonly options: readonly OptionRow[];
  readonly exits: readonly ExitCode[];
  readonly examples: readonly ExampleRow[];
  load(): Promise<CommandModule>;
}

/** Every command, in the order help lists them. */
export const COMMANDS: readonly CommandRow[] = [
  ...HEARTBEAT_COMMANDS,
  {
    path: ["observe"],
    summary: "read agent hook JSON, print each state transition with its cause",
    operands: "[FILE…]",
    operandCount: [0, Infinity],
    options: [
      formatOption(OBSERVE_FORMATS),
      { name: "snapshot", summary: "print each session's state once the input has ended" },
      {
        name: "dialect",
        value: "NAME",
        choices: ["auto", ...DIALECTS],
        summary: "whose JSON it is; auto (default) tells it from each value",
      },
      { name: "follow", summary: "go on reading files that grow, or all *.jsonl of a folder, until SIGTERM or SIGINT" },
      { name: "from-now", summary: "with --follow: read what is there in silence, print only what is new" },
      { name: "state-dir", value: "DIR", summary: "keep each session's state in a file of DIR, for vigil sessions" },
      { name: "quiet", summary: "no summary and no notes on stderr, only troubles" },
      { name: "max-bytes", value: "N", summary: "reject a value larger than N bytes; default 67108864 (64 MiB)" },
    ],
    exits: [0, 2, 4, 5, 6],
    examples: [
      { line: "vigil observe < hooks.jsonl", summary: "what a captured session did" },
      {
        line: 'vigil observe --follow "${JSC_HOME:-$HOME/.jsc}/hooks"',
        summary: "watch every agent that the hooks of vigil hooks record",
      },
      {
        line: "claude -p --output-format stream-json --verbose 'hi' | vigil observe",
        summary: "watch one headless run",
      },
    ],
    load: () => import("./observe.ts"),
  },
  {
    path: ["sessions"],
    summary: "list what each session was last seen doing",
    operands: "[ID]",
    operandCount: [0, 1],
    about: [
      "Reads the files that observe --state-dir writes. It lists them all: no session is left out and none is judged.",
      "Ages are against now. ID is a session's, or the beginning of one alone, such as the eight characters that observe",
      "prints. A folder that --dir names and that is not there is 3: its observer was not started, or it is misspelt. The",
      "default folder may be missing: nothing was observed yet, which is 0.",
    ],
    options: [
      { name: "dir", value: "DIR", summary: "the folder to read; default $JSC_HOME/sessions" },
      formatOption(SESSIONS_FORMATS),
      { name: "output", value: "FILE", summary: "replace FILE as a whole instead of printing" },
    ],
    exits: [0, 2, 3, 4, 5, 6],
    examples: [
      { line: "vigil sessions", summary: "every session, what it does and what is open in it" },
      {
        line: "vigil sessions --format prometheus --output sessions.prom",
        summary: "for node_exporter's textfile collector",
      },
    ],
    load: () => import("./sessions.ts"),
  },
  {
    path: ["coverage"],
    summary: "print what becomes of every event of every agent, and why",
    about: [
      "An event is wired, which moves a session or is recorded, or declined. Either way the reason stands beside it.",
    ],
    options: [
      formatOption(COVERAGE_FORMATS),
      { name: "dialect", value: "NAME", choices: [...DIALECTS], summary: "only this agent's events" },
    ],
    exits: [0, 2, 5, 6],
    examples: [
      { line: "vigil coverage --dialect claude", summary: "every hook and message of Claude Code" },
      { line: "vigil coverage | grep PermissionRequest", summary: "who says that a permission is asked for, and how" },
    ],
    load: () => import("./coverage.ts"),
  },
  {
    path: ["hooks"],
    summary: "print the settings that make an agent record its hooks for observe",
    operands: "AGENT",
    operandCount: [1, 1],
    operandChoices: HOOK_CLIENTS,
    about: [
      "Prints settings for the agent's own configuration; no file is changed. With them the agent appends what its hooks",
      "tell to one file a session below $JSC_HOME/hooks, by a line of shell: nothing of vigil runs inside the agent.",
    ],
    options: [],
    exits: [0, 2, 5, 6],
    examples: [{ line: "vigil hooks claude > vigil-hooks.json", summary: "then: claude --settings vigil-hooks.json" }],
    load: () => import("./hooks.ts"),
  },
  {
    path: ["completions"],
    summary: "print the completion script for a shell",
    operands: "SHELL",
    operandCount: [1, 1],
    operandChoices: SHELLS,
    options: [],
    exits: [0, 2, 5, 6],
    examples: [
      {
        line: "source <(vigil completions bash)",
        summary: "in ~/.bashrc; the same with zsh in ~/.zshrc, after compinit",
      },
      { line: "vigil completions fish | source", summary: "in ~/.config/fish/config.fish" },
    ],
    load: () => import("./completions.ts"),
  },
  {
    path: ["man"],
    summary: "print the manual page",
    options: [],
    exits: [0, 2, 5, 6],
    examples: [
      { line: "vigil man | man -l -", summary: "read it" },
      { line: "vigil man > vigil.1", summary: "keep it, for a folder man1 that man looks into" },
    ],
    load: () => import("./man.ts"),
  },
];
