#!/bin/sh
# usage: test_records.sh PROGRAM SOURCE_DIR
#
# The NDJSON of a log is judged like the log: the same findings, texts and exit status, with every option. Over every
# fixture, and the shared logs if they exist.
set -u
program=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# same TITLE OPTION...: compares `check OPTION...` of the log and of its records
same()
{
    title=$1
    shift
    "$program" check "$@" "$log" >"$work/log.out" 2>"$work/log.err" </dev/null
    echo $? >>"$work/log.out"
    "$program" check "$@" "$work/x.ndjson" >"$work/records.out" 2>"$work/records.err" </dev/null
    echo $? >>"$work/records.out"
    if cmp -s "$work/log.out" "$work/records.out" && cmp -s "$work/log.err" "$work/records.err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $title"
        diff "$work/log.out" "$work/records.out" | head -n 6
        diff "$work/log.err" "$work/records.err" | head -n 6
    fi
}

for log in "$source"/fixtures/*/log.txt "$source"/../shared/logs/*.log "$source"/../shared/logs/builds/*.log; do
    [ -f "$log" ] || continue
    case ${WARPLINT_TEST_QUICK:+quick}$log in
    quick*/builds/*) continue ;; # 158 logs of public code: once is enough
    esac
    "$program" report --format ndjson "$log" >"$work/x.ndjson" 2>"$work/err"
    same "$log" --all --unknown
    same "$log in CSV, strict, with a block size" --strict --threads 256 --format csv
    same "$log on one architecture" --arch sm_90 --all
done
echo "$passed judged alike, $failed not"
[ "$failed" = 0 ] && [ "$passed" -ge 120 ]
