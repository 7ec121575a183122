// Pure. The command table -> help texts.
import { EXIT, EXIT_CODES, type ExitCodeRow } from "../exit_codes.ts";
import { usageFailure } from "../failure.ts";
import { COMMON_OPTIONS } from "./parse.ts";
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

/** What a code means and what to do about it. */
const exitText = ({ code, meaning, remedy }: ExitCodeRow): string =>
  code === EXIT.ok ? meaning : `${meaning}; ${remedy}`;

function overview(commands: readonly CommandRow[], title: string): string {
  return `${title}

Usage: vigil COMMAND [OPTION…]

Commands:
${columns(commands.map((command) => [command.path.join(" "), command.summary]))}
Exit codes:
${columns(EXIT_CODES.map((row) => [`${row.code}  ${row.name}`, exitText(row)]))}
vigil help COMMAND tells more about one command.
`;
}

function commandHelp(command: CommandRow): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  const about = command.about === undefined ? "" : `\n${command.about.join("\n")}\n`;
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
${columns(exits.map((row) => [`${row.code}  ${row.name}`, exitText(row)]))}
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
  if (found.length === 0) throw usageFailure(`no help for "${topic.join(" ")}"`, "vigil --help lists the commands");
  if (topic.length > 0 && found.length === 1) return commandHelp(found[0]);
  return overview(
    found,
    "vigil tells, from outside, whether an unattended coding agent is alive and what it is doing.",
  );
}
