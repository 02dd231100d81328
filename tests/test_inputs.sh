#!/bin/sh
# usage: test_inputs.sh PROGRAM SOURCE_DIR
#
# Binaries and PTX on the command line, alone and beside a log.
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

echo "$passed passed, $failed failed"
[ $failed = 0 ]
