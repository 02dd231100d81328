#!/bin/sh
# usage: test_tune.sh PROGRAM SOURCE_DIR
#
# `tune` with a scripted compiler, which prints the file said/CAP or, for launch bounds, said/bBLOCKS: which caps are
# compiled, what is printed, how it ends. Prints one line per case.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
nvcc=$work/nvcc
cp "$source/tests/fake-nvcc" "$nvcc"
mkdir said private
TMPDIR=$work/private XDG_CACHE_HOME=$work/cache
echo '__global__ void k(float *p) { *p = 1; }' >k.cu
: >plain

# The compiler counts each compile, and selects its output by the cap, and by the launch bounds or the __maxnreg__ of
# the header that it includes.
cat >compiler.sh <<'SH'
cap=0 compiles= blocks= number=
for word; do
    case $word in
    -fatbin) compiles=yes ;;
    -maxrregcount=*) cap=${word#*=} ;;
    */bounds.h-*)
        blocks=$(sed -n 's/.*(warplint_threads(__VA_ARGS__), \([0-9]*\))).*/\1/p' "$word")
        number=$(sed -n 's/.*((maxnreg(\([0-9]*\)))).*/\1/p' "$word")
        ;;
    esac
done
if [ -n "$compiles" ]; then
    sed -n '/^SigIgn/p' "/proc/$$/status" >>"$work/ignored"
    echo "$*" | sed "s,$work/private/[^/ ]*/,PRIVATE/,g" >>"$work/calls"
    [ -z "$blocks" ] || cap=b$blocks
    [ -z "$number" ] || cap=n$number
    FAKE_SAY=$work/said/$cap
    [ -f "$FAKE_SAY" ] || FAKE_SAY=$work/said/else
    [ "${FAIL_AT:-}" != "$cap" ] || FAKE_STATUS=5
    [ "${SLEEP_AT:-}" != "$cap" ] || sleep 60
fi
SH
FAKE_SH='. "$work/compiler.sh"'
export warplint nvcc work source TMPDIR XDG_CACHE_HOME FAKE_SH

# say FILE NAME ARCH REGISTERS STORES LOADS
say()
{
    cat >>"said/$1" <<SAY
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '$2' for '$3'
ptxas info    : Function properties for $2
    $5 bytes stack frame, $5 bytes spill stores, $6 bytes spill loads
ptxas info    : Used $4 registers, used 0 barriers
SAY
}
say 0 _Z1kPf sm_90 96 0 0
say 80 _Z1kPf sm_90 80 0 0
say 64 _Z1kPf sm_90 64 8 12
say 48 _Z1kPf sm_90 48 80 90
say 40 _Z1kPf sm_90 40 80 80
say 32 _Z1kPf sm_90 32 500 600
say 100 _Z1kPf sm_90 96 0 0

# tunes STATUS PATTERN TITLE COMMAND...: like `expect`, and no temporary file is left
tunes()
{
    rm -f calls
    expect "$@"
    [ -z "$(ls private)" ] || bad "$title: left $(ls private)"
}

# same TITLE FILE: compares the command's output with the file
same()
{
    if diff "$2" out >difference; then ok "$1"; else
        bad "$1"
        sed 's/^/     /' difference
    fi
}

# called TITLE LINE...: compares the compiles, in any order
called()
{
    title=$1
    shift
    printf '%s\n' "$@" | sort >want
    touch calls
    if sort calls | diff want - >difference; then ok "$title"; else
        bad "$title"
        sed 's/^/     /' difference
    fi
}

tune() { "$warplint" tune "$@"; }

# ---- the frontier ----
tunes 0 '' 'a kernel without bounds: status 0' tune --threads 256 -- "$nvcc" -arch=sm_90 -c k.cu -o k.o
cat >want.txt <<'TEXT'
k  sm_90
  blocks of 256 threads (--threads)
      cap  registers  spill st/ld  blocks  occupancy
     none         96          0/0       2       25 %  as given
  *    80         80          0/0       3     37.5 %
  *    64         64         8/12       4       50 %
       48         48        80/90       5     62.5 %
  *    40         40        80/80       6       75 %
  *    32         32      500/600       8      100 %
  most warps without spills: cap 80, 80 registers, 37.5 %

