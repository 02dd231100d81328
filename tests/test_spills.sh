#!/bin/sh
# usage: test_spills.sh PROGRAM SOURCE_DIR
#
# Findings on spills with known loops and source lines, with and without a baseline. Prints one line per case.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
mkdir .git
export program

# kernel NAME STORES LOADS [IN_LOOPS DEPTH [ARRAYS [STACK [REGISTERS]]]]: a record with the facts of a log and a binary
kernel()
{
    printf '{"type":"kernel","mangled":"%s","kind":"entry","arch_inferred":"sm_90","producer":"ptxas","arch":"sm_90",' "$1"
    printf '"log":"build.log","log_line":3,"registers":%s,"stack_bytes":%s,' "${8:-40}" "${7:-$2}"
    printf '"spill_store_bytes":%s,"spill_load_bytes":%s,' "$2" "$3"
    printf '"spill_bytes_in_loops":%s,"spill_depth":%s,"array_bytes":%s,' "${4:-null}" "${5:-null}" "${6:-null}"
    printf '"barriers":0,"used_line":true}\n'
}

records() # the kernels on standard input, as a stream
{
    kernels=$(cat)
    echo '{"type":"run","schema":1}'
    echo '{"type":"log","log":"build.log","lines":7,"unknown_lines":0,"verbose":true}'
    echo "$kernels"
    printf '{"type":"end","records":%d}\n' $(($(echo "$kernels" | wc -l) + 1))
}

# findings COMMAND...: prints the exit status, then each finding of the text
findings()
{
    "$@" >"$work/text" 2>&1
    echo "status $?"
    sed -n 's/^[^ ]*: \(\(error\|warning\|note\): .*\)/\1/p' "$work/text"
}

# says TITLE COMMAND...: compares its findings with standard input
says()
{
    title=$1
    shift
    cat >"$work/expected"
    findings "$@" >"$work/said"
    if cmp -s "$work/expected" "$work/said"; then ok "$title"; else bad "$title"; fi
}

# ---- one finding per kernel
kernel k 8 12 | records >unknown.ndjson
kernel k 8 12 0 0 0 | records >outside.ndjson
kernel k 8 12 12 2 0 | records >inside.ndjson
says 'the loops of spills are unknown: register-spill, error' "$program" check unknown.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers [register-spill]
X
says 'no spills inside loops: register-spill, warning' "$program" check outside.ndjson <<'X'
status 1
warning: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers, none of them inside loops [register-spill]
X
says 'spills inside loops: spill-in-loop, error' "$program" check inside.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers; 12 of 20 B inside loops, depth 2 [spill-in-loop]
X
expect 0 'verdict: passed' 'spills outside loops with --fail-on error: passed' "$program" check --fail-on error outside.ndjson
while read -r format pattern; do
    expect 0 "$pattern" "spills outside loops are a warning in $format" "$program" check --fail-on error --format "$format" outside.ndjson
done <<'X'
json "rule":"register-spill","severity":"warning"
sarif "ruleId":"register-spill","ruleIndex":0,"level":"warning"
github ^::warning file=
gitlab "severity":"major"
checkstyle severity="warning"
junit failures="0"
rdjsonl "severity":"WARNING"
teamcity SEVERITY='WARNING'
azure type=warning
markdown [*][*]warning[*][*]
html class="severity warning"
csv ^register-spill,warning,
X
printf 'rules: {spill-in-loop: {params: {depth: 3}}}\n' >deep.yaml
says 'depth of spill-in-loop is larger: register-spill' "$program" check --config deep.yaml inside.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers; 12 of 20 B inside loops, depth 2 [register-spill]
X
printf 'rules: {spill-in-loop: off, register-spill: note}\n' >mild.yaml
says 'the severity of a case is at most that of the configuration' "$program" check --all --config mild.yaml outside.ndjson <<'X'
status 0
note: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers, none of them inside loops [register-spill]
X
printf 'allow: [{rule: register-spill, kernel: k, reason: measured}]\n' >allow.yaml
says 'an exception of register-spill covers spill-in-loop' "$program" check --config allow.yaml inside.ndjson <<'X'
status 0
X
expect 0 '1 allowed by an exception|1 suppressed' 'an exception of register-spill: one finding is suppressed' "$program" check --config allow.yaml inside.ndjson
printf 'allow: [{rule: spill-in-loop, kernel: k, reason: measured}]\n' >loop.yaml
expect 0 '1 suppressed' 'an exception of spill-in-loop covers it' "$program" check --config loop.yaml inside.ndjson
holds 'JSON does not count spill-in-loop as not judged without a binary' in_shell '! "$program" check --format json unknown.ndjson | grep -q "\"spill-in-loop\":1"'

