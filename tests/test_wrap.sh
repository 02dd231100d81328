#!/bin/sh
# usage: test_wrap.sh PROGRAM SOURCE_DIR
#
# The wrapper around a scripted compiler: what it passes on, what it records, how it ends. Prints one line per case.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
nvcc=$work/nvcc
cp "$source/tests/fake-nvcc" "$nvcc"
cat >spill.txt <<'SAY'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3badPf' for 'sm_90'
ptxas info    : Function properties for _Z3badPf
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
SAY
touch a.cu b.cu a.cpp a.o
XDG_CACHE_HOME=$work/cache
export warplint nvcc work XDG_CACHE_HOME

# alike TITLE ARGUMENT...: the compiler alone and wrapped give the same exit status, the same bytes on both streams, and
# the same file
alike()
{
    title=$1
    shift
    rm -f x.o
    "$nvcc" "$@" >out1 2>err1 <a.cu
    echo "status $?" >>out1
    cat x.o >>out1 2>/dev/null
    rm -f x.o x.o.warplint.ndjson
    "$warplint" wrap -- "$nvcc" "$@" >out2 2>err2 <a.cu
    echo "status $?" >>out2
    cat x.o >>out2 2>/dev/null
    if cmp -s out1 out2 && cmp -s err1 err2; then
        ok "$title"
    else
        bad "$title"
        diff out1 out2 | head -n 5
        diff err1 err2 | head -n 5
    fi
}

# ---- no visible difference
export FAKE_SH='pwd; env | grep -v "^_=" | sort; printf "[%s]" "$@" | sed "s/\[-X[a-z]*=-v\]//g"; cat; echo to stderr >&2'
for words in --version --help '-E a.cu' '-M a.cu' '-MM a.cu -o x.d' '--dryrun -c a.cu' '-ptx a.cu -o x.o' \
    '-dlink a.o -o x.o' 'a.o -o x.o' '-c a.cpp -o x.o' '-c a.cu -o x.o' '-dc a.cu -o x.o' '-cubin a.cu -o x.o' \
    'a.cu -o x.o' '-c a.cu' '-c a.cu b.cu' '-x cu -c a.cpp -o x.o' ''; do
    # shellcheck disable=SC2086 # several words
    alike "same output, status and object as without wrap: $words" $words
done
alike 'blanks and quotes in arguments are passed on' -c a.cu '-DX="a b"' "-DY='" -o x.o
# One process that opens nothing itself: a shell's own pipes would appear among the descriptors.
export FAKE_SH='cd /proc/self/fd && exec readlink 0 3 4 5 6 7 8 9'
exec 7<"$source/LICENSE"
alike 'other descriptors are inherited' -c a.cu -o x.o
exec 7<&-
export FAKE_SH='printf "warning: one\n\n  two" >&2; printf "\nthree\r\n\033[1mfour\n" >&2'
alike 'messages pass unchanged' -c a.cu -o x.o
export FAKE_SH='trap "" PIPE; kill -PIPE $$; grep "^Sig[IB]" /proc/self/status | sed "s/[0-9a-f]*\(.......\)$/\1/"'
alike 'signals are masked and ignored as before' -c a.cu -o x.o
unset FAKE_SH

mkfifo pipe
export FAKE_SH='head -c 3 pipe'
expect 0 '^abc' 'an option file that is a pipe is left to the compiler' timeout 20 sh -c '(printf abc >pipe) & "$warplint" wrap -- "$nvcc" -optf pipe -c a.cu -o x.o'
unset FAKE_SH
echo '-optf many.opt,many.opt -optf many.opt -optf=many.opt,many.opt' >many.opt
expect 0 "warning: not judged: the option file 'many.opt' is in option files 16 deep" 'option files that include themselves: reported as not judged' timeout 20 "$warplint" wrap -- "$nvcc" -optf many.opt -c a.cu -o x.o

head -c 17M /dev/zero | tr '\0' ' ' >blanks.opt
i=0 list=blanks.opt
while [ $i -lt 301 ]; do
    : >few$i.opt
    i=$((i + 1)) list=$list,few$i.opt
done
for case in "blanks.opt:blanks.opt' is larger than 16777216 bytes" "${list#blanks.opt,}:few257.opt' comes after 256 others" \
    "pipe:pipe' is not a regular file, and can be read only once"; do
    files=${case%%:*} says="not judged: the option file '${case#*:}"
    FAKE_SAY=spill.txt expect 0 "warning: $says" "option files over a limit are reported as not judged: ${case#*:}" timeout 20 "$warplint" wrap -- "$nvcc" -optf "$files" -c a.cu -o x.o
    FAKE_SAY=spill.txt expect 3 "error: $says" "option files over a limit: status 3 under --strict: ${case#*:}" timeout 20 "$warplint" wrap --strict -- "$nvcc" -optf "$files" -c a.cu -o x.o
    if [ -e x.o ]; then bad 'the strict run leaves no object'; else ok 'the strict run leaves no object'; fi
    FAKE_STATUS=5 expect 5 '' "option files over a limit: the status of the compiler takes precedence" timeout 20 "$warplint" wrap --strict -- "$nvcc" -optf "$files" -c a.cu -o x.o
done
rm -f few*.opt blanks.opt

# ---- commands that are not understood
for case in 'nvcc -run a.cu:with -run the program' 'clang++ -fsycl -fsycl-targets=nvptx64-nvidia-cuda -c a.cpp -o x.o:how this compiler makes code for nvptx' \
    'ptxas -arch=sm_90 a.ptx -o x.o:the command is one of the tools that nvcc runs' 'pgfortran -ta=tesla:cc70 -c a.f90 -o x.o:the compiler is not known to take -gpu=ptxinfo'; do
    command=${case%:*}
    cp "$nvcc" "other-${command%% *}"
    mv "other-${command%% *}" "${command%% *}"
    # shellcheck disable=SC2086 # several words
    {
        FAKE_ARGS=args expect 0 "^warplint: warning: not judged: ${case##*:}" "reported as not judged: $command" "$warplint" wrap -- ./$command
        if [ "$(tr '\n' ' ' <args)" = "${command#* } " ]; then ok "no argument is added: $command"; else bad "no argument is added: $command"; fi
        expect 3 "^warplint: error: not judged: ${case##*:}" "status 3 under --strict: $command" "$warplint" wrap --strict -- ./$command
        FAKE_STATUS=4 expect 4 '' "the status of the command takes precedence: $command" "$warplint" wrap --strict -- ./$command
    }
done
for command in 'make -n' 'sh -c nvcc' 'cmake --build x'; do
    cp "$nvcc" other
    mv other "${command%% *}"
    # shellcheck disable=SC2086 # several words
    expect 3 '^warplint: error: not judged: the command is a build tool or a shell' "status 3 under --strict: $command" "$warplint" wrap --strict -- ./$command
done
# A script that compiles by itself whatever its arguments are: its output files are unknown.
printf '#!/bin/sh\n"$nvcc" -c a.cu -o other.o\n' >build.sh && chmod +x build.sh
unseen='no compile by nvcc was seen.*install-shim DIR'
for command in ./build.sh './build.sh release' 'sh build.sh' 'env A=1 ./build.sh' './build.sh -o x.o'; do
    # shellcheck disable=SC2086 # several words
    {
        expect 0 "^warplint: warning: not judged: '[a-z./]*' is not a known compiler, and $unseen" "reported as not judged: $command" "$warplint" wrap -- $command
        expect 3 "^warplint: error: not judged: .*$unseen" "status 3 under --strict: $command" "$warplint" wrap --strict -- $command
    }
done
rm -f x.o
expect 0 "^x.o: warning: not judged: './build.sh' did not make it, and $unseen" 'a script that makes no object: reported as not judged' "$warplint" wrap -- ./build.sh -c a.cu -o x.o
expect 3 "^x.o: warning: not judged: './build.sh' did not make it" 'a script that makes no object: status 3 under --strict' "$warplint" wrap --strict -- ./build.sh -c a.cu -o x.o
cp "$nvcc" x86_64-linux-gnu-g++-12
for command in 'x86_64-linux-gnu-g++-12 -dumpmachine' './x86_64-linux-gnu-g++-12 -v' './run.sh -c a.cpp -o x.o' './run.sh a.o -o x' './run.sh --version' 'cmake -E true'; do
    printf '#!/bin/sh\n' >run.sh && chmod +x run.sh
    # shellcheck disable=SC2086 # several words
    expect 0 '' "no message: $command" in_shell 'PATH="$work:$PATH" "$warplint" wrap --strict -- '"$command"' >said 2>&1; s=$?; ! grep "not judged" said && exit $s'
done

for name in '$(touch p).o' '`touch p`.o' 'a\b.o' 'a"b.o'; do
    expect 0 '^warplint: warning: not judged: the shell that nvcc runs expands the name' "an output name that a shell expands is reported: $name" "$warplint" wrap -- "$nvcc" -c a.cu -o "$name"
    expect 3 '^warplint: error: not judged: the shell that nvcc runs expands' "an output name that a shell expands: status 3 under --strict: $name" "$warplint" wrap --strict -- "$nvcc" -c a.cu -o "$name"
done
FAKE_SAY=spill.txt expect 1 'it.s \(.\);x.o was removed' 'an output name with other special characters is judged' "$warplint" wrap -- "$nvcc" -c a.cu -o "it's (&);x.o"

# ---- commands that pass through without a check: reported under --strict
silent() { "$warplint" wrap "$@" >said 2>&1 && ! grep warplint said; }
for words in -ptx -optix-ir '-c -ptx'; do
    # shellcheck disable=SC2086 # several words
    expect 0 '^warplint: warning: not judged: the command makes no machine code' "a command without machine code is reported under --strict: $words" "$warplint" wrap --strict -- "$nvcc" $words a.cu -o x.o
    # shellcheck disable=SC2086 # several words
    holds "a command without machine code gives no message without --strict: $words" silent -- "$nvcc" $words a.cu -o x.o
