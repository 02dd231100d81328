#!/bin/sh
# usage: test_fixtures.sh PROGRAM SOURCE_DIR
#
# Every folder in fixtures/ has a log and says where it comes from, and `warplint check` gives its golden output and
# exit status, byte for byte. After an intended change read what ci/update-golden prints.
set -eu
program=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# The lines that ORIGIN must have so that the log can serve as evidence; prints the missing ones.
check_origin() # folder
{
    origin=$(sed -n 's/^origin  *//p' "$1/ORIGIN")
    case $origin in
    real) fields="shows tool sources command" ;;
    derived | invented) fields="shows from" ;;
    *) echo "ORIGIN says neither real nor derived nor invented" && return ;;
    esac
    for field in $fields; do
        grep -q "^$field  *[^ ]" "$1/ORIGIN" || echo "ORIGIN has no $field"
    done
    for source in $(sed -n 's/^sources  *//p' "$1/ORIGIN"); do
        [ -f "$1/$source" ] || echo "source $source is missing"
    done
    ! grep -nE '/(work|root|home)/' "$1/log.txt" || echo "the log holds a path of the machine that made it"
}

check_golden() # folder
{
    if ! [ -f "$1/expected.txt" ]; then
        echo "no golden output: ci/update-golden"
        return
    fi
    sh "$root/tests/judge_fixture" "$program" "$1" "$work"
    diff -u "$1/expected.txt" "$work/expected.txt" || true
    diff -u "$1/status" "$work/status" || true
}

for folder in "$root"/fixtures/*/; do
    folder=${folder%/}
    check_origin "$folder" >"$work/said"
    check_golden "$folder" >>"$work/said"
    if [ -s "$work/said" ]; then
        echo "FAIL ${folder##*/}"
        cat "$work/said"
        failed=$((failed + 1))
    else
        echo "ok   ${folder##*/}"
        passed=$((passed + 1))
    fi
done
echo "$passed fixtures as expected, $failed not"
[ "$failed" = 0 ] && [ "$passed" -ge 40 ]
