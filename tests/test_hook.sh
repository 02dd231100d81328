#!/bin/sh
# usage: test_hook.sh PROGRAM SOURCE_DIR
#
# The options that the wrapper adds to a command: it adds only those that the compiler accepts (with a scripted
# compiler). With the real nvcc, if installed, they give launch bounds, source lines and loops, and do not change the
# machine code.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
PATH=$PATH:/usr/local/cuda/bin
XDG_CACHE_HOME=$work/cache HOME=$work/home
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
export PATH warplint work XDG_CACHE_HOME HOME
mkdir home

# prints the values of these keys from NDJSON on standard input, one kernel per line
values()
{
    sed -n '/"type":"kernel"/p' | while IFS= read -r line; do
        for key; do
            printf '%s ' "$(printf '%s\n' "$line" | sed 's/.*"'"$key"'":\("[^"]*"\|[^,}]*\).*/\1/; s/"//g')"
        done
        echo
    done | sed 's/ $//' | sort
}

# ---- a scripted compiler that accepts our options
# KNOWS lists the options that it accepts; each dry run adds a line to `asked`.
mkdir bin
cat >bin/nvcc <<'SH'
#!/bin/sh
case " $* " in
*" --dryrun "*)
    echo asked >>"$work/asked"
    sed -n '/^SigIgn/p' "/proc/$$/status" >"$work/ignored"
    for word; do
        case $word in
        -Xcicc*) knows=remarks xopt=' --Xopt -pass-remarks=unroll' ;;
        --ptxas-prefix*) knows=prefix ;;
        -arch=all-major) knows=major ;;
        *) continue ;;
        esac
        case " $KNOWS " in
        *" $knows "*) ;;
        *)
            echo "nvcc fatal   : Unknown option '$word'" >&2
            exit 1
            ;;
        esac
    done
    printf '#$ %s\n' "_HERE_=$work/bin" "CICC_PATH=$work/bin" "\"\$CICC_PATH/cicc\" -arch compute_75 -m64$xopt \"x.ii\"" \
        "\"\$CICC_PATH/cicc\" -arch compute_120 -m64$xopt \"x.ii\"" >&2
    case " $* " in
    *" --ptxas-prefix=warplint-probe "*) echo '#$ warplint-probe ptxas -arch=sm_75 "x.ptx" -o "x.cubin" ' >&2 ;;
    esac
    exit 0
    ;;
esac
printf '%s\n' "$@" >"$work/args"
[ ! -e "$work/say" ] || cat "$work/say" >&2
if [ -e "$work/say-ptxas" ]; then # what ptxas says, behind the command that we were given for it
    for word; do
        case $word in --ptxas-prefix=*) prefix=${word#*=} ;; esac
    done
    printf '#!/bin/sh\ncat "$work/say-ptxas" >&2\n' >"$work/bin/ptxas"
    chmod +x "$work/bin/ptxas"
    eval "${prefix:-} $work/bin/ptxas -arch=sm_90 k.ptx"
    [ ! -e "$work/say-late" ] || cat "$work/say-late" >&2
fi
case " $* " in *" -o x.o "*) echo object >x.o ;; esac
SH
cat >bin/cicc <<'SH'
#!/bin/sh
case " $KNOWS $*" in
*" cicc "*) ;;
*) exit 1 ;;
esac
while [ $# -gt 1 ]; do
    [ "$1" != -o ] || : >"$2"
    shift
done
SH
chmod +x bin/nvcc bin/cicc
touch a.cu
echo 'ptxas info    : 0 bytes gmem' >say
nvcc=$work/bin/nvcc
export nvcc

# added KNOWS OPTION...: the words that the compiler gets, with our own path shown as OURS
added()
{
    KNOWS=$1
    export KNOWS
    shift
    timeout -s KILL 60 "$warplint" wrap "$@" 2>said || return 1
    tr '\n' ' ' <args | sed "s|$ours|OURS|"
    echo "asked $(wc -l <asked) times, $(ls "$TMPDIR" | wc -l) folders left"
}
ours=$(readlink -f "$warplint")
: >asked
TMPDIR=$work/tmp
export TMPDIR
mkdir tmp
all='-Xptxas=-v -Xcicc=--Xopt,-pass-remarks=unroll -Xcicc=--Xopt,-pass-remarks-missed=unroll --ptxas-prefix=OURS __ptxas'
expect 0 "^$all -c a.cu asked 1 times, 0 folders left" 'options that the compiler accepts are added, one word each' added 'major remarks prefix cicc' -- "$nvcc" -c a.cu
expect 0 "^$all -c a.cu asked 1 times" 'the compiler is queried once' added '' -- "$nvcc" -c a.cu
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -c' '--no-remarks adds no remarks' added '' --no-remarks -- "$nvcc" -c a.cu
expect 0 '^[-]Xptxas=-v -Xcicc=.*=unroll -c a.cu' '--no-hook adds no ptxas prefix' added '' --no-hook -- "$nvcc" -c a.cu
expect 0 '^[-]c a.cu asked 1' '--no-hook --no-remarks --no-verbose adds nothing' added '' --no-hook --no-remarks --no-verbose -- "$nvcc" -c a.cu
expect 0 '^[-]Xptxas=-v -Xcicc=.*=unroll --ptxas-prefix=time -c' "--ptxas-prefix of the user is unchanged, and none is added" added '' -- "$nvcc" --ptxas-prefix=time -c a.cu
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -Xcicc --Xopt,-pass-remarks=inline -c' "-pass-remarks of the user is unchanged, and none is added" added '' -- "$nvcc" -Xcicc --Xopt,-pass-remarks=inline -c a.cu
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -opt-info inline -c' '-opt-info of the user: no remarks are added' added '' -- "$nvcc" -opt-info inline -c a.cu
mkdir "two
lines" && cp a.cu "two
lines/a.cu"
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -c two' 'a source path with a line feed: no remarks are added, because wrap could not remove them' added '' -- "$nvcc" -c "two
lines/a.cu"
expect 0 "^$all -c a.cu asked 1" 'behind a launcher the options are added' added '' -- env A=1 "$nvcc" -c a.cu
printf '#!/bin/sh\nexec "$@"\n' >bin/sccache
chmod +x bin/sccache
expect 0 '^[-]Xptxas=-v -c a.cu asked 1' 'under sccache only -Xptxas=-v is added' added '' -- "$work/bin/sccache" "$nvcc" -c a.cu
cat >bin/nvcc_wrapper <<'SH'
#!/bin/sh
for word; do
    shift
    case $word in
    -Xcicc* | --ptxas-prefix*) set -- "$@" "-Xcompiler=$word" ;; # what it does not know is for the host compiler
    *) set -- "$@" "$word" ;;
    esac
