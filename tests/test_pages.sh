#!/bin/sh
# usage: test_pages.sh PROGRAM SOURCE_DIR
#
# Markdown and HTML as their readers see them: Markdown cut at every kind of position, and the page in a real browser
# (tests/tools/browser.mjs). Tools that are not installed (ci/setup --browser, ci/tools) are skipped with a message.
# Hostile text is in test_hostile.sh.
set -eu
program=$1 root=$2
modules=$root/build-tools/node_modules
. "$root/tests/cases.sh"

# ---- cut at --max-bytes: never too long, and every open element is closed ----

log=$root/fixtures/templates/log.txt

cut_to() # bytes
{
    "$program" check --no-config --fail-on never --format markdown --max-bytes "$1" "$log" >"$work/cut.md" || return 1
    bytes=$(wc -c <"$work/cut.md")
    opened=$(grep -c '^<details>' "$work/cut.md" || true)
    closed=$(grep -c '^</details>' "$work/cut.md" || true)
    echo "$bytes bytes, $opened opened, $closed closed"
    [ "$bytes" -le "$1" ] && [ "$opened" = "$closed" ] || return 1
    # A row ends with its bar, and a table follows its own head.
    ! grep -n '^|.*[^|]$' "$work/cut.md" || return 1
    awk '/^\|/ { n = gsub(/\|/, "|"); if (bars && n != bars) { print NR ": " $0; bad = 1 } bars = n; next }
         { bars = 0 } END { exit bad }' "$work/cut.md" || return 1
    # The number of kernels in the text equals the number of rows.
    awk '/All kernels: / { total = told = $0; sub(/.*kernels: /, "", total); told = total += 0 } / kernel x arch shown\.$/ { told = $1 }
         /^\| kernel \| arch \| registers / { table = 1; next } !/^\|/ { table = 0 } /^\|--/ { next } table { rows++ }
         END { if (total && told != rows + 0) { print told " of " total " told, " rows + 0 " rows"; exit 1 } }' "$work/cut.md"
}

every_cut()
{
    size=4096
    while [ $size -le 9000 ]; do
        cut_to $size || return 1
        size=$((size + 97))
    done
}

holds 'Markdown is cut between rows and is not longer than --max-bytes' every_cut
"$program" report --no-config --arch sm_80 --format ndjson "$root/fixtures/changed-after/log.txt" >"$work/singles.ndjson"
log=$work/singles.ndjson
holds 'Markdown of templates with one kernel each is cut between rows' every_cut
log=$root/fixtures/templates/log.txt
cut_to 5000 >/dev/null || true
holds 'cut Markdown counts the kernels that it shows' grep -qE '^[0-9]+ of [0-9]+ kernel x arch shown\.$' "$work/cut.md"
"$program" check --no-config --fail-on never --format markdown "$log" >"$work/whole.md"
"$program" check --no-config --fail-on never --format markdown --max-bytes 1MiB "$log" >"$work/limited.md"
holds 'Markdown shorter than --max-bytes is not cut' cmp "$work/whole.md" "$work/limited.md"
holds 'Markdown that is not cut does not count shown kernels' sh -c '! grep -qE "shown\.$|Left out" "$1"' sh "$work/whole.md"

refuses() # words..., and what is said
{
    status=0
    "$program" check --no-config "$@" "$log" >"$work/out" 2>&1 || status=$?
    cat "$work/out"
    [ $status = 2 ]
}
holds '--max-bytes below the minimum: status 2' refuses --format markdown --max-bytes 100

# ---- text: statistics, and a narrow terminal ----

demo=$root/fixtures/demo/log.txt
"$program" report --no-config --summary --threads 256 "$demo" >"$work/summary.text"
if [ -n "${WARPLINT_UPDATE:-}" ]; then
    cp "$work/summary.text" "$root/tests/golden/summary.text"
fi
holds '--summary equals the golden file' diff -u "$root/tests/golden/summary.text" "$work/summary.text"
holds '--summary has at most 80 columns' sh -c '! grep -q "^.\{81,\}" "$1"' sh "$work/summary.text"

in_terminal() # columns: the table of kernels as a terminal of that width shows it
{
    script -qec "stty cols $1; '$program' report --no-config --all '$demo'" /dev/null </dev/null |
        tr -d '\r' | sed '/^seen:/,$d' >"$work/terminal"
    grep -q 'solver::gemm<12, 10>' "$work/terminal"
}

