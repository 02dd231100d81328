#!/bin/sh
# usage: test_where.sh PROGRAM SOURCE_DIR
#
# The source lines of spills: `where`, and the second compile of `wrap` with a scripted compiler. The real one is in
# test_spill_sites_nvcc.sh. WARPLINT_UPDATE=1 writes tests/golden/where.text.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
nvcc=$work/nvcc binaries=$source/tests/data/binaries
cp "$source/tests/fake-nvcc" "$nvcc"
cp "$binaries/located.cu" "$binaries/located.log" "$binaries/located_plain.cubin" .
# The folder of the source in the line table: ".//." has as many bytes as "/src".
LC_ALL=C sed 's,/src,.//.,g' "$binaries/located.cubin" >located.cubin
mkdir private
XDG_CACHE_HOME=$work/cache TMPDIR=$work/private
export warplint nvcc work XDG_CACHE_HOME TMPDIR

# ---- where

where() { "$warplint" where "$@" located.log located.cubin; }

where nested >listing 2>&1
[ -z "${WARPLINT_UPDATE:-}" ] || cp listing "$source/tests/golden/where.text"
holds 'the listing equals the golden file' diff -u "$source/tests/golden/where.text" listing
# Some lines have accesses both inside and outside loops.
holds 'rows add up to the bytes in loops and outside' awk '
    /^spills / { told = $11 } $1 ~ /^[0-9]+$/ && $1 > 0 { sum += substr($0, 8, 12) + substr($0, 22, 11) }
    END { print told " told, " sum; exit told == 0 || told != sum }' listing
for name in _Z6nestedPKfPKiPfii 'nested(float const*, int const*, float*, int, int)' '^nes'; do
    holds "a kernel given as $name" in_shell "\"\$warplint\" where '$name' located.log located.cubin | cmp - listing"
done
if command -v script >script 2>&1; then
    (unset COLUMNS && script -qec "stty cols 90; '$warplint' where nested located.log located.cubin" /dev/null </dev/null) |
        tr -d '\r' >terminal
    holds 'on a terminal no line is wider than the terminal' in_shell '! grep "^.\{91,\}" terminal'
    holds 'on a terminal a long source line is cut' grep -q ' 6  .*v\[.*[.][.][.]$' terminal
fi
mv located.cu away.cu
expect 0 '^ +2 +84 B in 21 +104 B in 26 +6 *$' 'the source is missing: line numbers only' where nested
expect 0 'located.cu \(cannot be read from here\)' 'the source is missing: a message says so' where nested
ln -s /etc/hostname located.cu
expect 0 'located.cu \(not shown: hidden, or outside' 'a link to a file outside the checkout is not printed' where nested
rm located.cu
head -n 5 away.cu >located.cu
expect 0 'located.cu \(it has changed since it was compiled\)' 'a source with fewer lines: a message says that it changed' where nested
mv away.cu located.cu
expect 0 '"spill_sites":\[\{"file":"located.cu","line":6,' 'JSON has the source lines of spills' where nested --format json
expect 0 '"records":\[\{"type":"kernel","mangled":.*\}\]\}$' 'JSON has each record as an object' where nested --format json
expect 2 "no kernel is called 'other', the input has 1:" 'an unknown kernel: status 2' where other
callees=$source/fixtures/callee-spills/log.txt
expect 0 'frame holds arrays and spills of functions that it calls$' 'a kernel that calls functions with spills: the stack frame includes theirs' "$warplint" where heavy "$callees"
expect 0 '^sm_90, stack frame 0 B$' 'a device function' "$warplint" where callee "$callees"
programs=$source/fixtures/rdc-two-programs/log.txt
expect 0 '^as linked \(.*log.txt:19\): 253 registers, stack 280 B with' 'a kernel of one of two linked programs' "$warplint" where smooth "$programs"
expect 0 '^architecture not stated, stack frame 280 B$' 'a device function of relocatable code' "$warplint" where weight "$programs"
expect 0 '^calls' 'a pattern that fits a kernel and functions selects the kernel' "$warplint" where 'calls_by|large_frame' "$binaries/calls.log"
expect 2 "fits 2 kernels; give one of these" 'a pattern that fits two functions: status 2' "$warplint" where '_frame' "$binaries/calls.log"
expect 2 "no log and no binary was given for kernel 'nested', expected" 'no input: status 2' "$warplint" where nested
expect 2 'no kernel was given, expected' 'no kernel: status 2' "$warplint" where located.log
expect 3 'selects? none; the logs? ha(s|ve) kernels for sm_90' '--arch selects none: status 3' where --arch sm_80 nested
expect 3 'cannot be read|No such file' 'a missing file: status 3' "$warplint" where nested located.log missing.cubin
expect 0 'not known: no machine code was read; give the log and the binaries' 'a log alone: source lines are not known' "$warplint" where nested located.log
expect 0 'not known: a binary does not say which .* are spills; give the log' 'a binary alone: spills are not known' "$warplint" where nested located.cubin
expect 0 'not known: the machine code has no line information' 'a binary without line information: source lines are not known' "$warplint" where nested located.log located_plain.cubin
expect 0 '; 400 B in loops, up to depth 2;' 'a binary without line information: loops are known' "$warplint" where nested located.log located_plain.cubin
expect 0 '^spills 4 B stores and 4 B loads per thread; none in a loop$' 'a device function that spills into the frame of its kernel' \
    "$warplint" where '^callee' "$binaries/callee.log" "$binaries/callee.cubin"