done
exec "$nvcc" "$@"
SH
chmod +x bin/nvcc_wrapper
expect 0 '^[-]Xptxas=-v -c a.cu asked 2' 'a script that passes unknown options to the host compiler: only -Xptxas=-v is added' added 'major remarks prefix cicc' -- "$work/bin/nvcc_wrapper" -c a.cu
: >asked
echo asked >>asked
cp bin/nvcc bin/clang++
expect 0 '^[-]Xcuda-ptxas -v -x cuda -c a.cu asked 1' 'clang is not queried' added 'major remarks prefix cicc' -- "$work/bin/clang++" -x cuda -c a.cu
expect 0 '^[-]c a.cpp asked 1' 'host code: nothing is added, no query' in_shell '"$warplint" wrap -- "$nvcc" -c a.cpp && tr "\n" " " <args && echo "asked $(wc -l <asked)"'
sleep 0.01
touch bin/nvcc
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -c a.cu asked 2' 'a changed compiler is queried again, without cicc no remarks are added' added 'major remarks prefix' -- "$nvcc" -c a.cu
expect 0 ' -c a.cu asked 2' 'the result of that query is cached' added 'major remarks prefix' -- "$nvcc" -c a.cu
touch bin/nvcc
expect 0 '^[-]Xptxas=-v -Xcicc=.* --ptxas-prefix=OURS __ptxas -c a.cu asked 4' 'a compiler without -arch=all-major: the other options are added' added 'remarks prefix cicc' -- "$nvcc" -c a.cu
touch bin/nvcc
expect 0 '^[-]Xptxas=-v --ptxas-prefix=OURS __ptxas -c a.cu asked 7' 'a compiler without -Xcicc: no remarks are added' added 'major prefix cicc' -- "$nvcc" -c a.cu
touch bin/nvcc
expect 0 '^[-]Xptxas=-v -c a.cu asked 11' 'a compiler that accepts no option: only -Xptxas=-v is added' added '' -- "$nvcc" -c a.cu
expect 0 '^[-]Xptxas=-v -c a.cu asked 11' 'the result for that compiler is cached' added '' -- "$nvcc" -c a.cu
is_ignored=$(cut -c 16-17 ignored)
[ "$is_ignored" = "$(sed -n '/^SigIgn/p' /proc/self/status | cut -c 16-17)" ] && ok 'the query does not ignore signals 32 and 33' || bad "signals 32 and 33 of who is asked: $is_ignored"
for text in '' 'warplint compiler 1' 'something else'; do
    for cached in cache/warplint/compiler-*; do
        printf '%s\n' "$text" >"$cached"
    done
    : >asked
    expect 0 "^$all -c a.cu asked 1" "a cache file with the text '$text' is not used" added 'major remarks prefix cicc' -- "$nvcc" -c a.cu
