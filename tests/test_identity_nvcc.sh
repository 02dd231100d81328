#!/bin/sh
# usage: test_identity_nvcc.sh PROGRAM SOURCE_DIR
#
# The identity of a kernel (kernel_id) with the real nvcc stays the same in another folder, for other architectures,
# with -rdc, with a function added above its kernels, and with all of these. The file has anonymous namespaces, static
# kernels, templates, lambdas and CUB. Skipped without nvcc; the names that nvcc gave are in names.tsv.
set -u
warplint=$1 source=$2
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc"
    exit 0
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set, compiling takes a minute"
    exit 0
fi
if ! echo '#include <cub/version.cuh>' | nvcc -x cu -E - >/dev/null 2>&1; then
    echo "skipped: this toolkit has no CUB"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

compile() # name, folder, options...
{
    name=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    [ -f "$folder/kernels.cu" ] || cp "$source/tests/data/identity.cu" "$folder/kernels.cu"
    (cd "$folder" && nvcc -std=c++20 --extended-lambda -diag-suppress 177 -Xptxas=-v "$@" -fatbin kernels.cu -o out.fatbin) \
        >"$name.log" 2>&1 || {
        echo "FAIL  $name does not compile:"
        head -5 "$name.log"
        exit 1
    }
    "$warplint" report --no-config --format ndjson "$name.log" | grep '"kind":"entry"' |
        grep '"arch_inferred":"sm_80"' >"$name.records"
    sed 's/.*"kernel_id":"\([^"]*\)".*/\1/' "$name.records" | sort >"$name.ids"
    sed 's/.*"mangled":"\([^"]*\)".*/\1/' "$name.records" | sort >"$name.names"
}

same() # what, name of the other, names that it has more
{
    comm -13 first.ids "$2.ids" >more
    comm -23 first.ids "$2.ids" >fewer
    if [ -s fewer ] || [ "$(cat more)" != "${3:-}" ]; then
        echo "FAIL  $1: identities that are not there any more, and new ones:"
        sed 's/^/- /' fewer
        sed 's/^/+ /' more
        failed=1
    else
        echo "ok    $1: $(comm -23 first.names "$2.names" | wc -l) of $(wc -l <first.names) names differ, no identity"
    fi
}

# holds WHAT NAME COUNTS: compares the first build's baseline with another build; with -rdc the code differs, but every
# kernel is found
holds()
{
    "$warplint" check --no-config --arch sm_80 --baseline first.json --format ndjson "$2.log" >"$2.checked" 2>&1
    if tail -n 1 "$2.checked" | grep -q "$3"; then
        echo "ok    the baseline holds: $1"
    else
        echo "FAIL  the baseline does not hold: $1"
        tail -n 1 "$2.checked"
        failed=1
    fi
}

compile first here -arch=sm_80
"$warplint" baseline write --no-config first.json first.log || failed=1
if [ "$(wc -l <first.ids)" -lt 30 ] || [ -n "$(uniq -d first.ids)" ]; then
    echo "FAIL  two kernels of one file have one identity, or there are fewer than 30 of them:"
    uniq -d first.ids
    failed=1
fi
if grep -E '[0-9a-f]{8}_[0-9]+_kernels_cu|__nv_static|SM_80|30[0-9]{4}_' first.ids; then
    echo "FAIL  these identities hold a hash, a file or a version"
    failed=1
fi

compile folder some/where/else -arch=sm_80
same "objects in another folder" folder
holds "objects in another folder: no kernel is new, gone or worse" folder '"new":0,"gone":0,"replaced":0,"worse":0'
compile archs here -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
same "other architectures" archs
holds "other architectures: no kernel is new, gone or worse" archs '"new":0,"gone":0,"replaced":0,"worse":0'
compile rdc here -rdc=true -arch=sm_80
same "compiled with -rdc=true" rdc
holds "compiled with -rdc=true: no kernel is gone" rdc '"gone":0'
mkdir -p shifted
sed 's/^\/\/ HERE.*/int added(int x) { return x; }\n__global__ void added_kernel(int *p) { p[1] = 2; }\n/' \
    "$source/tests/data/identity.cu" >shifted/kernels.cu
compile shifted shifted -arch=sm_80
same "a function is added above the kernels" shifted _Z12added_kernelPi
holds "a function is added above the kernels: one kernel is new, none is gone or worse" shifted '"new":1,"gone":0,"replaced":0,"worse":0'
compile all shifted -rdc=true -gencode arch=compute_80,code=sm_80 -gencode arch=compute_75,code=sm_75
same "all changes together" all _Z12added_kernelPi
holds "all changes together: no kernel is gone" all '"gone":0'
exit $failed
