#!/bin/sh
# usage: test_tune_nvcc.sh PROGRAM SOURCE_DIR
#
# `tune` with the real nvcc: every row of the frontier equals nvcc's result with that cap, or for the source with those
# launch bounds, and the caps are all the caps that add a block. Skipped without nvcc.
set -u
warplint=$1
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc"
    exit 0
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set, compiling takes minutes"
    exit 0
fi
. "$2/tests/cases.sh"
mkdir private
TMPDIR=$work/private XDG_CACHE_HOME=$work/cache
export PATH TMPDIR XDG_CACHE_HOME

cat >chew.cuh <<'CU'
template <int N> __device__ float chew(const float *p, int n, int t)
{
    float a[N], s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        a[i] = p[i * n + t];
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int i = 0; i < N; i++)
            a[i] = a[i] * a[(i * 7 + j) % N] + p[j + t];
#pragma unroll
    for (int i = 0; i < N; i++)
        s += a[i] * a[(i + 3) % N];
    return s;
}
CU
cat >t.cu <<'CU'
#include "chew.cuh"
__global__ void wide(float *o, const float *p, int n) { o[threadIdx.x] = chew<96>(p, n, threadIdx.x); }
template <int N> __global__ void middle(float *o, const float *p, int n) { o[threadIdx.x] = chew<N>(p, n, threadIdx.x); }
template __global__ void middle<40>(float *, const float *, int);
__global__ void shared(float *o, const float *p, int n)
{
    __shared__ float s[6000];
    s[threadIdx.x] = chew<48>(p, n, threadIdx.x);
    __syncthreads();
    o[threadIdx.x] = s[threadIdx.x ^ 1];
}
static __global__ void local(float *o, const float *p, int n) { o[threadIdx.x] = chew<64>(p, n, threadIdx.x); }
void launch(float *o, const float *p, int n) { local<<<1, 64>>>(o, p, n); }
__global__ void __launch_bounds__(256, 3) bound(float *o, const float *p, int n) { o[threadIdx.x] = chew<96>(p, n, threadIdx.x); }
__global__ void __maxnreg__(72) fixed(float *o, const float *p, int n) { o[threadIdx.x] = chew<96>(p, n, threadIdx.x); }
CU

# The rows of tune's JSON: mangled name, architecture, variant (0, given, cap:N, maxnreg:N, bounds:T:B), registers,
# bytes of spill stores and loads.
points()
{
    python3 - "$1" <<'PY'
import json, sys
for kernel in json.load(open(sys.argv[1]))['kernels']:
    for at, p in enumerate(kernel['points']):
        own = kernel['register_cap_from']
        variant = (f"bounds:{p['bound_threads']}:{p['min_blocks']}" if p['bound_threads'] else
                   f"{'maxnreg' if own == '__maxnreg__' else 'cap'}:{p['cap']}")
        first = 'given' if p['of_command'] else 0
        print(kernel['mangled'], kernel['arch'], first if at == 0 else variant, p['registers'], p['spill_store_bytes'], p['spill_load_bytes'])
PY
}

# by_hand VARIANT ARGUMENT...: the same from nvcc's own messages
by_hand()
{
    variant=$1 option=
    shift
    cp t.cu kept.cu
    case $variant in
    0) option=-maxrregcount=0 ;;
    cap:*) option=-maxrregcount=${variant#cap:} ;;
    maxnreg:*) sed "s/__maxnreg__([0-9]*)/__maxnreg__(${variant#maxnreg:})/" kept.cu >t.cu ;;
    bounds:*) sed "s/__launch_bounds__([0-9, ]*)/__launch_bounds__($(echo "${variant#bounds:}" | tr : ,))/" kept.cu >t.cu ;;
    esac
    # shellcheck disable=SC2086 # no word where there is no cap
    nvcc -Xptxas=-v "$@" $option -fatbin -o by-hand.fatbin t.cu 2>&1 | awk -v variant="$variant" '
        /Compiling entry function/ { split($0, quoted, "\047"); name = quoted[2]; arch = quoted[4] }
        /bytes stack frame/ { stores = $5; loads = $9 }
        / Used [0-9]+ registers/ { for (i = 1; i < NF; i++) if ($i == "Used") print name, arch, variant, $(i + 1), stores, loads }'
    mv kept.cu t.cu
    rm -f by-hand.fatbin
}

# agrees TITLE THREADS ARGUMENT...
agrees()
{
    title=$1 threads=$2
    shift 2
    # shellcheck disable=SC2086 # several words
    if ! "$warplint" tune $threads --format json -- nvcc "$@" -c t.cu -o t.o >tune.json 2>err; then
        bad "$title: $(head -n 3 err)"
        return
    fi
    points tune.json | sort >ours
    # The results of an earlier case with the same options can be reused.
    known=theirs.$(echo "$*" | cksum | cut -d' ' -f1)
    touch "$known"
    for variant in $(cut -d' ' -f3 ours | sort -u); do
        cut -d' ' -f3 "$known" | grep -qx "$variant" || by_hand "$variant" "$@" >>"$known"
    done
    cp "$known" theirs
    cut -d' ' -f1-3 ours | sort >keys
    awk 'NR == FNR { wanted[$0] = 1; next } ($1 " " $2 " " $3) in wanted' keys theirs | sort -u >same
    if cmp -s ours same && [ "$(wc -l <ours)" -ge 12 ]; then ok "$title: $(wc -l <ours) rows"; else
        bad "$title"
        diff ours same | head -n 6
    fi
    if [ -e t.o ] || [ -n "$(ls private)" ]; then bad "$title: files were left behind"; fi
}