done
for cached in cache/warplint/compiler-*; do
    head -c 100000 /dev/zero >"$cached"
done
expect 0 "^$all -c a.cu asked 2" 'a cache file of zeros is not used' added 'major remarks prefix cicc' -- "$nvcc" -c a.cu
for cached in cache/warplint/compiler-*; do
    rm "$cached" && mkfifo "$cached"
done
: >asked
expect 0 "^$all -c a.cu asked 1" 'a pipe in place of the cache file is not used' added 'major remarks prefix cicc' -- "$nvcc" -c a.cu
rm cache/warplint/compiler-*
expect 0 '^clean$' 'a cache that cannot be written: options are added, no message' in_shell 'touch file; XDG_CACHE_HOME=$work/file "$warplint" wrap -- "$nvcc" -c a.cu 2>said && test ! -s said && grep -q ptxas-prefix args && echo clean'
expect 0 '^clean$' 'no HOME: options are added, no message' in_shell 'env -u HOME -u XDG_CACHE_HOME "$warplint" wrap -- "$nvcc" -c a.cu 2>said && test ! -s said && grep -q ptxas-prefix args && echo clean'
expect 0 '^clean$' 'a relative XDG_CACHE_HOME is not used' in_shell 'XDG_CACHE_HOME=rel "$warplint" wrap -- "$nvcc" -c a.cu && test ! -e rel && test -d home/.cache/warplint && echo clean'
expect 0 '^clean$' 'no temporary folder: only known options are added' in_shell 'touch bin/nvcc; TMPDIR=$work/none XDG_CACHE_HOME=$work/none/a "$warplint" wrap -- "$nvcc" -c a.cu && ! grep -q ptxas-prefix args && echo clean'
expect 0 '^clean$' 'no temporary file is left in the cache' in_shell 'ls cache/warplint | grep -v "^compiler-[0-9a-f]*$" || echo clean'
far="$work/a b,c'd\$x;\"y"
export far
mkdir "$far"
cp "$warplint" "$far/warplint"
: >args
expect 0 '^--ptxas-prefix=.*/a\\ b\\,c\\.d\\\$x\\;\\"y/warplint __ptxas$' 'a path of the program with special characters is quoted' in_shell '
    KNOWS="major remarks prefix cicc" "$far/warplint" wrap -- "$nvcc" -c a.cu; cat args'
expect 0 '^--ptxas-prefix=/.*/warplint __ptxas$' 'a program started through a relative PATH: its absolute path is used' in_shell '
    cd "$far" && PATH=.:$PATH && warplint wrap -- "$nvcc" -c a.cu && cat "$work/args"'

# ---- the output that users see
cat >say <<'SAY'
a.cu(1): warning #177-D: variable was declared

remark: a.cu:5:5: Starting analysis in loop, in function F[_Z1kv]...

remark: a.cu:5:5:       Loop has "#pragma unroll" (full unroll directive)

remark: a.cu:5:5: Unable to fully unroll loop as directed by unroll(full) pragma because it cannot.


remark of somebody else

the end
warplint info    : PTX 1: entry _Z1kv sm_90 maxntid=256,1,1
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'
ptxas info    : Function properties for _Z1kv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
SAY
printf '%s\n' 'a.cu(1): warning #177-D: variable was declared' '' 'remark of somebody else' '' 'the end' >wanted
KNOWS='major remarks prefix cicc'
export KNOWS
expect 0 '' 'remarks and the empty lines after them are dropped' in_shell '"$warplint" wrap --record-only -- "$nvcc" -c a.cu 2>&1 | cmp - wanted'
expect 0 '' '--passthrough all passes all lines on' in_shell '"$warplint" wrap --record-only --passthrough all -- "$nvcc" -c a.cu 2>&1 | cmp - say'
expect 0 '' '-Xptxas -v of the user: lines of ptxas are passed on, ours are not' in_shell 'grep "^ptxas\|bytes stack" say | cat wanted - | sort >more; "$warplint" wrap --record-only -- "$nvcc" -Xptxas -v -c a.cu 2>&1 | sort | cmp - more'
expect 0 '^3$' "remarks that -opt-info asks for are passed on" in_shell '"$warplint" wrap --record-only -- "$nvcc" -opt-info inline -c a.cu 2>&1 | grep -c "^remark: "'
expect 0 '^3$' '--no-remarks: remarks are passed on' in_shell '"$warplint" wrap --record-only --no-remarks -- "$nvcc" -c a.cu 2>&1 | grep -c "^remark: "'
expect 0 'a.cu:5:5: warning: k.*: not unrolled: unable to fully unroll' 'a loop that is not unrolled is a finding' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu; true'
cat >exact.yaml <<'YAML'
kernels:
  - {match: k, launch-bounds: exact}