# ---- with a baseline
kernel k 0 0 0 0 0 | records >clean.ndjson
kernel k 8 12 16 2 0 | records >deeper.ndjson
kernel k 8 8 0 0 0 | records >less.ndjson
kernel k 4 4 4 1 0 | records >little.ndjson
for was in clean unknown outside inside little; do
    "$program" baseline write "$was.json" "$was.ndjson" >/dev/null
done
expect 0 '"spill_bytes_in_loops":12' 'the baseline has the spilled bytes inside loops' cat inside.json
holds 'unknown loops: the baseline has no bytes inside loops' refuses grep -q in_loops unknown.json
says 'baseline without spills, now inside a loop: new-spill, error' "$program" check --baseline clean.json inside.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers; 12 of 20 B inside loops, depth 2; none in the baseline [new-spill]
X
says 'baseline without spills, now outside loops: new-spill, warning' "$program" check --baseline clean.json outside.ndjson <<'X'
status 1
warning: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers, none of them inside loops; none in the baseline [new-spill]
X
says 'baseline without spills, loops now unknown: new-spill, error' "$program" check --baseline clean.json unknown.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers, none in the baseline [new-spill]
X
says 'more spills, inside a loop: spill-regression, error' "$program" check --baseline little.json inside.ndjson <<'X'
status 1
error: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers; 12 of 20 B inside loops, depth 2; 4 B and 4 B in the baseline [spill-regression]
X
says 'more spills, outside loops: spill-regression, warning' "$program" check --baseline little.json outside.ndjson <<'X'
status 1
warning: k (sm_90): spills 8 B stores and 12 B loads per thread at 40 registers, none of them inside loops; 4 B and 4 B in the baseline [spill-regression]
X
moved='are inside loops, depth 2'
says 'the same spills, now inside a loop: spill-moved-into-loop' "$program" check --baseline outside.json inside.ndjson <<X
status 1
warning: k (sm_90): 12 of 20 B of spills per thread $moved; 0 B were in the baseline [spill-moved-into-loop]
X
says 'the same spills, more of them inside loops: spill-moved-into-loop' "$program" check --baseline inside.json deeper.ndjson <<X
status 1
warning: k (sm_90): 16 of 20 B of spills per thread $moved; 12 B were in the baseline [spill-moved-into-loop]
X
printf 'rules: {spill-moved-into-loop: {params: {more_bytes: 4}}}\n' >tolerant.yaml
for pair in 'inside inside' 'unknown inside' 'unknown outside' 'inside outside' 'inside unknown' 'outside less' \
    'tolerant deeper'; do
    [ "${pair% *}" != tolerant ] || { cp inside.json tolerant.json && cp tolerant.yaml .warplint.yaml; }
    says "no finding: $pair" "$program" check --baseline "${pair% *}.json" "${pair#* }.ndjson" <<'X'
status 0
X
    rm -f .warplint.yaml
done
# The baseline has the spills, and another metric got worse.
kernel k 8 12 12 2 0 20 200 | records >registers.ndjson
says 'a baseline without loops, more registers: the spills are known' "$program" check --baseline unknown.json --select register-spill,spill-in-loop,spill-moved-into-loop registers.ndjson <<'X'
status 0
X

# ---- update and diff
expect 0 '' 'update does not take spills that moved into a loop' in_shell 'cp outside.json b.json; "$program" baseline update b.json inside.ndjson; cmp b.json outside.json'
expect 0 '' 'update --accept takes spills that moved into a loop' in_shell '"$program" baseline update --accept k --reason measured b.json inside.ndjson && grep -q "\"spill_bytes_in_loops\":12,.*\"reason\":\"measured\"" b.json'
expect 0 '' 'update takes spills that moved out of a loop' in_shell '"$program" baseline update b.json outside.ndjson && cmp b.json outside.json'
for head in inside.ndjson inside.json; do
    expect 1 '^compared: [0-9]* kernel x arch: 1 worse' "diff to $head: worse" "$program" diff outside.json $head
    expect 1 '^warning +0 -> 12 +sm_90 +k .spill-moved-into-loop.$' "diff to $head: the row" "$program" diff outside.json $head
    expect 1 '0 → 12' "diff to $head: Markdown" "$program" diff --format markdown outside.json $head
    expect 1 '"worse":\["spill_bytes_in_loops"\]' "diff to $head: JSON" "$program" diff --format json outside.json $head
done