done
holds 'host code gives no message under --strict' silent --strict -- "$nvcc" -E a.cpp
export FAKE_SAY=spill.txt
for words in -G '-Ofc max' '-Xptxas -O0' '--device-debug' '-Xptxas=--opt-level=0'; do
    # shellcheck disable=SC2086 # several words
    expect 0 '^x.o: warning: not judged: device code is not optimised' "device code without optimisation is reported under --strict: $words" "$warplint" wrap --strict -- "$nvcc" $words -c a.cu -o x.o
    # shellcheck disable=SC2086 # several words
    holds "device code without optimisation gives no message without --strict: $words" silent -- "$nvcc" $words -c a.cu -o x.o
done
expect 1 'register-spill' '-G with -dopt on is judged' "$warplint" wrap --strict -- "$nvcc" -G -dopt on -c a.cu -o x.o
unset FAKE_SAY

printf '#!/bin/sh\nexec "$@"\n' >run && chmod +x run
hidden() # what, words behind `wrap --`...
{
    what=$1
    shift
    expect 0 '^warplint: warning: not judged: the command is a build tool or a shell' "reported as not judged: $what" env PATH="$work:$PATH" "$warplint" wrap -- "$@"
}
hidden 'env -S with the command in one argument' env -S 'nvcc -c a.cu -o x.o'
hidden 'sh -c behind a launcher' env sh -c 'nvcc -c a.cu -o x.o'
hidden 'flock -c' flock lock -c 'nvcc -c a.cu -o x.o'
hidden 'xargs' xargs -r nvcc </dev/null
for launcher in 'cmake -E env A=1' 'flock lock' ./run 'setsid ./run'; do
    # shellcheck disable=SC2086 # several words
    FAKE_SH= FAKE_SAY=spill.txt expect 1 'spills' "judged behind $launcher" "$warplint" wrap -- $launcher "$nvcc" -c a.cu -o x.o
done
cp spill.txt program.txt
export FAKE_SH='cat program.txt >&2'
expect 0 '^4$' 'the output of a program that -run starts is not filtered' in_shell '"$warplint" wrap -- "$nvcc" -run a.cu 2>&1 | grep -c "bytes\|registers\|Compiling"'
unset FAKE_SH

# ---- a launcher that changes folder or environment
mkdir elsewhere
printf '#!/bin/sh\ncd elsewhere && exec "$@"\n' >run-elsewhere && chmod +x run-elsewhere
stays() # OUTPUT: and what was there before is there still
{
    if [ "$(cat "$1")" = mine ]; then ok "$1 is unchanged"; else bad "$1 is unchanged"; fi
    if [ -e "$1.warplint.ndjson" ]; then bad "$1 has no record"; else ok "$1 has no record"; fi
}
for launcher in 'env -C elsewhere' 'env --chdir=elsewhere' 'cmake -E chdir elsewhere' ./run-elsewhere; do
    case $launcher in cm*) has cmake || continue ;; esac
    what='the launcher changes the folder'
    [ "$launcher" != ./run-elsewhere ] || what='x.o: warning: was not written by this command'
    rm -f x.o.warplint.ndjson
    echo mine >x.o
    # shellcheck disable=SC2086 # several words
    {
        FAKE_SAY=$work/spill.txt expect 1 "$what" "a finding behind $launcher: status 1" "$warplint" wrap -- $launcher "$nvcc" -c a.cu -o x.o
        stays x.o
        expect 0 "$what" "no finding behind $launcher: a warning" "$warplint" wrap -- $launcher "$nvcc" -c a.cu -o x.o
        stays x.o
        expect 3 "$what" "no finding behind $launcher: status 3 under --strict" "$warplint" wrap --strict -- $launcher "$nvcc" -c a.cu -o x.o
        stays x.o
        rm x.o
        expect 3 "$what" "no finding and no x.o in this folder behind $launcher: status 3 under --strict" "$warplint" wrap --strict -- $launcher "$nvcc" -c a.cu -o x.o
    }