YAML
expect 0 '"threads":256,"threads_from":"launch-bounds"' 'a launch bound is used as the block size' in_shell '"$warplint" report --no-config --format ndjson say'
expect 0 '"threads":256,"threads_from":"config"' 'launch-bounds: exact in the configuration: the block size is from the configuration' in_shell '"$warplint" report --config exact.yaml --format ndjson say'
expect 0 '[.][0-9]%\^|100.0%\^' 'text marks results that rest on a launch bound' in_shell '"$warplint" report --no-config say'
echo 'nothing of ptxas' >say
expect 0 'warning: not judged: the compile made no machine code' 'a compile without machine code: reported as not judged' in_shell '"$warplint" wrap -- "$nvcc" -c a.cu -o x.o 2>&1'
expect 0 '^[-]c' 'a compile without machine code and --no-verbose: not reported' in_shell '"$warplint" wrap --no-verbose -- "$nvcc" -c a.cu 2>&1 | grep "not judged" && exit 1; cat args'

# ---- a message that quotes a line of ptxas is not a line of ptxas
cat >say-ptxas <<'SAY'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
SAY
cat >quoted <<'SAY'
a.cu(1): remark #20200-D: #pragma message: "x
nvcc -G -c a.cu -o x.o
warplint info    : PTX 1: entry _Z1kPf sm_90 maxntid=32,1,1
warplint info    : ptxas 0123456789abcdef begins
ptxas info    : Compiling entry function '_Z4fakePf' for 'sm_90'
ptxas info    : Function properties for _Z4fakePf
    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
nvlink info    : Function properties for '_Z1kPf':
nvlink info    : used 40 registers, used 0 barriers, 0 stack, 0 bytes smem, 536 bytes cmem[0], 0 bytes lmem
ptxas warning : Registers are spilled to local memory in function '_Z4fakePf', 8 bytes spill stores, 8 bytes spill loads
remark: a.cu:5:5: completely unrolled loop with 8 iterations
"
  #pragma message(TEXT)
                       ^

SAY
all_said() # OPTION...: the status of the gate, and the kernels and events of the record
{
    rm -f x.o*
    "$warplint" wrap --keep-output "$@" -c a.cu -o x.o 2>told
    echo "status $?" >got
    values mangled registers spill_store_bytes bound_threads debug ambiguous <x.o.warplint.ndjson >>got
    sed -n 's/.*"type":"event".*"id":"\([^"]*\)".*/event \1/p' x.o.warplint.ndjson >>got
    tr '\n' ';' <got
}
real='_Z1kPf 255 8 64 false false;'
printf '.visible .entry _Z1kPf(.param .u64 p)\n.maxntid 64, 1, 1\n{ ret; }\n' >k.ptx
rm -f say
expect 0 "^status 1;$real\$" 'lines of ptxas alone are judged' all_said --strict -- "$nvcc"
cp quoted say
expect 0 "^status 1;$real\$" 'lines that a message quotes give no kernel and no event' all_said --strict -- "$nvcc"
cp quoted say-late
expect 0 "^status 1;$real\$" 'quoted lines after those of ptxas give no kernel and no event' all_said --strict -- "$nvcc"
rm say-late
{
    cat quoted
    echo 'warplint info    : ptxas fedcba9876543210 begins'
    cat say-ptxas
    echo 'warplint info    : ptxas fedcba9876543210 ends'
} | sed '/ 0123456789abcdef /d; /^ptxas warning/d' >say
mv say-ptxas say-ptxas.kept
printf '#!/bin/sh\nexec "$@"\n' >bin/ccache
chmod +x bin/ccache
expect 0 '^status 1;_Z1kPf 255 8 null false false;$' 'ccache prints the marks of the first run: its lines are judged' all_said --strict -- "$work/bin/ccache" "$nvcc"
expect 0 '^status 3;_Z1kPf .*true;_Z1kPf .*true;_Z4fakePf .*true;$' 'such marks without ccache: nothing is judged' all_said --strict -- "$nvcc"
sed -i '1a warplint info    : ptxas 0123456789abcdef begins' say
expect 0 '^status 3;.*_Z4fakePf .*true;$' 'ccache prints marks with two keys: nothing is judged' all_said --strict -- "$work/bin/ccache" "$nvcc"
mv say-ptxas.kept say-ptxas
{
    sed '/ 0123456789abcdef /d; /^"$/,$d; /fake/,/40 registers/d; /^ptxas warning/d' quoted
    sed 's/8 bytes/0 bytes/g; s/12 bytes/0 bytes/' say-ptxas
    echo '"'
} >say
expect 0 '^status 3;_Z1kPf null null .*true;_Z1kPf null null .*true;' 'without the hook two different results for one kernel: nothing is judged' all_said --strict --no-hook -- "$nvcc"
holds 'without the hook two different results for one kernel: a message says so' grep -q 'x.o: warning: not judged: 3 kernels, as it is not known which of the compiler.s lines are ptxas.s' told
cp quoted say
cat >bin/unended <<'SH'
#!/bin/sh
"$nvcc" "$@" 2>&1 | sed '/ ends$/d' >&2
SH
chmod +x bin/unended
rm -f say
expect 0 '^status 1;' 'a mark without its end: findings fail' all_said --strict -- "$work/bin/unended"
sed -i 's/ [0-9]* bytes spill/ 0 bytes spill/g; s/ 8 bytes stack/ 0 bytes stack/; s/255/20/' say-ptxas
expect 0 '^status 3;' 'a mark without its end, no findings: status 3 under --strict' all_said --strict -- "$work/bin/unended"
rm -f say

