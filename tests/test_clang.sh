#!/bin/sh
# usage: test_clang.sh PROGRAM SOURCE_DIR
#
# The wrapper around a real clang that compiles CUDA: the same output streams and exit status, the same machine code,
# and records that agree with ptxas's messages and with the object. Skipped if no clang supports the installed CUDA.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set"
    exit 0
fi
PATH=$PATH:/usr/local/cuda/bin
cuda=$(command -v ptxas) && cuda=${cuda%/bin/ptxas}
cp "$source/fixtures/clang/blend.cu" .
options="--cuda-path=$cuda --offload-arch=sm_80 --offload-arch=sm_90 -O3"
clang=
for name in clang++ $(cd /usr/bin && ls -r clang++-* 2>/dev/null); do
    # shellcheck disable=SC2086 # several words
    [ -n "$clang" ] || ! $name $options -c blend.cu -o blend.o >said 2>&1 || clang=$name
done
if [ -z "$clang" ]; then
    echo "skipped: no clang compiles for the CUDA toolkit that is here"
    exit 0
fi
XDG_CACHE_HOME=$work/cache
export warplint source clang options XDG_CACHE_HOME

wrapped() { "$warplint" wrap "$@" -- $clang $options -c blend.cu -o wrapped.o; }
plain() { sed 's/Compile time = .*//' "$1"; }
$clang $options -c blend.cu -o alone.o >alone.said 2>&1
$clang $options -Xcuda-ptxas -v -c blend.cu -o asked.o >asked.said 2>&1
wrapped --record-only >wrapped.said 2>&1
holds 'the messages of clang are the same as without wrap' cmp alone.said wrapped.said
holds 'the object is that of -Xcuda-ptxas -v' cmp asked.o wrapped.o

# ptxas's messages as lines NAME ARCH REGISTERS STACK STORES LOADS, and the same from the record.
sed -n "s/.*Compiling entry function '\(.*\)' for '\(.*\)'/\1 \2/p; s/ *\([0-9]*\) bytes stack frame, \([0-9]*\) bytes spill stores, \([0-9]*\) bytes spill loads/\1 \2 \3/p; s/.*Used \([0-9]*\) registers.*/\1/p" asked.said |
    awk 'NF == 2 { name = $0 } NF == 3 { stack = $0 } NF == 1 && name != "" { print name, $1, stack; name = "" }' | sort >asked.table
sed -n 's/.*"mangled":"\([^"]*\)".*"kind":"entry".*"arch":"\([^"]*\)".*"registers":\([0-9]*\),"stack_bytes":\([0-9]*\),.*"spill_store_bytes":\([0-9]*\),"spill_load_bytes":\([0-9]*\),.*/\1 \2 \3 \4 \5 \6/p' \
    wrapped.o.warplint.ndjson | sort >wrapped.table
expect 0 '^6$' 'the log has three kernels for two architectures' in_shell 'grep -c . asked.table'
holds 'the record has the numbers of the log' cmp asked.table wrapped.table
expect 0 '^2$' 'the record has the launch bound' in_shell 'grep -c "\"mangled\":\"_Z5blendPKfPfi\".*\"threads\":512,\"threads_from\":\"launch-bounds\"" wrapped.o.warplint.ndjson'
expect 0 '"toolkit":"[0-9]*\.[0-9]*"' 'the record has the toolkit' cat wrapped.o.warplint.ndjson
expect 1 'blend.cu:4: error: blend \(sm_90\): spills .* at the 32-register cap of __launch_bounds__' 'a kernel that spills fails' wrapped
expect 1 '^blend.cu:2[0-9]:[0-9]*: warning: loop not unrolled.*\[unroll-failed\]' 'a loop that is not unrolled is a warning' in_shell '"$warplint" wrap -- $clang $options -c blend.cu -o wrapped.o'
expect 0 '' 'the object that fails is removed' in_shell '[ ! -e wrapped.o ]'
expect 0 '^verdict: passed' 'log and object have no binary-mismatch' in_shell '"$warplint" check --select binary-mismatch asked.said asked.o'

# ---- target regions of OpenMP
cp "$source/fixtures/openmp/regions.cpp" .
openmp="--cuda-path=$cuda -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda --offload-arch=sm_80 -nogpulib -O2"
export openmp
if ! $clang $openmp -c regions.cpp -o regions.o >said 2>&1; then
    skip "OpenMP: this clang makes no objects with code for GPUs (llvm-offload-binary is a package of its own)"
    finish
fi
regions() { "$warplint" wrap "$@" -- $clang $openmp -c regions.cpp -o regions.o; }
$clang $openmp -Xcuda-ptxas -v -c regions.cpp -o regions.o >openmp.log 2>&1
expect 0 '^judged: 5 kernels for sm_80, 4 device functions' 'OpenMP: log and object have no binary-mismatch' \
    "$warplint" check --no-config --select binary-mismatch openmp.log regions.o
expect 1 '^regions.cpp:13: warning: grid::smooth<double>:13 \(sm_80\): stack frame' 'OpenMP: a finding is at the line of its region' regions
regions --record-only >said 2>&1
holds 'OpenMP: --record-only prints nothing' refuses test -s said
expect 0 '^9$' 'OpenMP: all kernels have the line of their region' in_shell 'grep -c "\"source\":\"regions.cpp\",\"line\":[0-9]*,\"line_from\":\"region\"" regions.o.warplint.ndjson'
expect 0 'compared: 9 kernel x arch: 9 the same$' 'OpenMP: diff of the log and the record: the same' "$warplint" diff --no-config openmp.log regions.o.warplint.ndjson
mkdir checkout
sed 's/^static void relax/\n&/' regions.cpp >checkout/regions.cpp
(cd checkout && "$warplint" wrap --record-only -- $clang $openmp -c regions.cpp -o regions.o) >said 2>&1
expect 0 'compared: 9 kernel x arch: 9 the same$' 'OpenMP: diff with another checkout, one line further down: the same' \
    "$warplint" diff --no-config regions.o.warplint.ndjson checkout/regions.o.warplint.ndjson
expect 1 '^regions.cpp:14: warning: grid::smooth<double>:14' 'OpenMP: findings of the other checkout have its lines' \
    in_shell 'cd checkout && "$warplint" check --no-config regions.o.warplint.ndjson'

finish