words() { tr -d '\r' | tr -s ' \n' '\n\n' | sed '/^$/d'; }
folds() # columns, arguments: no line is wider, and the words are those that a pipe gets, in the same order
{
    columns=$1
    shift
    "$program" "$@" 2>&1 | words >"$work/piped"
    script -qec "stty cols $columns; '$program' $*" /dev/null </dev/null | tr -d '\r' >"$work/terminal"
    words <"$work/terminal" | diff "$work/piped" - &&
        ! sed '/^ *[^ ]*$/d' "$work/terminal" | grep "^.\{$((columns + 1))\}" # a word that is longer stays whole
}

unset COLUMNS
if has script && in_terminal 64 2>/dev/null; then
    holds 'the table fits a terminal of 64 columns' sh -c '! grep "^.\{65,\}" "$1"' sh "$work/terminal"
    holds 'the table at 64 columns has the same labels as other formats' grep -qxF 'solver::gemm<12, 10>' "$work/terminal"
    (cd "$root/tests/data/binaries" &&
        script -qec "stty cols 60; '$program' check --no-config located.log located.cubin" /dev/null </dev/null) |
        tr -d '\r' | grep '^    ' >"$work/terminal"
    holds 'lines that spill fit a terminal of 60 columns' \
        sh -c 'grep -q "^ *depth 2  21 stores 84 B, 26 loads 104 B, inlined$" "$1" && ! grep "^.\{61,\}" "$1"' sh "$work/terminal"
    cd "$root/fixtures/demo" || exit 1 # a path that is longer than a line would stay whole
    for width in 60 80 100; do
        holds "check is wrapped at $width columns" folds $width check --no-config --notes --color never log.txt
        holds "no line begins with a unit at $width columns" sh -c 'grep -q "[0-9] %" "$1" && ! grep "^ *[%B]\( \|$\)" "$1"' sh "$work/terminal"
        holds "explain is wrapped at $width columns" folds $width explain --no-config occupancy-cliff
        holds "list is wrapped at $width columns" folds $width list --no-config fields
    done
    holds 'list archs fits 80 columns' folds 80 list --no-config archs
    printf 'sms: 132\nkernels: [{match: ., threads: 256, grid: 1000, dynamic-smem: 20KiB}]\n' >"$work/grid.yaml"
    script -qec "stty cols 80; '$program' report --config '$work/grid.yaml' --all log.txt" /dev/null </dev/null |
        tr -d '\r' >"$work/terminal"
    holds 'a table with waves and two limits fits 80 columns' \
        sh -c 'grep -q "66.7%   1.89  registers,$" "$1" && ! grep "^.\{81,\}" "$1"' sh "$work/terminal"
    holds '--summary is wrapped at 80 columns' folds 80 report --no-config --summary log.txt
    cd "$work" || exit 1
    holds 'COLUMNS takes precedence over the width of the terminal' env COLUMNS=100 sh -c '
        script -qec "stty cols 60; \"$1\" explain --no-config achieved_at_most" /dev/null </dev/null | grep -q "^.\{70,\}"' sh "$program"
    in_terminal 120
    holds 'a terminal of 120 columns shows a record in one line' grep -qE '^solver::gemm<12, 10> +sm_80 +128 ' "$work/terminal"
else
    skip "the table in a terminal: no script(1)"
fi

# ---- a block size that is only an upper bound is not shown as a fact ----

"$program" report --no-config --format ndjson "$root/fixtures/clean/log.txt" |
    sed 's/"bound_threads":null,"bound_from":null/"bound_threads":256,"bound_from":"launch-bounds"/' >"$work/bound.ndjson"
for format in text markdown html; do
    "$program" report --no-config --format $format "$work/bound.ndjson" >"$work/bound.$format"
done
holds 'text marks occupancy at a launch bound' grep -qE '[0-9]%\^' "$work/bound.text"
holds 'Markdown marks occupancy at a launch bound' grep -qE '\| [0-9.]+\^ \|' "$work/bound.markdown"
holds 'HTML states that blocks have the size of the launch bound' grep -qF 'with blocks of 256 threads, the launch bound' "$work/bound.html"

