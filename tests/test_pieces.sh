#!/bin/sh
# usage: test_pieces.sh PROGRAM SOURCE_DIR
#
# A log that arrives in pieces of any size gives the same bytes of NDJSON as the log at once; the same holds for a large
# log, from a file or from a pipe.
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

# Windows PowerShell writes UTF-16. The path is the same, so that the bytes are the same.
for encoding in UTF-16LE UTF-16BE; do
    command -v iconv >/dev/null || { echo "skipped: no iconv"; break; }
    for log in "$fixtures"/*/log.txt; do
        name=$(basename "$(dirname "$log")")
        iconv -f UTF-8 -t UTF-8 "$log" >/dev/null 2>&1 || continue # bytes that are no text
        report <"$log" >"$work/whole" 2>/dev/null
        { printf '\357\273\277' && cat "$log"; } | iconv -f UTF-8 -t $encoding | report >"$work/wide" 2>/dev/null
        if cmp "$work/whole" "$work/wide"; then
            echo "ok   $name in $encoding"
        else
            echo "FAIL $name in $encoding"
            failed=1
        fi
    done
done

# The records of a build, and every other kind of line that a log can contain.
awk -f "$2/tests/bench/make_log" 1500 >"$work/build.log"
for log in "$fixtures"/*/log.txt "$2"/../shared/logs/*.log; do
    [ ! -f "$log" ] || cat "$log"
done | cat "$work/build.log" - "$work/build.log" >"$work/mixed.log"

check() # name of the outputs, arguments...
{
    outputs=$work/$1
    shift
    (cd "$work" && "$program" check --no-config --all --fail-on never --unknown --output ndjson="$outputs.ndjson" "$@") \
        >"$outputs.text"
}

same() # what
{
    if cmp "$work/one.text" "$work/now.text" && cmp "$work/one.ndjson" "$work/now.ndjson"; then
        echo "ok   $1"
    else
        echo "FAIL $1"
        failed=1
    fi
}

for log in build mixed; do
    check one "$log.log"
    [ "$(grep -c '"type":"kernel"' "$work/one.ndjson")" -ge 9000 ] || {
        echo "FAIL $log: too few kernels"
        failed=1
    }
    check one - <"$work/$log.log"
    cat "$work/$log.log" | check now
    same "$log from a pipe"
done
exit $failed
