# complete.bash SCRIPT LINE…: what bash offers at the end of each line with the completion script loaded; then an empty line.
source "$1" || exit 2
shift
[[ $(complete -p vigil) == "complete -F _vigil vigil" ]] || exit 2
for line; do
  # readline hands over words; "=" parts them and is one itself
  IFS=$'\t' read -r -a COMP_WORDS < <(tr ' ' '\t' <<<"${line//=/ = }")
  [[ $line == *[\ =] ]] && COMP_WORDS+=('')
  [[ $line == *= ]] && unset 'COMP_WORDS[-1]'
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _vigil
  printf '%s\n' "${COMPREPLY[@]}" ''
done