sed 's/300 bytes spill stores/304 bytes spill stores/' located.log >sums.log
expect 0 'not known: the loads and stores of the machine code do not add up' 'spills that differ from the log: source lines are not known' "$warplint" where nested sums.log located.cubin
sed 's/Used 24 registers/Used 26 registers/' located.log >build.log
expect 0 'not known: the binary is of another build' 'a binary of another build: source lines are not known' "$warplint" where nested build.log located.cubin

# ---- a binary and its PTX, with a ptxas that prints the messages of the log

mkdir bin
cat >bin/ptxas <<'SH'
#!/bin/sh
echo "$*" >asked
cat "${says:-located.log}" >&2
exit "${status:-0}"
SH
chmod +x bin/ptxas
assembles() { PATH=$work/bin:$PATH "$warplint" "$@"; }
expect 0 'warning: --assemble has no effect: no input is a NAME.cubin with NAME.ptx beside it' '--assemble without a cubin: a warning' \
    "$warplint" report --assemble "$source/fixtures/demo/log.txt"
expect 0 'warning: --ptxas has no effect' '--ptxas without a cubin: a warning' "$warplint" report --ptxas cat "$source/fixtures/demo/log.txt"
expect 0 'or --assemble where NAME.ptx is beside NAME.cubin' 'a cubin alone: the message names --assemble' "$warplint" where nested located.cubin
expect 3 'only ptxas says' '--assemble without PTX beside the cubin: status 3' assembles check --no-config --assemble located.cubin
echo '.target sm_90' >located.ptx
expect 3 'only ptxas says' 'PTX beside the cubin, without --assemble: status 3' assembles check --no-config located.cubin
expect 0 '^ +2 +84 B in 21 +104 B in 26 +6 ' 'where --assemble lists source lines' assembles where nested --assemble located.cubin
holds '--assemble uses the options of the cubin' grep -q "^-v -arch=sm_90 -maxrregcount=24 -o $work/private/.*/made located.ptx\$" asked
expect 1 'spills 300 B stores and 316 B loads' 'check --assemble knows the spills' assembles check --no-config --assemble located.cubin
expect 0 '"spill_store_bytes":300.*"spills_from":"ptxas"' 'report --assemble knows the spills' assembles report --no-config --assemble --format json located.cubin
mkdir elsewhere && mv located.ptx elsewhere
expect 1 'spills 300 B' '--assemble with PTX as an input' assembles check --no-config --assemble elsewhere/located.ptx located.cubin
mv elsewhere/located.ptx .
export says=sums.log
expect 3 'the code of 1 kernel is not what .*/bin/ptxas. makes of located.ptx' '--assemble gives other spills than the cubin: status 3' assembles check --no-config --assemble located.cubin
says=build.log
expect 3 'the code of 1 kernel is not what' '--assemble gives other registers than the cubin: status 3' assembles check --no-config --assemble located.cubin
export status=1 says=
expect 3 '/bin/ptxas. does not assemble located.ptx' 'ptxas fails: status 3' assembles check --no-config --assemble located.cubin
says=$binaries/located_sm52.log status=0
cp "$binaries/located_sm52.cubin" . && echo '.target sm_52' >located_sm52.ptx
expect 1 'spills 320 B' '--assemble of a cubin without a note of its options' assembles check --no-config --assemble located_sm52.cubin
holds '--assemble uses the register cap of the cubin' grep -q '^-v -arch=sm_52 -maxrregcount=20 -o' asked
unset says status
[ -e /usr/local/cuda/bin/ptxas ] ||
    expect 3 'there is no ptxas in PATH' 'no ptxas: status 3' env PATH=/nonexistent CUDA_HOME= CUDA_PATH= "$warplint" check --no-config --assemble located.cubin
