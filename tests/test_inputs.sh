#!/bin/sh
# usage: test_inputs.sh PROGRAM SOURCE_DIR
#
# Binaries, PTX and profiles on the command line, alone and beside a log.
set -u
warplint=$1
cd "$2/tests/data/binaries" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# expect TITLE STATUS PATTERN COMMAND...: the status, and a line that the pattern (grep -E) matches
expect()
{
    title=$1 status=$2 pattern=$3
    shift 3
    "$@" >"$work/out" 2>&1
    found=$?
    if [ $found = "$status" ] && grep -qE -- "$pattern" "$work/out"; then
        passed=$((passed + 1))
        echo "ok   $title"
    else
        failed=$((failed + 1))
        echo "FAIL $title (status $found)"
        sed 's/^/    /' "$work/out" | head -20
    fi
}

check() { "$warplint" check --no-config "$@"; }
report() { "$warplint" report --no-config "$@"; }

expect 'a cubin alone' 0 '^judged: 14 kernels for sm_90a, 14 records' check cubin.elf
expect 'an object alone' 0 '^shared_static +sm_80 +[0-9]+ +- +0 +4000 ' report --all lz4.elf
expect 'spills are in no binary' 0 '"spill_store_bytes":null' report --format ndjson cubin.elf
expect 'a fat binary of two architectures' 0 'sm_100f' report family.fatbin
expect 'a log and its binary' 0 '^judged: 14 kernels for sm_90a, 14 records' \
    check --select binary-mismatch cubin.log cubin.elf
expect 'a binary gives the log its block sizes' 0 '^bounded .* warps$' report --all cubin.log cubin.elf
expect 'so does --objects' 0 '^bounded .* warps$' report --all --objects cubin.elf cubin.log
mkdir -p "$work/build/sub"
cp cubin.elf "$work/build/sub/kernels.cubin"
cp kernels.cu "$work/build/"
cp /bin/true "$work/build/true" 2>/dev/null || :
expect 'and a folder of them' 0 '^bounded .* warps$' report --all --objects "$work/build" cubin.log
expect '--objects without GPU code' 3 'kernels.cu: error: no binary' \
    check --select binary-mismatch --objects kernels.cu cubin.log
expect 'PTX gives them too' 0 '^bounded .* warps$' report --all cubin.log kernels.ptx
expect 'the order does not matter' 0 '^bounded .* warps$' report --all kernels.ptx cubin.log
expect 'PTX of another architecture gives nothing' 0 '^bounded .*<=' report --all lz4.log kernels.ptx
sed 's/Used 8 registers/Used 9 registers/' cubin.log >"$work/other.log"
expect 'another build' 1 'cubin.elf is of another build: registers 9 in the log, 8 in the binary \[binary-mismatch\]' \
    check "$work/other.log" cubin.elf
check "$work/other.log" cubin.elf --format ndjson >"$work/other.ndjson" 2>/dev/null
expect 'what was found stands in the records' 1 'binary-mismatch' check "$work/other.ndjson"
expect 'PTX alone' 3 'PTX says what kernels declare' check kernels.ptx
head -c 20000 lz4.elf >"$work/cut.elf"
expect 'a binary cut short' 3 'cut.elf: error: ' check "$work/cut.elf"
head -c 3000 kernels.cu >"$work/source.ptx"
expect 'no PTX' 3 'source.ptx: error: no PTX' check "$work/source.ptx"
cp /bin/true "$work/true" 2>/dev/null && expect 'a program without GPU code' 3 'holds no GPU code' check "$work/true"

# Profiles, against the log that they are of: the kernels of ../profiles are those of ../binaries.
profiles=../profiles
for file in ncu-details.csv ncu-raw.csv nsys-trace.csv nsys-gb-sum.csv nvprof.csv compute-profile.log ncu-function.csv; do
    expect "block size from $file" 0 '"mangled":"_Z5plainPf".*"threads":256,"threads_from":"profile"' \
        report --format ndjson --launches $profiles/$file cubin.log
done
expect 'the most frequent launch of several' 0 '"_Z14shared_dynamicPf".*"threads":256.*"launches":\[\{"count":2.*"count":1' \
    report --format ndjson --launches $profiles/ncu-details.csv cubin.log
mkdir -p "$work/rules"
cat >"$work/rules/narrow.yaml" <<'YAML'
id: narrow
title: blocks of one warp
severity: warning
when: 'known(threads) and threads <= 32'
message: 'blocks of {threads} threads reach {occupancy}'
why: one warp a block wastes the SM
hint: use larger blocks
YAML
expect 'the worst launch of several is judged too' 1 'shared_dynamic \(sm_90a\): blocks of 32 threads reach 50 %' \
    check --select narrow --rules "$work/rules" --launches $profiles/ncu-details.csv cubin.log
expect 'the most frequent launch is judged' 1 'found: 0 errors, 2 warnings' \
    check --select narrow --rules "$work/rules" --launches $profiles/ncu-details.csv cubin.log
expect 'a template, the anonymous namespace' 0 'typed<double> +sm_90a .* 98.4%  warps' \
    report --all --launches $profiles/ncu-details.csv cubin.log
expect 'a short name that fits two kernels gives nothing' 0 \
    '1 of 2 kernels in this profile are not in the log, or their name fits several there: typed' \
    report --launches $profiles/ncu-function.csv cubin.log
expect 'another architecture is not that of the profile' 0 '"mangled":"_Z5plainPf".*"threads":null' \
    report --format ndjson --launches $profiles/ncu-details.csv lz4.log
expect 'the command line wins' 0 '"_Z5plainPf".*"threads":128,"threads_from":"cli"' \
    report --format ndjson --threads 128 --launches $profiles/ncu-details.csv cubin.log
expect 'another build' 1 'plain \(sm_90a\): 8 registers in the log, 32 in the profile.*\[profile-mismatch\]' \
    check --select profile-mismatch --launches $profiles/other-build.csv cubin.log
expect 'the same build' 0 'verdict: passed' \
    check --select profile-mismatch --launches $profiles/nsys-trace.csv cubin.log
expect 'a profile that cannot be read' 2 'german.csv:2: error: column' check --launches $profiles/german.csv cubin.log

echo "$passed passed, $failed failed"
[ $failed = 0 ]