# Marks after an unfinished line of another writer: the user sees the same as without marks.
unmarked() # COMMAND...: what is seen of a compile; the record is x.o's
{
    rm -f x.o*
    "$warplint" wrap --keep-output "$@" -c a.cu -o x.o 2>&1 | cat >got
    cat got
    grep -q '_Z1kPf.*"ambiguous":false' x.o.warplint.ndjson
}
cat >bin/progress <<'SH'
#!/bin/sh
case " $* " in *" --dryrun "*) exec "$nvcc" "$@" ;; esac
printf 'a.cu ... '
"$nvcc" "$@" && echo done
SH
chmod +x bin/progress
expect 0 '' 'marks after an unfinished line on standard output: the record is right' unmarked --strict -- "$work/bin/progress"
holds 'marks after an unfinished line on standard output are not shown' in_shell 'echo "a.cu ... done" | cmp - got'
printf 'a.cu ... ' >say
echo done >say-late
expect 0 '' 'marks after an unfinished line on standard error: the record is right' unmarked --strict -- "$nvcc"
holds 'marks after an unfinished line on standard error are not shown' in_shell 'echo "a.cu ... done" | cmp - got'
printf 'remark: a.cu:5:5: completely unrolled loop with 8 iterations\n\n' >remarked
sed -i 's/^printf.*/&; sleep 0.5; cat "$work\/remarked" >\&2/' bin/progress
rm say
expect 0 '' 'a remark after an unfinished line: the record is right' unmarked --strict -- "$work/bin/progress"
holds 'a remark after an unfinished line is not shown' in_shell 'printf "a.cu ... done\ndone\n" | cmp - got'
rm -f say-late say-ptxas bin/ptxas

