#compdef warplint
# zsh completion of warplint: the program prints the candidates (cli/cmd_complete.c).
_warplint()
{
    local kind
    local -a answer
    answer=("${(@f)$("$words[1]" __complete $((CURRENT - 1)) "${(@Q)words}" 2>/dev/null)}")
    kind=$answer[1]
    answer=("${(@)answer[2,-1]//:/\\:}")
    answer=("${(@)answer/$'\t'/:}")
    case $kind in
    words) _describe -V candidate answer ;;
    parts) _describe -V candidate answer -S '' ;;
    files) compset -P '*='; _files ;;
    folders) compset -P '*='; _files -/ ;;
    compiler)
        local at=$words[(i)--]
        words=("${(@)words[at + 1,-1]}")
        ((CURRENT -= at))
        _normal
        ;;
    esac
}
_warplint "$@"
