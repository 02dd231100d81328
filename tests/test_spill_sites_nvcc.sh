#!/bin/sh
# usage: test_spill_sites_nvcc.sh PROGRAM SOURCE_DIR
#
# Source lines of spills in cubins for six architectures under four register caps: they add up to ptxas's numbers, and
# equal those of an independent reader if it exists beside the checkout. Skipped without nvcc.
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
    ok 'source lines of spills agree with the disassembly'
else
    bad 'places of spills'
fi

# Code for a debugger computes the addresses of its arrays.
nvcc -std=c++17 -arch=sm_90 -G -Xptxas=-v -cubin -o debug.cubin "$kernels" 2>debug.log
expect 0 '^the lines are not known: its code accesses the stack frame through pointers only$' 'code compiled with -G: source lines are not known' \
    "$warplint" where array_alone debug.log debug.cubin

# The input that wrap has: the log and the object, no separate cubin.
nvcc -std=c++17 -arch=sm_90 -lineinfo -Xptxas=-v -maxrregcount 40 -c -o k.o "$kernels" 2>k.log
if "$warplint" report --no-config --format ndjson k.log k.o | grep -q '"spill_depth":2.*"spill_sites":\[{"file":"[^"]*spills.cu","line":[0-9]'; then
    ok 'a log and its object: source lines of spills'
else
    bad 'an object'
fi

# The page shows the source around these lines, but only of regular files in the checkout.
page() # cubin
{
    "$warplint" check --no-config --fail-on never --format html "$work/located.log" "$1" >page.html
    grep -o '<code> *table\[index\[j\] &amp; 31\] += v\[0\];</code>' page.html
}
real=$(pwd -P) outside=$(mktemp -d)
mkdir src .rc
cp "$2/tests/data/binaries/located.cu" src/
nvcc -arch=sm_90 -lineinfo -Xptxas=-v -maxrregcount 24 -cubin -o located.cubin "$real/src/located.cu" 2>located.log
holds 'HTML shows the source of a line that spills' page located.cubin
holds 'HTML shows the lines around it' grep -q '<code>    for (int j = 0; j &lt; m; j++) {</code>' page.html
holds 'HTML shows an inlined call' grep -q 'v\[(i + 5) % 24\]);</code> <span class="muted">inlined into line 19</span>' page.html
cp src/located.cu .rc/
LC_ALL=C sed "s|$real/src|$real/.rc|g" located.cubin >hidden.cubin
holds 'HTML does not show a file of a hidden folder' refuses page hidden.cubin
holds 'HTML shows the path of that file' grep -q '<code>.rc/located.cu</code>' page.html
mv src/located.cu "$outside/"
ln -s "$outside/located.cu" src/located.cu
holds 'HTML does not show a file behind a link out of the checkout' refuses page located.cubin
rm src/located.cu "$outside/located.cu"
rmdir "$outside"
holds 'HTML does not show a missing file' refuses page located.cubin
mkfifo src/located.cu
holds 'HTML does not read a pipe' refuses page located.cubin

# A cubin with its PTX: ptxas tells which accesses are spills.
nvcc -std=c++17 -arch=compute_80 -lineinfo -maxrregcount 40 -ptx -o k.80.40.ptx "$kernels"
"$warplint" report --no-config --format ndjson k.80.40.log k.80.40.cubin >logged
"$warplint" report --no-config --format ndjson --assemble k.80.40.cubin >assembled
numbers() { sed -n 's/.*"mangled":"\([^"]*\)".*"kind":"entry".*\("spill_store_bytes":[1-9][0-9]*,"spill_load_bytes":[0-9]*\).*\("spill_sites":.*\)/\1 \2 \3/p' "$1" | sort; }
numbers logged >want
numbers assembled >got
holds "the log gives $(grep -c spill_sites want) kernels with source lines" [ -s want ]
holds "--assemble gives the same numbers and source lines" cmp want got

# ---- wrap compiles a second time if a spill fails the check

# An nvcc that counts its runs and keeps the object of the first one.
cat >nvcc <<'SH'
#!/bin/sh
"$real" "$@" || exit
case "$*" in *--dryrun*) exit ;; *-lineinfo*) ;; *) cp w.o first.o ;; esac
echo "$*" >>compiles
SH
chmod +x nvcc
real=$(command -v nvcc)
mkdir private
TMPDIR=$work/private XDG_CACHE_HOME=$work/cache
export real TMPDIR XDG_CACHE_HOME

# wraps COMPILES TITLE OPTION...: the number of runs; the object stays that of the first run
wraps()
{
    compiles=$1 title=$2
    shift 2
    rm -f compiles w.o*
    "$warplint" wrap --no-config --keep-output "$@" -- ./nvcc -std=c++17 -maxrregcount 40 -gencode arch=compute_80,code=sm_80 \
        -gencode arch=compute_90,code=sm_90 -c -o w.o "$kernels" >out 2>err
    if [ "$(wc -l <compiles)" = "$compiles" ] && cmp -s w.o first.o && [ -z "$(ls private)" ]; then ok "$title"; else
        bad "$title: $(wc -l <compiles) compiles"
    fi
}

# of the records with spills: how many have lines, and how many have none
lines() { grep -c '"spill_store_bytes":[1-9].*"spill_sites":\[{"file":"[^"]*spills.cu","line":[0-9]' w.o.warplint.ndjson; }
spilling() { grep -c '"kind":"entry".*"spill_store_bytes":[1-9]' w.o.warplint.ndjson; }

wraps 1 'wrap --where=never compiles once' --where=never
holds 'wrap --where=never: no source lines' [ "$(lines)" = 0 ]
wraps 1 'wrap without a failing finding compiles once' --fail-on never
wraps 2 'wrap with a failing spill compiles twice'
holds "the record has source lines of all $(spilling) kernels" [ "$(lines)" -ge "$(spilling)" ]
wraps 2 'wrap --arch compiles twice' --arch sm_90
holds 'the second compile is for that architecture only' refuses grep -q 'lineinfo.*sm_80' compiles
wraps 2 'wrap --record-only --where=always compiles twice' --where=always --record-only
holds 'the record of --where=always has source lines' [ "$(lines)" -ge "$(spilling)" ]

# ptxas states no architecture for a file without kernels.
cat >functions.cu <<'CU'
__device__ __noinline__ float sum(const float *p, int n)
{
    float a[300], s = 0;
#pragma unroll
    for (int i = 0; i < 300; i++)
        a[i] = p[i * n];
#pragma unroll 1
    for (int k = 0; k < n; k++)
#pragma unroll
        for (int i = 0; i < 300; i++)
            a[i] = a[i] * a[(i * 7 + 1) % 300] + p[k];
#pragma unroll
    for (int i = 0; i < 300; i++)
        s += a[i];
    return s;
}
CU
"$warplint" wrap --record-only -- nvcc -lineinfo -arch=sm_90 -dc -o one.o functions.cu
expect 0 '^sm_90, stack frame [1-9]' 'device functions alone: the architecture is that of the object' "$warplint" where sum one.o.warplint.ndjson
expect 0 '^ +1 .*a\[i\] = a\[i\] \* a' 'their spills have source lines' "$warplint" where sum one.o.warplint.ndjson
expect 2 "no device function is called 'other', the input has 1:" 'another name: status 2' "$warplint" where other one.o.warplint.ndjson
"$warplint" wrap --record-only -- nvcc -lineinfo -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -dc -o two.o functions.cu
expect 0 'not known: ptxas states no architecture for device functions' 'of two architectures: not known, and why' \
    "$warplint" where sum two.o.warplint.ndjson

finish