* worth measuring: no row has more warps and spills no more, or as many warps
and spills less.
A higher occupancy is not always faster: measure the build as it is, and then
with -maxrregcount=N (for all kernels without bounds of their own), N one of
80, 64, 40, 32
TEXT
same 'text lists the caps and what to measure' want.txt
called 'each cap is compiled once, into a temporary folder' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-0' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-1 -maxrregcount=80' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-2 -maxrregcount=64' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-3 -maxrregcount=48' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-4 -maxrregcount=40' \
    '-Xptxas=-v -arch=sm_90 k.cu -fatbin -o PRIVATE/made-5 -maxrregcount=32'
[ -e k.o ] && bad 'the output of the build was made' || ok 'the output of the build is not written'

is_ignored=$(cut -c 16-17 ignored | sort -u)
[ "$is_ignored" = "$(sed -n '/^SigIgn/p' /proc/self/status | cut -c 16-17)" ] && ok 'no compile ignores signals 32 and 33' || bad "signals 32 and 33 of the compiles: $is_ignored"

# ---- the command ----
tunes 0 '100 +96 .*as given' '-maxrregcount of the command is a row' tune --threads 256 -- "$nvcc" -maxrregcount 100 -arch=sm_90 -c k.cu
grep -q -- 'maxrregcount=100$' calls && ! grep -q -- '-maxrregcount 100' calls && ok '-maxrregcount of the command is replaced by each cap' || bad 'its own cap is given twice'
tunes 0 '100 +96 .*as given' 'a cap in -Xptxas of the command is a row' tune --threads 256 -- "$nvcc" -Xptxas -O3,--maxrregcount=100 -arch=sm_90 -c k.cu
grep -q -- '-Xptxas=-O3 ' calls && ! grep -q -- '--maxrregcount=100' calls && ok 'a cap in -Xptxas is removed from the other options' || bad 'ptxas keeps its cap'
tunes 0 '100 +96 .*as given' '-maxrregcount takes precedence over a cap in -Xptxas' tune --threads 256 -- "$nvcc" -maxrregcount=100 -Xptxas=-maxrregcount=32 -arch=sm_90 -c k.cu
tunes 0 '' 'a command with options that write files: status 0' tune -- "$nvcc" -arch=sm_90 -MD -MF k.d -MT k.o -MP -odir out --keep --keep-dir keep -time t.csv -t 4 -dc k.cu other.o -o k.o
tunes 0 'k.cu: warning: the code is relocatable .-rdc=true.: these are its numbers before the device link' 'relocatable code: a warning' tune -- "$nvcc" -arch=sm_90 -dc k.cu
grep -q 'v -arch=sm_90 -rdc=true k.cu -fatbin' calls && ok 'options that write files are left out, and -dc becomes -rdc=true' || { bad 'options that write files'; head -n 2 calls; }
tunes 0 '' 'options in NVCC_APPEND_FLAGS: status 0' env NVCC_APPEND_FLAGS='-DY -maxrregcount=100' sh -c 'FAKE_SH="$FAKE_SH; [ -z \"\${NVCC_APPEND_FLAGS:-}\" ] || exit 9"; export FAKE_SH; "$warplint" tune -- "$nvcc" -arch=sm_90 -c k.cu'
grep -q -- '-DY k.cu' calls && ok 'options in NVCC_APPEND_FLAGS are given once' || bad 'options of the environment'
echo '-DZ -maxrregcount=100' >options
tunes 0 'as given' 'an option file: status 0' tune -- "$nvcc" -arch=sm_90 -optf options -c k.cu
grep -q -- '-DZ k.cu' calls && ok 'options of the option file are given' || bad 'the option file was not opened'