# A kernel without spills has none in loops, also if its binary is unknown.
kernel k 0 0 | records >none.ndjson
"$program" baseline write none.json none.ndjson >/dev/null
holds 'a kernel without spills and without a binary: the baseline has no bytes in loops' refuses grep -q in_loops none.json
for head in none.ndjson none.json; do
    expect 0 ' 8 -> 0 +12 -> 0 +8 -> 0 +12 -> 0 +sm_90 +k$' "diff to $head, which has no spills" "$program" diff inside.json $head
    expect 0 '12 → 0 \|$' "diff to $head, which has no spills: Markdown" "$program" diff --format markdown inside.json $head
    expect 0 '"spill_bytes_in_loops":0.*"spill_bytes_in_loops":-12' "diff to $head, which has no spills: JSON" "$program" diff --format json inside.json $head
    expect 0 ',12,0,-12.?$' "diff to $head, which has no spills: CSV" "$program" diff --format csv inside.json $head
done
expect 1 ' 0 -> 8 +0 -> 12 +0 -> 8 +0 -> 12 +sm_90 +k ' 'diff from no spills to spills in loops' "$program" diff none.json inside.ndjson

# ---- arrays beside spills
kernel k 8 12 0 0 128 136 | records >arrays.ndjson
kernel k 8 12 0 0 48 136 | records >few.ndjson
kernel k 8 12 null null null 136 | records >mixed.ndjson
kernel k 0 0 0 0 136 136 | records >only.ndjson
says 'large arrays of a kernel that spills: dynamic-indexing' "$program" check --select dynamic-indexing arrays.ndjson <<'X'
status 1
warning: k (sm_90): local arrays or other objects take 128 B of the stack frame per thread [dynamic-indexing]
X
says 'a stack frame of a kernel without spills: dynamic-indexing' "$program" check --select dynamic-indexing only.ndjson <<'X'
status 1
warning: k (sm_90): stack frame of 136 B per thread without spills [dynamic-indexing]
X
says 'small arrays of a kernel that spills: no finding' "$program" check --select dynamic-indexing few.ndjson <<'X'
status 0
X
says 'a stack frame larger than all spills, arrays unknown: dynamic-indexing' "$program" check --select dynamic-indexing mixed.ndjson <<'X'
status 1
warning: k (sm_90): local arrays or other objects take at least 116 B of the stack frame of 136 B per thread [dynamic-indexing]
X
"$program" baseline write clean.json clean.ndjson >/dev/null
says 'an array that the baseline does not have: dynamic-indexing' "$program" check --select dynamic-indexing --baseline clean.json arrays.ndjson <<'X'
status 1
warning: k (sm_90): local arrays or other objects take 128 B of the stack frame per thread (before: 0 B) [dynamic-indexing]
X

# ---- the origin of the numbers
sed 's/"used_line"/"spills_from":"ptxas","used_line"/; s/"producer":"ptxas"/"producer":"binary"/' inside.ndjson >assembled.ndjson
sed 's/"ptxas","used_line"/"code","used_line"/' assembled.ndjson >coded.ndjson
sed 's/"ptxas","used_line"/"nvcc","used_line"/' assembled.ndjson >wrong.ndjson
expect 0 '"spills_from":"log"' 'spills_from of a log' "$program" report --format ndjson inside.ndjson
expect 0 '"spills_from":"ptxas"' 'spills_from of assembled PTX is read and written' "$program" report --format ndjson assembled.ndjson
expect 0 '"spills_from":"ptxas"' 'spills_from of assembled PTX is merged' "$program" merge assembled.ndjson
expect 0 '"spills_from":"code"' 'spills_from of code without local memory' "$program" report --format ndjson "$source/tests/data/binaries/rdc_object.cubin"
expect 0 '"spill_store_bytes":null.*"spills_from":null' 'spills_from is null if spills are unknown' "$program" report --format ndjson "$source/tests/data/binaries/located.cubin"
expect 3 "coded.ndjson:3: error: 'spills_from' is \"code\", expected \"log\" or \"ptxas\": code alone shows no spill" 'spills_from "code" with spills: status 3' "$program" report coded.ndjson
expect 3 "wrong.ndjson:3: error: 'spills_from' is \"nvcc\", expected \"log\", \"ptxas\", \"code\" or null" 'an unknown spills_from: status 3' "$program" report wrong.ndjson