# ---- the hook as nvcc calls it
printf '.visible .entry k(.param .u64 p)\n.maxntid 64, 1, 1\n{ ret; }\n' >k.ptx
cat >bin/ptxas <<'SH'
#!/bin/sh
printf '[%s]' "$@"
echo
echo said >&2
[ "$(cat)" = "${STDIN:-}" ] || exit 9
exit "${STATUS:-0}"
SH
chmod +x bin/ptxas
hook='PATH=$work/bin:$PATH "$warplint" __ptxas ptxas'
expect 0 '^warplint info    : PTX 1: entry k sm_90a maxntid=64,1,1$' 'the hook prints the launch bounds of the PTX' in_shell "$hook -arch=sm_90a -m64 -v k.ptx -o x.cubin"
expect 0 '^\[-arch=sm_90\]\[a b\]\[\]\[k.ptx\]\[-o\]\[x\]$' 'the hook passes arguments and standard input to ptxas' in_shell "export STDIN=in; printf in | $hook -arch=sm_90 'a b' '' k.ptx -o x"
expect 0 '^7$' 'the hook returns the status of ptxas' in_shell "STATUS=7 $hook -arch=sm_90 k.ptx; echo \$?"
expect 0 '^143$' 'the hook ends by the signal that ended ptxas' in_shell "printf '#!/bin/sh\nkill -TERM \$\$\n' >bin/tx && chmod +x bin/tx && PATH=\$work/bin:\$PATH \"\$warplint\" __ptxas tx -arch=sm_90 k.ptx; echo \$?"
expect 0 '^1 lines$' 'the hook prints nothing for a virtual architecture' in_shell "$hook -arch=compute_90 k.ptx 2>&1 >out1 | wc -l | sed 's/\$/ lines/'"
expect 0 '^1 lines$' 'the hook prints nothing for a missing PTX file' in_shell "$hook -arch=sm_90 none.ptx 2>&1 >out1 | wc -l | sed 's/\$/ lines/'"
expect 0 '^1 lines$' 'the hook does not read a pipe' in_shell "mkfifo pipe.ptx; $hook -arch=sm_90 pipe.ptx 2>&1 >out1 | wc -l | sed 's/\$/ lines/'"
expect 0 '^1 lines$' 'the hook does not read the output file as PTX' in_shell "$hook -arch=sm_90 -o k.ptx 2>&1 >out1 | wc -l | sed 's/\$/ lines/'"
marked='export WARPLINT_PTXAS_KEY=0123456789abcdef'
expect 0 '^begins PTX said ends 7$' 'with a key the hook prints marks around the lines of ptxas' in_shell "$marked; STATUS=7 $hook -arch=sm_90 k.ptx 2>err1 >out1; status=\$?; sed 's/^warplint info    : ptxas 0123456789abcdef //; s/^warplint info    : PTX.*/PTX/' err1 | tr '\n' ' '; echo \$status"
expect 0 '^143$' 'with a key the hook ends by the signal that ended ptxas' in_shell "$marked; PATH=\$work/bin:\$PATH \"\$warplint\" __ptxas tx -arch=sm_90 k.ptx 2>err1; echo \$?"
expect 0 '^127$' 'a missing ptxas: status 127' in_shell '"$warplint" __ptxas no-such-ptxas 2>&1; echo $?'
expect 0 '^\[' 'standard error is closed: ptxas runs' in_shell "{ $hook -arch=sm_90 k.ptx; } 2>&-"
if (ulimit -v 60000 && "$warplint" --version) >/dev/null 2>&1; then
    awk 'BEGIN { s = "k"; while (length(s) < 500000) s = s s; for (i = 0; i < 150; i++) print ".entry " s i "() .maxntid 32 {}" }' >huge.ptx
    expect 0 '^1 lines: said$' 'the hook without enough memory: ptxas runs, no launch bounds' in_shell "ulimit -v 60000; $hook -arch=sm_90 huge.ptx 2>&1 >out1 | cut -c1-60 | awk '{ last = \$0 } END { print NR \" lines: \" last }'"
    rm huge.ptx
else
    echo "skipped: little memory, this build's sanitizer needs more to start"
fi
unset KNOWS TMPDIR

# ---- the real nvcc
command -v nvcc >/dev/null 2>&1 || {
    echo "skipped: no nvcc"
    finish
}
[ -z "${WARPLINT_TEST_QUICK:-}" ] || {
    echo "skipped: WARPLINT_TEST_QUICK is set, compiling takes minutes"
    finish
}
cp "$source/tests/data/hook.cu" "$source/tests/data/hook.cuh" .
two='-gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=sm_120'
cat >bounds.expected <<'EOF'
_Z5boundPf sm_120 256 launch-bounds 3 null 80 __launch_bounds__
_Z5boundPf sm_90 256 launch-bounds 3 null 80 __launch_bounds__
_Z5clustPf sm_120 null null null 2 null null
_Z5clustPf sm_90 null null null 2 null null
_Z5fixedPf sm_120 128 required null 1 null null
_Z5fixedPf sm_90 128 required null 1 null null
_Z5smallPf sm_120 64 launch-bounds null null null null
_Z5smallPf sm_90 64 launch-bounds null null null null
_Z6cappedPf sm_120 null null null null 40 __maxnreg__
_Z6cappedPf sm_90 null null null null 40 __maxnreg__
EOF

# bounds TITLE COMMAND...: compiles hook.cu to x.o; its record has the launch bounds for both architectures
bounds()
{
    title=$1
    shift
    rm -f x.o x.o.warplint.ndjson
    # shellcheck disable=SC2086 # several words
    if ! "$@" $two -c hook.cu -o x.o >out 2>err; then
        bad "$title: it fails"
        head -n 5 err
        return
    fi
    values mangled arch bound_threads bound_from min_blocks cluster_blocks register_cap register_cap_from \
        <x.o.warplint.ndjson | grep -E '^_Z(5[bcfs]|6)' >bounds.found
    if cmp -s bounds.found bounds.expected && [ ! -s err ]; then
        ok "$title"
    else
        bad "$title"
        diff bounds.expected bounds.found
        head -n 5 err
    fi
}
wrap="$warplint wrap --record-only --"
# shellcheck disable=SC2086 # a command of several words
{
    bounds 'launch bounds of two architectures are in the record' $wrap nvcc
    bounds 'launch bounds with -t 2' $wrap nvcc -t 2
    bounds 'launch bounds with a program path of special characters' "$far/warplint" wrap --record-only -- nvcc
    bounds 'launch bounds of relocatable code' $wrap nvcc -rdc=true
    if command -v ccache >/dev/null 2>&1; then
        CCACHE_DIR=$work/ccache
        export CCACHE_DIR
        bounds 'launch bounds through ccache, a miss' $wrap ccache nvcc
        bounds 'launch bounds through ccache, a hit' $wrap ccache nvcc
        hits=$(ccache --print-stats 2>/dev/null | awk '/^(direct|preprocessed)_cache_hit/ { n += $2 } END { print n + 0 }')
        if [ "$hits" -ge 1 ]; then ok 'the hit is counted by ccache'; else bad "the hit is counted by ccache: $hits"; fi
    else
        echo 'skipped: no ccache'
    fi
}

