# fish completion of warplint: the program prints the candidates (cli/cmd_complete.c).
function __warplint_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer (command $words[1] __complete (math (count $words) - 1) $words 2>/dev/null)
    switch "$answer[1]"
        case words parts
            string join \n -- $answer[2..-1]
        case files
            __fish_complete_path (string replace -r '^.*=' '' -- $words[-1])
        case folders
            __fish_complete_directories (commandline -ct)
        case compiler
            __fish_complete_subcommand --
    end
end
complete -c warplint -f -a '(__warplint_complete)'
