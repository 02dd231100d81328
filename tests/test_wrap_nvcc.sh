#!/bin/sh
# usage: test_wrap_nvcc.sh PROGRAM SOURCE_DIR
#
# The wrapper around the real nvcc, alone and in common build systems. Skipped without nvcc.
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
XDG_CACHE_HOME=$work/cache
export warplint work PATH XDG_CACHE_HOME

cat >good.cu <<'CU'
__global__ void good(float *p) { p[threadIdx.x] *= 2; }
CU
cat >bad.cu <<'CU'
__global__ void __launch_bounds__(1024, 2) bad(float *p, int n)
{
    float a[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        a[i] = p[i * n];
#pragma unroll
    for (int j = 0; j < 16; j++)
#pragma unroll
        for (int i = 0; i < 64; i++)
            a[i] = a[i] * a[(i * 7 + j) & 63] + p[j];
#pragma unroll
    for (int i = 0; i < 64; i++)
        p[i * n + 1] = a[i];
}
CU
cat >broken.cu <<'CU'
__global__ void broken(float *p) { p[0] = undeclared; }
CU
echo '__global__ void k(float *p) { int unused; *p = 1; }' >warns.cu
echo 'int main() { return 0; }' >main.cpp
echo '-c -o options.o' >inner
echo '-optf inner -arch=sm_90' >outer

# Removes temporary names, folders and times, which differ in every run.
plain() { sed -e "s,$work/[a-z]*/,RUN/,g" -e 's/tmpxft_[0-9a-f]*_[0-9a-f]*[-_0-9a-f]*/TMP/g' -e 's/Compile time = .*//' "$1"; }

# alike ARGUMENT...: the same exit status, streams and files with and without us. $compiler is put before the arguments,
# $wrap before that.
compiler=nvcc wrap="$warplint wrap --"
alike()
{
    rm -rf alone wrapped
    mkdir alone wrapped
    for who in alone wrapped; do
        cp given/* $who
        (
            cd $who || exit 1
            [ $who = wrapped ] || wrap=
            # shellcheck disable=SC2086 # several words
            $wrap $compiler "$@" >../$who.out 2>../$who.err </dev/null
            echo "status $?" >>../$who.out
            plain ../$who.out >../$who.stdout
            plain ../$who.err >../$who.stderr
            find . -type f ! -name '*.warplint.ndjson' | sort >../$who.files
        ) &
    done
    wait
    if cmp -s alone.stdout wrapped.stdout && cmp -s alone.stderr wrapped.stderr && cmp -s alone.files wrapped.files; then
        ok "same output and files as without wrap: $compiler $*"
    else
        bad "as without us: $compiler $*"
        diff alone.stdout wrapped.stdout | head -n 4
        diff alone.stderr wrapped.stderr | head -n 4
        diff alone.files wrapped.files
    fi
}

mkdir given
cp good.cu warns.cu broken.cu main.cpp inner outer given
echo 'int answer(void) { return 42; }' >given/plain.c
echo '-O1' >given/second
(cd given && nvcc -dc good.cu -o device.o && nvcc -c main.cpp -o main.o) || exit 1
while read -r words; do
    # shellcheck disable=SC2086 # several words
    alike $words
done <<'TABLE'
--version
--help
--list-gpu-code
-E good.cu
-M good.cu
-MM good.cu
-MM good.cu -o good.d
--dryrun -c good.cu
-c main.cpp
-c plain.c
main.cpp -o app
main.o
--run main.cpp
-ptx good.cu
-c good.cu
-c good.cu warns.cu
-c broken.cu
-cubin -arch=sm_80 good.cu
-fatbin good.cu
-dc good.cu -odir .
-dc good.cu -odir no-such-folder
-dlink device.o
-dlink device.o -o linked.o
-rdc=true device.o main.o -o app
-optf outer good.cu
--options-file=outer good.cu
-optf inner,second good.cu
-optf no-such-file -c good.cu
-lib good.cu
good.cu main.cpp -o app
-c no-such.cu
-c -no-such-option good.cu
-c -MD -MF d.d good.cu -o x.o
-v main.cpp -o app
-Xptxas -v -c good.cu warns.cu
-Xptxas -v main.cpp good.cu -Wno-deprecated-gpu-targets -o app
--resource-usage good.cu -c
--resource-usage -dc good.cu
-rdc=true --resource-usage good.cu main.cpp -o app
-Xnvlink -v -dlink device.o
-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -t 2 -c good.cu
TABLE
export NVCC_PREPEND_FLAGS=-c NVCC_APPEND_FLAGS='-o appended.o'
alike good.cu
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS

# Other ways to call the compiler: several words, a script like that of Kokkos, our own name, a compiler cache.
compiler='env LC_ALL=C nvcc' alike -c warns.cu
cat >nvcc_wrapper <<'SH'
#!/bin/sh
# C++ sources are CUDA too; options of the host compiler go to it.
for word; do
    shift
    case $word in
    *.cpp) set -- "$@" -x cu "$word" ;;
    -W*) set -- "$@" -Xcompiler "$word" ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec nvcc "$@"
SH
chmod +x nvcc_wrapper
compiler=$work/nvcc_wrapper
alike -Wall -c main.cpp
cp good.cu good.cpp
if "$warplint" wrap -- ./nvcc_wrapper -c good.cpp -o wrapped.o && grep -q _Z4goodPf wrapped.o.warplint.ndjson; then ok 'a script in front of nvcc: the record has its kernels'; else bad 'a script in front of nvcc: the record has its kernels'; fi
mkdir mask && ln -s "$warplint" mask/nvcc
compiler=nvcc wrap="env PATH=$work/mask:$work/mask:$PATH"
alike --version
alike -c warns.cu
alike main.cpp
compiler=nvcc wrap="$warplint wrap --"
if command -v ccache >/dev/null 2>&1; then
    export CCACHE_DIR=$work/ccache
    compiler='ccache nvcc'
    alike -c warns.cu
    echo '__global__ void __launch_bounds__(256, 3) bounded(float *p) { *p = 1; }' >bounded.cu
    for time in miss hit; do
        "$warplint" wrap -- ccache nvcc -arch=sm_90 -c bounded.cu -o bounded.o 2>said && cp bounded.o.warplint.ndjson $time.ndjson
    done
    if cmp miss.ndjson hit.ndjson && grep -q '"threads":256,.*"min_blocks":3' hit.ndjson && ccache -s -v | grep -q 'Hits: *[1-9]'; then ok 'ccache: the record of a hit equals that of a miss'; else bad 'ccache: the record of a hit equals that of a miss'; fi
    compiler=nvcc
else
    echo "skipped: ccache, it is not there"
fi

# ---- builds
fails_twice() # TITLE COMMAND...: fails, and fails again; the finding names the kernel
{
    title=$1
    shift
    if "$@" >first 2>&1 || "$@" >second 2>&1; then
        bad "$title: it passes"
        tail -n 5 first
    elif grep -q 'bad.cu.*bad.*\[register-spill\]' first && grep -q 'bad.cu.*bad.*\[register-spill\]' second; then
        ok "$title"
    else
        bad "$title: no finding"
        tail -n 5 first second
    fi
}

printf 'NVCC = %s wrap -- nvcc\nbad.o: bad.cu\n\t$(NVCC) -arch=sm_90 -c bad.cu -o bad.o\n' "$warplint" >Makefile
fails_twice 'make fails twice' make
if command -v ninja >/dev/null 2>&1; then
    printf 'nvcc = %s wrap -- nvcc\nrule cuda\n  command = $nvcc -arch=sm_90 -MD -MF $out.d -c $in -o $out\n  depfile = $out.d\n  deps = gcc\nbuild bad.o: cuda bad.cu\nbuild good.o: cuda good.cu\n' "$warplint" >build.ninja
    fails_twice 'ninja with a compiler of several words fails twice' ninja bad.o
    if ninja good.o >out 2>&1 && [ -e good.o.warplint.ndjson ]; then ok 'ninja: a kernel without findings passes'; else bad 'ninja: a kernel without findings passes'; fi
fi
if command -v cmake >/dev/null 2>&1; then
    mkdir cmake && cp bad.cu good.cu cmake
    printf 'cmake_minimum_required(VERSION 3.22)\nset(CMAKE_CUDA_ARCHITECTURES 80 90)\nproject(p CUDA)\nadd_library(p OBJECT good.cu bad.cu)\n' >cmake/CMakeLists.txt
    for generator in 'Unix Makefiles' Ninja; do
        [ "$generator" = 'Unix Makefiles' ] || command -v ninja >/dev/null 2>&1 || continue
        rm -rf build
        if CUDACXX=$(command -v nvcc) cmake -S cmake -B build -G "$generator" "-DCMAKE_CUDA_COMPILER_LAUNCHER=$warplint;wrap;--" >out 2>&1; then
            fails_twice "CMake, $generator, launcher: fails twice" cmake --build build
            if [ "$("$warplint" report --format csv build 2>err | grep -c _Z3bad)" = 2 ]; then ok "CMake, $generator: both architectures are in the record"; else bad "CMake, $generator: records: $(cat err)"; fi
        else
            bad "CMake, $generator: $(tail -n 3 out)"
        fi
    done
    rm -rf build
    if CUDACXX=$work/mask/nvcc cmake -S cmake -B build >out 2>&1; then
        fails_twice 'CMake with wrap installed as nvcc: fails twice' cmake --build build
    else
        bad "CMake with wrap installed as nvcc: $(tail -n 3 out)"
    fi
fi

# ---- the source line of a kernel: in the source, in a header, in an anonymous namespace, in a template instantiated
# elsewhere
mkdir -p where/include
cat >where/include/kernels.cuh <<'CU'
#pragma once

template <typename T, int N>
__global__ void
__launch_bounds__(64)
in_header(T *p)
{
    T a[N];
    for (int i = 0; i < N; i++)
        a[i] = p[i];
    for (int i = 0; i < N; i++)
        p[i] = a[(int)p[i] & (N - 1)];
}
CU
cat >where/a.cu <<'CU'
#include "kernels.cuh"
#define INDEXED                                                                                                        \
    float a[32];                                                                                                       \
    for (int i = 0; i < 32; i++)                                                                                       \
        a[i] = p[i];                                                                                                   \
    for (int i = 0; i < 32; i++)                                                                                       \
        p[i] = a[(int)p[i] & 31];
/* __global__ void in_source(float *p) { in a comment } */
static const char *text = R"(__global__ void in_source(float *p) {})";

__global__ void in_source(float *p) { INDEXED }

namespace outer {
namespace {
template <class T> __global__ void hidden(T *p) { INDEXED }
}
inline namespace v2 { extern "C" __global__ void plain(float *p) { INDEXED } }
#if 0
__global__ void in_source(float *p) {}
#endif
static __global__ void of_file(float *p)
{
    INDEXED
}
}
#define MAKE(name) __global__ void name(float *p) { INDEXED }
MAKE(by_macro)
void launch(float *p)
{
    outer::hidden<<<1, 1>>>(p);
    outer::of_file<<<1, 1>>>(p);
    in_header<float, 32><<<1, 1>>>(p);
    (void)text;
}
CU
cat >where/b.cu <<'CU'
#include "kernels.cuh"
template __global__ void in_header<double, 16>(double *p);
CU
# found OUTPUT: name, place and origin of the place for each kernel of a record
found() { sed -n 's/.*"type":"kernel".*"name":"\([^"]*\)".*"source":\([^,]*\),"line":\([^,]*\),"line_from":\([^,]*\),.*/\1 \2:\3 \4/p' "$1.warplint.ndjson" | sort; }
# told FILE: the places in the findings
told() { sed -n 's/^\([^ ]*:[0-9]*\): [a-z]*: .*/\1/p' "$1" | sort -u | tr '\n' ' '; }
for way in '' '-MD -MF where/deps' -MMD -lineinfo; do
    how=declaration
    [ "$way" != -lineinfo ] || how=loc
    # shellcheck disable=SC2086 # several words
    "$warplint" wrap --fail-on never -- nvcc -arch=sm_90 $way -I where/include -c where/a.cu -o where/a.o 2>where/said
    # shellcheck disable=SC2086
    "$warplint" wrap --record-only -- nvcc -arch=sm_90 $way -I where/include -c where/b.cu -o where/b.o
    cat >where/expected <<EXPECTED
in_source(float*) "where/a.cu":11 "$how"
outer::(anonymous namespace)::hidden<float>(float*) "where/a.cu":15 "$how"
outer::of_file(float*) "where/a.cu":21 "$how"
plain "where/a.cu":17 "$how"
void in_header<double, 16>(double*) "where/include/kernels.cuh":6 "$how"
void in_header<float, 32>(float*) "where/include/kernels.cuh":6 "$how"
EXPECTED
    { found where/a.o; found where/b.o; } | sed 's/^void outer/outer/' | grep -v by_macro | LC_ALL=C sort >where/got
    if cmp -s where/expected where/got; then
        ok "source lines of kernels ${way:-by following #include}"
    else
        bad "where the kernels are ${way:-by following #include}"
        diff where/expected where/got
    fi
    if [ "$way" != -lineinfo ] && found where/a.o | grep -q '^by_macro(float\*) "where/a.cu":null null$'; then
        ok "a kernel from a macro has no line $way"
    elif [ "$way" != -lineinfo ]; then
        bad "a kernel that a macro makes: $(found where/a.o | grep by_macro)"
    fi
    rm -f where/deps where/*.d
done
"$warplint" wrap --fail-on never -- nvcc -arch=sm_90 -I where/include -c where/a.cu -o where/a.o 2>where/said
if [ "$(told where/said)" = 'where/a.cu:11 where/a.cu:15 where/a.cu:17 where/a.cu:21 where/include/kernels.cuh:6 ' ]; then
    ok 'findings are at the lines of their kernels'
else
    bad "findings are at $(told where/said)"
    cat where/said
fi

# ---- an exception in a source: that kernel's findings and no others
sed 's|^__global__ void in_source|// warplint: allow(dynamic-indexing) reason="small, and not in a loop that matters"\n&|' where/a.cu >where/c.cu
"$warplint" wrap --fail-on never -- nvcc -arch=sm_90 -I where/include -c where/c.cu -o where/c.o 2>where/said
if [ "$(told where/said)" = 'where/c.cu:16 where/c.cu:18 where/c.cu:23 where/include/kernels.cuh:6 ' ] &&
    "$warplint" check --fail-on never where/c.o.warplint.ndjson | grep -q '1 suppressed'; then
    ok 'an exception in a source covers its kernel only'
else
    bad "an exception in a source: findings are at $(told where/said)"
fi

# ---- relocatable device code: the link's registers are used, and static shared memory is kept
cat >dev1.cu <<'CU'
extern __device__ float ext(float x, int n);
__global__ void k2(float *p, int n)
{
    __shared__ float s[256];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = ext(s[threadIdx.x ^ 1], n);
}
CU
cat >dev2.cu <<'CU'
__device__ __noinline__ float ext(float x, int n)
{
    float a[20];
    for (int i = 0; i < 20; i++)
        a[i] = x * i;
    for (int i = 0; i < n; i++)
        a[i % 20] += a[(i * 3) % 20];
    return a[n % 20];
}
CU
rm -rf rdc && mkdir rdc
"$warplint" wrap --record-only -- nvcc -arch=sm_80 -rdc=true -c dev1.cu -o rdc/dev1.o &&
    "$warplint" wrap --record-only -- nvcc -arch=sm_80 -rdc=true -c dev2.cu -o rdc/dev2.o &&
    "$warplint" wrap --record-only -- nvcc -arch=sm_80 -dlink rdc/dev1.o rdc/dev2.o -o rdc/link.o
nvcc -arch=sm_80 -dlink -Xnvlink=-v rdc/dev1.o rdc/dev2.o -o link2.o 2>link.log
registers=$(sed -n 's/.*used \([0-9]*\) registers.*/\1/p' link.log)
if "$warplint" report rdc | grep -q "^k2 .* $registers\* .* 1024\*"; then
    ok "rdc: $registers registers and 1024 B of shared memory, as linked"
else
    bad "rdc: expected $registers registers and 1024 B of shared memory"
    "$warplint" report rdc
fi

"$warplint" wrap --record-only -- nvcc -arch=sm_80 rdc/dev1.o rdc/dev2.o given/main.o -o rdc/app
if grep -q "\"mangled\":\"_Z2k2Pfi\".*\"producer\":\"nvlink\".*\"registers\":$registers," rdc/app.warplint.ndjson; then ok 'rdc: the device link of a link command is recorded'; else bad 'rdc: the device link of a link command is recorded'; fi

# ---- an object that was compiled again after its device link
"$warplint" check --no-config rdc >out 2>err
if ! grep -q 'link again' err; then ok 'rdc: a link of present objects: no warning'; else bad 'rdc: a link of present objects: no warning'; fi
"$warplint" wrap --record-only -- nvcc -arch=sm_80 -rdc=true -c dev1.cu -o rdc/dev1.o
"$warplint" check --no-config rdc >out 2>err
if ! grep -q 'link again' err; then ok 'rdc: an object compiled again with the same code: no warning'; else bad 'rdc: an object compiled again with the same code: no warning'; fi
sed 's/20/24/g' dev2.cu >dev2b.cu
"$warplint" wrap --record-only -- nvcc -arch=sm_80 -rdc=true -c dev2b.cu -o rdc/dev2.o
"$warplint" check --no-config rdc >out 2>err
if grep -q 'warning: an object of this device link was compiled again since.*(and 1 more)' err; then ok 'rdc: an object compiled again with other code: a warning about its link'; else bad 'rdc: an object compiled again with other code: a warning about its link'; cat err; fi
"$warplint" wrap --record-only -- nvcc -arch=sm_80 -dlink rdc/dev1.o rdc/dev2.o -o rdc/link.o
"$warplint" wrap --record-only -- nvcc -arch=sm_80 rdc/dev1.o rdc/dev2.o given/main.o -o rdc/app
"$warplint" check --strict --no-config rdc >out 2>err
if ! grep -q 'link again' err; then ok 'rdc: linked again: no warning'; else bad 'rdc: linked again: no warning'; cat err; fi

# ---- what is compiled is the same, but for the `-v` in the note in which ptxas writes down its options
# Of an object: .strtab, the module id and debug information of the host (-g) contain the name of a temporary file,
# which differs in every compile. The fat binary contains the cubins; their sections are compared one by one.
compile_both() # OPTIONS: same/alone.o and same/wrapped.o, of the same words
{
    for how in alone wrapped; do
        before=
        [ $how = alone ] || before="$warplint wrap --fail-on never --"
        # shellcheck disable=SC2086 # several words
        $before nvcc --no-compress "$@" sames.cu -o same/x.o >out 2>err && mv same/x.o same/$how.o &&
            python3 "$sections" --sections same/$how.o | grep -v '^H \(\.strtab\|__nv_module_id\|\.nv_fatbin\|__nv_relfatbin\) ' >same/$how.sections
    done
}
nvcc -arch=sm_90 -cubin good.cu -o alone.cubin
"$warplint" wrap --no-verbose -- nvcc -arch=sm_90 -cubin good.cu -o wrapped.cubin >out 2>err
if cmp alone.cubin wrapped.cubin; then ok '--no-verbose: wrap does not change a cubin'; else bad '--no-verbose: wrap does not change a cubin'; fi
sections=$2/tests/integration/code.py
mkdir same
cat good.cu bad.cu >sames.cu
echo 'int main() { good<<<1, 32>>>(nullptr); return 0; }' >>sames.cu
three='-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=sm_120'
if ! command -v python3 >/dev/null 2>&1; then
    echo 'skipped: no python3, which reads the sections of objects'
else
    while read -r cubins options; do
        # shellcheck disable=SC2086 # several words
        compile_both $options
        grep -v 'note.nv.tkinfo [0-9]* [0-9]* ' same/alone.sections >same/alone.others
        grep -v 'note.nv.tkinfo [0-9]* [0-9]* ' same/wrapped.sections >same/wrapped.others
        with=$(grep -c 'note.nv.tkinfo [0-9]* [0-9]* -v' same/wrapped.sections)
        without=$(grep -c 'note.nv.tkinfo [0-9]* [0-9]* no -v' same/alone.sections)
        code=$(grep -c '^C .*text\.' same/alone.others)
        if [ "$with" -eq "$cubins" ] && [ "$without" -eq "$cubins" ] && [ "$code" -ge "$cubins" ] &&
            cmp -s same/alone.others same/wrapped.others; then ok "$options: only -v in the note of ptxas differs, in $cubins cubins"; else
            bad "$options: only the -v of the note differs: $with and $without notes, $cubins cubins"
            diff same/alone.others same/wrapped.others
        fi
    done <<LIST
1 -arch=sm_80 -cubin
1 -arch=sm_90 -cubin
1 -arch=sm_120 -cubin
3 $three -c
3 $three -O0 -lineinfo -c
3 $three -rdc=true -c
3 $three -rdc=true -lineinfo -c
1 -arch=sm_90 -rdc=true -cubin
LIST
fi

# ---- the record belongs to its object, whatever the file times are
mkdir current
wrapped() { $wrap nvcc -g -arch=sm_90 -c good.cu -o current/x.o >out 2>err; }
wrapped
strip -g current/x.o
cp current/x.o copy.o
cp copy.o current/x.o
expect 0 '' 'a copied and stripped object matches its record' in_shell '"$warplint" check --strict -q current 2>said; test ! -s said'
nvcc -g -arch=sm_90 -c warns.cu -o current/x.o 2>err
touch -d 2020-01-01 current/x.o
expect 3 'the record is not of its object' 'another object with an old time: status 3 under --strict' "$warplint" check --strict current

# ---- files that --keep leaves are not objects without a record
mkdir -p kept/steps
mkdir -p dots/units && sed 's/bad(/dotted(/' bad.cu >dots/k.cuh && echo '#include "../k.cuh"' >dots/units/a.cu
expect 1 '^k.cuh:[0-9]+: warning: dotted ' 'the header of a kernel is found from another working directory' in_shell 'cd dots && "$warplint" wrap -- nvcc -lineinfo -arch=sm_90 -c units/a.cu -o a.o'
expect 0 '' 'a command with --keep succeeds' in_shell '(cd kept && $wrap nvcc -rdc=true -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90] --keep --keep-dir steps -shared -Xcompiler -fPIC ../good.cu ../warns.cu -o app.so) && ls kept/steps/good.o kept/steps/*_dlink.o kept/steps/good.compute_80.cubin kept/steps/warns.compute_90.sm_90.cubin'
expect 0 '' 'files of --keep are not reported as objects without a record' in_shell '"$warplint" check --strict --fail-on never kept 2>said; ! grep "without a record" said'

# ---- PTX that becomes relocatable code
nvcc -ptx -arch=compute_90 bad.cu -o spilling.ptx || exit 1
for words in '-dc spilling.ptx -o x.o' '-rdc=true -c spilling.ptx' '-dc good.cu spilling.ptx'; do
    rm -f ./*.o
    expect 1 'register-spill' "PTX that becomes machine code is judged: $words" in_shell '"$warplint" wrap -- nvcc -arch=sm_90 '"$words"
    if ls ./*.o >/dev/null 2>&1; then bad "the object is removed: $words"; else ok "the object is removed: $words"; fi
done
expect 0 'made no machine code' 'PTX with -dlto: reported as not judged' "$warplint" wrap -- nvcc -arch=sm_90 -dlto -c spilling.ptx -o x.o

# ---- a kernel whose warps set their registers: the cap from its launch bounds is the number at the start
cat >groups.cu <<'CU'
__global__ void __launch_bounds__(384, 1) groups(float *x, const float *y)
{
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;\n");
        x[threadIdx.x] = 1;
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;\n");
        x[threadIdx.x] = y[threadIdx.x] * 2;
    }
}
CU
expect 0 '' 'a kernel with setmaxnreg: no finding at the cap of its launch bounds' "$warplint" wrap --fail-on note -- nvcc -gencode arch=compute_90a,code=sm_90a -c groups.cu -o groups.o
expect 0 '"register_cap":null,"register_cap_from":"setmaxnreg"' 'a kernel with setmaxnreg: the record states no cap' in_shell 'cat groups.o.warplint.ndjson'
expect 0 '0 notes' 'a kernel with setmaxnreg: the object gives no note' "$warplint" check --fail-on note groups.o
expect 0 'set their registers by setmaxnreg' 'a kernel with setmaxnreg: advise says so' "$warplint" advise groups groups.o
expect 0 '^sm_90a: [0-9]+ registers, stack frame' 'a kernel with setmaxnreg: where states no cap' "$warplint" where groups groups.o
expect 3 'set their registers by setmaxnreg' 'a kernel with setmaxnreg: tune has status 3' "$warplint" tune -- nvcc -gencode arch=compute_90a,code=sm_90a -c groups.cu -o groups.o

# ---- options that do not change device code: shown by ptxas's registers
cat >sum.cu <<'CU'
__global__ void sum(float *p, const float *q) { float s = 0; for (int i = 0; i < 16; i++) s += q[i] * p[threadIdx.x]; *p = s; }
CU
registers() { nvcc -arch=sm_90 -Xptxas=-v "$@" -cubin sum.cu -o sum.cubin 2>&1 | sed -n 's/.* Used \([0-9]*\) registers.*/\1/p'; }
optimised=$(registers)
while read -r means options; do
    case $means in debug | optimised) ;; *) continue ;; esac
    [ "$options" != nothing ] || options=
    # shellcheck disable=SC2086 # several words
    got=$(registers $options)
    if { [ $means = optimised ] && [ "$got" -gt 20 ]; } || { [ $means = debug ] && [ "$got" -lt 20 ]; }; then ok "$means: $options"; else
        bad "$means: $options: $got registers, $optimised without options"
    fi
done <"$2/tests/data/optimised.txt"
finish