agrees 'sm_90: rows equal compiles by hand' '--threads 256' -arch=sm_90
agrees 'sm_90 again: rows equal compiles by hand' '--threads 256' -arch=sm_90
agrees 'two architectures without a block size: rows equal compiles by hand' '' -gencode arch=compute_75,code=sm_75 -gencode arch=compute_120,code=sm_120
agrees '-maxrregcount in the command: rows equal compiles by hand' '--threads 256' -arch=sm_90 -maxrregcount=72
agrees 'relocatable code: rows equal compiles by hand' '--threads 128' -arch=sm_80 -rdc=true

# Completeness: no cap between two rows has more warps than the row above it. For launch bounds, the occupancy of each
# row equals the calculator's, and no number of blocks at which more warps fit is missing.
python3 - tune.json "$warplint" <<'PY' && ok 'each cap or bound that adds a block has a row' || bad 'the rows are not all that add a block'
import json, subprocess, sys
def occupancy(kernel, counts):
    smem = {'shared': 24000}.get(kernel['name'].split('(')[0], 0)
    csv = 'arch,threads,registers,smem_bytes,dynamic_smem_bytes,barriers\n' + ''.join(
        f"{kernel['arch']},{kernel['threads']},{n},{smem},0,1\n" for n in counts)
    out = subprocess.run([sys.argv[2], 'occupancy', '--csv', '-'], input=csv, capture_output=True, text=True).stdout
    return {int(cells[2]): int(cells[7]) for cells in (line.split(',') for line in out.splitlines()[1:])}
for kernel in json.load(open(sys.argv[1]))['kernels']:
    name = kernel['name'].split('(')[0]
    assert kernel['cap_reaches'] == (name not in ('bound', 'fixed')), kernel
    first, others = kernel['points'][0], kernel['points'][1:]
    at = occupancy(kernel, range(1, 256))
    if name == 'bound':
        assert (first['bound_threads'], first['min_blocks'], first['cap']) == (256, 3, 80), first
        blocks = [p['min_blocks'] for p in others]
        assert blocks == [2, 3, 4, 5, 7, 8, 9, 10, 12, 16], blocks  # of 128 threads, as launched
        assert all(p['warps_per_sm'] == at[p['registers']] for p in kernel['points']), kernel
        continue
    wanted, warps = [], at[first['registers']]
    for n in range(first['registers'] - 1, 0, -1):
        if at[n] > warps:
            warps = at[n]
            wanted.append(n)
    if not kernel['cap_reaches'] and first['spill_store_bytes'] + first['spill_load_bytes'] > 0:
        own = max(first['registers'], kernel['register_cap'] or 0)
        wanted = [n for n in range(255, own, -1) if at[n] > max([at[m] for m in range(n + 1, 256)], default=0)] + wanted
    assert wanted == [p['cap'] for p in others], (kernel['name'], wanted)
PY

# The build's output files are not made.
"$warplint" tune --threads 256 -- nvcc -arch=sm_90 -MD -MF t.d --keep -c t.cu -o t.o >out 2>err
made=$(ls | grep -Ev '^(chew.cuh|t.cu|private|cache|out|err|ours|theirs.*|keys|same|tune.json)$')
[ -z "$made" ] && ok 'the files of the build are not written' || bad "made: $made"

# Functions that spill into the frame of their kernel: at the same cap only the kernel itself spills nothing.
cp "$2/fixtures/callee-spills/callee.cu" .
"$warplint" tune --no-config --kernel heavy -- nvcc -arch=sm_90 -c callee.cu >heavy 2>&1
expect 0 '256, 8\) +32 +32 +220/220 ' 'spills of called functions count as spills of the kernel' cat heavy
expect 0 'most warps without spills: .256, 4., 64 registers' 'the row named without spills has no spills of called functions' cat heavy

# The only other rows worth measuring have no cap; and dynamic shared memory of unknown size.
cat >tight.cu <<'CU'
#include "chew.cuh"
extern __shared__ float tile[];
__global__ void __launch_bounds__(1024, 2) tight(float *o, const float *p, int n)
{
    tile[threadIdx.x] = chew<28>(p, n, threadIdx.x);
    __syncthreads();
    o[threadIdx.x] = tile[threadIdx.x ^ 1];
}
CU
"$warplint" tune --no-config -- nvcc -arch=sm_80 -c tight.cu >tight 2>&1
expect 0 '^with the bounds of a marked row in __launch_bounds__' 'text names launch bounds as what to write' cat tight
expect 0 '^.where a row has fewer threads than the source: with launches of such blocks.$' 'text says that smaller blocks must be launched' cat tight
"$warplint" tune --no-config --threads 256 -- nvcc -arch=sm_80 -c tight.cu >small 2>&1
expect 0 '256, 1' 'with a small block size text does not say so' in_shell '! grep "fewer threads" small && cat small'
expect 0 '^    occupancy are upper bounds' 'unknown dynamic shared memory: text says that occupancy is an upper bound' cat tight
"$warplint" tune --no-config --dynamic-smem 4096 -- nvcc -arch=sm_80 -c tight.cu >known 2>&1
expect 0 '^ .*1024, 2' 'known dynamic shared memory: text does not say so' in_shell '! grep "upper bounds" known && cat known'

finish
