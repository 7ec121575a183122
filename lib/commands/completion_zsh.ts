// Pure. The command table -> a completion script for zsh.
import { forks, operandValues, optionsOf, optionValues, type Values } from "./completion.ts";
import type { CommandRow, OptionRow } from "./table.ts";

const START = `#compdef vigil
# zsh completion for vigil. Load it: source <(vigil completions zsh), or save it as _vigil in a folder of $fpath
_vigil_words() {
  local -a next=("$@")
  _describe -t commands command next
}
_vigil_arguments() {
  local -i length=$1
  shift
  words=("\${words[1]}" "\${(@)words[length+2,-1]}")
  (( CURRENT -= length ))
  _arguments "$@"
}
_vigil() {
  case "\${(j: :)words[2,CURRENT-1]} " in
`;

const END = `  esac
}
if [[ \${funcstack[1]} == _vigil ]]; then _vigil "$@"; else compdef _vigil vigil; fi
`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `text` with what `_arguments` would read as its own marks escaped. */
const plain = (text: string): string => text.replace(/[\\:[\]]/g, "\\$&");

function action(values: Values): string {
  switch (values.kind) {
    case "anything":
      return " ";
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "word":
      return `(${values.words.join(" ")})`;
  }
}

function optionSpec(option: OptionRow): string {
  const summary = `[${plain(option.summary)}]`;
  if (option.value === undefined) return quote(`--${option.name}${summary}`);
  return quote(`--${option.name}=${summary}:${plain(option.value)}:${action(optionValues(option))}`);
}

function commandCase(command: CommandRow): string {
  const specs = optionsOf(command).map(optionSpec);
  const operands = operandValues(command);
  if (operands !== null) specs.push(quote(`*:${plain(command.operands ?? "")}:${action(operands)}`));
  const lines = specs.map((spec) => ` \\\n        ${spec}`).join("");
  return `    ${quote(`${command.path.join(" ")} `)}*)\n      _vigil_arguments ${command.path.length}${lines} ;;\n`;
}

/** The script. */
export function zshCompletion(commands: readonly CommandRow[]): string {
  const cases = forks(commands).map(({ after, next }) => {
    const words = next.map(({ word, summary }) => ` \\\n        ${quote(`${word}:${summary}`)}`).join("");
    return `    ${quote(`${after.join(" ")} `)})\n      _vigil_words${words} ;;\n`;
  });
  return START + cases.join("") + commands.map(commandCase).join("") + END;
}
