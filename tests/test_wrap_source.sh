#!/bin/sh
# usage: test_wrap_source.sh PROGRAM SOURCE_DIR
#
# The source lines of kernels in a scripted compile, and the exceptions in these sources. Prints one line per
# case; the status is 0 only if none failed.
# shellcheck disable=SC2016,SC2089,SC2090 # scripts and names that are meant literally
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
SOURCE_DATE_EPOCH=1795219200 # 2026-11-21
nvcc=$work/nvcc
cp "$source/tests/fake-nvcc" "$nvcc"
export warplint nvcc work SOURCE_DATE_EPOCH

record() # mangled name, spilled bytes
{
    printf '%s\n' "ptxas info    : Compiling entry function '$1' for 'sm_90'" "ptxas info    : Function properties for $1" \
        "    0 bytes stack frame, $2 bytes spill stores, 0 bytes spill loads" \
        'ptxas info    : Used 40 registers, used 0 barriers'
}

compile() { FAKE_SAY=say.txt "$warplint" wrap --keep-output "$@"; }

# placed NAME PLACE TITLE ARGUMENT...: compares the kernel's source, line and origin of the place in the record
placed()
{
    name=$1 place=$2 title=$3
    shift 3
    rm -f x.o.warplint.ndjson
    FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" "$@" -o x.o >out 2>&1
    got=$(sed -n 's/.*"name":"'"$name"'(.*"source":\([^,]*\),"line":\([^,]*\),"line_from":\([^,]*\),.*/\1:\2 \3/p' x.o.warplint.ndjson)
    if [ "$got" = "$place" ]; then ok "$title"; else bad "$title: $got, expected $place"; fi
}

mkdir -p src include/sub other toolkit/include
touch toolkit/include/cuda_runtime.h toolkit/include/vector_types.h
record _Z1kPf 8 >say.txt

# ---- in the source and its headers
printf '\n__global__ void k(float *p)\n{\n}\n' >src/a.cu
placed k '"src/a.cu":2 "declaration"' 'the kernel is in the source' -c src/a.cu
printf '#include "k.cuh"\n' >src/a.cu
printf '#pragma once\n#include <sub/l.cuh>\n' >src/k.cuh
printf '// one\n// two\n__global__ void k(float *p) {}\n' >include/sub/l.cuh
placed k '"include/sub/l.cuh":3 "declaration"' 'the kernel is in a header of a header, found by -I' -c src/a.cu -I include
placed k '"include/sub/l.cuh":3 "declaration"' 'the header is found by -isystem' -c src/a.cu -isystem=include
placed k '"src/a.cu":null null' 'a header that is in no folder of the command: no line' -c src/a.cu
printf '__global__ void k(float *p) {}\n' >other/k.cuh
placed k '"include/sub/l.cuh":3 "declaration"' '#include "..." looks in the folder of the including file before -I' -c src/a.cu -I other -I include
printf '#include <k.cuh>\n' >src/a.cu
placed k '"other/k.cuh":1 "declaration"' '#include <...> does not look in the folder of the including file' -c src/a.cu -I other -I include
mkdir other/sub
printf '\n\n\n__global__ void k(float *p) {}\n' >other/sub/l.cuh
printf '#include <sub/l.cuh>\n#if 0\n#include <k.cuh>\n#endif\n' >src/a.cu
placed k '"include/sub/l.cuh":3 "declaration"' 'the first -I folder with the header is used' -c src/a.cu -I include -I other
placed k '"other/sub/l.cuh":4 "declaration"' 'the other order of -I: the other header is used' -c src/a.cu -I other -I include
printf 'int nothing;\n' >src/a.cu
placed k '"other/k.cuh":1 "declaration"' 'the kernel is in a file of -include' -include other/k.cuh -c src/a.cu
printf '#include "a.cu"\n#include "b.cuh"\n' >src/a.cu
printf '#include "a.cu"\n#include "../src/b.cuh"\n__global__ void k(float *p) {}\n' >src/b.cuh
placed k '"src/b.cuh":3 "declaration"' 'files that include each other' -c src/a.cu
i=0
while [ $i -lt 100 ]; do
    i=$((i + 1))
    echo "#include \"deep$i.cuh\"" >src/deep$((i - 1)).cuh