# ---- messages that a source makes the compiler print
cat >quote.cu <<'CU'
#define LINES \
    "x\nnvcc -G -c quote.cu -o x.o\nwarplint info    : PTX 1: entry _Z1kPfPKf sm_90 maxntid=32,1,1\n" \
    "ptxas info    : Compiling entry function '_Z1kPfPKf' for 'sm_90'\n" \
    "ptxas info    : Compiling entry function '_Z4fakePf' for 'sm_90'\n" \
    "ptxas info    : Function properties for _Z4fakePf\n    0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n" \
    "ptxas info    : Used 32 registers\nptxas info    : Function properties for _Z1kPfPKf\n" \
    "ptxas warning : Registers are spilled to local memory in function '_Z4fakePf', 8 bytes spill stores, 8 bytes spill loads\n"
#pragma message(LINES)
[[deprecated(LINES)]] __device__ int old() { return 1; }
__global__ void __launch_bounds__(1024, 2) k(float *p, const float *q)
{
    float a[64];
#pragma unroll
    for (int i = 0; i < 64; i++) a[i] = q[threadIdx.x + i * 1024];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; i++) p[threadIdx.x * 64 + i] = a[i] * a[(i * 7) % 64] + a[63 - i] + old();
}
CU
for options in '' '-t 2' '-lineinfo -rdc=true'; do
    rm -f q.o*
    # shellcheck disable=SC2086 # several words
    "$warplint" wrap --strict --keep-output -- nvcc $options -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -c quote.cu -o q.o >out 2>err
    got="$? $(values mangled arch bound_threads debug ambiguous <q.o.warplint.ndjson | grep -v _Z3oldv | tr '\n' ';')"
    if [ "$got" = '1 _Z1kPfPKf sm_80 1024 false false;_Z1kPfPKf sm_90 1024 false false;' ] && ! grep '"mangled":"_Z1k' q.o.warplint.ndjson | grep -q '"spill_store_bytes":0'; then ok "lines that a source makes nvcc print are text: nvcc $options"; else
        bad "quoted lines are text: nvcc $options: $got"
    fi
done
"$warplint" wrap --strict --no-hook --keep-output -- nvcc -arch=sm_90 -c quote.cu -o q.o >out 2>err
got=$?
if [ "$got" != 0 ] && ! grep -q '"debug":true' q.o.warplint.ndjson && ! grep '"mangled":"_Z4fake' q.o.warplint.ndjson | grep -q '"ambiguous":false'; then ok 'without the hook such lines give no pass and no kernel'; else
    bad "without the hook they are no pass, and no kernel: status $got"
fi

# ---- loops
$wrap nvcc $two -c hook.cu -o x.o
line=$(grep -n 'a runtime trip count' hook.cu | cut -d: -f1)
"$warplint" check --notes --fail-on never x.o.warplint.ndjson >found
if [ "$(grep -c "hook.cu:$((line + 2)):5: .*unrolled by 4 at run time" found)" = 1 ]; then ok 'a loop with #pragma unroll is reported once, at its line'; else
    bad 'a loop with the pragma is found at its line, once'
    cat found
fi
if [ "$(grep -c '\[unroll-' found)" = 2 ] && grep -q 'hook.cuh:.*unroll-' found; then ok 'no loop without a pragma is reported, and one in a header is'; else
    bad 'no loop without one is, and one in a header is'
    cat found
fi
for arch in 90 120; do
    $wrap nvcc -arch=sm_$arch -c hook.cu -o y.o
    expect 0 "hook.cu:$((line + 2)):5: note: .*unroll-partial" "a partly unrolled loop is reported on sm_$arch" "$warplint" check --all --fail-on never y.o.warplint.ndjson
done