# ---- source lines, read from records
binaries=$source/tests/data/binaries
"$program" report --format ndjson "$binaries/located.log" "$binaries/located.cubin" >places.ndjson
holds 'NDJSON has source lines of spills and arrays' grep -q '"spill_sites":\[{"file":"[^"]*","line":6,"inlined":\[{.*"array_sites":\[{' places.ndjson
holds 'source lines are read and written unchanged' in_shell '"$program" report --format ndjson places.ndjson | cmp - places.ndjson'
holds 'source lines are merged' in_shell '"$program" merge places.ndjson >merged.ndjson && "$program" merge merged.ndjson places.ndjson | cmp - merged.ndjson && grep -c "\"spill_sites\":\[{" merged.ndjson'
sed 's/,"spill_sites":\[.*\],"array_sites":\[.*\]}$/}/' places.ndjson >unplaced.ndjson
holds 'merge of records with and without source lines keeps them, in either order' in_shell '"$program" merge unplaced.ndjson places.ndjson | grep -c spill_sites && "$program" merge places.ndjson unplaced.ndjson | grep -c spill_sites'
"$program" report --format ndjson "$binaries/located.log" >log.ndjson
for file in places log; do sed 's/"source":null/"source":"a.cu"/' $file.ndjson >$file.source.ndjson; done
for of in '' .source; do
    for order in "places$of.ndjson log$of.ndjson" "log$of.ndjson places$of.ndjson"; do
        holds "merge of a record with code and one of the log alone keeps the code: $order" in_shell "[ \"\$(\"\$program\" merge $order | grep -c '\"spill_depth\":[2n]')\" = 1 ] && \"\$program\" merge $order | grep -c '\"spill_depth\":2'"
    done
done
site() # keys and values of a place, and how many bytes are loaded: a kernel that spills there
{
    kernel k 8 "${2:-12}" 12 2 0 | sed "s|\"used_line\"|\"spill_sites\":[{$1}],\"used_line\"|" | records
}
numbers='"depth":2,"stores":2,"loads":1,"store_bytes":8,"load_bytes":4'
outside='"depth":0,"stores":0,"loads":2,"store_bytes":0,"load_bytes":8'
site "\"file\":\"a.cu\",\"line\":4,$numbers},{$outside" >short.ndjson
expect 0 '"spill_sites":\[\{"file":"a.cu","line":4,"inlined":\[\{"file":"a.cu","line":4,"function":null\}\],"depth":2,.*\{"file":null,"line":null,"inlined":\[\],"depth":0' \
    'a site without inlined calls, and one without a line' "$program" report --format ndjson short.ndjson
wrong() # what is said, then as site
{
    said=$1
    shift
    site "$@" >wrong.ndjson
    expect 3 "^wrong.ndjson:3: error: $said\$" "invalid sites: $said" "$program" report wrong.ndjson
}
wrong "'spill_load_bytes' is 16, expected 12 as in 'spill_sites'" "$numbers},{$outside" 16
wrong "'spill_store_bytes' is 8, expected 0 as in 'spill_sites'" "$outside"
wrong "'spill_bytes_in_loops' is 12, expected 8 as in 'spill_sites'" "\"depth\":2,\"stores\":2,\"loads\":0,\"store_bytes\":8,\"load_bytes\":0},{\"depth\":0,\"stores\":0,\"loads\":3,\"store_bytes\":0,\"load_bytes\":12"
wrong "'spill_depth' is 2, expected 3 as in 'spill_sites'" "\"depth\":3,${numbers#*,}},{$outside"
wrong "item 2 of 'spill_sites' is worse than the one before it, expected the deepest loop first, then most bytes" "$outside},{$numbers"
wrong "'stores' is -1, expected a whole number from 0 to 2147483647" "\"depth\":2,\"stores\":-1"
wrong "the record has no 'depth', expected a count" "\"stores\":2"
wrong "'inlined' is 3, expected an array of places" "\"inlined\":3"
wrong "the record has no 'file', expected the path of the source" "\"inlined\":[{}]"
wrong "the record has no 'line', expected the line in the source, from 1" "\"inlined\":[{\"file\":\"a.cu\"}]"
wrong "'file' is 4, expected text or null" "\"file\":4"
kernel k 8 12 | sed 's/"used_line"/"array_sites":[7],"used_line"/' | records >wrong.ndjson
expect 3 "wrong.ndjson:3: error: 'array_sites' is 7, expected only places in the array" 'a site that is a number: status 3' "$program" report wrong.ndjson
kernel k 8 12 | sed 's/"used_line"/"array_sites":{},"used_line"/' | records >wrong.ndjson
expect 3 "wrong.ndjson:3: error: 'array_sites' is \{\}, expected an array of places, or null" 'sites that are an object: status 3' "$program" report wrong.ndjson

# A record of a binary may say how much local memory the code accesses but not where: it gives the log no source lines.
"$program" report --format ndjson "$binaries/located.cubin" >coded.ndjson
expect 0 '"spill_bytes_in_loops":null' 'a record of a binary without sites, a log and another binary: no sites' "$program" report --format ndjson "$binaries/located.log" coded.ndjson "$binaries/rdc_object.cubin"

finish