holds 'no temporary file is left' [ -z "$(ls private)" ]

# ---- wrap

# wraps STATUS COMPILES PATTERN TITLE OPTION...: the exit status, the number of compiles, the output; no temporary file
# is left
wraps()
{
    status=$1 compiles=$2 pattern=$3 title=$4
    shift 4
    rm -f compiles x.o x.o.warplint.ndjson
    expect "$status" "$pattern" "$title" "$warplint" wrap --no-config --keep-output "$@"
    made=$(grep -vc -e --dryrun compiles)
    if [ "$made" != "$compiles" ] || ! cmp -s x.o located_plain.cubin || [ -n "$(ls private)" ]; then
        bad "$title: $made compiles, $compiles expected; the object, or files left behind"
    fi
}

has_lines() { grep -q '"spill_sites":\[{"file":"located.cu","line":6,' x.o.warplint.ndjson; }
has_loops() { grep -q '"spill_bytes_in_loops":400,"spill_depth":2,' x.o.warplint.ndjson; }

compile="$nvcc -arch=sm_90 -maxrregcount=24 -c located.cu -o x.o"
again='^warplint: compiling located.cu once more for sm_90 to find the source lines$'
export FAKE_SAY=located.log FAKE_OBJECT=located_plain.cubin FAKE_SH='echo "$*" >>compiles
    case "$*" in *-lineinfo*) FAKE_OBJECT=$second; eval "${on_second:-}" ;; esac'
