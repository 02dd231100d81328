#!/bin/sh
# usage: test_spill_sites_nvcc.sh PROGRAM SOURCE_DIR
#
# Where kernels spill, on cubins of six architectures under four register caps: the places add up to ptxas's numbers, and
# are those of an independent reader where one stands beside the checkout. Without nvcc the test says so.
set -u
warplint=$1 kernels=$2/tests/data/spills.cu oracle=$2/../shared/oracle/spills.py
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1 || ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: no nvcc or no python3"
    exit 0
fi
. "$2/tests/cases.sh"
[ -e "$oracle" ] || oracle=-
archs='75 80 86 90 100 120' caps='32 40 64 128'
[ -z "${WARPLINT_TEST_QUICK:-}" ] || archs='80 120' caps=40

for sm in $archs; do
    for cap in $caps; do
        nvcc -std=c++17 -arch="sm_$sm" -lineinfo -Xptxas=-v -maxrregcount "$cap" -cubin -o "k.$sm.$cap.cubin" "$kernels" \
            2>"k.$sm.$cap.log" || cat "k.$sm.$cap.log"
    done
done
nvcc -std=c++17 -arch=sm_90 -lineinfo -rdc=true -Xptxas=-v -maxrregcount 40 -cubin -o rdc.cubin "$kernels" 2>rdc.log
if python3 "$2/tests/spill_sites.py" "$warplint" "$oracle" ./*.cubin; then
    ok 'places of spills'
else
    bad 'places of spills'
fi

# The product as wrap makes it: the log and the object, no cubin of its own.
nvcc -std=c++17 -arch=sm_90 -lineinfo -Xptxas=-v -maxrregcount 40 -c -o k.o "$kernels" 2>k.log
if "$warplint" report --no-config --format ndjson k.log k.o | grep -q '"spill_depth":2.*"spill_sites":\[{"file":"[^"]*spills.cu","line":[0-9]'; then
    ok 'an object'
else
    bad 'an object'
fi

finish