done
printf '__global__ void k(float *p) {}\n' >src/deep100.cuh
printf '#include "deep0.cuh"\n' >src/a.cu
placed k '"src/deep100.cuh":1 "declaration"' 'a chain of 101 includes' -c src/a.cu
printf '#include <lib.cuh>\n' >src/a.cu
printf '__global__ void k(float *p) {}\n' >toolkit/include/lib.cuh
placed k '"src/a.cu":null null' 'headers of the toolkit are not read' -c src/a.cu -I toolkit/include

printf '#include HEADER\n' >src/a.cu
{ echo 'other/sub/l.cuh(7): warning #1675-D: the #pragma unroll must precede a loop'; cat say.txt; } >said.txt
mv said.txt say.txt
placed k '"other/sub/l.cuh":4 "declaration"' 'a file that a compiler message names is read' -c src/a.cu
record _Z1kPf 8 >say.txt

# ---- which kernel is meant
printf '__global__ void k(float *p);\n\n__global__ void k(float *p)\n{\n}\n' >src/a.cu
placed k '"src/a.cu":3 "declaration"' 'the definition is used, not a declaration before it' -c src/a.cu
printf 'MAKE(k)\n__global__ void k(float *p);\n' >src/a.cu
placed k '"src/a.cu":2 "declaration"' 'a single declaration without a definition is used' -c src/a.cu
printf '__global__ void k(float *p) {}\n__global__ void k(int *p) {}\n' >src/a.cu
placed k '"src/a.cu":null null' 'two overloads: no line' -c src/a.cu
printf '__global__ void k(float *p) {}\ntemplate <class T>\n__global__ void k(T *p) {}\n' >src/a.cu
placed k '"src/a.cu":1 "declaration"' 'an overload and a template: the overload is found' -c src/a.cu
record _Z1kIfEvPT_ 8 >say.txt
placed 'void k<float>' '"src/a.cu":3 "declaration"' 'an overload and a template: the template is found' -c src/a.cu
record _Z1kPf 8 >say.txt
printf '#ifdef A\n__global__ void k(float *p) {}\n#else\n__global__ void k(float *p) {}\n#endif\n' >src/a.cu
placed k '"src/a.cu":null null' 'both branches of #if have the kernel: no line' -c src/a.cu
printf '#ifdef A\n__global__ void k(float *p) {}\n#endif\n' >src/a.cu
placed k '"src/a.cu":2 "declaration"' 'an #if without #else has the kernel: it is found' -c src/a.cu
printf 'template <class T>\n#ifdef A\n__global__ void k(T *p) {}\n#else\n__global__ void k(T *p) {}\n#endif\n' >src/a.cu
record _Z1kIfEvPT_ 8 >say.txt
placed 'void k<float>' '"src/a.cu":null null' 'template<> before #if, both branches have the kernel: no line' -c src/a.cu
printf 'NAMESPACE_BEGIN(n)\n__global__ void k(float *p) {}\nNAMESPACE_END\n' >src/a.cu
record _ZN1n1kEPf 8 >say.txt
placed n::k '"src/a.cu":2 "declaration"' 'a namespace that a macro may open: the kernel is found' -c src/a.cu
printf 'namespace m {\n__global__ void k(float *p) {}\n}\nnamespace n {\n__global__ void k(float *p) {}\n}\n' >src/a.cu
placed n::k '"src/a.cu":null null' 'kernels of one name in two namespaces: no line' -c src/a.cu
printf 'namespace m {\n__global__ void k(float *p) {}\n}\nMAKE(k)\n' >src/a.cu
{ record _ZN1n1kEPf 8; record _ZN1m1kEPf 8; } >say.txt
placed m::k '"src/a.cu":null null' 'one kernel in a namespace, one from a macro: no line' -c src/a.cu
record _Z1kPf 8 >say.txt
printf '#define MAKE(name) __global__ void name(float *p) {}\nMAKE(k)\n' >src/a.cu
placed k '"src/a.cu":null null' 'a kernel from a macro: no line' -c src/a.cu
record _ZN1n12_GLOBAL__N_11kIfEEvPT_ 0 >say.txt
printf 'namespace n { namespace {\ntemplate <class T>\n__global__ void k(T *p) {}\n} }\n' >src/a.cu
placed 'void n::(anonymous namespace)::k<float>' '"src/a.cu":3 "declaration"' 'a template in an anonymous namespace is found' -c src/a.cu
record _Z1kPf 8 >say.txt
printf '__global__ void k(float *p) {}\n' >src/a.cu
printf '\n__global__ void j(float *p) {}\n' >src/b.cu
{ record _Z1kPf 0; record _Z1jPf 0; } >say.txt
placed k '"src/a.cu":1 "declaration"' 'two sources: the kernel of the first' -c src/a.cu src/b.cu
placed j '"src/b.cu":2 "declaration"' 'two sources: the kernel of the second' -c src/a.cu src/b.cu
record _Z1kPf 8 >say.txt