# ---- launches ----
tunes 0 '--threads N decides' 'no block size: the text names --threads' tune -- "$nvcc" -arch=sm_90 -c k.cu
tunes 0 '^  blocks of 128 threads \(the configuration\)' 'the block size of the configuration is used' in_shell '
    printf "kernels:\n  - {match: k, threads: 128}\n" >.warplint.yaml
    "$warplint" tune -- "$nvcc" -arch=sm_90 -c k.cu; status=$?; rm .warplint.yaml; exit $status'

# ---- data ----
tunes 0 '^k\(float\*\),sm_90,256,cli,64,64,8,12,4,32,64,1,0,,$' 'CSV has a row for a cap' tune --threads 256 --format csv -- "$nvcc" -arch=sm_90 -c k.cu
[ "$(wc -l <out)" = 7 ] && ok 'CSV has a row for each cap' || bad "csv has $(wc -l <out) lines"
tunes 0 '"cap":64,"bound_threads":null,"min_blocks":null,"of_command":false,"registers":64,"stack_bytes":8,"spill_store_bytes":8,"spill_load_bytes":12,"blocks_per_sm":4,"warps_per_sm":32,"max_warps_per_sm":64,"limiters":\["registers"\],"frontier":true' 'JSON has the metrics of a cap' \
    tune --threads 256 --format json -- "$nvcc" -arch=sm_90 -c k.cu
python3 "$source/tests/record_keys.py" --named "$source/src/cli/man/warplint-tune.1.md" \
    "$source/src/cli/man/warplint-records.5.md" <out >named && ok 'the manual pages name all keys of JSON' || bad "$(cat named)"
tunes 0 '^k  sm_90' 'text and a CSV file' in_shell '"$warplint" tune --format text -o csv=x.csv -- "$nvcc" -arch=sm_90 -c k.cu && grep -q ^kernel,arch x.csv'
tunes 3 'cannot|No such' 'a file that cannot be written: status 3' tune -o json=/none/x.json -- "$nvcc" -arch=sm_90 -c k.cu

# ---- nothing to tune ----
say small _Z1kPf sm_90 20 0 0
tunes 3 'nothing to tune: no kernel has another register cap to try' 'a kernel with 20 registers: nothing to tune, status 3' in_shell 'mv said/0 said/kept; cp said/small said/0; "$warplint" tune -- "$nvcc" -c k.cu; status=$?; mv said/kept said/0; exit $status'
tunes 3 'nothing to tune: --kernel and --arch select none of its kernels' '--kernel selects none: status 3' tune --kernel other -- "$nvcc" -c k.cu
tunes 3 'made no machine code' 'a compile without machine code: status 3' in_shell 'mv said/0 said/kept; : >said/0; "$warplint" tune -- "$nvcc" -c k.cu; status=$?; mv said/kept said/0; exit $status'

# ---- kernels that declare a cap ----
# bounded FILE DECLARED REGISTERS STORES LOADS
bounded()
{
    echo "warplint info    : PTX 1: entry _Z1kPf sm_90 $2" >"said/$1"
    say "$1" _Z1kPf sm_90 "$3" "$4" "$5"
}
# declares FILE COMMAND...: runs it with FILE as the output of the first compile
declares()
{
    cp said/0 said/kept
    cp "said/$1" said/0
    shift
    "$@"
    status=$?
    mv said/kept said/0
    return $status
}
bounded bounds maxntid=256,1,1\ minnctapersm=2 96 0 0
bounded b3 maxntid=256,1,1\ minnctapersm=3 80 0 0
bounded b4 maxntid=256,1,1\ minnctapersm=4 64 8 12
bounded b5 maxntid=256,1,1\ minnctapersm=5 48 80 90
bounded b6 maxntid=256,1,1\ minnctapersm=6 40 80 80
bounded b8 maxntid=256,1,1\ minnctapersm=8 32 500 600
tunes 0 '' 'a kernel with launch bounds: status 0' declares bounds tune -- "$nvcc" -arch=sm_90 -c k.cu
cat >want.txt <<'TEXT'
k  sm_90
  blocks of 256 threads (its launch bounds: at most)
  __launch_bounds__ caps it at 128 registers
       bounds  cap  registers  spill st/ld  blocks  occupancy
     (256, 2)  128         96          0/0       2       25 %  as given
  *  (256, 3)   80         80          0/0       3     37.5 %
  *  (256, 4)   64         64         8/12       4       50 %
     (256, 5)   48         48        80/90       5     62.5 %
  *  (256, 6)   40         40        80/80       6       75 %
  *  (256, 8)   32         32      500/600       8      100 %
  most warps without spills: (256, 3), 80 registers, 37.5 %