done
echo mine >late.dat
NVCC_APPEND_FLAGS='-o late.dat' FAKE_SAY=spill.txt expect 1 'register-spill' 'a launcher removes NVCC_APPEND_FLAGS: a finding fails' "$warplint" wrap -- env -u NVCC_APPEND_FLAGS "$nvcc" -c a.cu -o x.o
stays late.dat
if [ -e x.o ]; then bad 'the object of that command is removed'; else ok 'the object of that command is removed'; fi
NVCC_APPEND_FLAGS='-o late.dat' FAKE_SAY=spill.txt expect 1 'late.dat: warning: was not written by this command' 'the compiler behind a script ignores NVCC_APPEND_FLAGS: a warning' "$warplint" wrap -- ./run "$nvcc" -c a.cu -o x.o
stays late.dat
printf '#!/bin/sh\nexec "$0.real" "$@" $NVCC_APPEND_FLAGS\n' >appending-nvcc && chmod +x appending-nvcc && cp "$nvcc" appending-nvcc.real
FAKE_SAY=spill.txt expect 1 'x.o was removed' 'a launcher names the output in NVCC_APPEND_FLAGS: it is removed' "$warplint" wrap -- env NVCC_APPEND_FLAGS='-o x.o' ./appending-nvcc -c a.cu
FAKE_SAY=spill.txt expect 1 'register-spill' 'a launcher names the source in NVCC_APPEND_FLAGS: it is judged' "$warplint" wrap -- env NVCC_APPEND_FLAGS=a.cu "$nvcc" -c
expect 0 'Used 10 registers' 'NVCC_PREPEND_FLAGS of a launcher asks for resource lines: they are passed on' "$warplint" wrap -- env NVCC_PREPEND_FLAGS='-Xptxas -v' "$nvcc" -c a.cu
expect 0 'Used 10 registers' 'PTXAS_FLAGS of a launcher asks for resource lines: they are passed on' "$warplint" wrap -- env PTXAS_FLAGS=-v "$nvcc" -c a.cu
if has setsid; then
    export FAKE_SH='sleep 0.3; echo late >&2; sleep 0.1'
    for strict in 0: 3:--strict; do
        rm -f x.o
        # shellcheck disable=SC2086 # no word or one
        expect "${strict%:*}" 'not judged: the compiler runs in the background' 'a compiler in the background: reported as not judged' "$warplint" wrap ${strict#*:} -- setsid -f "$nvcc" -c a.cu -o x.o
        holds 'a compiler in the background makes its object' appears x.o
    done
    unset FAKE_SH
fi
rm -f x.o x.o.warplint.ndjson

# ---- a report path that is a file of the command
rm -f x.o*
for report in x.o ./x.o a.cu "$PWD/a.cu"; do
    expect 2 "a report would be written to '$report', a file of the command itself" "a report to $report: status 2" "$warplint" wrap -o csv="$report" -- "$nvcc" -c a.cu -o x.o
    if [ -e x.o ]; then bad 'the refused command compiles nothing'; else ok 'the refused command compiles nothing'; fi
done
expect 0 '' 'a report to a device is written' "$warplint" wrap -o csv=/dev/null -- "$nvcc" -c a.cu -o x.o
for status in 0: 3:--strict; do
    # shellcheck disable=SC2086 # no word or one
    expect "${status%:*}" '^/dev/full: error: cannot be written: No space left on device$' "a report that cannot be written ${status#*:}" "$warplint" wrap ${status#*:} -o csv=/dev/full -- "$nvcc" -c a.cu -o x.o
done
expect 2 "would be written to 'x.o.warplint.ndjson', the record of 'x.o'" 'a report to the record: status 2' "$warplint" wrap -o csv=x.o.warplint.ndjson -- "$nvcc" -c a.cu -o x.o
expect 0 '' 'the source - is not taken for a report on standard output' "$warplint" wrap -- "$nvcc" -x cu -c - -o x.o
FAKE_SAY=spill.txt expect 1 'register-spill' 'a source on standard input is judged' "$warplint" wrap -- "$nvcc" -x cu -c - -o x.o
for option in baseline config; do
    expect 2 "--$option takes FILE, found ''" "an empty file name: --$option" "$warplint" wrap "--$option=" -- "$nvcc" -c a.cu -o x.o
done
rm -f x.o*

# ---- NVIDIA's HPC compilers: a stand-in that prints lines as nvfortran's ptxas does
cat >regions.txt <<'SAY'
relax:
     12, Generating implicit copy(u(:))
ptxas info    : 432 bytes gmem
ptxas info    : Compiling entry function 'relax_12_gpu' for 'sm_70'
ptxas info    : Function properties for relax_12_gpu
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 27 registers, 416 bytes cmem[0]
SAY
cp "$nvcc" nvfortran
cp "$nvcc" nvc++
touch a.f90
FAKE_ARGS=args FAKE_SAY=regions.txt expect 1 'a.f90: error: relax_12_gpu .* \[register-spill\]' 'nvfortran: a kernel that spills fails' "$warplint" wrap -- ./nvfortran -acc -c a.f90 -o x.o
expect 0 '^-gpu=ptxinfo -acc -c a.f90 -o x.o $' 'nvfortran gets -gpu=ptxinfo' in_shell 'tr "\n" " " <args'
FAKE_ARGS=args FAKE_SAY=regions.txt expect 1 '\[register-spill\]' 'nvc++: a kernel that spills fails' "$warplint" wrap -- ./nvc++ -stdpar -gpu=cc70,ptxinfo -c a.cpp -o x.o
expect 0 '^-stdpar -gpu=cc70,ptxinfo -c a.cpp -o x.o $' 'ptxinfo is not added twice' in_shell 'tr "\n" " " <args'
FAKE_SAY=/dev/null expect 0 '' 'nvfortran without kernels: no message, and a record' in_shell '"$warplint" wrap --strict -- ./nvfortran -acc -c a.f90 -o x.o >said 2>&1 && test ! -s said && test -e x.o.warplint.ndjson'
echo 'int x __attribute__((section(".nv_fatbin"))) = 1;' >device.c
if has gcc && gcc -c device.c -o device.o; then
    FAKE_OBJECT=device.o FAKE_SAY=/dev/null expect 0 'x.o: warning: not judged: the object holds device code, but ptxas printed nothing' 'device code, but no line of ptxas: reported as not judged' "$warplint" wrap -- ./nvfortran -acc -c a.f90 -o x.o
    FAKE_OBJECT=device.o FAKE_SAY=/dev/null expect 3 '' 'device code, but no line of ptxas: status 3 under --strict' "$warplint" wrap --strict -- ./nvfortran -acc -c a.f90 -o x.o
fi
FAKE_ARGS=args expect 0 '' 'nvfortran with host code: no option is added, no message' in_shell '"$warplint" wrap -- ./nvfortran -c a.f90 -o x.o >said 2>&1; test ! -s said && ! grep ptxinfo args'
rm -f x.o x.o.warplint.ndjson

# ---- a terminal
if command -v script >/dev/null 2>&1; then
    export FAKE_SH='test -t 2 && printf "\033[1ma terminal\033[0m\n" >&2; stty -a <&2 | head -n 1 >&2; echo "one  two" >&2'
    script -qec 'stty rows 31 cols 97; "$nvcc" -c a.cu -o x.o' /dev/null >out1 </dev/null
    script -qec 'stty rows 31 cols 97; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o' /dev/null >out2 </dev/null
    # The line speed of a terminal is not copied.
    sed -i 's/speed [0-9]* baud; //' out1 out2
    if cmp out1 out2 && grep -q 'a terminal' out2 && grep -q 'columns 97' out2; then ok 'standard error on a terminal is a terminal for the compiler'; else bad 'standard error on a terminal is a terminal for the compiler'; fi
    unset FAKE_SH
else
    echo "skipped: a terminal, there is no script(1)"
fi

# ---- both streams in one
# in_order TITLE: the order of what the compiler writes to both streams, through a pipe, into a file and on a terminal
in_order()
{
    "$nvcc" -ptx a.cu 2>&1 | cat >plain
    "$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&1 | cat >piped
    "$warplint" wrap -- "$nvcc" -c a.cu -o x.o >filed 2>&1
    echo before >appended
    "$warplint" wrap -- "$nvcc" -c a.cu -o x.o >>appended 2>&1
    for way in piped filed; do
        if cmp plain $way; then ok "$1, $way"; else bad "$1, $way"; fi
    done
    if sed 1d appended | cmp plain -; then ok "$1, appended"; else bad "$1, appended"; fi
    command -v script >/dev/null 2>&1 || return
    script -qec '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o' /dev/null </dev/null | tr -d '\r' >shown
    if cmp plain shown; then ok "$1, on a terminal"; else bad "$1, on a terminal"; fi
}
export FAKE_SH='i=0; while [ $i -lt 100 ]; do echo "out $i"; echo "err $i" >&2; i=$((i + 1)); done'
in_order '200 alternating lines keep their order'
export FAKE_SH='i=0; while [ $i -lt 100 ]; do printf "o$i "; printf "e$i " >&2; i=$((i + 1)); done; echo'
in_order '200 alternating writes without a newline keep their order'
cat >alternate.c <<'C'
#include <unistd.h>
int main(void)
{
    char line[] = "0 000 of a program\n";
    for (int at = 0; at < 200; at++) {
        line[0] = (char)('1' + at % 2), line[2] = (char)('0' + at / 100), line[3] = (char)('0' + at / 10 % 10);
        line[4] = (char)('0' + at % 10);
        if (write(1 + at % 2, line, sizeof line - 1) < 0)
            return 1;
    }
}
C
if has cc && cc alternate.c -o alternate; then
    export FAKE_SH='"$work/alternate"'
    in_order '200 alternating writes of a program keep their order'
fi
export FAKE_SH='echo "ptxas info    : Used 3 registers"'
expect 0 '^ptxas info    : Used 3' 'resource lines on a separate standard output are not dropped' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err'
expect 0 '^1$' 'standard error is open for reading only: lines on standard output are not dropped' in_shell ': >both; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o >>both 2<both; grep -c Used both'
export FAKE_SH='readlink /proc/self/fd/1 /proc/self/fd/2 | uniq | wc -l'
expect 0 '^2$' 'two pipes stay two pipes' in_shell '{ "$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&3 | cat; } 3>&1 | cat'
export FAKE_SH='awk "BEGIN { for (i = 0; i < 100000; i++) print \"a line that a program prints \" i }"'
expect 0 '' 'the reader of both streams ends early: wrap ends too' in_shell '
    { timeout 20 "$warplint" wrap -- "$nvcc" -c a.cu -o x.o; echo $? >status; } 2>&1 | head -n 1 >/dev/null; test "$(cat status)" != 124'
if command -v script >/dev/null 2>&1; then
    export FAKE_SH='test -t 1 && test -t 2 && stty size <&1'
    expect 0 '^31 97' 'both streams on a terminal are a terminal for the compiler' script -qec 'stty rows 31 cols 97; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o' /dev/null
fi
export FAKE_SH='printf "Continue? "; while [ -e wait ]; do sleep 0.05; done'
: >wait
"$warplint" wrap -- "$nvcc" -c a.cu -o x.o >both 2>&1 &
tries=0
while ! grep -q '^Continue? ' both && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
if grep -q '^Continue? ' both && [ -e wait ]; then ok 'a line without a newline is passed on at once'; else bad 'a line without a newline is passed on at once'; fi
rm wait
wait
unset FAKE_SH

# ---- a last line of the compiler without a line end
printf '    of the compiler' >unended
cat spill.txt unended >unended.txt
expect 0 '' 'a last line without a newline is passed on unchanged' in_shell 'FAKE_SAY=unended "$warplint" wrap --record-only --no-verbose -- "$nvcc" -c a.cu -o x.o 2>&1 | cmp - unended'
for output in '' '-o csv=/dev/stdout' '-o json=-'; do
    export output
    expect 0 '^    of the compiler$' "our messages begin on a new line: ${output:-alone}" in_shell 'FAKE_SAY=unended.txt "$warplint" wrap $output -- "$nvcc" -c a.cu -o x.o >both 2>&1; cat both'
    expect 0 '^1$' 'no line is empty, and the removal is reported once' in_shell '! grep -n "^$" both && grep -c "^warplint: error: x.o was removed" both'
done
export FAKE_SAY=/dev/null FAKE_SH='cat spill.txt >&2; cat unended'
expect 0 '^    of the compiler$' 'standard output ends without a newline: our messages begin on a new line' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&1 | cat'
expect 0 '^a.cu: error: ' 'standard output is another file: nothing is added to it' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err >alone; cmp alone unended && head -n 1 err'
export FAKE_SAY=unended FAKE_SH=
expect 0 '^warplint: warning: not judged' 'a message about a command that is not judged begins on a new line' in_shell '"$warplint" wrap -- "$nvcc" -run a.cu 2>&1 | cat'
# Resource lines are found also after text of another writer that had no line end.
export FAKE_SAY=/dev/null FAKE_SH='printf "a.cu ... "; sleep 0.5; cat spill.txt >&2; echo done'
expect 1 '^a.cu \.\.\. done$' 'resource lines after a line without a newline are judged' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&1; s=$?; grep -q "_Z3badPf.*\"ambiguous\":false" x.o.warplint.ndjson && exit $s'
unset FAKE_SAY FAKE_SH

# ---- how it ends
for status in 1 2 3 77 126 127 128 130 254 255; do
    FAKE_STATUS=$status expect $status '' "status $status of the compiler is passed on" "$warplint" wrap -- "$nvcc" -c a.cu -o x.o
done
for signal in HUP:129 INT:130 QUIT:131 ABRT:134 KILL:137 SEGV:139 PIPE:141 TERM:143; do
    FAKE_SH="kill -${signal%:*} \$\$" expect "${signal#*:}" '' "the compiler is ended by SIG${signal%:*}: status ${signal#*:}" in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o; exit $?'
done
FAKE_STATUS=3 expect 1 '' 'a failed compile leaves no record' in_shell 'rm -f x.o.warplint.ndjson; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o; test -e x.o.warplint.ndjson'
expect 3 '' 'a failed compile removes the earlier record and keeps the object' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o && test -e x.o.warplint.ndjson || exit 1; FAKE_STATUS=3 "$warplint" wrap -- "$nvcc" -c a.cu -o x.o; s=$?; test -e x.o && test ! -e x.o.warplint.ndjson && exit $s'
echo 'no program' >plain
expect 127 'cannot be started: No such file' 'a missing compiler: status 127' "$warplint" wrap -- no-such-nvcc -c a.cu
expect 127 'cannot be started' 'a missing compiler with nothing to compile: status 127' "$warplint" wrap -- no-such-nvcc --version
expect 126 'cannot be started: Permission denied' 'a file that is not executable: status 126' "$warplint" wrap -- ./plain -c a.cu
expect 2 'wrap -- nvcc -c kernel.cu' 'no command: status 2' "$warplint" wrap --
expect 2 'did you mean --keep-output' 'a misspelt option: status 2 with a suggestion' "$warplint" wrap --keep-outptu -- "$nvcc" -c a.cu
expect 2 'none, warnings or all' 'an unknown value of --passthrough: status 2' "$warplint" wrap --passthrough some -- "$nvcc" -c a.cu
expect 0 '' 'without --, the command begins at the first word that is no option' "$warplint" wrap --record-only "$nvcc" -c a.cu -o x.o

# ---- signals that are sent to the wrapper
export FAKE_SH='trap "echo caught >caught; exit 9" TERM USR1; : >ready; i=0; while [ $i -lt 300 ]; do sleep 0.02; i=$((i+1)); done'
for signal in TERM USR1; do
    rm -f ready caught
    "$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err &
    pid=$!
    appears ready
    kill -$signal $pid
    wait $pid
    got=$?
    if [ $got = 9 ] && [ -e caught ]; then ok "SIG$signal is passed on"; else bad "SIG$signal is passed on: status $got"; fi
done
export FAKE_SH=': >ready; exec sleep 5'
rm -f ready
"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err &
pid=$!
appears ready
kill -TERM $pid
wait $pid
got=$?
if [ $got = 143 ]; then ok 'SIGTERM: status 143'; else bad "SIGTERM: status 143: status $got"; fi
# A signal while the compiler is asked for its options: the compiler ends, and our folder is removed.
mkdir -p asked/tmp
printf '#!/bin/sh\ncase " $* " in *" --dryrun "*) echo $$ >asked/pid; exec sleep 60 ;; esac\n' >asked/nvcc
chmod +x asked/nvcc
XDG_CACHE_HOME="$work/asked/cache" TMPDIR="$work/asked/tmp" "$warplint" wrap -- asked/nvcc -c a.cu -o x.o 2>err &
pid=$!
appears asked/pid
sleep 0.2 # until the number is in it
kill -TERM $pid
wait $pid
got=$?
if [ $got = 143 ] && [ -z "$(ls asked/tmp)" ] && ! kill -0 "$(cat asked/pid)" 2>err; then
    ok 'SIGTERM during a query of the compiler ends it and removes the temporary folder'
else
    bad "SIGTERM during a query of the compiler: status $got, left '$(ls asked/tmp)'"
fi
# The process that judges must not take the signal for its own time limit.
export FAKE_SH='trap "echo caught >caught" ALRM; : >ready; i=0; while [ $i -lt 300 ] && [ ! -e caught ]; do sleep 0.02; i=$((i+1)); done'
rm -f ready caught
setsid "$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err &
pid=$!
appears ready
sleep 0.2 # until the process that judges is there
kill -ALRM -$pid
wait $pid
got=$?
if [ $got = 0 ] && [ -e caught ] && ! grep -q judged err; then ok 'SIGALRM to the group, which the compiler survives: status 0, judged'; else
    bad "SIGALRM to the group: status $got, $(cat err)"
fi
unset FAKE_SH

# ---- much output, slow output, closed output
export FAKE_SH='awk "BEGIN { for (i = 0; i < 200000; i++) print \"warning: \" i \" of a build that talks much, much more than anybody reads\" }" >&2'
alike 'twelve megabytes of warnings pass unchanged' -c a.cu -o x.o
expect 0 '^200000$' 'a slow reader gets all lines' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&1 | (sleep 0.5; grep -c "^warning: ")'
expect 0 '' 'the reader of standard error ends early: the compile fails or its object exists' in_shell '
    "$nvcc" -c a.cu -o x.o 2>&1 >/dev/null | head -n 1 >/dev/null; rm -f x.o
    { "$warplint" wrap -- "$nvcc" -c a.cu -o x.o; echo $? >status; } 2>&1 >/dev/null | head -n 1 >/dev/null
    test "$(cat status)" != 0 || test -e x.o'
expect 0 '' 'standard error is closed: the object is made' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&- && test -e x.o'
export FAKE_SH='(sleep 20; echo late >&2) & '
expect 0 '' 'a background process of the compiler is not waited for' timeout 8 "$warplint" wrap -- "$nvcc" -c a.cu -o x.o
unset FAKE_SH

export FAKE_SH='echo early >&2; while [ -e wait ]; do sleep 0.05; done'
: >wait
"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>err &
tries=0
while ! grep -q early err && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
if grep -q early err && [ -e wait ]; then ok 'a message is passed on at once'; else bad 'a message is passed on at once'; fi
rm wait
wait
unset FAKE_SH

# ---- lines that are filtered out
cat >mixed.txt <<'SAY'
a.cu(1): warning #177-D: variable was declared
ptxas warning : Registers are spilled to local memory in function '_Z3badPf', 8 bytes spill stores, 12 bytes spill loads
SAY
cat spill.txt >>mixed.txt
FAKE_SAY=mixed.txt expect 0 '^a.cu\(1\): warning' 'warnings of the compiler are passed on' "$warplint" wrap --fail-on never -- "$nvcc" -c a.cu
FAKE_SAY=mixed.txt expect 0 '^2 0$' 'resource lines are dropped, warnings of ptxas are passed on' in_shell '"$warplint" wrap --record-only -- "$nvcc" -c a.cu -o x.o 2>err; echo $(wc -l <err) $(grep -c "ptxas info" err); true'
FAKE_SAY=mixed.txt expect 0 '^1$' '--passthrough none' in_shell '"$warplint" wrap --record-only --passthrough none -- "$nvcc" -c a.cu -o x.o 2>&1 | wc -l'
FAKE_SAY=mixed.txt expect 0 '' '--passthrough all' in_shell '"$warplint" wrap --record-only --passthrough all -- "$nvcc" -c a.cu -o x.o 2>&1 | cmp - mixed.txt'

# Users who ask for these lines get them, and only those that they asked for.
cat >both.txt <<'SAY'
nvlink info    : 0 bytes gmem
nvlink info    : Function properties for '_Z3badPf':
nvlink info    : used 255 registers, used 0 barriers, 8 stack, 0 bytes smem, 536 bytes cmem[0], 0 bytes lmem
SAY
cat mixed.txt >>both.txt
grep -v '^nvlink' both.txt >ptxas.wanted
grep -v 'ptxas info\|bytes stack frame' both.txt >nvlink.wanted
grep -v '^nvlink' nvlink.wanted >neither.wanted
export FAKE_SAY=both.txt
while IFS=: read -r gets words; do
    expect 0 '' "lines passed on: $gets, asked for by: ${words:-nothing}" in_shell '"$warplint" wrap --record-only -- "$nvcc" '"$words"' a.cu -o x.o 2>&1 | cmp - '"$gets.wanted"
done <<'TABLE'
neither:
ptxas:-Xptxas -v -c
ptxas:-Xptxas=-v -c
ptxas:-Xptxas -O3,-v -c
ptxas:-Xptxas "-O3 -v" -c
ptxas:--ptxas-options=--verbose
ptxas:--ptxas-options --verbose
ptxas:--resource-usage -c
ptxas:-res-usage -rdc=false -c
ptxas:-rdc=true -Xptxas -v
neither:-Xptxas -O3 -v -c
neither:-Xptxas=-v=1 -c
nvlink:-dc --resource-usage
neither:-c -Xcompiler -v
nvlink:-rdc=true --resource-usage
nvlink:-rdc true -res-usage
nvlink:-Xnvlink -v
nvlink:--nvlink-options=--verbose
TABLE
NVCC_APPEND_FLAGS='-Xptxas -v' expect 0 '' 'resource lines asked for by NVCC_APPEND_FLAGS are passed on' in_shell '"$warplint" wrap --record-only -- "$nvcc" -c a.cu -o x.o 2>&1 | cmp - ptxas.wanted'
PTXAS_FLAGS=-v expect 0 '' 'resource lines asked for by PTXAS_FLAGS are passed on' in_shell '"$warplint" wrap --record-only -- "$nvcc" -c a.cu -o x.o 2>&1 | cmp - ptxas.wanted'
expect 0 '^1$' '--passthrough none drops resource lines that the command asks for' in_shell '"$warplint" wrap --record-only --passthrough none -- "$nvcc" -Xptxas -v -c a.cu -o x.o 2>&1 | wc -l'
unset FAKE_SAY

# ---- added options
export FAKE_ARGS=args
added() { "$warplint" wrap "$@" && tr '\n' ' ' <args; }
expect 0 '^-Xptxas=-v -c a.cu $' 'nvcc gets -Xptxas=-v as its first argument' added -- "$nvcc" -c a.cu
expect 0 '^-Xnvlink=-v -dlink a.o $' 'a device link gets -Xnvlink=-v' added -- "$nvcc" -dlink a.o
expect 0 '^-Xnvlink=-v -Xptxas=-v a.cu $' 'compile and link gets -Xnvlink=-v and -Xptxas=-v' added -- "$nvcc" a.cu
FAKE_OBJECT=$source/tests/data/binaries/cubin.elf expect 0 'warning: not judged: .* the command has no -Xptxas=-v, and --no-verbose adds none' '--no-verbose without -v: reported as not judged' "$warplint" wrap --no-config --no-verbose -- "$nvcc" -c a.cu -o x.o
FAKE_OBJECT=$source/tests/data/binaries/cubin.elf expect 3 '' '--no-verbose without -v: status 3 under --strict' "$warplint" wrap --no-config --no-verbose --strict -- "$nvcc" -c a.cu -o x.o
expect 0 '^-c a.cu $' '--no-verbose adds no option' added --no-verbose -- "$nvcc" -c a.cu
expect 0 '^-c a.cpp $' 'host code gets no option' added -- "$nvcc" -c a.cpp
cp "$nvcc" clang++
expect 0 '^-Xcuda-ptxas -v -c a.cu $' 'clang gets -Xcuda-ptxas -v' added -- ./clang++ -c a.cu
expect 0 '^-Xptxas=-v -c a.cu $' 'nvcc behind a launcher gets -Xptxas=-v' added -- env A=1 "$nvcc" -c a.cu
unset FAKE_ARGS

# ---- launch bounds from the object, if nobody reads the PTX
binaries=$source/tests/data/binaries
export binaries
bounds() # OBJECT LOG COMPILER: kernels with their bounds
{
    rm -f x.o*
    FAKE_OBJECT=$1 FAKE_SAY=$2 "$warplint" wrap --record-only -- "$3" -c a.cu -o x.o || return
    sed -n 's/.*"mangled":"\([^"]*\)".*"registers":\([0-9a-z]*\),.*"bound_threads":\([0-9a-z]*\),"bound_from":\([^,]*\),.*/\1 \2 \3 \4/p' x.o.warplint.ndjson
    echo "$(grep -c '"type":"log"' x.o.warplint.ndjson) log, $(grep -c '"producer":"binary"' x.o.warplint.ndjson) of a binary"
}
cp "$nvcc" clang++
expect 0 '^_Z7boundedPfi 23 256 "launch-bounds"$' 'launch bounds are read from the object' bounds "$binaries/cubin.elf" "$binaries/cubin.log" ./clang++
expect 0 '^1 log, 0 of a binary$' 'the object does not count as an input' bounds "$binaries/cubin.elf" "$binaries/cubin.log" ./clang++
expect 0 ' 10 null null$' 'an object without the kernel: no launch bounds' bounds "$binaries/cubin.elf" '' ./clang++
head -c 900 "$binaries/cubin.elf" >cut.elf
expect 0 '^_Z7boundedPfi 23 null null$' 'a truncated object: no launch bounds, but the registers of the log' bounds cut.elf "$binaries/cubin.log" ./clang++

# ---- the record
expect 0 '"type":"kernel".*"source":"a.cu"' 'the record is beside the object, with no temporary file left' in_shell 'rm -f x.o*; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o && cat x.o.warplint.ndjson && ! ls | grep tmp'
printf -- '-DA=1 "-DB=x y"' >flags.opt
expect 0 '"command":\["[^"]*/nvcc","-optf","flags.opt","-c","a.cu","-o","x.o"\],"flags":\["-O1","-DA=1","-DB=x y","-c","a.cu","-o","x.o","-lineinfo"\]' 'the record has the command, and all flags that the compiler got' in_shell '
    NVCC_PREPEND_FLAGS=-O1 NVCC_APPEND_FLAGS=-lineinfo "$warplint" wrap -- "$nvcc" -optf flags.opt -c a.cu -o x.o && cat x.o.warplint.ndjson'
expect 0 '' 'report writes the record unchanged' in_shell '
    "$warplint" report --format ndjson x.o.warplint.ndjson >again.ndjson; cmp again.ndjson x.o.warplint.ndjson'
expect 0 '^1 0$' 'two sources: each object has a record, and the kernels are in one of them' in_shell '
    rm -f a.o* b.o*; FAKE_SH=": >a.o; : >b.o" "$warplint" wrap -- "$nvcc" -c a.cu b.cu; for o in a b; do printf "%s " $(grep -c type...kernel $o.o.warplint.ndjson); done | sed "s/ $//"; "$warplint" check -q a.o.warplint.ndjson b.o.warplint.ndjson'
expect 0 '1 compile not judged: no machine code' 'check counts a compile without machine code' in_shell '
    mkdir -p ptx; FAKE_SAY=/dev/null "$warplint" wrap -- "$nvcc" -c a.cu -o ptx/x.o; "$warplint" check --allow-empty ptx'
expect 3 'a compile made no machine code .PTX only, or -dlto., and no link is in the input: --strict does not accept' 'a compile without machine code beside another: status 3 under --strict' in_shell '
    mkdir -p mixed; cp ptx/x.o.warplint.ndjson mixed/y.o.warplint.ndjson; "$warplint" wrap -- "$nvcc" -c a.cu -o mixed/x.o; rm -f mixed/x.o
    "$warplint" check mixed x.o.warplint.ndjson >/dev/null && "$warplint" check --strict mixed'
expect 0 '' 'a clean compile prints nothing' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o >said 2>&1 && test ! -s said'
FAKE_SAY=spill.txt expect 0 '' '--record-only: status 0 and no message for a kernel that spills' in_shell '"$warplint" wrap --record-only -- "$nvcc" -c a.cu -o x.o >said 2>&1 && test ! -s said && test -e x.o'
expect 1 'a.cu: error: .*register-spill' 'check judges that record' "$warplint" check x.o.warplint.ndjson
i=0
while [ $i -lt 40 ]; do
    sed "s/_Z3badPf/_Z3bad${i}Pf/" spill.txt
    i=$((i + 1))
done >forty.txt
limited() # OPTION...: with 4 KiB for any file
{
    (ulimit -f 8 && "$warplint" wrap "$@" -- "$nvcc" -c a.cu -o z.o; echo "status $?") 2>&1 | cat
}
FAKE_SAY=forty.txt expect 0 '^status 1' 'a limit of file sizes: no record, but findings fail' limited
FAKE_SAY=forty.txt expect 0 'z.o.warplint.ndjson: warning: the record cannot be written: File too large' 'a limit of file sizes: a warning names the record' limited
expect 2 '--record-only judges nothing and writes no report' '--record-only with -o: status 2' "$warplint" wrap --record-only -o json=r.json -- "$nvcc" -c a.cu -o x.o
for option in config=none.yaml rules=none baseline=none.json select=low ignore=low fail-on=note; do
    expect 0 "warning: --record-only judges nothing, so --${option%=*} has no effect: give it to .warplint check., or leave out --record-only" "--record-only with --${option%=*}: a warning" \
        "$warplint" wrap --record-only --$option -- "$nvcc" -c a.cu -o x.o
done
FAKE_SAY=forty.txt expect 0 '^status 0' '--record-only with a limit of file sizes: status 0' limited --record-only
FAKE_SAY=forty.txt expect 0 '^status 3' '--record-only --strict with a limit of file sizes: status 3' limited --record-only --strict
FAKE_SH='head -c 9000 /dev/zero >big; echo "ended $?"' expect 0 '^ended 153' 'a limit of file sizes ends programs that the compiler runs' limited
expect 0 '' 'the compiler ignores the same signals as without wrap' in_shell 'export FAKE_SH="grep SigIgn /proc/self/status"; "$nvcc" -c a.cu -o z.o >plain; "$warplint" wrap -- "$nvcc" -c a.cu -o z.o >wrapped; test -s plain && cmp plain wrapped'
mkdir shut
expect 0 'warning: the record cannot be written' 'a record that cannot be written: a warning' in_shell 'mkdir -p y.o.warplint.ndjson; "$warplint" wrap -- "$nvcc" -c a.cu -o y.o && test -e y.o'
expect 0 '' 'a pipe in place of the record is replaced' in_shell 'mkfifo q.o.warplint.ndjson; timeout 10 "$warplint" wrap -- "$nvcc" -c a.cu -o q.o && test -f q.o.warplint.ndjson'
expect 3 'the record cannot be written' 'a record that cannot be written: status 3 under --strict' "$warplint" wrap --strict -- "$nvcc" -c a.cu -o y.o
expect 0 '' 'no record is written for an object /dev/null' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o /dev/null && test ! -e /dev/null.warplint.ndjson'
printf 'mine' >x.o.warplint.ndjson.tmp && ln x.o.warplint.ndjson.tmp hard
expect 0 '' "a locked file with a name like a temporary file of ours is unchanged" in_shell 'flock x.o.warplint.ndjson.tmp timeout 10 "$warplint" wrap -- "$nvcc" -c a.cu -o x.o && [ "$(cat hard x.o.warplint.ndjson.tmp)" = minemine ] && "$warplint" check -q x.o.warplint.ndjson'
compile='touch -d 2020-01-01 x.o.warplint.ndjson; "$warplint" wrap -- "$nvcc" -c a.cu -o x.o'
newer='[ -z "$(find x.o.warplint.ndjson ! -newermt 2020-01-02)" ]'
expect 0 '' 'an unchanged record gets a new time' in_shell "$compile && $newer"
FAKE_SAY=spill.txt expect 0 '' 'a changed record is replaced' in_shell "$compile; $newer && grep -q _Z3badPf x.o.warplint.ndjson"

for name in one two three; do sed "s/_Z3badPf/$name/" spill.txt; done >notes.txt
FAKE_SAY=notes.txt expect 1 '; 3 notes not shown: warplint check --notes notes.o.warplint.ndjson$' 'notes are counted, not printed' "$warplint" wrap --keep-output -- "$nvcc" -c a.cu -o notes.o
expect 0 '' 'check --notes prints the notes of the record' in_shell '"$warplint" check --notes notes.o.warplint.ndjson >said; test "$(grep -c ": note: " said)" = 3'

# ---- folders of records
mkdir -p tree/sub && ln -s .. tree/sub/loop
for object in tree/one.o tree/two.o tree/sub/three.o; do "$warplint" wrap -- "$nvcc" -c a.cu -o $object; done
expect 0 '^judged: .*[, ]3 kernels? ' 'a folder with a circular link: 3 kernels' "$warplint" check tree
expect 0 '' 'a folder with a circular link: no warning' in_shell '"$warplint" check -q tree 2>said; test ! -s said'
stale='^tree/one.o.warplint.ndjson: warning: the record is not of its object'
touch -d '1 hour' tree/one.o
expect 0 '' 'an object that was touched or copied matches its record' in_shell 'cp tree/one.o kept.o; cp kept.o tree/one.o; "$warplint" check --strict -q tree 2>said; test ! -s said'
echo another >tree/one.o
touch -d 2020-01-01 tree/one.o
expect 0 "$stale" 'a changed object with an old time: a warning' "$warplint" check tree
expect 3 'error: the records are not those of what was built' 'a changed object: status 3 under --strict' "$warplint" check --strict tree
sed -i 's/"object_code":"[^"]*",//' tree/one.o.warplint.ndjson
touch -d '1 hour' tree/one.o
expect 0 "$stale" 'a record without object_code, older than its object: a warning' "$warplint" check tree
touch -d '1 hour ago' tree/one.o
expect 0 '' 'a record without object_code, newer than its object: no warning' in_shell '"$warplint" check --strict -q tree 2>said; test ! -s said'
if has cc && has strip; then
    echo 'int x __attribute__((section(".nv_fatbin"))) = 1; int unused; int main(void) { return 0; }' >fat.c
    sed 's/= 1/= 2/' fat.c >other.c
    cc -g -c fat.c -o fat.o && cc -c other.c -o other.o
    mkdir stripped
    FAKE_OBJECT=fat.o "$warplint" wrap -- "$nvcc" -c a.cu -o stripped/x.o
    strip -g stripped/x.o
    expect 0 '' 'a stripped object matches its record' in_shell '! cmp -s stripped/x.o fat.o && "$warplint" check --strict -q stripped 2>said; test ! -s said'
    cp other.o stripped/x.o
    touch -d 2020-01-01 stripped/x.o
    expect 0 'not of its object' 'other device code in the object: a warning' "$warplint" check stripped
fi
rm tree/two.o
expect 0 '^tree/two.o.warplint.ndjson: warning: the record has no object any more' 'one record without its object: a warning' "$warplint" check tree
rm tree/one.o tree/sub/three.o
expect 0 '' 'all records without their objects: no warning' in_shell '"$warplint" check -q tree 2>said; test ! -s said'
echo 'int x __attribute__((section(".nv_fatbin"))) = 1;' >device.c
echo 'int x __attribute__((section("__nv_relfatbin"))) = 1;' >relocatable.c
echo 'int x __attribute__((section(".nv_fatbinary"))) = 1;' >host.c
mkdir -p tree/other
for name in device relocatable host; do cc -c $name.c -o tree/$name.o && cp tree/$name.o tree/other; done
expect 0 '^tree/device.o: warning: device code without a record.* \(and 3 more\)' 'objects with device code and no record: a warning' "$warplint" check tree
expect 0 '^verdict: passed, .* in what was judged$' 'the verdict is limited to what was judged' "$warplint" check tree
expect 0 '^a part of the build was not judged: some records and objects do not match' 'the report says that an object has no record' "$warplint" check tree
expect 0 '^device.o: warning: device code without a record' 'in the folder itself the path has no ./' in_shell 'cd tree && "$warplint" check .'
rm tree/device.o tree/relocatable.o
expect 0 '^tree/other/device.o: warning: .* \(and 1 more\)' 'objects without a record in a folder without records: a warning' "$warplint" check tree
mv tree/other other
head -c 300 other/device.o >tree/cut.o
head -c 4000 /dev/zero >tree/zero.o
mkfifo tree/pipe.o
expect 0 '' 'truncated and zeroed objects and a pipe: no warning' in_shell 'timeout 10 "$warplint" check -q tree 2>said; test ! -s said'
mkdir -p built/good.dir built/bad.dir built/install built/kept
sed "s/= 1/= 3/" device.c >recorded.c && cc -c recorded.c -o recorded.o
FAKE_OBJECT=recorded.o "$warplint" wrap -- "$nvcc" -c a.cu -o built/good.dir/x.o
mkdir -p moved/lib
FAKE_OBJECT=recorded.o "$warplint" wrap -- "$nvcc" -c a.cu -o moved/x.o.tmp
mv moved/x.o.tmp moved/lib/x.o
expect 0 '' 'an object that was moved after its compile has a record' in_shell '"$warplint" check --strict -q moved 2>said; test ! -s said'
cp other/device.o moved/lib/x.o
expect 3 '^moved/lib/x.o: warning: device code without a record' 'a moved object with other device code: status 3 under --strict' "$warplint" check --strict moved
cp other/device.o built/bad.dir/y.o
expect 3 '^built/bad.dir/y.o: warning: device code without a record' 'an object without a record in another folder: status 3 under --strict' "$warplint" check --strict built
expect 3 'the folder has no records' 'a folder without records: status 3' "$warplint" check built/bad.dir
expect 0 '' 'a folder without records: no warning about device code' in_shell '! "$warplint" check built/bad.dir 2>&1 | grep "device code"'
mv built/bad.dir/y.o built/kept/y.o
mkdir parts
FAKE_OBJECT=recorded.o "$warplint" wrap -- "$nvcc" -c a.cu -o parts/a.o
sed 's/_Z3badPf/_Z5otherPf/; s/255/64/' spill.txt >two.txt
FAKE_SAY=two.txt FAKE_OBJECT=other/device.o "$warplint" wrap --record-only -- "$nvcc" -c b.cu -o parts/b.o
"$warplint" baseline write --no-config parts.json parts >/dev/null && mv parts.json whole.json
FAKE_STATUS=1 "$warplint" wrap -- "$nvcc" -c b.cu -o parts/b.o
for verb in write prune; do
    cp whole.json parts.json
    expect 3 '^parts/b.o: error: it has no record, and the baseline would lose kernels; ' "baseline $verb after a failed compile: status 3" "$warplint" baseline $verb --no-config parts.json parts
    expect 0 '' 'the refused command leaves the baseline unchanged' cmp parts.json whole.json
    expect 0 '1 dropped' "baseline $verb --allow-missing after a failed compile drops an entry" "$warplint" baseline $verb --no-config --allow-missing parts.json parts
done
expect 0 '' 'baseline write after a failed compile that drops nothing: status 0' "$warplint" baseline write --no-config parts.json parts
cp "$source/tests/data/binaries/dynamic.cubin" built/kept/y.sm_90.cubin
unrecorded() # the file that is named, with how many more, or none
{
    named=$("$warplint" check --strict built 2>&1 | sed -n '/device code without a record/s/: warning: [^(]*(.warplint doctor. finds the cause)//p')
    echo "${named:-none}"
}
expect 0 '^built/kept/y.o .and 1 more.$' 'an object and a cubin without records are reported' unrecorded
cp built/kept/y.sm_90.cubin built/kept/app_dlink.sm_90.cubin
cp built/kept/y.sm_90.cubin built/kept/y.compute_80.sm_80.cubin
cp built/kept/y.sm_90.cubin built/kept/y.fatbin
cp other/device.o built/kept/app_dlink.o
cp built/good.dir/x.o built/install/x.o
touch built/kept/empty.cubin
expect 0 '^built/kept/app_dlink.o .and 5 more.$' 'objects and cubins of links without records are reported' unrecorded
touch built/kept/y.fatbin.c built/kept/app_dlink.fatbin.c
expect 0 '^none$' 'intermediate files of nvcc, copies and empty files are not reported' unrecorded
cp other/device.o built/kept/y.sm_90.o
expect 0 '^built/kept/y.sm_90.o$' 'an object with the name of a cubin is reported' unrecorded
rm built/kept/y.sm_90.o
cp other/device.o built/kept/yy.o
expect 0 '^built/kept/yy.o$' 'another object beside intermediate files is reported' unrecorded
mv built/kept/yy.o built/kept/y.x.o
expect 0 '^built/kept/y.x.o$' 'an object with a longer name is reported' unrecorded
mv built/kept/y.x.o built/install/y.o
expect 0 '^built/install/y.o$' 'an object in another folder is reported' unrecorded
mv built/install/y.o built/kept/cmake_device_link.o
cp built/kept/y.fatbin built/kept/cmake_device_link.fatbin
touch built/kept/cmake_device_link.fatbin.c
expect 3 '^built/kept/cmake_device_link.o: warning: a device link without a record, which is not judged: CMake' 'a device link of CMake without a record: status 3 under --strict' "$warplint" check --strict built
expect 0 '^none$' 'intermediate files of a device link of CMake are not reported' unrecorded
rm built/kept/cmake_device_link.*
for trial in 3.25.1/CompilerIdCUDA CMakeScratch/TryCompile-a CMakeTmp TryCompile/cmTC_12abc.dir; do
    mkdir -p built/CMakeFiles/$trial && cp other/device.o built/CMakeFiles/$trial/
done
silent='"$warplint" check --strict -q built 2>said; test ! -s said'
expect 0 '' 'copies, try-compiles of CMake and intermediate files: no warning' in_shell "$silent"
if [ "$(id -u)" != 0 ]; then
    mkdir -p tree/shut && chmod 0 tree/shut
    expect 3 'folder cannot be read' 'a folder that cannot be read: status 3' "$warplint" check tree
    chmod 700 tree/shut
fi

# ---- baseline: a removed kernel of the compiled source can have successors, one of another source cannot
say() # name, registers
{
    printf '%s\n' "ptxas info    : Compiling entry function '$1' for 'sm_90'" "ptxas info    : Function properties for $1" \
        '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "ptxas info    : Used $2 registers, used 0 barriers"
}
say _Z4scanILi4EEvPf 32 >was.txt
say _Z4scanILi4ELi1EEvPf 40 >is.txt
FAKE_SAY=was.txt "$warplint" wrap --record-only -- "$nvcc" -c a.cu -o x.o
"$warplint" baseline write known.json x.o.warplint.ndjson >/dev/null
FAKE_SAY=is.txt expect 1 'a.cu: warning: scan<4, 1> .*: is worse than scan<4>, which it may replace: 40 registers .*, before 32 registers .*successor-regression' \
    'a successor in the compiled source is compared with the removed kernel' "$warplint" wrap --baseline known.json -- "$nvcc" -c a.cu -o x.o
FAKE_SAY=is.txt expect 0 '' 'the same kernel in another source is new' "$warplint" wrap --baseline known.json -- "$nvcc" -c b.cu -o x.o
sed 's/"registers":[0-9]*,//' known.json >lacks.json
FAKE_SAY=was.txt expect 0 'warning: [0-9]* of [0-9]* kernel x arch may be worse: the baseline does not state' 'a baseline without registers: a warning' \
    "$warplint" wrap --baseline lacks.json -- "$nvcc" -c a.cu -o x.o
FAKE_SAY=was.txt expect 3 'may be worse' 'a baseline without registers: status 3 under --strict' "$warplint" wrap --strict --baseline lacks.json -- "$nvcc" -c a.cu -o x.o

# ---- baseline: a kernel whose source still exists does not become that of the compiled source
mkdir -p namesakes && (
    cd namesakes && : >.warplint.yaml && cp ../a.cu a.cu && cp ../a.cu b.cu
    say _Z4initPf 10 >light.txt
    say _Z4initPf 90 >heavy.txt
    FAKE_SAY=light.txt "$warplint" wrap --record-only -- "$nvcc" -c a.cu -o a.o
    "$warplint" baseline write known.json a.o.warplint.ndjson
) >/dev/null 2>&1
in_namesakes='cd namesakes && FAKE_SAY=heavy.txt "$warplint" wrap --fail-on warning --baseline known.json -- "$nvcc"'
expect 0 '' 'a new file has a kernel of that name: new' in_shell "$in_namesakes -c b.cu -o b.o"
expect 1 '90 registers' 'the same file is compiled: the kernel is worse' in_shell "$in_namesakes -c a.cu -o a.o"
(cd namesakes && sed -i 's/"source":"[^"]*"/"source":"k.cuh"/' known.json && : >k.cuh)
expect 1 '90 registers' 'the kernel is of a header: the kernel is worse' in_shell "$in_namesakes -c b.cu -o b.o"
sed -i 's/"source":"k.cuh"/"source":"a.cu"/' namesakes/known.json
rm namesakes/a.cu
expect 1 '90 registers' 'the source of the baseline is deleted: the kernel is worse' in_shell "$in_namesakes -c b.cu -o b.o"

# ---- baseline: a kernel of a header is gone if the file that compiled it is compiled again, and only then
mkdir -p header && (
    cd header && : >.warplint.yaml && echo '#include "k.cuh"' >a.cu && cp a.cu b.cu
    echo '__global__ void scan(float *p) { *p = 1; }' >k.cuh
    say _Z4scanPf 24 >light.txt
    say _Z4scanPfi 90 >heavy.txt
    FAKE_SAY=light.txt "$warplint" wrap --record-only -- "$nvcc" -c a.cu -o a.o
    "$warplint" baseline write known.json a.o.warplint.ndjson
    sed -i 's/float [*]p/float *p, int n/' k.cuh
) >/dev/null 2>&1
holds 'the baseline states the header and the compiled file' grep -q '"source":"k.cuh","compiled_in":"a.cu"' header/known.json
in_header='cd header && FAKE_SAY=heavy.txt "$warplint" wrap --baseline known.json -- "$nvcc"'
expect 1 'k.cuh:1: warning: scan .*90 registers per thread, 24 in the baseline' 'the file of the baseline is compiled, a parameter was added: the kernel is worse' in_shell "$in_header -c a.cu -o a.o"
expect 0 '' 'another file includes the header: the kernel is new' in_shell "$in_header -c b.cu -o b.o"
(cd header && sed -i 's/"compiled_in":"a.cu"/"compiled_in":["a.cu","c.cu"]/' known.json && cp a.cu c.cu)
expect 1 'k.cuh:1: warning: scan .*90 registers per thread, 24 in the baseline' 'the baseline has two files, and the second is compiled: the kernel is worse' in_shell "$in_header -c c.cu -o c.o"
expect 0 '' 'the baseline has two files, and a third is compiled: the kernel is new' in_shell "$in_header -c b.cu -o b.o"

# ---- baseline: a source has the same name in whatever folder the compiler runs
mkdir -p tree-of/pkg/lib/gpu tree-of/build outside tree-of/pkg/build
(
    cd tree-of && mkdir .git && : >pkg/lib/gpu/one.cu && : >pkg/lib/gpu/two.cu && say _ZL4fillPf 32 >32.txt && say _ZL4fillPf 46 >46.txt
    for file in one:32 two:46; do
        FAKE_SAY=${file#*:}.txt "$warplint" wrap --record-only -- "$nvcc" -c pkg/lib/gpu/${file%:*}.cu -o build/${file%:*}.o
    done
    "$warplint" baseline write ../fills.json build
) >/dev/null 2>&1
expect 0 'pkg/lib/gpu/one.cu' 'the baseline states sources from the root of the checkout' cat fills.json
gate_one='FAKE_SAY=$work/tree-of/46.txt "$warplint" wrap --where=never --baseline "$work/fills.json" -- "$nvcc" -c "$work/tree-of/pkg/lib/gpu/one.cu" -o one.o'
for folder in tree-of tree-of/build tree-of/pkg/build outside; do
    expect 1 '46 registers per thread, 32 in the baseline' "one kernel gets as bad as another of its name: worse, in $folder" in_shell "cd $folder && $gate_one"
done
: >tree-of/pkg/.warplint.yaml
expect 1 '46 registers per thread, 32 in the baseline' 'a subfolder of the checkout has a configuration: the kernel is worse' in_shell "cd outside && $gate_one"
rmdir tree-of/.git
expect 1 '46 registers per thread, 32 in the baseline' 'no repository: the kernel is worse' in_shell "cd outside && $gate_one"

# ---- findings that fail the compile
export FAKE_SAY=spill.txt
expect 1 'a.cu: error: bad.*register-spill' 'a finding is printed although a report is written' in_shell '"$warplint" wrap -o csv=wrapped.csv -- "$nvcc" -c a.cu -o x.o; s=$?; test -s wrapped.csv && exit $s'
for time in first second; do
    expect 1 'a.cu: error: bad.*register-spill' "a spill fails, the $time time" in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o; s=$?; test ! -e x.o && exit $s'
done
expect 1 '' 'only the object is removed' in_shell '
    : >x.d; : >other.o; "$warplint" wrap -- "$nvcc" -c a.cu -MD -MF x.d -o x.o; s=$?; test -e x.d && test -e a.cu && test -e other.o && test -e x.o.warplint.ndjson && test ! -e x.o && exit $s'
awk 'BEGIN { for (i = 0; i < 60; i++) { n = sprintf("%c%c%c", 97 + i % 26, 97 + int(i / 3) % 26, 97 + int(i / 7)); printf "ptxas info    : Compiling entry function '"'"'_Z3%sPf'"'"' for '"'"'sm_90'"'"'\nptxas info    : Function properties for _Z3%sPf\n    8 bytes stack frame, %d bytes spill stores, 12 bytes spill loads\nptxas info    : Used 255 registers, used 0 barriers\n", n, n, 4 * i } }' >sixty.txt
FAKE_SAY=sixty.txt expect 1 '^2[0-4] .* others' 'sixty findings take at most 24 lines' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o >/dev/null 2>said; s=$?; echo $(wc -l <said) $(grep "others" said); exit $s'
expect 1 'error: x.o was removed' 'the removal of the object is reported' "$warplint" wrap -- "$nvcc" -c a.cu -o x.o
: >real.o && ln -s "$work/real.o" link.o && ln -s link.o links.o
expect 1 'error: links.o was removed' 'the object is a link to a link: the removal is reported' "$warplint" wrap -- "$nvcc" -c a.cu -o links.o
holds 'the file that the links lead to is removed' test ! -e real.o
holds 'the links are not removed' test -h links.o -a -h link.o
ln -s /proc/self/fd/1 out.o
expect 1 'out.o cannot be removed' 'the object is a link to a descriptor: it cannot be removed' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o out.o >kept'
holds 'the link and the file of the descriptor are not removed' test -h out.o -a -s kept
rm -f links.o link.o out.o kept
expect 1 'error: [ab].o and 1 more were removed' 'two objects are removed and reported' in_shell 'cp a.cu b.cu; : >a.o; : >b.o; "$warplint" wrap -- "$nvcc" -c a.cu b.cu; s=$?; test ! -e a.o && test ! -e b.o && rm b.cu && exit $s'
expect 1 '' '/dev/null is not reported as removed' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o /dev/null 2>said; s=$?; test -c /dev/null && grep -q register-spill said && ! grep -q removed said && exit $s'
if [ "$(id -u)" != 0 ]; then
    mkdir stuck && : >stuck/x.o && chmod 555 stuck
    expect 1 'error: stuck/x.o cannot be removed: Permission denied' 'an object that cannot be removed is reported' "$warplint" wrap -- "$nvcc" -c a.cu -o stuck/x.o
    chmod 755 stuck
fi
expect 1 'register-spill' '--keep-output keeps the object' in_shell '"$warplint" wrap --keep-output -- "$nvcc" -c a.cu -o x.o; s=$?; test -e x.o && exit $s'
expect 1 "^why and what to do: warplint explain register-spill; 1 note not shown: warplint check --notes 'q r.o.warplint.ndjson'\$" 'a hint counts the notes and names the record' "$warplint" wrap -- "$nvcc" -c a.cu -o 'q r.o'
expect 1 '\[missing-launch-bounds\]' 'the record has the note' "$warplint" check 'q r.o.warplint.ndjson'
expect 1 '1 note not shown$' 'no object and no record: the hint only counts the notes' "$warplint" wrap -- "$nvcc" -c a.cu -o /dev/null
expect 0 'register-spill' '--fail-on never: status 0, the object stays' in_shell '"$warplint" wrap --fail-on never -- "$nvcc" -c a.cu -o x.o && test -e x.o'
expect 0 '' '--ignore: status 0, the object stays' in_shell '"$warplint" wrap --ignore register-spill,register-ceiling -- "$nvcc" -c a.cu -o x.o && test -e x.o'
expect 1 '' 'without -o the object is removed' in_shell 'echo old >a.o; "$warplint" wrap -- "$nvcc" -c a.cu; s=$?; test ! -e a.o && test -e a.cu && exit $s'
FAKE_STATUS=5 expect 5 '' 'the status of the compiler takes precedence over findings' "$warplint" wrap -- "$nvcc" -c a.cu -o x.o
expect 2 'no rule' 'an unknown rule: status 2, the object is removed' in_shell '"$warplint" wrap --select no-such-rule -- "$nvcc" -c a.cu -o x.o; s=$?; test ! -e x.o && exit $s'
printf 'x.o: a.cu\n\t%s wrap -- %s -c a.cu -o x.o\n' "$warplint" "$nvcc" >Makefile
expect 0 '' 'make fails twice in a row' in_shell 'rm -f x.o; ! make -s && ! make -s'
unset FAKE_SAY

# ---- faults of warplint itself
if [ -n "${WARPLINT_FAULTY:-}" ]; then
    export WARPLINT_FAULTY
    for fault in 'crash:ended by signal 11' 'abort:ended by signal 6' 'status:ended with status 77' 'loop:took longer' 'memory:out of memory' \
        'prepare-crash:ended by signal 11' 'prepare-status:ended with status 77' 'prepare-loop:took longer' 'prepare-memory:out of memory'; do
        said=${fault#*:}
        WARPLINT_FAULT=${fault%%:*}
        export WARPLINT_FAULT
        expect 0 "$said" "fault $WARPLINT_FAULT: a message, status 0" in_shell 'rm -f x.o; "$WARPLINT_FAULTY" wrap -- "$nvcc" -c a.cu -o x.o; s=$?; test -e x.o && exit $s'
        expect 3 "$said" "fault $WARPLINT_FAULT: status 3 under --strict" in_shell 'rm -f x.o; "$WARPLINT_FAULTY" wrap --strict -- "$nvcc" -c a.cu -o x.o; s=$?; test ! -e x.o && exit $s'
        FAKE_STATUS=9 expect 9 '' "fault $WARPLINT_FAULT: the status of the compiler takes precedence" "$WARPLINT_FAULTY" wrap -- "$nvcc" -c a.cu -o x.o
    done
    export WARPLINT_FAULT=loop
    # interrupted SIGNAL STATUS GROUP: sent during judging, to the wrapper alone or (-) to all of its processes
    interrupted()
    {
        rm -f x.o
        setsid "$WARPLINT_FAULTY" wrap -- "$nvcc" -c a.cu -o x.o 2>err &
        pid=$!
        appears x.o
        sleep 0.2
        kill "-$1" "${3:-}$pid"
        wait $pid
        got=$?
        if [ $got = "$2" ] && [ ! -e x.o ]; then ok "interrupted while judging by SIG$1${3:+ to the group}: no output"; else
            bad "interrupted while judging by SIG$1${3:+ to the group}: status $got"
        fi
    }
    interrupted TERM 143
    interrupted HUP 129
    interrupted ALRM 142
    interrupted ALRM 142 -
    unset WARPLINT_FAULT
else
    echo "skipped: faults of our own, WARPLINT_FAULTY does not name the program that has them"
fi
# A limit of 0 bytes for every file.
export FAKE_SH=': >x.o; exit 0'
expect 0 'x.o.warplint.ndjson: warning: the record cannot be written: File too large' 'a limit of file sizes of 0: a warning' in_shell 'rm -f x.o; (ulimit -f 0; exec "$warplint" wrap -- "$nvcc" -c a.cu -o x.o) 2>&1 | cat; test -e x.o'
expect 3 'the record cannot be written: File too large' 'a limit of file sizes of 0: status 3 under --strict' in_shell '
    { (ulimit -f 0; exec "$warplint" wrap --strict -- "$nvcc" -c a.cu -o x.o); echo $? >&3; } 2>&1 3>status | cat; exit $(cat status)'
unset FAKE_SH
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "ptxas info    : Compiling entry function '"'"'_Z9kernel%06dPf'"'"' for '"'"'sm_90'"'"'\nptxas info    : Function properties for _Z9kernel%06dPf\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 20 registers, used 0 barriers\n", i, i }' >many.txt
limits='20000 24000 30000' told='its output is too long to be kept; bytes kept: [0-9]{7,8}$'
if ! (ulimit -v 60000 && "$warplint" --version) >/dev/null 2>&1; then
    echo "skipped: little memory, this build's sanitizer needs more to start"
    limits=
fi
for kib in $limits; do
    FAKE_SAY=many.txt expect 0 "${told:-out of memory|was not judged}" "with $kib KiB of memory: a message, and the object is made" in_shell 'rm -f x.o; (ulimit -v '$kib'; exec "$warplint" wrap -- "$nvcc" -c a.cu -o x.o); s=$?; test -e x.o && exit $s'
    told=
done
FAKE_SAY=many.txt expect 0 '' 'with enough memory: the record has all kernels' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o && test $(wc -l <x.o.warplint.ndjson) = 60003'

# ---- installed as nvcc
mkdir mask real
ln -s "$warplint" mask/nvcc
cp "$nvcc" real/nvcc
FAKE_SAY=spill.txt expect 1 'register-spill' 'installed as nvcc: it runs the real nvcc' env PATH="$work/mask:$work/real:$PATH" nvcc -c a.cu -o x.o
FAKE_SAY=spill.txt expect 1 'register-spill' 'wrap -- nvcc, also installed as nvcc: it runs the real nvcc' env PATH="$work/mask:$work/real:$PATH" "$warplint" wrap -- nvcc -c a.cu -o x.o
expect 0 '^-Xptxas=-v -c a.cu $' 'behind env, installed as nvcc: it adds its options once' in_shell 'PATH="$work/mask:$work/real:$PATH" FAKE_ARGS=args "$warplint" wrap -- env nvcc -c a.cu && tr "\n" " " <args'
expect 0 '^-Xptxas=-v -c a.cu $' 'its folder is twice in PATH, and once behind a link: it runs the real nvcc' in_shell 'ln -s mask mask2; PATH="$work/mask:$work/mask2:$work/mask:$work/real:$PATH" FAKE_ARGS=args nvcc -c a.cu && tr "\n" " " <args'
expect 0 '^-Xptxas=-v -c a.cu $' 'its folder is not in PATH: it runs the real nvcc' in_shell 'PATH="$work/real:$PATH" FAKE_ARGS=args "$work/mask/nvcc" -c a.cu && tr "\n" " " <args'
mkdir copy1 copy2
cp "$warplint" copy1/nvcc
cp "$warplint" copy2/nvcc
expect 0 '^-Xptxas=-v -c a.cu $' 'two copies of it do not call each other' in_shell 'PATH="$work/copy1:$work/copy2:$work/real:$PATH" FAKE_ARGS=args timeout 20 nvcc -c a.cu 2>/dev/null && sort -u args | sort | tr "\n" " " | sed "s/^-Xptxas=-v -c/&/"'
expect 0 '' 'two copies of it with nothing to judge do not call each other' in_shell 'PATH="$work/copy1:$work/copy2:$work/real:$PATH" FAKE_ARGS=args timeout 20 nvcc --version && grep -qx -e --version args'
expect 0 '^-c a.cpp $' 'a relative PATH with ..: it runs the real nvcc' in_shell 'mkdir -p deep && cd deep && PATH="../mask:../real:$PATH" FAKE_ARGS=../args nvcc -c a.cpp && tr "\n" " " <../args'
ln -s "$warplint" mask/nvcc-of-nobody
expect 127 '^warplint: error: `.* wrap` is given twice in front of the compiler, expected once$' 'wrap is given twice: status 127' env PATH="$work/real:/usr/bin:/bin" "$warplint" wrap -- "$warplint" wrap -- nvcc -c a.cu
expect 127 'is warplint itself' 'no real compiler: status 127' mask/nvcc-of-nobody -c a.cu

# ---- killed at any moment
# WARPLINT_TEST_KILLS compiles, ten at once, of a source with many kernels. A shell's background processes ignore
# SIGINT, so env restores it. Those that SIGKILL ends work in another folder, because a temporary file can stay.
mkdir -p kills
kills=${WARPLINT_TEST_KILLS:-200}
head -n 8001 many.txt >some.txt
export FAKE_SAY=some.txt
torn=0 round=0 killed=0
while [ $round -lt $((kills / 10)) ]; do
    round=$((round + 1))
    for j in 1 2 3 4 5 6 7 8 9 10; do
        case $(((round + j) % 3)) in 0) folder=kills ;; *) folder=. ;; esac
        env --default-signal=INT "$warplint" wrap --fail-on never -- "$nvcc" -c a.cu -o "$folder/p$((j % 7)).o" 2>/dev/null &
        eval "pid$j=$!"
    done
    sleep "0.$((round * 7 % 20 / 10))$((round * 7 % 10))"
    for j in 1 2 3 4 5 6 7 8 9 10; do
        case $(((round + j) % 3)) in 0) signal=KILL ;; 1) signal=TERM ;; *) signal=INT ;; esac
        eval "kill -$signal \$pid$j"
    done
    for j in 1 2 3 4 5 6 7 8 9 10; do
        eval "wait \$pid$j"
        [ $? -lt 128 ] || killed=$((killed + 1))
    done
    for record in p*.ndjson kills/p*.ndjson; do
        [ ! -e "$record" ] || [ "$(tail -n 1 "$record" | cut -c1-14)" = '{"type":"end",' ] || torn=$((torn + 1))
    done
done 2>/dev/null
sleep 0.5
for j in 0 1 2 3 4 5 6; do
    "$warplint" wrap --fail-on never -- "$nvcc" -c a.cu -o "p$j.o" 2>/dev/null
    "$warplint" check -q --fail-on never "p$j.o.warplint.ndjson" >/dev/null || torn=$((torn + 1))
done
unset FAKE_SAY
if [ $torn = 0 ] && [ $killed -gt 0 ] && ! ls -A | grep -q '^.warplint-'; then
    ok "$kills compiles, $killed of them killed, leave no torn record and no temporary file"
else
    bad "$kills compiles, $killed of them killed: $torn torn records, $(ls -A | grep -c '^.warplint-') temporary files"
fi

finish