# ---- files that the compile names
cat >src/a.cu <<'CU'
#include HEADER
CU
printf '\n\n__global__ void k(float *p) {}\n' >'src/b #1 $x.cuh'
export FAKE_SH='printf "x.o : src/a.cu \\\\\n toolkit/include/lib.cuh \\\\\n  src/b\\ \\#1\\ \$\$x.cuh\n\nsrc/b.cu:\n" >x.d'
placed k '"src/b #1 $x.cuh":3 "declaration"' 'a file that the dependency file of -MD names is read' -MD -c src/a.cu
export FAKE_SH='printf "x.o: src/a.cu src/b\\ #1\\ \$x.cuh" >deps'
placed k '"src/b #1 $x.cuh":3 "declaration"' 'a file that the dependency file of -MF names is read' -MMD -MF deps -c src/a.cu
placed k '"src/a.cu":null null' '-MF without -MD: the file is not read' -c src/a.cu -MF deps
mkdir out.dir
for output in out.dir/x plain; do
    export FAKE_SH="printf 'x: src/a.cu src/b\\\\ \\\\#1\\\\ \$\$x.cuh' >$output.d"
    FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" -MD -c src/a.cu -o $output
    expect 0 '"source":"src/b #1 \$x.cuh","line":3' "the dependency file beside an output without a suffix is read: $output" cat $output.warplint.ndjson
done
rm -r out.dir plain.*
unset FAKE_SH
rm -f x.d deps
printf '__global__ void k(float *p) {}\n' >src/a.cu
placed k '"src/a.cu":1 "declaration"' 'a missing dependency file: the source is read' -MD -c src/a.cu
ln -s loop.cuh loop.cuh
export FAKE_SH='printf "x.o: src/a.cu/none.cuh none.cuh src/a.cu" >x.d'
expect 0 '' 'missing files in a dependency file: no message' in_shell '"$warplint" wrap --record-only -- "$nvcc" -MD -c src/a.cu -o x.o >said 2>&1 && test ! -s said'
export FAKE_SH='printf "x.o: loop.cuh src/a.cu" >x.d'
expect 0 '^loop.cuh: warning: cannot be looked at: .*; kernels may lack' 'an unreadable file in a dependency file: a warning' "$warplint" wrap --record-only -- "$nvcc" -MD -c src/a.cu -o x.o
unset FAKE_SH
rm -f x.d loop.cuh
{ echo '__global__ void k(float *p) {}' && head -c 16777216 /dev/zero; } >large.cu
expect 0 '^large.cu: warning: not read: it has more than 16 MiB; kernels may lack their lines and exceptions$' 'a source over 16 MiB: a warning' "$warplint" wrap --record-only -- "$nvcc" -c large.cu -o x.o
expect 0 '"line":null' 'a source over 16 MiB: no line' cat x.o.warplint.ndjson
rm large.cu
mkdir big && for file in 1 2 3 4 5 6 7 8; do head -c 16777000 /dev/zero >big/$file.cuh; done
head -c 2000 /dev/zero >big/9.cuh
export FAKE_SH='printf "x.o: big/1.cuh big/2.cuh big/3.cuh big/4.cuh big/5.cuh big/6.cuh big/7.cuh big/8.cuh big/9.cuh" >x.d'
expect 0 '^big/9.cuh: warning: not read: with it the sources have more than 128 MiB; kernels may' 'sources over 128 MiB in total: a warning' "$warplint" wrap --record-only -- "$nvcc" -MD -c src/a.cu -o x.o
rm -r big x.d
unset FAKE_SH
i=0
while [ $i -lt 4096 ]; do
    : >src/many$i.cuh
    echo "#include \"many$i.cuh\""
    i=$((i + 1))
