#!/bin/sh
# usage: test_hostile.sh PROGRAM SOURCE_DIR
#
# Hostile names, lines, paths and texts (tests/hostile/*.txt) in every part of an input. Every output of every format
# goes through a parser (tests/hostile/check.py), its schema, and a browser. Paths in a log are neither read nor
# written. Tools that are not installed (ci/setup, ci/tools) are skipped with a message.
set -eu
program=$1 root=$2
modules=$root/build-tools/node_modules
multitool=$modules/@microsoft/sarif-multitool-linux
. "$root/tests/cases.sh"

if ! has python3; then
    skip "hostile text: no python3"
    exit 0
fi
mkdir "$work/reports"
holds "hostile text in every format" python3 "$root/tests/hostile/check.py" "$program" "$work/reports" \
    ${WARPLINT_TEST_QUICK:+quick}
tail -n 2 "$work/said"

# ---- schemas ----

if has xmllint; then
    for schema in "$root"/tests/schemas/*.rng; do
        format=$(basename "$schema" .rng)
        for scene in log records rules; do
            holds "$scene.$format is valid" xmllint --noout --relaxng "$schema" "$work/reports/$scene.$format"
        done
    done
else
    skip "schemas of XML: no xmllint"
fi

validate() # schema, format
{
    NODE_PATH=$modules node "$root/tests/tools/validate.js" "$1" "$work/reports/log.$2" "$work/reports/records.$2" \
        "$work/reports/rules.$2"
}

if has node && [ -d "$modules/ajv" ]; then
    for schema in "$root"/tests/schemas/*.schema.json; do
        format=$(basename "$schema" .schema.json)
        holds "$format is valid" validate "$schema" "$format"
    done
    [ ! -f "$multitool/sarif-2.1.0.json" ] || holds "sarif is valid" validate "$multitool/sarif-2.1.0.json" sarif
else
    skip "schemas of JSON: no node, or no build-tools (ci/tools)"
fi

if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    skip "GitHub's rules for SARIF: WARPLINT_TEST_QUICK is set"
elif "$multitool/Sarif.Multitool" --version >/dev/null 2>&1; then
    holds "GitHub accepts the SARIF files" no_errors "$work/reports/log.sarif" "$work/reports/records.sarif" \
        "$work/reports/rules.sarif"
else
    skip "GitHub's rules for SARIF: the validator is not installed (ci/tools), or does not run here"
fi

# ---- in a browser ----

chromium=
for name in chromium chromium-browser google-chrome; do
    [ -n "$chromium" ] || chromium=$(command -v $name || true)
done

if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    skip "the page in a browser: WARPLINT_TEST_QUICK is set"
elif [ -z "$chromium" ] || ! has node || ! [ -d "$modules/puppeteer-core" ]; then
    skip "the page in a browser: no chromium or no node (ci/setup --browser), or no build-tools (ci/tools)"
else
    quiet="node $root/tests/tools/quiet.mjs $modules $chromium"
    # shellcheck disable=SC2086 # a list of words
    holds "pages with hostile text run no script and load nothing" $quiet "$work/reports/log.html" "$work/reports/records.html" \
        "$work/reports/rules.html"
    tail -n 1 "$work/said"
    sed 's|</main>|<script>warplint_canary=1</script></main>|; s|<meta http-equiv[^>]*>||' "$work/reports/log.html" \
        >"$work/spoilt.html"
    # shellcheck disable=SC2086
    holds "a page with a script is detected" refuses $quiet "$work/spoilt.html"
fi

# ---- paths in a log are not used ----

# Traces the files that are opened, examined or changed: no path that only an input names, no network, no other process.
opens_nothing() # words...
{
    status=0
    (cd "$work/paths" && strace -f -o "$work/calls" -e trace=%file,%network,%process "$program" "$@" >"$work/out" 2>&1) ||
        status=$?
    [ $status -le 1 ] || { cat "$work/out"; return 1; }
    grep -q openat "$work/calls" || { echo "strace saw nothing"; return 1; }
    ! grep -E 'canary|told|passwd|example\.invalid|socket\(|connect\(|fork\(|clone3?\(' "$work/calls" || return 1
    [ "$(grep -c 'exec' "$work/calls")" = 1 ] || { grep exec "$work/calls"; return 1; }
    # The existing files are unchanged, and no file was added.
    (cd "$work/paths" && find . | sort) | cmp - "$work/before"
    ! grep -E 'O_(WRONLY|RDWR|CREAT)' "$work/calls" | grep -v '/dev/'
}

mkdir "$work/paths" "$work/canary"
cd "$work/paths"
echo '__global__ void k(float *p) { } // warplint: allow(register-spill) reason="canary"' >../canary/k.cu
{
    grep -v '\\x' "$root/tests/hostile/paths.txt"
    echo "$work/canary/k.cu"
    echo ../canary/k.cu
    echo x/../../canary/k.cu
} | while IFS= read -r path; do
    cat <<LOG
nvcc -Xptxas=-v -I$path -optf $path -include $path -odir $path -c $path -o $path
[1/2] Building CUDA object $path
#\$ ptxas -arch=sm_80 -m64 "$path" -o "$path"
#\$ TOP=$path
$path(1): warning #20058-D: the #pragma unroll must precede a loop
remark: $path:1:2: Unable to fully unroll loop as directed by unroll(full) pragma because loop has a runtime trip count.
ptxas $path, line 1; warning : told
In file included from $path:1:
ptxas info    : Compiling entry function '$path' for 'sm_80'
ptxas info    : Function properties for $path
    16 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]
LOG
done >log.txt
# Records as `wrap` writes them, of objects and sources elsewhere.
"$program" report --no-config --format ndjson log.txt | sed 's|"log":"log.txt"|"log":"../canary/k.cu"|g' >k.o.warplint.ndjson
: >k.o
find . | sort >"$work/before"

if has strace && strace -o /dev/null true 2>/dev/null; then
    if "$program" --version >/dev/null && nm "$program" 2>/dev/null | grep -q __asan_init; then
        skip "paths of a log under strace: the sanitizer starts processes of its own"
    else
        for words in 'check --no-config log.txt' 'check log.txt' 'report log.txt' 'check --format html log.txt' \
            'check --format sarif log.txt' 'check k.o.warplint.ndjson' 'check .' 'report --all .' 'merge .' \
            'diff log.txt k.o.warplint.ndjson' 'check --no-config --baseline log.txt k.o.warplint.ndjson'; do
            # shellcheck disable=SC2086 # a list of words
            holds "only given files are opened: $words" opens_nothing $words
        done
        holds "a source that is an input is opened" refuses opens_nothing check --no-config ../canary/k.cu
    fi
else
    skip "paths of a log: no strace, or it may not trace here"
fi
cd "$root"

finish
