# bash completion of warplint: the program prints the candidates (cli/cmd_complete.c). Does not use /dev/fd, which a
# minimal chroot does not have.
_warplint()
{
    local IFS=$'\n' cur=${COMP_WORDS[COMP_CWORD]} kind
    [[ $cur != = ]] || cur=
    # A tab ends each candidate.
    COMPREPLY=($("${COMP_WORDS[0]}" __complete "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null | cut -f1))
    kind=${COMPREPLY[0]}
    COMPREPLY=("${COMPREPLY[@]:1}")
    [[ $kind != compiler || ${COMP_WORDS[COMP_CWORD - 1]} == -- ]] || kind=files
    case $kind in
    parts) compopt -o nospace 2>/dev/null ;;
    files | folders)
        compopt -o filenames 2>/dev/null
        [ "$kind" = files ] && kind=-f || kind=-d
        COMPREPLY=($(compgen "$kind" -- "$cur"))
        ;;
    compiler) COMPREPLY=($(compgen -c -- "$cur")) ;;
    esac
}
complete -F _warplint warplint
