#!/bin/sh
# usage: test_binary_nvcc.sh PROGRAM SOURCE_DIR
#
# The log of a compile and its binary have the same numbers, for every container that nvcc produces. Skipped without
# nvcc.
set -u
warplint=$1 kernels=$2/tests/data/binaries/kernels.cu
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc"
    exit 0
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set, compiling takes a minute"
    exit 0
fi
. "$2/tests/cases.sh"
archs=
for sm in 75 80 90 100 120; do
    archs="$archs -gencode arch=compute_$sm,code=sm_$sm"
done

# same TITLE KERNELS LOG BINARY...: no number differs, and every kernel of the binary is in the log
same()
{
    title=$1 expected=$2
    shift 2
    said=$("$warplint" check --no-config --select binary-mismatch "$@" 2>&1)
    status=$?
    if [ $status = 0 ] && echo "$said" | grep -Eq "^judged: (.* )?$expected kernels? "; then
        ok "$title"
    else
        bad "$title (status $status)"
        echo "$said"
    fi
}

# shellcheck disable=SC2086 # lists of words
for options in '' -rdc=true -no-compress -compress-mode=size -compress-mode=speed '-compress-mode=size -rdc=true'; do
    nvcc -t 0 -Xptxas=-v -c "$kernels" $archs $options -o kernels.o 2>kernels.log || cat kernels.log
    same "object${options:+, $options}" 70 kernels.log kernels.o
done

ar rc kernels.a kernels.o
same 'archive' 70 kernels.log kernels.a
nvcc -shared -Xcompiler -fPIC -Xptxas=-v "$kernels" -arch=sm_80 -o kernels.so 2>shared.log
same 'shared object' 14 shared.log kernels.so

cat >caller.cu <<'CU'
extern __device__ float callee(float);
__global__ void caller(float *p)
{
    __shared__ float s[300];
    s[threadIdx.x] = p[1];
    __syncthreads();
    p[threadIdx.x] = callee(s[threadIdx.x ^ 3]);
}
int main() { caller<<<1, 1>>>(nullptr); }
CU
cat >callee.cu <<'CU'
__device__ __noinline__ float callee(float x)
{
    __shared__ float s[3000];
    float a[30], sum = 0;
    s[threadIdx.x] = x;
    __syncthreads();
    for (int i = 0; i < 30; i++)
        a[i] = x * i;
    for (int i = 0; i < 30; i++)
        sum += a[(int)x * i % 30];
    return sum + s[(int)x];
}
CU
nvcc -rdc=true -arch=sm_90 -Xptxas=-v -Xnvlink=-v caller.cu callee.cu -o program 2>program.log
same 'program with a device link' 1 program.log program

finish
