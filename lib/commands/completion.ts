// Pure. The command table -> what may stand at each place of a command line; the three completion scripts print it.
import { COMMON_OPTIONS } from "./parse.ts";
import type { CommandRow, OptionRow } from "./table.ts";

/** A word that may be typed and what it is for. */
export interface Word {
  readonly word: string;
  readonly summary: string;
}

/** What a value or an operand may be. */
export type Values =
  | { readonly kind: "anything" | "file" | "folder" }
  | { readonly kind: "word"; readonly words: readonly string[] };

/** A place where the words so far do not yet name a command, and what may come next. */
export interface Fork {
  readonly after: readonly string[];
  readonly next: readonly Word[];
}

const KINDS: Readonly<Record<string, "file" | "folder">> = { FILE: "file", PATH: "file", DIR: "folder" };

function valuesOf(placeholder: string | undefined, words: readonly string[] | undefined): Values {
  if (words !== undefined) return { kind: "word", words };
  return { kind: KINDS[placeholder?.match(/[A-Z]+/)?.[0] ?? ""] ?? "anything" };
}

/** What the value of `option` may be. */
export const optionValues = (option: OptionRow): Values => valuesOf(option.value, option.choices);

/** What an operand of `command` may be; null when it takes none. */
export const operandValues = (command: CommandRow): Values | null =>
  command.operands === undefined ? null : valuesOf(command.operands, command.operandChoices);

/** Every option of `command`, those of all commands included. */
export const optionsOf = (command: CommandRow): readonly OptionRow[] => [...command.options, ...COMMON_OPTIONS];

/** The words that go on from `after` towards a command. */
function wordsAfter(after: readonly string[], commands: readonly CommandRow[]): Word[] {
  const summaries = new Map<string, string[]>();
  for (const { path, summary } of commands) {
    if (path.length <= after.length || !after.every((word, at) => path[at] === word)) continue;
    const word = path[after.length];
    const line = path.length === after.length + 1 ? summary : path[after.length + 1];
    summaries.set(word, [...summaries.get(word) ?? [], line]);
  }
  return [...summaries].map(([word, lines]) => ({ word, summary: lines.join(", ") }));
}

/** Every place that leads towards a command, `help` included. */
export function forks(commands: readonly CommandRow[]): Fork[] {
  const groups = new Set(commands.filter((command) => command.path.length > 1).map((command) => command.path[0]));
  const starts = [[], ...[...groups].map((group) => [group])];
  const flags: Word[] = COMMON_OPTIONS.map((option) => ({ word: `--${option.name}`, summary: option.summary }));
  const first: Word[] = [
    { word: "help", summary: "tell more about a command" },
    ...flags,
    { word: "--version", summary: "print the version, commit, runtime and target" },
  ];
  return [
    ...starts.map((after) => ({
      after,
      next: [...wordsAfter(after, commands), ...(after.length === 0 ? first : flags)],
    })),
    ...starts.map((after) => ({ after: ["help", ...after], next: wordsAfter(after, commands) })),
  ];
}
