#!/bin/sh
# usage: test_filtered.sh PROGRAM SOURCE_DIR
#
# A log from which lines were removed must not pass if the whole log fails. If the whole log ends with 1, `check` must
# not end with 0 for the log without its stack lines, `Function properties`, `Compiling` or `Used` lines, nor for its
# `Compiling` and `Used` lines alone. Over the fixtures, and over ../shared/logs/builds if it exists.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"

status_of() # log; its output is in `out`
{
    "$program" check --no-config "$1" >out 2>&1 </dev/null
    echo $?
}

# drops LOG: the kinds of lines without which the log passes
drops()
{
    grep -av 'bytes stack frame' "$1" >'stack lines'
    grep -av 'Function properties' "$1" >properties
    grep -av 'Compiling entry' "$1" >Compiling
    grep -avE ': +[Uu]sed [0-9]' "$1" >Used
    grep -aE 'Compiling|Used' "$1" >'all but Compiling and Used'
    grep -aE 'ptxas|nvlink' "$1" >'all but tagged'
    for kind in 'stack lines' properties Compiling Used 'all but Compiling and Used' 'all but tagged'; do
        [ "$(status_of "$kind")" != 0 ] || echo "without $kind: status 0"
    done
}

# never_pass TITLE LEAST LOG...: at least LEAST of the logs fail when complete
never_pass()
{
    title=$1 least=$2 failing=0 passing=
    shift 2
    for log; do
        [ "$(status_of "$log")" = 1 ] || continue
        failing=$((failing + 1))
        dropped=$(drops "$log")
        [ -z "$dropped" ] || passing="$passing
$log $dropped"
    done
    echo "$failing logs fail as they are; those that pass with lines dropped:$passing" >said
    if [ -z "$passing" ] && [ $failing -ge "$least" ]; then ok "$title ($failing logs)"; else bad "$title"; fi
}

never_pass 'fixtures' 25 "$source"/fixtures/*/log.txt
if [ -d "$source/../shared/logs/builds" ]; then
    never_pass 'real builds' 15 "$source"/../shared/logs/builds/*.log
else
    skip 'no ../shared/logs/builds'
fi
finish