"$program" report --no-config --format html "$root/fixtures/callee-spills/log.txt" >"$work/function.html"
holds 'HTML marks a device function' grep -qF '<span class="muted fn">(device function)</span>' "$work/function.html"
holds 'HTML leaves a device function out of the diagram' grep -qF ' Not shown: 1 device function.' "$work/function.html"

refuses_line() { ! grep -E "$@"; }

# ---- unknown is not 0, also in the row of a template ----

"$program" report --no-config --format ndjson "$root/fixtures/templates/log.txt" >"$work/all.ndjson"
sed 's/"spill_store_bytes":[0-9]*,"spill_load_bytes":[0-9]*/"spill_store_bytes":null,"spill_load_bytes":null/' \
    "$work/all.ndjson" >"$work/none.ndjson"
sed 'n; s/"spill_store_bytes":[0-9]*,"spill_load_bytes":[0-9]*/"spill_store_bytes":null,"spill_load_bytes":null/' \
    "$work/all.ndjson" >"$work/some.ndjson"
for known in none some; do
    "$program" report --no-config --format html "$work/$known.ndjson" >"$work/$known.html"
done
holds 'no kernel of a template states its spills: HTML prints -' grep -qE '^<tbody class=g>.*<td>-<td>-<td>' "$work/none.html"
holds 'some kernels of a template state their spills: HTML prints the range and -' grep -qE '^<tbody class=g>.*<td>[0-9]+(–[0-9]+)?, -<td>[0-9]+(–[0-9]+)?, -<td>' "$work/some.html"
"$program" report --no-config --format html "$work/all.ndjson" >"$work/ranges.html"
holds 'HTML prints the range of registers of a template' grep -qE '^<tbody class=g>.*<td>[0-9]+–[0-9]+<td>' "$work/ranges.html"
sed 's/"bound_threads":null,"bound_from":null/"bound_threads":512,"bound_from":"launch-bounds"/' "$work/all.ndjson" >"$work/bounds.ndjson"
"$program" report --no-config --format html "$work/bounds.ndjson" | sed -n '/>Lowest occupancy</,/<.table>/p' >"$work/lowest"
"$program" report --no-config --summary "$work/bounds.ndjson" | sed -n '/lowest occupancy/,/^$/p' >"$work/lowest.text"
holds 'HTML marks the lowest occupancy at a launch bound' grep -qE '<td class="n">[0-9.]+\^</td>' "$work/lowest"
holds 'text marks the lowest occupancy at a launch bound' grep -qE '^ *[0-9.]+\^ ' "$work/lowest.text"
"$program" report --no-config --summary --format markdown "$demo" >"$work/lowest.md"
"$program" report --no-config --format html "$demo" >"$work/lowest.html"
holds 'HTML does not use <= for the best case' refuses_line '&lt;=[0-9]' "$work/lowest.html"
holds 'Markdown does not use <= for the best case' refuses_line '(&lt;|<)=[0-9]' "$work/lowest.md"

# ---- the page of a comparison: sections with worse kernels are open, the others folded ----

"$program" diff --no-config -o html="$work/diff.html" "$root/fixtures/changed-before/log.txt" \
    "$root/fixtures/changed-after/log.txt" >"$work/diff.text" || true
holds 'HTML of diff: the section of worse rows is open' grep -qE '^<details class="rest" open><summary>worse: [0-9]+ rows?</summary>' "$work/diff.html"
holds 'HTML of diff: sections of better or gone rows are closed' grep -qE '^<details class="rest"><summary>(changed|better|gone): ' "$work/diff.html"

# ---- the build of the page, as the CI system names it ----

header() # variables...: the line about the build
{
    env -u GITHUB_ACTIONS -u GITLAB_CI -u JENKINS_URL -u TF_BUILD -u SOURCE_DATE_EPOCH "$@" \
        "$program" check --no-config --fail-on never --format html "$demo" |
        sed -n '/^<ul class="run">/,/^<.ul>/p' >"$work/header"
    cat "$work/header"
}

says() # text, variables...
{
    text=$1
    shift
    header "$@" | grep -qxF "<li>$text</li>"
}

github='GITHUB_ACTIONS=true GITHUB_REPOSITORY=org/name GITHUB_SHA=0123456789abcdef0123 GITHUB_REF_NAME=7/merge
    GITHUB_HEAD_REF=fix-it GITHUB_RUN_ID=42 GITHUB_WORKFLOW=ci GITHUB_RUN_NUMBER=9 GITHUB_SERVER_URL=https://github.com'
