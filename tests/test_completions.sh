#!/bin/sh
# usage: test_completions.sh PROGRAM SOURCE_DIR
#
# Real shells (bash, zsh, fish) complete command lines with our scripts, which ask the program. Shells that are not
# installed are skipped (ci/setup --shells).
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
mkdir here here/folder && : >here/build.log && : >here/bundle.txt && : >here/alpha.yaml

# gives SHELL 'LINE' WORDS... ['!' WORDS...]: the completions of the line contain the words before the "!" and none
# after it
gives()
{
    shell=$1 line=$2
    shift 2
    "complete_$shell" "$line" >out 2>err
    missing= unwanted= not=
    for word; do
        if [ "$word" = '!' ]; then
            not=yes
        elif [ -z "$not" ]; then
            grep -qxF -- "$word" out || missing="$missing $word"
        else
            ! grep -qxF -- "$word" out || unwanted="$unwanted $word"
        fi
    done
    if [ -z "$missing$unwanted" ] && [ ! -s err ]; then ok "$shell: '$line'"; else
        cat err >>out
        bad "$shell: '$line': not there:$missing; there:$unwanted"
    fi
}

# Asks a shell to complete a line; prints one candidate per line.
complete_bash()
{
    (cd here && bash -c '
        source "$1"
        line=$2
        # Splits as readline does: at blanks, and "=" is a word of its own.
        line=${line//=/ = }
        read -ra COMP_WORDS <<<"$line"
        [[ $2 != *[\ ] && $2 != *= ]] || [[ $2 == *= ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _warplint
        printf "%s\n" "${COMPREPLY[@]}"' - "$work/warplint.bash" "$1")
}
complete_fish()
{
    (cd here && HOME=$work XDG_CONFIG_HOME=$work fish --no-config -c '
        source $argv[1]
        complete -C $argv[2]' "$work/warplint.fish" "$1" | cut -f1)
}
complete_zsh()
{
    (cd here && python3 "$source/tests/complete_zsh.py" "$work/zsh" "$1") |
        tr -s ' \t' '\n\n' | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g'
}

mkdir zsh bin
for shell in bash zsh fish; do
    cp "$source/src/cli/completions/warplint.$shell" .
done
cp warplint.zsh zsh/_warplint
ln -s "$program" bin/warplint
PATH=$work/bin:$PATH
expect 2 'takes the number of a word' '__complete with a number above the words: status 2' warplint __complete 3 warplint check
"$program" __complete 1 warplint '' >/dev/full 2>err
[ $? = 3 ] && ok '__complete with a full disk: status 3' || bad '__complete with a full disk: status 3'

commands=$("$program" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')

# ---- bash
if command -v bash >/dev/null; then
    bash -n warplint.bash 2>out && ok 'bash accepts the script' || bad 'bash accepts the script'
    gives bash 'warplint ' $commands --help --version
    gives bash 'warplint ch' check ! report
    gives bash 'warplint check --fo' --format ! --force
    gives bash 'warplint check --format ' text json ndjson sarif
    gives bash 'warplint doctor --format ' text json ! sarif
    gives bash 'warplint check --format=s' sarif ! text
    gives bash 'warplint check -o s' sarif= ! text=
    gives bash 'warplint check -o sarif=b' build.log bundle.txt ! alpha.yaml
    gives bash 'warplint check --arch sm_8' sm_80 sm_86 ! sm_90
    gives bash 'warplint check --arch sm_80,sm_9' sm_80,sm_90 ! sm_90
    gives bash 'warplint check --select register-s' register-spill ! register-ceiling
    gives bash 'warplint check --fail-on ' error warning note never
    gives bash 'warplint check --rules ' folder ! build.log
    gives bash 'warplint check --config a' alpha.yaml ! build.log
    gives bash 'warplint check bu' build.log bundle.txt ! alpha.yaml
    gives bash 'warplint check --threads ' ! build.log
    gives bash 'warplint list ' rules gpus causes ! build.log
    gives bash 'warplint baseline ' write check update prune ! build.log
    gives bash 'warplint baseline write ' build.log ! check
    gives bash 'warplint explain register-sp' register-spill
    gives bash 'warplint help re' records report reports ! check
    gives bash 'warplint occupancy --sweep ' threads registers smem
    gives bash 'warplint occupancy --' --arch --best
    gives bash 'warplint init --ci g' github gitlab ! azure
    gives bash 'warplint wrap -- pri' printf
    gives bash 'warplint wrap -- nvcc -c bu' build.log ! --no-hook
    gives bash 'warplint wrap --pass' --passthrough
    gives bash 'warplint config ' show
else
    echo 'skipped: bash is not installed'
fi

# ---- fish
if command -v fish >/dev/null; then
    fish --no-execute warplint.fish 2>out && ok 'fish accepts the script' || bad 'fish accepts the script'
    gives fish 'warplint ' $commands
    gives fish 'warplint ch' check ! report
    gives fish 'warplint check --fo' --format ! --force
    gives fish 'warplint doctor --format ' text json ! sarif
    gives fish 'warplint check --format=s' --format=sarif ! --format=text
    gives fish 'warplint check -o s' sarif= ! text=
    gives fish 'warplint check --arch sm_80,sm_9' sm_80,sm_90
    gives fish 'warplint check --select register-s' register-spill
    gives fish 'warplint check --config a' alpha.yaml ! build.log
    gives fish 'warplint check --rules ' folder/ ! build.log
    gives fish 'warplint check bu' build.log bundle.txt ! alpha.yaml
    gives fish 'warplint list ' rules gpus causes ! build.log
    gives fish 'warplint baseline ' write check update prune
    gives fish 'warplint init --ci g' github gitlab ! azure
    gives fish 'warplint occupancy --sweep ' threads registers smem
    gives fish 'warplint occupancy --ar' --arch
else
    echo 'skipped: fish is not installed'
fi

# ---- zsh
if command -v zsh >/dev/null && command -v python3 >/dev/null; then
    zsh -n warplint.zsh 2>out && ok 'zsh accepts the script' || bad 'zsh accepts the script'
    gives zsh 'warplint ' check report doctor
    gives zsh 'warplint adv' advise
    gives zsh 'warplint check --sarif' --sarif-category
    gives zsh 'warplint check --format=sa' --format=sarif
    gives zsh 'warplint doctor --format ' text json ! sarif
    gives zsh 'warplint check --select register-s' register-spill
    gives zsh 'warplint check --arch sm_80,sm_12' sm_80,sm_120 sm_80,sm_121
    gives zsh 'warplint check --config al' alpha.yaml
    gives zsh 'warplint check bui' build.log
    gives zsh 'warplint list ca' causes
    gives zsh 'warplint baseline up' update
    gives zsh 'warplint check -o sar' sarif=
    gives zsh 'warplint occupancy --sweep re' registers
else
    echo 'skipped: zsh or python3 is not installed'
fi

finish