done >src/many.cu
echo '__global__ void k(float *p) {}' >src/many4095.cuh
placed k '"src/many.cu":null null' 'more than 4096 sources: no line' -c src/many.cu
expect 0 '^src/many4095.cuh: warning: not read: 4096 sources have been; kernels may lack' 'more than 4096 sources: a warning' "$warplint" wrap --record-only -- "$nvcc" -c src/many.cu -o x.o
sed 1d src/many.cu >src/fewer.cu
placed k '"src/many4095.cuh":1 "declaration"' '4096 sources are read' -c src/fewer.cu
rm src/many* src/fewer.cu
mkfifo pipe.cu
placed k '"pipe.cu":null null' 'a pipe as the source is not read' -c pipe.cu

# ---- findings
printf '#include "k.cuh"\n' >src/a.cu
printf '\n\n__global__ void k(float *p) {}\n' >src/k.cuh
expect 1 '^src/k.cuh:3: error: k .*register-spill' 'a finding is at the line of the kernel' compile -- "$nvcc" -c src/a.cu -o x.o
expect 1 '^src/k.cuh:3: error: k .*register-spill' 'check of the record gives the same line' "$warplint" check .
expect 1 '"rule":"register-spill".*"source":"src/k.cuh","line":3' 'NDJSON has the same line' "$warplint" check --format ndjson .
mkdir abs && cd abs || exit 1
cp ../say.txt . && mkdir src && printf '\n__global__ void k(float *p) {}\n' >src/a.cu
expect 1 '^src/a.cu:2: error: k ' 'an absolute path below the working directory is printed relative' compile -- "$nvcc" -c "$PWD/src/a.cu" -o x.o
expect 1 '^src/a.cu:2: error: k ' 'check prints that path relative, too' "$warplint" check .
expect 1 '\| `src/a.cu:2` \|' 'Markdown prints that path relative' "$warplint" check --format markdown .
expect 0 '' 'HTML prints that path relative, with the line' in_shell '"$warplint" check -q -o html=p.html . ; grep -q "<p class=muted>src/a.cu:2; x.o</p>" p.html && ! sed "s/warplint tune[^<]*//g" p.html | grep -q "$PWD"'
cd .. && rm -r abs

