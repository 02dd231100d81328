#!/bin/sh
# usage: test_gpu_nvcc.sh PROGRAM SOURCE_DIR
#
# Registers, shared memory and blocks per SM as a real driver reports them (tests/gpu): queried here if there is a GPU,
# and compared with the saved answers of other machines in fixtures/gpu-*. Without either the test still checks that
# launches.cu compiles for each generation with all its kernels in the log, and that tests/gpu/compare finds each kind
# of difference.
set -u
program=$1 root=$2
PATH=$PATH:/usr/local/cuda/bin
. "$root/tests/cases.sh"

check() # name, expected status, command...
{
    name=$1 expected=$2
    shift 2
    "$@" >"$work/said" 2>&1
    got=$?
    if [ $got -eq "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: status $got, expected $expected"
        cat "$work/said"
    fi
}

for folder in "$root"/fixtures/gpu-*; do
    [ -d "$folder" ] || continue
    check "${folder##*/}" 0 sh "$root/tests/gpu/compare" "$program" "$folder/log.txt" "$folder/launches.csv"
    cat "$work/said"
done

sh "$root/tests/gpu/run" "$program" >"$work/said" 2>&1
case $? in
77) cat "$work/said" ;;
0) cat "$work/said" && passed=$((passed + 1)) ;;
*) cat "$work/said" && failed=$((failed + 1)) ;;
esac

# The answers of a driver that agrees with the model, in the columns of launches.cu; the log is a fixture's.
log=$root/fixtures/barriers-sm120/log.txt
"$program" report --no-config --format csv "$log" >"$work/log.csv"
awk -F , '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; print "kernel,arch,threads,registers,smem_bytes,dynamic_smem_bytes,barriers,carveout,stack"; next }
    !seen[$column["mangled"]]++ {
        for (threads = 8; threads <= 512; threads += 8)
            for (dynamic = 0; dynamic < 40000; dynamic += 13000)
                printf "%s,%s,%d,%d,%d,%d,%d,-1,%d\n", $column["mangled"], $column["arch"], threads,
                    $column["registers"], $column["smem_bytes"], dynamic, $column["barriers"], $column["stack_bytes"]
    }' "$work/log.csv" >"$work/asked.csv"
"$program" occupancy --csv "$work/asked.csv" | awk -F , '
    NR == 1 { print "kernel,arch,threads,dynamic_smem_bytes,carveout,driver_registers,driver_smem_bytes,driver_local_bytes,driver_max_threads,driver_blocks"; next }
    { printf "%s,%s,%s,%s,%s,%s,%s,%s,1024,%s\n", $1, $2, $3, $6, $8, $4, $5, $9, $10 }' >"$work/same.csv"

# A copy of the answers with 1 added to one column of one row.
raise() # column
{
    awk -F , -v OFS=, -v column="$1" 'NR == 150 { $column++ } { print }' "$work/same.csv" >"$work/changed.csv"
}
compare()
{
    check "$1" "$2" sh "$root/tests/gpu/compare" "$program" "$log" "$3"
}
compare "the same answers" 0 "$work/same.csv"
for column in 6 7 8 10; do
    raise $column
    compare "column $column differs" 1 "$work/changed.csv"
done
sed 's/,sm_120,/,sm_90,/' "$work/same.csv" >"$work/changed.csv"
compare "another architecture" 1 "$work/changed.csv"
sed '150s/^/no_such_/' "$work/same.csv" >"$work/changed.csv"
compare "a kernel that the log does not have" 1 "$work/changed.csv"
head -n 200 "$work/same.csv" >"$work/changed.csv"
compare "199 launches" 1 "$work/changed.csv"

if command -v nvcc >/dev/null 2>&1; then
    for arch in sm_75 sm_90 sm_120; do
        nvcc -Xptxas=-v -arch=$arch "$root/tests/gpu/launches.cu" -o "$work/launches" >"$work/log.txt" 2>&1
        kernels=$("$program" report --no-config --format csv "$work/log.txt" | grep -c ",$arch,")
        check "launches.cu for $arch: 17 kernels, $kernels in the log" 0 test "$kernels" -eq 17
        [ -z "${WARPLINT_TEST_QUICK:-}" ] || break
    done
else
    echo "skipped: no nvcc to compile launches.cu"
fi
finish