header PWD="$work" >/dev/null
holds 'outside CI the page names no run' refuses_line 'project|commit|branch|run</span>|date' "$work/header"
# shellcheck disable=SC2086 # several words
{
    holds 'GitHub: the project' says '<span class="muted">project</span> <a href="https://github.com/org/name">org/name</a>' $github
    holds 'GitHub: the branch of the pull request' says '<span class="muted">branch</span> fix-it' $github
    holds 'GitHub: the commit' says '<span class="muted">commit</span> <a href="https://github.com/org/name/commit/0123456789abcdef0123">0123456789ab</a>' $github
    holds 'GitHub: the run' says '<span class="muted">run</span> <a href="https://github.com/org/name/actions/runs/42">ci #9</a>' $github
    holds 'an address that is not https is not a link' says '<span class="muted">project</span> org/name' $github GITHUB_SERVER_URL=javascript:alert
    holds 'text of the environment is escaped' says '<span class="muted">branch</span> &lt;b&gt;&quot;' $github 'GITHUB_HEAD_REF=<b>"'
    mkdir -p "$work/checkout/.git"
    "$program" report --no-config --format ndjson "$demo" |
        sed "s|\"source\":\"|&$work/checkout/src/a b|" >"$work/checkout/k.ndjson"
    (cd "$work/checkout" && env $github "$program" check --no-config --fail-on never --format html k.ndjson) >"$work/linked.html"
}
holds 'a source in the checkout is a link to the code host' \
    grep -qF '<a href="https://github.com/org/name/blob/0123456789abcdef0123/src/a%20bgemm.cu">src/a bgemm.cu</a>' "$work/linked.html"
holds 'GitLab: the run' says '<span class="muted">run</span> <a href="https://host/p/-/pipelines/5">pipeline 5</a>' GITLAB_CI=true \
    CI_PIPELINE_ID=5 CI_PIPELINE_URL=https://host/p/-/pipelines/5
holds 'Jenkins: the run' says '<span class="muted">run</span> <a href="https://ci/job/1/">build 1</a>' JENKINS_URL=https://ci/ \
    BUILD_NUMBER=1 BUILD_URL=https://ci/job/1/
holds 'Azure: the run' says '<span class="muted">run</span> <a href="https://dev.azure.com/o/1-2/_build/results?buildId=3">build 20260101.1</a>' \
    TF_BUILD=True SYSTEM_COLLECTIONURI=https://dev.azure.com/o/ SYSTEM_TEAMPROJECTID=1-2 BUILD_BUILDID=3 \
    BUILD_BUILDNUMBER=20260101.1
holds 'the date is that of SOURCE_DATE_EPOCH' says '<span class="muted">date</span> 2026-01-01' SOURCE_DATE_EPOCH=1767225600

# ---- in a browser ----

chromium=
for name in chromium chromium-browser google-chrome; do
    [ -n "$chromium" ] || chromium=$(command -v $name || true)
done

# The browser test prints the properties that do not hold.
in_browser() # page
{
    status=0
    node "$root/tests/tools/browser.mjs" "$modules" "$chromium" "$program" "$1" >"$work/browser" 2>&1 || status=$?
    grep -v '^ok' "$work/browser"
    return $status
}

if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    skip "the page in a browser: WARPLINT_TEST_QUICK is set"
elif [ -z "$chromium" ] || ! has node; then
    skip "the page in a browser: no chromium or no node (ci/setup --browser)"
elif ! [ -d "$modules/puppeteer-core" ] || ! [ -d "$modules/axe-core" ]; then
    skip "the page in a browser: no build-tools (ci/tools)"
else
    "$program" check --no-config --fail-on never --threads 256 --format html "$root/fixtures/demo/log.txt" \
        >"$work/demo.html"
    holds 'the page with block sizes in a browser' in_browser "$work/demo.html"
    located=$root/tests/data/binaries/located
    "$program" check --no-config --fail-on never --format html "$log" "$located.log" "$located.cubin" >"$work/templates.html"
    holds 'the page lists lines that spill' grep -q '<td>depth 2</td><td class="n">84 B in 21</td>' "$work/templates.html"
    holds 'the page without block sizes in a browser' in_browser "$work/templates.html"
fi

finish