# ---- exceptions
allow() { printf '\n// warplint: allow(%s\n__global__ void k(float *p) {}\n' "$1" >src/k.cuh; }
allow 'register-spill) reason="measured"'
expect 0 '' 'an exception in a header: no finding' in_shell 'FAKE_SAY=say.txt "$warplint" wrap -- "$nvcc" -c src/a.cu -o x.o >said 2>&1 && test ! -s said'
expect 0 '1 suppressed by exceptions' 'check uses the exception of the source' "$warplint" check .
expect 0 '"suppressed":true,"suppressed_reason":"measured"' 'NDJSON has the reason of the exception' "$warplint" check --format ndjson .
expect 0 '1 suppressed' 'a report of the record keeps the exception' in_shell '"$warplint" report --format ndjson . >stream.ndjson && "$warplint" check stream.ndjson; s=$?; rm stream.ndjson; exit $s'
expect 0 '1 suppressed' '--no-config keeps exceptions of sources' "$warplint" check --no-config .
allow 'register-spill) reason="measured" until=2026-11-21'
expect 0 '' 'an exception is valid on the day of until' compile -- "$nvcc" -c src/a.cu -o x.o
expect 1 '^src/k.cuh:2:20: warning: this exception ended on 2026-11-21' 'the day after until: check warns that the exception ended' env SOURCE_DATE_EPOCH=1795305600 "$warplint" check .
expect 1 '^src/k.cuh:2:20: warning: this exception ended on 2026-11-21' 'the day after until: wrap warns that the exception ended' in_shell 'SOURCE_DATE_EPOCH=1795305600 FAKE_SAY=say.txt "$warplint" wrap -- "$nvcc" -c src/a.cu -o y.o'
allow 'register-spil) reason="measured"'
expect 1 "^src/k.cuh:2:20: warning: no rule is called 'register-spil', did you mean register-spill" 'an exception for an unknown rule: a warning' compile -- "$nvcc" -c src/a.cu -o x.o
allow 'register-spill)'
expect 1 '^src/k.cuh:2:4: warning: .* without a reason' 'an exception without a reason: a warning' compile -- "$nvcc" -c src/a.cu -o x.o
expect 1 '^src/k.cuh:2:4: warning: .* without a reason' 'check repeats that warning' "$warplint" check .
expect 0 '' '--record-only prints no warning about exceptions' in_shell 'FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" -c src/a.cu -o x.o >said 2>&1 && test ! -s said'
allow 'register-ceiling) reason="not needed"'
expect 1 '' 'wrap does not warn about unused exceptions' in_shell 'FAKE_SAY=say.txt "$warplint" wrap --keep-output -- "$nvcc" -c src/a.cu -o x.o 2>err; s=$?; grep -c "no longer needed" err | grep -qx 0 && exit $s'
expect 1 '^src/k.cuh:2:20: warning: this exception is no longer needed: register-ceiling' 'check warns about an unused exception' "$warplint" check .

