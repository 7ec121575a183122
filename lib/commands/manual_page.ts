// Pure. The command table -> the manual page, in man(7) that groff and mandoc both read.
import { OWN_VARIABLES } from "../environment.ts";
import { EXIT_CODES } from "../exit_code_words.ts";
import { optionsOf } from "./completion.ts";
import { usageOf, valuesOf } from "./help.ts";
import type { CommandRow } from "./table.ts";

/** `text` as it is, whatever it holds: nothing in it is a request, an escape or a hyphen that may break a line. */
function plain(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/gm, "\\&$&")
    .replace(/[^ -~\n]/gu, (mark) => `\\[u${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`);
}

const bold = (text: string): string => `\\fB${plain(text)}\\fR`;

/** A paragraph whose `tag` hangs left of `text`. */
const tagged = (tag: string, text: string): string => `.TP\n${tag}\n${plain(text)}\n`;

function commandSection(command: CommandRow): string {
  const options = optionsOf(command).map((option) =>
    tagged(
      bold(`--${option.name}`) + (option.value === undefined ? "" : ` \\fI${plain(option.value)}\\fR`),
      option.summary,
    )
  );
  const lines = [...command.about ?? [], ...valuesOf(command)];
  const about = lines.length === 0 ? "" : `.PP\n${plain(lines.join("\n"))}\n`;
  const examples = command.examples.map(({ line, summary }) =>
    `.PP\n${plain(summary)}:\n.PP\n.RS 4\n.nf\n${bold(line)}\n.fi\n.RE\n`
  );
  return `.SS ${plain(usageOf(command))}
${plain(command.summary)}
${about}${options.join("")}.PP
Exits with ${command.exits.join(", ")}.
${examples.join("")}`;
}

/** The page. It bears no date: the same table gives the same bytes. */
export function manualPage(commands: readonly CommandRow[], version: string): string {
  const exits = EXIT_CODES.map((row) => tagged(bold(`${row.code} ${row.name}`), `${row.meaning}: ${row.remedy}`));
  const variables = OWN_VARIABLES.map((row) => tagged(bold(row.name), row.summary));
  return `.TH VIGIL 1 "" "vigil ${plain(version)}" "User Commands"
.SH NAME
vigil \\- whether an unattended coding agent is alive and what it is doing
.SH SYNOPSIS
.B vigil
.I command
.RI [ option ...]
.RI [ operand ...]
.br
.B vigil help
.RI [ command ]
.br
.B vigil \\-\\-version
.SH DESCRIPTION
vigil tells, from outside, whether an unattended coding agent is alive and what it is doing.
The heartbeat is a small file that says when the agent was last alive; each remedy has an exit code of its own.
The observer reads what agents tell their hooks, and prints each transition of a session with its cause.
It reports and never judges.
.SH COMMANDS
${commands.map(commandSection).join("")}.SH EXIT STATUS
${exits.join("")}.SH ENVIRONMENT
${variables.join("")}.PP
The agents' own variables are read for the writer's name and session, and no others.
.SH FILES
.TP
.I $JSC_HOME/assistant/heartbeat
the heartbeat
.TP
.I $JSC_HOME/hooks/
what hooks recorded, a file a session
`;
}
