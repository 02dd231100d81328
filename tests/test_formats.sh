#!/bin/sh
# usage: test_formats.sh PROGRAM SOURCE_DIR
#
# Every format gives its golden file, tests/golden/NAME.FORMAT, for each of these logs; one run writes all formats.
# WARPLINT_UPDATE=1 rewrites the files; read the difference before you keep it.
set -eu
program=$1 root=$2
golden=$root/tests/golden
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
export SOURCE_DATE_EPOCH=1767225600
unset GITHUB_ACTIONS GITLAB_CI JENKINS_URL TF_BUILD # pages name the run of a CI system

formats=$("$program" list formats | sed 's/ .*//')
version=$("$program" --version | sed 's/.* //')

# Removes the version, and the style and script of the page, which are files of their own.
without_version() # file
{
    case $1 in
    *.html)
        sed -e '/^<style>/,/<\/style>$/d' -e '/^<script>/,/<\/script>$/d' -e 's/sha256-[A-Za-z0-9+\/=]*/HASH/g' \
            -e "s/<span id=\"version\">$version</<span id=\"version\">VERSION</" "$1"
        ;;
    *) sed "s/\"$version\"/\"VERSION\"/g" "$1" ;;
    esac
}

compare() # golden file, made file
{
    without_version "$2" >"$work/now"
    if [ -n "${WARPLINT_UPDATE:-}" ]; then
        cp "$work/now" "$1"
    fi
    if cmp -s "$1" "$work/now"; then
        passed=$((passed + 1))
    else
        echo "FAIL ${1##*/}"
        diff -u "$1" "$work/now" | cut -c1-200 | head -n 20 || true
        failed=$((failed + 1))
    fi
}

log() # name, folder, status, further arguments of check; reads $inputs
{
    name=$1 folder=$2 expected=$3
    shift 3
    outputs='' status=0
    for format in $formats; do
        outputs="$outputs --output $format=$work/$name.$format"
    done
    # shellcheck disable=SC2086 # several words
    (cd "$root/$folder" && "$program" check "$@" $outputs $inputs) 2>"$work/said" || status=$?
    if [ $status != "$expected" ]; then
        echo "FAIL $name: status $status, expected $expected"
        cat "$work/said"
        failed=$((failed + 1))
    fi
    for format in $formats; do
        compare "$golden/$name.$format" "$work/$name.$format"
    done
}

inputs=log.txt
log clean fixtures/clean 0 --no-config
log empty fixtures/empty 3 --no-config
log bad fixtures/cmake-ninja 1 --no-config
log placed fixtures/unroll-sm90 1 --no-config
log hostile fixtures/hostile-names 1 --no-config --notes
log compared fixtures/cmake-ninja 1 --no-config --baseline "$root/tests/data/baseline.json"
log allowed fixtures/cmake-ninja 1 --config "$root/tests/data/allow.yaml"
inputs='located.log located.cubin' # the lines that spill
log located tests/data/binaries 1 --no-config

for file in "$golden"/*.*; do
    case " $(echo $formats) " in
    *" ${file##*.} "*) ;;
    *)
        echo "FAIL ${file##*/} is of no format"
        failed=$((failed + 1))
        ;;
    esac
done

# A record can hold text that a line of a log cannot; every writer must escape it.
sed 's/"esc[^"]*"/"esc\\u001b[31m\\u0007"/g' "$golden/hostile.ndjson" >"$work/escapes.ndjson"
grep -q 'esc\\u001b' "$work/escapes.ndjson"
for format in $formats; do
    "$program" check --no-config --fail-on never --format "$format" "$work/escapes.ndjson" >"$work/said.$format"
    if grep -q 'esc' "$work/said.$format" && ! LC_ALL=C grep -q "$(printf '[\033\007]')" "$work/said.$format"; then
        passed=$((passed + 1))
    else
        echo "FAIL a terminal sequence in $format"
        failed=$((failed + 1))
    fi
done

# If semicolons separate cells, a formula after one starts a cell.
sed 's/"esc[^"]*"/"esc;=1"/g' "$golden/hostile.ndjson" >"$work/formula.ndjson"
"$program" check --no-config --fail-on never --format csv "$work/formula.ndjson" >"$work/said.csv"
if grep -q "\"esc;'=1\"" "$work/said.csv" && ! grep -q ';=' "$work/said.csv"; then
    passed=$((passed + 1))
else
    echo "FAIL a formula behind a semicolon"
    failed=$((failed + 1))
fi

echo "$passed golden files as expected, $failed not"
[ "$failed" = 0 ] && [ "$passed" -ge 110 ]