rm -f ./*.ndjson

# One of two kernels; one of two sources with a kernel of that name each; one of two kernels of a name.
{ record _Z1kPf 8; record _Z1jPf 8; } >say.txt
printf '// warplint: allow(register-spill) reason="k only"\n__global__ void k(float *p) {}\n__global__ void j(float *p) {}\n' >src/a.cu
expect 1 '^src/a.cu:3: error: j .*register-spill' 'an exception covers the kernel below it, not the next one' compile -- "$nvcc" -c src/a.cu -o x.o
expect 1 '1 error.*1 suppressed' 'check: an exception covers one of two kernels' "$warplint" check .
rm -f ./*.ndjson
record _ZL1kPf 8 >say.txt
mkdir -p two
printf '// warplint: allow(register-spill) reason="here only"\nstatic __global__ void k(float *p) {}\n' >two/a.cu
printf '\n\nstatic __global__ void k(float *p) {}\n' >two/b.cu
expect 0 '' 'a source with an exception: status 0' compile -- "$nvcc" -c two/a.cu -o two/a.o
expect 1 '' 'a source without the exception: status 1' compile -- "$nvcc" -c two/b.cu -o two/b.o
expect 1 '^two/b.cu:3: error: k ' 'two static kernels of one name: the one without an exception fails' "$warplint" check two
expect 1 'found: 1 error.* 1 suppressed' 'two static kernels of one name: one is suppressed' "$warplint" check two
expect 1 'found: 1 error.* 1 suppressed' 'both records in one stream: one is suppressed' in_shell 'cat two/a.o.warplint.ndjson two/b.o.warplint.ndjson >both.ndjson; "$warplint" check both.ndjson; s=$?; rm both.ndjson; exit $s'
# Two files of one name, each compiled in its own folder to an object of one name.
mkdir three four
cp two/a.cu three/k.cu && cp two/b.cu four/k.cu
for folder in three four; do (cd $folder && FAKE_SAY=../say.txt "$warplint" wrap --record-only -- "$nvcc" -c k.cu -o k.o); done
expect 1 '^four/k.cu:3: error: k ' 'two files of one name: the one without an exception fails' in_shell '"$warplint" check three four'
expect 1 'found: 1 error.* 1 suppressed' 'merged records of two files of one name: one is suppressed' in_shell '"$warplint" merge four three >merged.ndjson; "$warplint" check merged.ndjson'
expect 1 '^four/k.cu:3: error: k ' 'merged records: the file without an exception fails' "$warplint" check merged.ndjson
expect 0 '' 'merging the merged records changes nothing' in_shell '"$warplint" merge merged.ndjson | cmp - merged.ndjson'
mkdir -p gone/three gone/four && cp three/*.ndjson gone/three/ && cp four/*.ndjson gone/four/
expect 1 'found: 1 error' 'merged records, sources are missing: a finding that may have no exception fails' in_shell 'cd gone && "$warplint" merge . >merged.ndjson; "$warplint" check merged.ndjson'
rm -r three four gone merged.ndjson

{ echo "ptxas warning : Stack size for entry function '_ZL1kPf' cannot be statically determined" && record _Z1jPf 0; } >say.txt
printf '// warplint: allow(stack-unknown) reason="here only"\nstatic __global__ void k(float *p) {}\n' >two/a.cu
for unit in a b; do FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" -c two/$unit.cu -o two/$unit.o; done
expect 1 'found: 0 errors, 1 warning, .* 1 suppressed' 'a message without a kernel record: one is suppressed, one is a warning' "$warplint" check --select stack-unknown two
record _Z1kPf 8 >say.txt
printf '// warplint: allow(register-spill) reason="which"\n__global__ void k(float *p) {}\n__global__ void k(int *p) {}\n' >src/a.cu
expect 1 '^src/a.cu:1:20: warning: this exception allows nothing: several kernels' 'an exception above two overloads: a warning' compile -- "$nvcc" -c src/a.cu -o x.o
{ record _Z1kPf 8; record _Z1kIfEvPT_ 8; record _Z1kIiEvPT_ 8; } >say.txt
printf '__global__ void k(float *p) {}\n// warplint: allow(register-spill) reason="the template"\ntemplate <class T>\n__global__ void k(T *p) {}\n' >src/a.cu
expect 1 '^src/a.cu:1: error: k .*register-spill' 'an exception for a template does not cover the overload' compile -- "$nvcc" -c src/a.cu -o x.o
expect 1 '1 error.* 2 suppressed' 'an exception for a template covers all instances' "$warplint" check x.o.warplint.ndjson
rm -f ./*.ndjson

# A header with two sources: its exceptions are reported once, and are needed if one source needs them.
printf '#include "h.cuh"\n' >two/a.cu
printf '#include "h.cuh"\n' >two/b.cu
cat >two/h.cuh <<'CU'
// warplint: allow(register-spill) reason="in one of them"
template <class T> __global__ void k(T *p) {}
// warplint: allow(register-ceiling) reason="nowhere"
// warplint: allow(register-ceiling)
template <class T> __global__ void j(T *p) {}
// warplint: allow(register-spill) reason="not used by anybody"
template <class T> __global__ void unused(T *p) {}
CU
{ record _Z1kIfEvPT_ 8; record _Z1jIfEvPT_ 0; } >say.txt
FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" -c two/a.cu -o two/a.o
{ record _Z1kIiEvPT_ 0; record _Z1jIiEvPT_ 0; } >say.txt
FAKE_SAY=say.txt "$warplint" wrap --record-only -- "$nvcc" -c two/b.cu -o two/b.o
expect 0 '1 suppressed' 'an exception in a header covers a template of one of two sources' "$warplint" check two
expect 0 '' 'warnings about exceptions in a header are printed once, unused templates give none' in_shell '"$warplint" check two 2>&1 | grep "warning:" >said
    grep -q "^two/h.cuh:3:20: warning: this exception is no longer needed" said && grep -q "^two/h.cuh:4:4: warning" said && test $(wc -l <said) = 2'

finish