export second=located.cubin
# shellcheck disable=SC2086 # several words
{
    wraps 1 2 "$again" 'a spill that fails: the source is compiled again with line information' -- $compile
    holds 'the record has the source lines' has_lines
    wraps 1 1 'spills 300 B' '--where=never: the source is not compiled again' --where=never -- $compile
    holds '--where=never: the record has no source lines' refuses has_lines
    holds '--where=never: the record has the loops' has_loops
    wraps 0 1 '' 'nothing fails: the source is not compiled again' --fail-on never -- $compile
    wraps 1 1 'register-ceiling' 'another rule fails: the source is not compiled again' --select register-ceiling --fail-on note -- $compile
    wraps 0 1 '' '--record-only: the source is not compiled again' --record-only -- $compile
    wraps 0 2 "$again" '--record-only --where=always: the source is compiled again' --record-only --where=always -- $compile
    holds '--record-only --where=always: the record has the source lines' has_lines
    FAKE_OBJECT=located.cubin
    rm -f compiles
    expect 1 'spills' 'an object with line information: the finding has source lines' "$warplint" wrap --no-config --keep-output -- $compile
    holds 'an object with line information: the source is compiled once' [ "$(grep -vc -e --dryrun compiles)" = 1 ]
    holds 'an object with line information: the record has the source lines' has_lines
    FAKE_OBJECT=located_plain.cubin

    wraps 1 2 "$again" 'two architectures: the source is compiled again' -- "$nvcc" -gencode arch=compute_80,code=sm_80 \
        '--generate-code=arch=compute_90,code=[compute_90,sm_90]' -maxrregcount 24 -Xptxas -O3 -MD -c located.cu -o x.o
    wanted="-lineinfo -gencode=arch=compute_90,code=\[sm_90\] -Xptxas -O3 -Xcompiler=-D__CUDA_ARCH_LIST__=800\\\\,900 located.cu -fatbin -o $work/private/"
    holds 'two architectures: only the one that spills is compiled again' grep -q -e "^$wanted.* -maxrregcount=24\$" compiles
    mkdir build && cp located.cu build
    (cd build && FAKE_SAY=../located.log FAKE_OBJECT=../located_plain.cubin second=../located.cubin &&
        "$warplint" wrap --no-config --keep-output -o html=page.html -- "$nvcc" -c located.cu -o x.o) >out 2>err
    holds 'the HTML report of wrap shows the source' grep -q '<code> *table\[index\[j\] &amp; 31\]' build/page.html
    holds 'where reads the record of wrap' in_shell '"$warplint" where nested build | sed "s,^build/,," | diff - listing'
    wraps 1 1 'spills' 'an architecture that does not spill: the source is not compiled again' -- "$nvcc" -gencode arch=compute_80,code=sm_80 -c located.cu -o x.o

    on_second='echo broken >&2; exit 1'
    export on_second
    wraps 1 2 'spills' 'the second compile fails: the finding is printed' -- $compile
    holds 'the second compile fails: its messages are not printed' refuses grep -q broken err
    holds 'the second compile fails: the record has no source lines' refuses has_lines
    on_second='kill -SEGV $$'
    wraps 1 2 'spills' 'the second compile crashes: the finding is printed' -- $compile
    on_second=
    second=$binaries/cubin.elf
    wraps 1 2 'spills' 'the second compile makes other code: the finding is printed' -- $compile
    holds 'the second compile makes other code: the record has no source lines' refuses has_lines
    if has python3; then
        # Changes the last byte of the code: it lies after the kernel's end.
        python3 - <<'PY'
import struct
d = bytearray(open('located.cubin', 'rb').read())
table, = struct.unpack_from('<Q', d, 0x28)
count, names = struct.unpack_from('<HH', d, 0x3c)
sections = [struct.unpack_from('<IIQQQQ', d, table + 64 * at) for at in range(count)]
for name, _, _, _, offset, size in sections:
    if d[sections[names][4] + name:].startswith(b'.text.'):
        d[offset + size - 1] ^= 1
open('changed.cubin', 'wb').write(d)
PY
        second=changed.cubin
        wraps 1 2 'spills' 'the second compile differs in one byte: the finding is printed' -- $compile
        holds 'the second compile differs in one byte: the record has no source lines' refuses has_lines
    fi
    second=located.cubin
    mkfifo piped.cu
    wraps 1 1 'spills' 'a pipe as the source: it is not compiled again' -- "$nvcc" -arch=sm_90 -c piped.cu -o x.o
    if [ -n "${WARPLINT_FAULTY:-}" ]; then
        on_second='exec sleep 60'
        rm -f compiles
        expect 1 "$again" 'a second compile that does not end is stopped' timeout 30 "$WARPLINT_FAULTY" wrap --no-config -- $compile
        holds 'a second compile that is stopped leaves no temporary file' [ -z "$(ls private)" ]
    fi
    on_second=
}

# ended SIGNAL STATUS: a signal during the second compile
ended()
{
    rm -f ready x.o private/*
    on_second=': >ready; exec sleep 20'
    env --default-signal=INT "$warplint" wrap --no-config -- $compile >out 2>err &
    pid=$!
    appears ready
    kill "-$1" $pid
    wait $pid 2>/dev/null
    got=$?
    if [ $got = "$2" ] && [ -z "$(ls private)" ] && [ ! -e x.o ]; then ok "SIG$1 during the second compile: status $2, no temporary file, no object"; else
        bad "SIG$1: status $got, $(ls private) left behind"
    fi
}
# outlives STATE: only the wrapper is killed; no object is left
outlives()
{
    "$warplint" wrap --no-config -- $compile >out 2>err &
    pid=$!
    appears ready
    sleep 0.5 # until the process that judges is there
    kill -KILL $pid
    wait $pid 2>/dev/null
    sleep 2
    tries=0
    while { [ -e x.o ] || [ -n "$(ls private)" ]; } && [ $tries -lt 100 ]; do
        sleep 0.2
        tries=$((tries + 1))
    done
    if [ ! -e x.o ] && [ -z "$(ls private)" ]; then ok "wrap is killed while $1: no object is left"; else bad "killed while $1"; fi
}
rm -f ready x.o
on_second=': >ready; sleep 1'
outlives 'compiling again'
rm -f ready
FAKE_SH=': >ready; sleep 2' outlives compiling
ended TERM 143
ended INT 130
ended HUP 129
ended ALRM 142

finish