* worth measuring: no row has more warps and spills no more, or as many warps
and spills less.
A higher occupancy is not always faster: measure the build as it is, and then
with the bounds of a marked row in __launch_bounds__ of the kernel
(a third argument, the maximum of blocks per cluster, can stay as it is)
TEXT
same 'text lists the launch bounds and what to measure' want.txt
grep -q maxrregcount calls && bad 'launch bounds are tried with -maxrregcount' || ok 'launch bounds are tried in the source, not with -maxrregcount'
tunes 0 '"cap":64,"bound_threads":256,"min_blocks":4,"of_command":false,"registers":64' 'JSON has launch bounds' declares bounds "$warplint" tune --format json -- "$nvcc" -arch=sm_90 -c k.cu
[ "$(wc -l <calls)" = 6 ] && ok 'each pair of launch bounds is compiled once' || bad "bounds: $(wc -l <calls) compiles"
sed 's/_Z1kPf/_Z1nPf/' said/b4 >kept.b4 && cp kept.b4 said/b4
tunes 0 '^     \(256, 4\) +[?] +[?] +[?]/[?] +[?] +[?]  not compiled$' 'a compile that leaves the kernel out: its bounds, and no numbers' declares bounds tune -- "$nvcc" -arch=sm_90 -c k.cu
cp said/bounds said/b4
tunes 0 '' 'a compile that keeps the launch bounds of the source: status 0' declares bounds tune -- "$nvcc" -arch=sm_90 -c k.cu
grep -q '(256, 3)' out && ! grep -q '(256, 4)' out && ok 'such a compile has no row' || bad 'a compile that kept its bounds is a row'
for blocks in 3 5 6 8; do cp said/bounds said/b$blocks; done
tunes 3 'kept its cap: it is not written with __launch_bounds__' 'all compiles keep the launch bounds of the source: status 3' declares bounds tune -- "$nvcc" -arch=sm_90 -c k.cu
bounded spilling maxntid=256,1,1\ minnctapersm=6 40 80 80
bounded b1 maxntid=256,1,1\ minnctapersm=1 96 0 0
bounded b2 maxntid=256,1,1\ minnctapersm=2 96 0 0
bounded b3 maxntid=256,1,1\ minnctapersm=3 80 0 0
bounded b4 maxntid=256,1,1\ minnctapersm=4 64 8 12
bounded b5 maxntid=256,1,1\ minnctapersm=5 48 80 90
bounded b8 maxntid=256,1,1\ minnctapersm=8 32 500 600
tunes 0 '^  \*  \(256, 6\) +40 .*75 %  as given' 'a kernel with launch bounds that spills: status 0' declares spilling tune -- "$nvcc" -arch=sm_90 -c k.cu
awk '$1 ~ /^\(256,/ { print $2 } $1 == "*" && $2 ~ /^\(256,/ { print $3 }' out | tr -d ')' | tr '\n' ' ' >blocks
[ "$(cat blocks)" = '6 1 2 3 4 5 8 ' ] && ok 'it is compiled with fewer blocks, too' || bad "blocks: $(cat blocks)"
bounded large maxntid=512,1,1\ minnctapersm=2 64 8 12
for step in 1:96 2:96 3:80 5:48 6:40 8:32; do
    bounded b${step%:*} maxntid=256,1,1\ minnctapersm=${step%:*} ${step#*:} 0 0
done
tunes 0 '^     \(256, 3\) +80 +80 +0/0 +3 +37.5 %' 'blocks smaller than the bounds: bounds of these blocks' declares large tune --threads 256 -- "$nvcc" -arch=sm_90 -c k.cu
awk '$1 ~ /^\(256,/ { print $2 } $1 == "*" && $2 ~ /^\(256,/ { print $3 }' out | tr -d ')' | tr '\n' ' ' >blocks
[ "$(cat blocks)" = '1 2 3 5 6 8 ' ] && ok 'with each number of them that has another cap' || bad "blocks: $(cat blocks)"
bounded required reqntid=256,1,1 96 0 0
tunes 3 'with __block_size__ only __maxnreg__.N. sets a lower cap: write one, and$' 'a kernel with __block_size__: status 3' declares required tune -- "$nvcc" -arch=sm_90 -c k.cu
bounded maxnreg maxnreg=96 96 24 12
for cap in 255 128 80 64 48 40 32; do
    bounded n$cap maxnreg=$cap $((cap < 96 ? cap : 96)) 0 0
done
tunes 0 '__maxnreg__ caps it at 96 registers' 'a kernel with __maxnreg__: status 0' declares maxnreg tune --threads 256 -- "$nvcc" -arch=sm_90 -c k.cu
grep -c bounds.h calls >count
[ "$(cat count)" = 7 ] && ! grep -q maxrregcount calls && ok 'a kernel with __maxnreg__ that spills is compiled with higher caps in the source' || bad "caps: $(cat calls)"
grep -q '^with __maxnreg__(32) at the kernel$' out && ok 'text names __maxnreg__ as what to write' || bad 'the text does not name __maxnreg__'
cp said/100 plain-100
cp said/maxnreg said/100
tunes 0 '^ +96 +96 +24/12 .*as given' 'a kernel with __maxnreg__ and -maxrregcount: a row as given' declares maxnreg tune --threads 256 -- "$nvcc" -arch=sm_90 -maxrregcount=100 -c k.cu
[ "$(grep -c -- '-maxrregcount=100$' calls)" = 8 ] && ok 'each compile has the -maxrregcount of the command' || bad "caps: $(cat calls)"
cp plain-100 said/100

# ---- the width ----
long=_ZN30a_namespace_with_a_long_name_x10convolve_aINS_27policy_with_many_parametersILi128ELi256ELb1EEEfdEEvPKT0_PT1_i
echo "warplint info    : PTX 1: entry $long sm_100a maxntid=1024,1,1 minnctapersm=1" >said/wide
say wide $long sm_100a 64 100000 100000
echo "warplint info    : PTX 1: entry ${long}r sm_100a reqntid=1024,1,1" >>said/wide
say wide ${long}r sm_100a 64 100000 100000
echo "warplint info    : PTX 1: entry $long sm_100a maxntid=1024,1,1 minnctapersm=2" >said/b2
say b2 $long sm_100a 32 200000 200000
tunes 0 '^  \*  \(1024, 1\) +64 +64  100000/100000 +1 +50 %  as given' 'long names and numbers' declares wide tune -- "$nvcc" -arch=sm_100a -c k.cu
[ -z "$(awk 'length > 80' out)" ] && ok '80 columns' || bad "more than 80 columns: $(awk 'length > 80' out)"

# ---- errors ----
tunes 2 'no command was given' 'no command: status 2' tune
tunes 2 'compiles no kernels' 'a source without kernels: status 2' tune -- "$nvcc" -c k.cpp
tunes 2 'compiles no kernels' 'a compile to PTX: status 2' tune -- "$nvcc" -ptx k.cu
tunes 2 'compiles 2 sources' 'two sources: status 2' tune -- "$nvcc" -c k.cu k.cu
tunes 2 'is standard input' 'a source on standard input: status 2' tune -- "$nvcc" -x cu -c -
tunes 2 "the command is clang's" 'a command of clang: status 2' tune -- clang++ -c k.cu
tunes 2 'gives ptxas a register cap, expected' 'a cap for ptxas in two arguments: status 2' tune -- "$nvcc" -Xptxas -maxrregcount,32 -c k.cu
tunes 2 'write a file of the build' 'a dependency file of the host compiler: status 2' tune -- "$nvcc" -Xcompiler -MD,-MF,k.d -c k.cu
tunes 2 "-maxrregcount is 'many'" 'a cap that is no number: status 2' tune -- "$nvcc" -maxrregcount=many -c k.cu
tunes 2 "tune writes text, json or csv, found format 'sarif'" 'a format of findings: status 2' tune --format sarif -- "$nvcc" -c k.cu
tunes 2 '--jobs takes a whole number from 1 up' 'no jobs: status 2' tune -j 0 -- "$nvcc" -c k.cu
tunes 127 'cannot be started: No such file' 'a missing compiler: status 127' tune -- ./no-nvcc -c k.cu
tunes 126 'cannot be started: Permission' 'a compiler that is not executable: status 126' tune -- ./plain -c k.cu
echo 'k.cu(1): error: identifier "q" is undefined' >said/broken
tunes 5 'identifier "q" is undefined' 'the first compile fails: its status and message' in_shell 'mv said/0 said/kept; cp said/broken said/0; FAIL_AT=0 "$warplint" tune -- "$nvcc" -c k.cu; status=$?; mv said/kept said/0; exit $status'
tunes 5 'the compile with -maxrregcount=40 failed' 'a later compile fails: its status' env FAIL_AT=40 "$warplint" tune --threads 256 -- "$nvcc" -c k.cu
tunes 3 '^/none: error: no folder for temporary files can be made here: .*; set TMPDIR to a folder that can be written$' \
    'no private folder' env TMPDIR=/none "$warplint" tune -- "$nvcc" -c k.cu

# ---- parallel compiles ----
# Two compiles wait for each other: if only one ran at a time, the test would not end.
cat >>compiler.sh <<'SH'
rendezvous()
{
    [ "$cap" != 0 ] || return 0
    touch "$work/here-$cap"
    waited=0
    while [ "$(ls "$work"/here-* | wc -l)" -lt "$NEEDS" ] && [ $waited -lt 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    [ $waited -lt 100 ] || FAKE_STATUS=7
}
SH
echo '[ -z "${NEEDS:-}" ] || [ -z "$compiles" ] || rendezvous' >>compiler.sh
tunes 0 '' '-j 2 runs two compiles at once' env NEEDS=2 "$warplint" tune -j 2 --threads 256 -- "$nvcc" -c k.cu
tunes 0 '' '-j 9 runs five compiles at once' env NEEDS=5 "$warplint" tune -j 9 --threads 256 -- "$nvcc" -c k.cu

# ---- signals ----
# ended SIGNAL STATUS: sent only to warplint while a compile sleeps; the temporary folder and the compile must be gone
ended()
{
    rm -f calls
    SLEEP_AT=64 "$warplint" tune -j 9 --threads 256 -- "$nvcc" -c k.cu >out 2>err &
    pid=$!
    waited=0
    until grep -q maxrregcount=64 calls 2>/dev/null || [ $waited = 100 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    kill "-$1" $pid
    wait $pid
    got=$?
    left=$(ls private)
    sleeping=$(ps -e -o args= | grep -F "$work/nvcc" | grep -vc grep)
    if [ $got = "$2" ] && [ -z "$left" ] && [ "$sleeping" = 0 ]; then ok "signal $1: status $2, no compiler and no temporary folder left"; else
        bad "signal $1: status $got, expected $2; left '$left', $sleeping compilers run"
    fi
}
ended TERM 143
ended HUP 129
ended USR1 138

finish