# ---- source lines of kernels
$wrap nvcc -lineinfo $two -c hook.cu -o x.o
values mangled source line line_from <x.o.warplint.ndjson | sort -u >found
line=$(grep -n 'clust(float' hook.cu | cut -d: -f1)
header=$(grep -n 'in_header(float' hook.cuh | cut -d: -f1)
if grep -q "^_Z5clustPf hook.cu $line loc" found && grep -q "in_header.* hook.cuh $header loc" found; then ok '-lineinfo gives the source line of each kernel'; else
    bad 'line information gives the line of each kernel'
    cat found
fi

printf '__device__ __noinline__ int far(const int *p)\n{\n    return *p + 1;\n}\n\n__global__ void near(int *p)\n{\n    *p = far(p);\n}\n' >far.cu
$wrap nvcc -lineinfo $two -c far.cu -o x.o
values mangled source line line_from <x.o.warplint.ndjson | sort -u >found
if grep -q "^_Z3farPKi far.cu 1 loc" found && grep -q "^_Z4nearPi far.cu 6 loc" found; then ok '-lineinfo gives the source line of each device function'; else
    bad '-lineinfo gives the source line of each device function'
    cat found
fi

# ---- names longer than one write to a pipe, two at a time
awk 'BEGIN { s = "k"; while (length(s) < 6000) s = s s; print "__global__ void __launch_bounds__(96) " substr(s, 1, 5000) "(float *p) { *p = 1; }" }' >long.cu
expect 0 '^2$' 'a kernel name of 5000 bytes has its launch bounds' in_shell "$wrap nvcc -t 2 $two -c long.cu -o long.o && grep -c '\"bound_threads\":96' long.o.warplint.ndjson"

# ---- the machine code is the same, and so are the errors of a failing ptxas
sections() # CUBIN: every section but the note in which ptxas writes down its options
{
    readelf -SW "$1" 2>/dev/null | sed -n 's/^ *\[ *\([0-9]*\)\] \([^ ]*\) .*/\1 \2/p' | while read -r number name; do
        [ "$name" = .note.nv.tkinfo ] || readelf -x "$number" "$1" 2>/dev/null
    done
}
for arch in 90 120; do
    nvcc -arch=sm_$arch -cubin hook.cu -o alone.cubin
    $wrap nvcc -arch=sm_$arch -cubin hook.cu -o wrapped.cubin
    sections alone.cubin >alone.sections
    sections wrapped.cubin >wrapped.sections
    if grep -q 'text._Z5boundPf' alone.sections && cmp alone.sections wrapped.sections; then ok "sm_$arch: wrap does not change the machine code"; else bad "sm_$arch: wrap does not change the machine code"; fi
done
echo '__global__ void big(float *p) { __shared__ float s[40000]; s[threadIdx.x] = *p; __syncthreads(); *p = s[threadIdx.x ^ 1]; }' >big.cu
for t in 1 2; do
    nvcc -t $t $two -c big.cu -o big.o 2>alone
    echo "status $?" >>alone
    "$warplint" wrap -- nvcc -t $t $two -c big.cu -o big.o 2>wrapped
    echo "status $?" >>wrapped
    # With -t nvcc may print it for one architecture or for both.
    sort -u alone >alone.lines
    sort -u wrapped >wrapped.lines
    if grep -q 'uses too much shared data' alone && cmp -s alone.lines wrapped.lines; then ok "-t $t: wrap does not change an error of ptxas"; else
        bad "-t $t: an error of ptxas is as without us"
        diff alone wrapped
    fi
done

# ---- a script before the compiler that redirects its messages
printf '#!/bin/sh\nexec "%s" "$@" 2>&1\n' "$(command -v nvcc)" >redirected-nvcc
chmod +x redirected-nvcc
rm -f x.o
expect 0 'x.o: warning: not judged: the object holds device code, but ptxas printed nothing about it on standard error' 'messages on standard output: reported as not judged' "$warplint" wrap -- ./redirected-nvcc -arch=sm_90 -c hook.cu -o x.o
expect 3 'no kernels' 'the record of that compile has no kernels: status 3' "$warplint" check x.o.warplint.ndjson
expect 3 'x.o was removed' 'messages on standard output: status 3 under --strict' "$warplint" wrap --strict -- ./redirected-nvcc -arch=sm_90 -c hook.cu -o x.o

# ---- no machine code
for options in '-arch=compute_90' '-dlto -dc -arch=sm_90'; do
    # shellcheck disable=SC2086 # several words
    expect 0 'x.o: warning: not judged: the compile made no machine code' "a compile without machine code is reported: $options" "$warplint" wrap -- nvcc $options -c hook.cu -o x.o
    expect 0 '1 compile not judged: no machine code' "check counts a compile without machine code: $options" in_shell '"$warplint" check x.o.warplint.ndjson; test $? = 3'
done
finish
