# complete.zsh SCRIPT LINE…: what zsh offers at the end of each line with the completion script loaded; then an empty line.
# Completion works only in a line editor, so a second zsh gets a terminal of its own, whose compadd also prints what it adds.
zmodload zsh/zpty || exit 2
zpty editor zsh -f -i
feed() { zpty -w editor "$1" }
feed 'PS1= PS2= RPS1=; stty -echo columns 400; autoload -Uz compinit; compinit -D -u'
feed 'zstyle ":completion:*" format ""; zstyle ":completion:*" verbose no'
feed "source ${(q)1}"
feed 'compadd() {
  [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && { builtin compadd "$@"; return }
  local -a hits; builtin compadd -O hits "$@"; (( $#hits )) && print -r -l -- "${hits[@]/#/hit:}"; builtin compadd "$@"
}
finish() { print done: }
answer() { comppostfuncs=(finish); zle complete-word; zle kill-whole-line }; zle -N answer; bindkey "^I" answer; print ready:'
until zpty -r editor line '*ready:*'; do :; done
shift
for command; do
  zpty -w -n editor "$command"$'\t'
  while zpty -r editor line; do
    line=${line//$'\r'/}; line=${line%$'\n'}
    [[ $line == *hit:* ]] && print -r -- ${line##*hit:}
    [[ $line == *done:* ]] && break
  done
  print
done
zpty -d editor
