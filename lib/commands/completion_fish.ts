// Pure. The command table -> a completion script for fish.
import { forks, operandValues, optionsOf, optionValues, type Values } from "./completion.ts";
import type { CommandRow } from "./table.ts";

const START = `# fish completion for vigil. Load it: vigil completions fish | source
function __vigil_after
    set -l before (commandline -opc)
    set -e before[1]
    test "$before" = "$argv"
end
function __vigil_in
    set -l before (commandline -opc)
    set -e before[1]
    string match -q -- "$argv *" "$before "
end
complete -c vigil -f
`;

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

/** Switches of `complete` that offer `values`, and nothing else. */
function offer(values: Values): string {
  switch (values.kind) {
    case "anything":
      return "-x";
    case "file":
      return "-r -F";
    case "folder":
      return "-x -a '(__fish_complete_directories)'";
    case "word":
      return `-x -a ${quote(values.words.join(" "))}`;
  }
}

function commandLines(command: CommandRow): string {
  const start = `complete -c vigil -n ${quote(`__vigil_in ${command.path.join(" ")}`)}`;
  const options = optionsOf(command).map((option) => {
    const values = option.value === undefined ? "" : ` ${offer(optionValues(option))}`;
    return `${start} -l ${option.name}${values} -d ${quote(option.summary)}\n`;
  });
  const operands = operandValues(command);
  const operandLine: Readonly<Record<Values["kind"], string>> = {
    anything: "",
    file: `${start} -F\n`,
    folder: `${start} -a '(__fish_complete_directories)'\n`,
    word: operands?.kind === "word" ? `${start} -a ${quote(operands.words.join(" "))}\n` : "",
  };
  return options.join("") + (operands === null ? "" : operandLine[operands.kind]);
}

/** The script. */
export function fishCompletion(commands: readonly CommandRow[]): string {
  const words = forks(commands).flatMap(({ after, next }) =>
    next.map(({ word, summary }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c vigil -n ${quote(`__vigil_after ${after.join(" ")}`.trimEnd())} ${what} -d ${
        quote(summary)
      }\n`;
    })
  );
  return START + words.join("") + commands.map(commandLines).join("");
}
