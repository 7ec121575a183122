// Pure. The command table -> help texts.
import { EXIT_CODES, type ExitCodeRow, type ExitWords, exitWordsOf } from "../exit_code_words.ts";
import { EXIT } from "../exit_codes.ts";
import { usageFailure } from "../failure.ts";
import { COMMON_OPTIONS, helpHint } from "./parse.ts";
import type { CommandRow } from "./table.ts";

/** `rows` as two columns, indented by two. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

/** How a command is called: `vigil observe [OPTION…] [FILE…]`. */
export function usageOf(command: CommandRow): string {
  return ["vigil", ...command.path, ...(command.options.length > 0 ? ["[OPTION…]"] : []), command.operands ?? ""]
    .join(" ").trimEnd();
}

/** What a code means and what to do about it, in the words given. */
const exitText = ({ code }: ExitCodeRow, { meaning, remedy }: ExitWords): string =>
  code === EXIT.ok ? meaning : `${meaning}; ${remedy}`;

/** The only values that operands and options take, a line each, where their summaries do not name them. */
export function valuesOf(command: CommandRow): string[] {
  const rows: (readonly [string, readonly string[]])[] = [];
  if (command.operandChoices !== undefined) rows.push([command.operands ?? "", command.operandChoices]);
  for (const { name, value, choices, summary } of command.options) {
    if (choices !== undefined && !choices.every((choice) => summary.includes(choice))) {
      rows.push([`${value} of --${name}`, choices]);
    }
  }
  return rows.map(([what, choices]) => `${what} is ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}.`);
}

function overview(commands: readonly CommandRow[], title: string): string {
  return `${title}

Usage: vigil COMMAND [OPTION…]

Commands:
${columns(commands.map((command) => [command.path.join(" "), command.summary]))}
Exit codes:
${columns(EXIT_CODES.map((row) => [`${row.code}  ${row.name}`, exitText(row, row)]))}
vigil help COMMAND tells more about one command.
`;
}

function commandHelp(command: CommandRow): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  const lines = [...command.about ?? [], ...valuesOf(command)];
  const about = lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
  const exits = EXIT_CODES.filter((row) => command.exits.includes(row.code));
  return `${command.summary}

Usage: ${usageOf(command)}
${about}
Options:
${
    columns(
      options.map((option) => [
        option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`,
        option.summary,
      ]),
    )
  }
Exit codes:
${columns(exits.map((row) => [`${row.code}  ${row.name}`, exitText(row, exitWordsOf(row, command.path))]))}
Example${command.examples.length === 1 ? "" : "s"}:
${command.examples.map((example) => `  # ${example.summary}\n  ${example.line}\n`).join("")}`;
}

/**
 * The help for `topic`: everything for no words, a group for its first word, else one command.
 *
 * @throws {Failure} with exit 6 when there is no such command
 */
export function help(topic: readonly string[], commands: readonly CommandRow[]): string {
  const found = commands.filter((command) => topic.every((word, at) => command.path[at] === word));
  if (found.length === 0) throw usageFailure(`no help for "${topic.join(" ")}"`, helpHint(topic, commands));
  if (topic.length > 0 && found.length === 1) return commandHelp(found[0]);
  return overview(
    found,
    "vigil tells, from outside, whether an unattended coding agent is alive and what it is doing.",
  );
}
