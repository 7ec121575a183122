// Pure. The command table -> a completion script for bash, from 3.2 on.
import { forks, operandValues, optionsOf, optionValues, type Values } from "./completion.ts";
import type { CommandRow } from "./table.ts";

const START = `# bash completion for vigil. Load it: source <(vigil completions bash)
_vigil_reply() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$@" -- "$cur")
}
_vigil_paths() {
  _vigil_reply "$1"
  compopt -o filenames 2>/dev/null
}
_vigil() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1} "
  COMPREPLY=()
  # readline makes "=" a word of its own
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD - 2]}
  case $before in
`;

const END = `  esac
}
complete -F _vigil vigil
`;

function reply(values: Values): string {
  switch (values.kind) {
    case "anything":
      return ":";
    case "file":
      return "_vigil_paths -f";
    case "folder":
      return "_vigil_paths -d";
    case "word":
      return `_vigil_reply -W '${values.words.join(" ")}'`;
  }
}

function commandCase(command: CommandRow): string {
  const options = optionsOf(command);
  const values = options.flatMap((option) =>
    option.value === undefined ? [] : [`        --${option.name}) ${reply(optionValues(option))} ;;\n`]
  );
  const flags = `_vigil_reply -W '${options.map((option) => `--${option.name}`).join(" ")}'`;
  const operands = operandValues(command);
  const rest = operands === null ? flags : `if [[ $cur == -* ]]; then ${flags}; else ${reply(operands)}; fi`;
  const start = `    '${command.path.join(" ")} '*)`;
  if (values.length === 0) return `${start} ${rest} ;;\n`;
  return `${start}
      case $prev in
${values.join("")}        *) ${rest} ;;
      esac
      ;;
`;
}

/** The script. */
export function bashCompletion(commands: readonly CommandRow[]): string {
  const cases = forks(commands).map(({ after, next }) =>
    `    '${after.join(" ")} ') _vigil_reply -W '${next.map(({ word }) => word).join(" ")}' ;;\n`
  );
  return START + cases.join("") + commands.map(commandCase).join("") + END;
}
