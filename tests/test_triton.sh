#!/bin/sh
# usage: test_triton.sh PROGRAM SOURCE_DIR
#
# A cache of Triton with 200 entries, 25 configurations of each of 8 kernels (triton_cache.py), read without nvcc:
# tables of the configurations in every format for people, and comparisons after one configuration got worse, after all
# hashes changed, and after the lines moved.
set -u
export program="$1"
source=$2
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: no python3"
    exit 0
fi
. "$source/tests/cases.sh"
cache() { python3 "$source/tests/triton_cache.py" "$source/tests/data/triton" "$@"; }
cache cache
cache moved --hashes other --moved
cache worse --hashes worse --worse
export TRITON_PTXAS_PATH="$work/cache/ptxas"
find cache -type f -exec cksum {} + | sort >before

report() { "$program" report --no-config "$@"; }
report cache >table
report --output ndjson=records.ndjson cache # which is read in place of the cache: a ptxas for each entry takes time
expect 0 '' 'report prints tables' test -s table
expect 0 '^8$' 'each kernel has a table of configurations' grep -c ' (sm_90): 25 configurations, 7 spill; occupancy 6.2 to 100 %$' table
expect 0 '^8$' 'each table starts with the worst configuration' grep -A2 -c '^warps  stages  maxnreg   smem  regs' table
expect 0 '^    2       5       24  40960    24      524/588       5   15.6%  shared_memory$' \
    'the worst configuration has the most spills, then the lowest occupancy' sed -n 3p table
expect 0 '^    8       2        -  16384    40          0/0       6   75.0%  registers$' 'the best configuration is last' sed -n 9p table
expect 0 '^\[19 others between; --all shows each\]$' 'the other configurations are counted' sed -n 10p table
holds 'tables have at most 80 columns' in_shell '! grep -v "^the worst\|^16 of" table | grep -q "^.\{81\}"'
expect 0 '^16 of 200 have the same num_warps, num_stages and maxnreg as another one: ' 'configurations with the same settings are counted' cat table
expect 0 '^seen: 8 kernels for sm_90, 200 configurations$' 'kernels are counted by their source' cat table
holds 'a report of records prints the same tables' in_shell '"$program" report --no-config records.ndjson | cmp - table'
expect 0 '^200$' '--all prints each configuration' in_shell \
    '"$program" report --no-config --all records.ndjson | grep -cE "^ +[1248] +[2-6] +(24|-) +[0-9]+ +(24|40|72) +[0-9]+/"'
expect 0 '^2$' '--top 2 prints two kernels' in_shell '"$program" report --no-config --top 2 records.ndjson | grep -c ": 25 configurations"'
expect 0 '^\[6 other kernels with several configurations; --all shows each\]$' '--top 2 counts the other kernels' \
    report --top 2 records.ndjson
expect 0 '^matmul_kernel .num_warps=4, num_stages=3. +sm_90 .*  16384 ' '--sort prints a row for each configuration' \
    report --sort registers --all records.ndjson
expect 0 '^matmul_kernel \(sm_90\): 25 configurations' '--kernel selects a kernel' report --kernel matmul records.ndjson
expect 0 '^<details><summary><code>attn_forwards</code> \(sm_90\): 25 configurations, 7 spill' 'Markdown has a heading for each kernel' \
    report --format markdown records.ndjson
expect 0 '^. 2 . 5 . 24 . 40960 . 24 . 524/588 . 5 . 15.6 . shared_memory .$' 'Markdown has the rows' \
    report --format markdown records.ndjson
expect 1 '^<details><summary><code>attn_forwards</code> \(sm_90\): 25 configurations, 7 spill' "Markdown of check has a heading for each kernel" \
    "$program" check --no-config --format markdown records.ndjson
expect 0 '<caption><code>attn_forwards</code> \(sm_90\): 25 configurations, 7 spill' 'HTML has a caption for each kernel' report --format html records.ndjson
expect 1 'attn_forwards .*spills 524 B .*worst of 7 findings, 7 configurations: sm_90' 'one finding for all configurations of a kernel' \
    "$program" check --no-config records.ndjson
expect 1 '^judged: 8 kernels for sm_90, 200 configurations$' 'check counts kernels and configurations' "$program" check --no-config records.ndjson

# Without ptxas.
TRITON_PTXAS_PATH=/bin/false
expect 0 '^matmul_kernel \(sm_90\): 25 configurations, spills of 7 unknown; occupancy 6.2 to 100 %$' \
    'without ptxas spills are counted as unknown' report cache
expect 0 '^    2       5       24  40960    24      unknown       5   15.6%  shared_memory$' 'without ptxas spills are printed as unknown' report cache
TRITON_PTXAS_PATH="$work/cache/ptxas"

# Comparisons.
report --output ndjson=moved.ndjson moved
report --output ndjson=worse.ndjson worse
expect 0 'compared: 200 kernel x arch: 200 the same' 'other hashes and moved lines: all the same' \
    "$program" diff --no-config records.ndjson moved.ndjson
expect 1 'compared: 200 kernel x arch: 1 worse \(1 fails\), 199 the same' 'one configuration is worse: status 1' \
    "$program" diff --no-config records.ndjson worse.ndjson
expect 1 '^ +attn_forwards \[num_warps=8, num_stages=4\] \[register-regression\]$' 'diff names the worse configuration' \
    "$program" diff --no-config records.ndjson worse.ndjson
holds 'diff names no other configuration' in_shell '[ "$("$program" diff --no-config records.ndjson worse.ndjson | grep -c "num_warps=")" = 1 ]'
expect 0 '200 kernel x arch: 200 taken' 'a baseline of the cache' "$program" baseline write base.json --no-config records.ndjson
expect 0 'baseline: 200 entries expected, 200 seen; 200 the same' 'the baseline after other hashes and moved lines: all the same' \
    "$program" check --no-config --baseline base.json moved
expect 1 'attn_forwards \[num_warps=8, num_stages=4\] \(sm_90\): .*register-regression' 'check --baseline names the worse configuration' \
    "$program" check --no-config --baseline base.json worse.ndjson
expect 1 'seen; 1 worse \(1 fails\), 199 the same' 'check --baseline counts one worse configuration' "$program" check --no-config --baseline base.json worse.ndjson

# The step of the GitHub action accepts the same inputs as `check`.
action() # folder
{
    : >outputs
    env GITHUB_OUTPUT=outputs GITHUB_STEP_SUMMARY=summary WARPLINT="$program" WARPLINT_PATHS="$1" \
        sh "$source/ci/github/check.sh"
}
mkdir kept && cp "$source/tests/data/binaries/dynamic.cubin" kept/k.sm_90.cubin
expect 1 '^judged: 8 kernels for sm_90, 200 configurations$' 'the GitHub action judges a cache' action cache
holds 'the GitHub action outputs the verdict' grep -qx 'verdict=failed' outputs
expect 2 "names the folder 'kept', which holds no records" 'a cubin without metadata is not a cache: status 2' action kept

find cache -type f -exec cksum {} + | sort >after
holds 'the cache is unchanged' cmp before after
finish
