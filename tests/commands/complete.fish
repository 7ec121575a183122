# complete.fish SCRIPT LINE…: what fish offers at the end of each line with the completion script loaded; then an empty line.
source $argv[1]; or exit 2
for line in $argv[2..-1]
    complete -C $line
    echo
end
