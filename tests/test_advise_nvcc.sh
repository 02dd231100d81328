#!/bin/sh
# usage: test_advise_nvcc.sh PROGRAM SOURCE_DIR
#
# The advice against ptxas: for each number of blocks that `warplint advise` offers, the kernel is compiled with that
# __launch_bounds__. It must use no more registers than the stated cap and reach the number of blocks. For three
# architectures. Skipped without nvcc.
set -u
warplint=$1
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1 || ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: no nvcc, or no python3"
    exit 0
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set, compiling takes a minute"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work" || exit 1

# A kernel whose registers are all live at once, as many as `width` sets; without launch bounds, or with all those of
# bounds.inc.
cat >kernel.cu <<'CU'
template <int width> static __device__ __forceinline__ void mix(float *p, const float *q, int n)
{
    __shared__ float tile[256];
    float a[width];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < width; i++)
        a[i] = q[t + i * n];
    tile[threadIdx.x & 255] = a[0];
    __syncthreads();
    for (int j = 0; j < n; j++) {
        float b = tile[(threadIdx.x + j) & 255];
#pragma unroll
        for (int i = 0; i < width; i++)
            a[i] = a[i] * a[(i * 7 + 3) % width] + b;
    }
#pragma unroll
    for (int i = 0; i < width; i++)
        p[t + i * n] = a[i];
}
#ifdef PLAIN
__global__ void narrow(float *p, const float *q, int n) { mix<20>(p, q, n); }
__global__ void wide(float *p, const float *q, int n) { mix<76>(p, q, n); }
#else
template <int width, int threads, int blocks>
__global__ void __launch_bounds__(threads, blocks) bounded(float *p, const float *q, int n)
{
    mix<width>(p, q, n);
}
#include "bounds.inc"
#endif
CU
archs='-gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=sm_120'
nvcc $archs -Xptxas=-v -DPLAIN -fatbin kernel.cu -o plain.fatbin >plain.log 2>&1 || { cat plain.log; exit 1; }
for kernel in narrow wide; do
    for size in '' '--threads 128' '--threads 256' '--threads 384'; do
        "$warplint" advise --no-config --format json $size $kernel plain.log || exit 1
    done
done >advice.json

cat >prove.py <<'PY'
import json, re, sys
WIDTHS = {"narrow": 20, "wide": 76}

def steps():
    """(width, threads, blocks, arch) -> the step of the advice"""
    found = {}
    for line in open("advice.json"):
        for record in json.loads(line)["records"]:
            width = WIDTHS[record["name"].split("(")[0]]
            assert record["register_cap_is_ptxas"], record["arch"]
            for size in record["launch_bounds"]:
                for step in size["steps"]:
                    found[width, size["threads"], step["blocks_per_sm"], record["arch"]] = step
    return found

def write():
    for width, threads, blocks in sorted({key[:3] for key in steps()}):
        print(f"template __global__ void bounded<{width}, {threads}, {blocks}>(float *, const float *, int);")

def prove():
    registers = {}
    for line in open("bounded.ndjson"):
        record = json.loads(line)
        match = record["type"] == "kernel" and re.match(r"void bounded<(\d+), (\d+), (\d+)>", record["name"])
        if match:
            registers[(*map(int, match.groups()), record["arch"])] = record["registers"], record["blocks_per_sm"]
    archs, tight, wrong = set(), 0, 0
    for key, step in steps().items():
        archs.add(key[3])
        tight += step["registers_to_give_up"] > 0
        has, blocks = registers[key]
        if has > step["register_cap"]:
            print("FAIL", key, "has", has, "registers, the advice says at most", step["register_cap"])
            wrong += 1
        if blocks < step["blocks_per_sm"] and step["smem_bytes_to_give_up"] == 0:
            print("FAIL", key, "reaches", blocks, "blocks")
            wrong += 1
    print(f"{len(steps())} steps on {len(archs)} architectures, {tight} of them give up registers, {wrong} wrong")
    return wrong or len(archs) < 3 or tight < 50

if sys.argv[1] == "write":
    write()
else:
    sys.exit(1 if prove() else 0)
PY
python3 prove.py write >bounds.inc || exit 1
nvcc $archs -Xptxas=-v -fatbin kernel.cu -o bounded.fatbin >bounded.log 2>&1 || { tail -20 bounded.log; exit 1; }
"$warplint" report --no-config --format ndjson bounded.log bounded.fatbin >bounded.ndjson || exit 1
python3 prove.py prove
