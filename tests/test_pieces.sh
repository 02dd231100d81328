#!/bin/sh
# usage: test_pieces.sh PROGRAM SOURCE_DIR
#
# A log that arrives in pieces of any size gives the same bytes of NDJSON as the same log at once.
set -eu
program=$1 fixtures=$2/fixtures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

report()
{
    "$program" report --format ndjson - || test $? = 3
}

for name in rdc-two-archs unroll-sm90 ansi-crlf github-actions hostile-names interleaved torn; do
    log=$fixtures/$name/log.txt
    report <"$log" >"$work/whole"
    grep -q '"type": *"kernel"' "$work/whole" || {
        echo "FAIL $name: no kernel in the NDJSON"
        failed=1
    }
    for size in 1 2 3 7 4096; do
        dd if="$log" bs=$size 2>/dev/null | report >"$work/pieces"
        if cmp "$work/whole" "$work/pieces"; then
            echo "ok   $name in pieces of $size bytes"
        else
            echo "FAIL $name in pieces of $size bytes"
            failed=1
        fi
    done
done
exit $failed
