#!/bin/sh
# usage: test_inputs.sh PROGRAM SOURCE_DIR
#
# Binaries, PTX and profiles on the command line, alone and beside a log.
set -u
warplint=$1
. "$2/tests/cases.sh"
cd "$2/tests/data/binaries" || exit 1

check() { "$warplint" check --no-config "$@"; }
report() { "$warplint" report --no-config "$@"; }

expect 3 'cubin.elf: error: 2 of 14 kernel x arch were not judged by dynamic-indexing, register-spill: the binary does not state spills .its code accesses local memory.*; --ignore leaves the rules out$' \
    'a cubin alone with kernels that access local memory: status 3' check cubin.elf
expect 0 '^judged: 14 kernels for sm_90a' 'a cubin alone with the rules on spills ignored: status 0' \
    check --ignore register-spill,dynamic-indexing cubin.elf
expect 0 '^judged: 12 kernels for sm_90a' 'a cubin alone with kernels that do not access local memory: status 0' \
    check --kernel '^(?!.*(recursing|indexing))' cubin.elf
expect 3 'error: only debug builds' 'a cubin compiled with -G: status 3' check debug.cubin
expect 3 'error: only debug builds' 'a cubin compiled with -Ofc=max: status 3' check fast.cubin
expect 3 'error: only debug builds' 'a log of a debug compile with its cubin: status 3' check debug.log debug.cubin
expect 0 'verdict: passed' 'the same log alone does not show a debug compile: passed' check --ignore missing-launch-bounds debug.log
expect 1 'stack frame of 200 B per thread, with arrays and spills of functions that the kernel calls' \
    'a stack frame with spills of a called function: dynamic-indexing' check --select dynamic-indexing frame.log frame.cubin
expect 0 '^shared_static +sm_80 +[0-9]+ +- +0/0 +0 +4000 ' 'an object alone: spills are 0/0 without local memory' report --all lz4.elf
expect 0 '"name":"indexing\(.*"spill_store_bytes":null.*"local_store_bytes":[1-9]' 'a cubin alone: local memory accesses are counted, spills are null' \
    report --format ndjson cubin.elf
places='"spill_bytes_in_loops":[1-9][0-9]*,"spill_depth":2,"array_bytes":128,.*'
expect 0 "$places.spill_sites.:\\[\\{.file.:./src/located.cu.,.line.:6,.inlined.:.*.array_sites.:\\[\\{.file.:./src/located.cu.,.line.:20," \
    'a log with its cubin: source lines of spills and of array accesses' report --format ndjson located.log located.cubin
expect 0 "$places.spill_sites.:\\[\\{.file.:./src/located.cu.,.line.:6,.inlined.:.*.array_sites.:\\[\\{.file.:./src/located.cu.,.line.:20," \
    'the same in code with 64-bit instructions' report --format ndjson located_sm52.log located_sm52.cubin
sed 's/[0-9]* bytes spill stores/4 bytes spill stores/' located.log >"$work/other.log"
expect 0 '"spill_bytes_in_loops":null,"spill_depth":null,"array_bytes":null,' \
    'the log and the cubin have different spills: no spills in loops' report --format ndjson "$work/other.log" located.cubin
report --format ndjson "$work/other.log" located.cubin >"$work/other.ndjson"
holds 'the log and the cubin have different spills: no source lines' refuses grep -q spill_sites "$work/other.ndjson"

# The ELF flags of CUDA 13 hold the SM number in their second byte.
cp located.cubin "$work/undecoded.cubin" && printf '\043' | dd of="$work/undecoded.cubin" bs=1 seek=49 conv=notrunc 2>/dev/null
expect 3 'does not state spills .only ptxas states them: give the log' 'a cubin with an unknown architecture: spills are not known' \
    check --select register-spill "$work/undecoded.cubin"

# ---- the place of a finding: the kernel's own line if it is known, else the line that spills most
spills() { check --select register-spill "$@"; }
expect 1 '^/src/located.cu:6: error: nested ' 'a kernel without a line of its own: the finding is at the line that spills most' spills located.log located.cubin
expect 1 '^    /src/located.cu:6   depth 2  21 stores 84 B, 26 loads 104 B, inlined into line 19$' 'the finding lists the lines that spill most' \
    spills located.log located.cubin
report --format ndjson located.log located.cubin >"$work/located.ndjson"
expect 1 '^    /src/located.cu:6   depth 2  21 stores 84 B, 26 loads 104 B, inlined into line 19$' 'records: the finding lists the lines that spill most' \
    spills "$work/located.ndjson"
expect 1 '^    .9 more; --all lists each.$' 'the finding counts the other lines' spills located.log located.cubin
expect 1 '^    /src/located.cu:18  no loop  3 stores 12 B$' '--all lists the other lines' spills --all located.log located.cubin
sed 's/debug_line/debug_lime/g' located.cubin >"$work/without.cubin"
expect 1 '^source lines: compile with -lineinfo, or build with .warplint wrap.$' 'a cubin without line information: a hint names -lineinfo' spills located.log "$work/without.cubin"
LC_ALL=C sed 's|/src\x00|.//.\x00|g' located.cubin >"$work/unclean.cubin"
expect 1 '^located.cu:6: error: nested ' 'the line of the finding has the same normalized path as the lines below' spills located.log "$work/unclean.cubin"
LC_ALL=C sed 's|/src\x00|srcs\x00|g' located.cubin >"$work/here.cubin"
report --format ndjson located.log | sed 's|"source":null,"line":null|"source":"srcs/located.cu","line":9|' >"$work/known.ndjson"
expect 1 '^srcs/located.cu:9: error: nested ' "a kernel with a line of its own: the finding is at that line" spills "$work/known.ndjson" "$work/here.cubin"
expect 1 '"line":9,"column":null,' 'JSON has the line of the kernel' spills --format json "$work/known.ndjson" "$work/here.cubin"
expect 1 '"locations":[^]]*"startLine":9.*"relatedLocations":.."id":1,[^]]*srcs/located.cu.*"startLine":6' 'SARIF has the line of the kernel, and the spilling lines as related locations' \
    spills --format sarif "$work/known.ndjson" "$work/here.cubin"
expect 1 '^::error file=[^,]*srcs/located.cu,line=6,' 'GitHub annotations are at the line that spills most' \
    spills --format github "$work/known.ndjson" "$work/here.cubin"
expect 1 '^::error file=[^,]*srcs/located.cu,line=9,' 'GitHub annotations do not use a line outside of the checkout' \
    spills --format github "$work/known.ndjson" located.cubin
spills --format gitlab located.log located.cubin | grep -o '"fingerprint":"[^"]*"' >"$work/located.print"
spills --format gitlab located.log | grep -o '"fingerprint":"[^"]*"' >"$work/alone.print"
holds 'the GitLab fingerprint is the same with and without source lines' cmp "$work/located.print" "$work/alone.print"
LC_ALL=C sed "s/located\.cu\x00/<b>|\`](9)\x1b\x00/g" located.cubin >"$work/hostile.cubin"
expect 1 '/src/<b>\|`\](\(9\))\\x1b:6   depth 2 ' 'text escapes the name of a source in a binary' spills located.log "$work/hostile.cubin"
expect 1 '<li><code>/src/&lt;b&gt;[|]`\](\(9\))\\x1b:6</code> depth 2' 'HTML escapes the name of a source in a binary' spills --format html located.log "$work/hostile.cubin"
expect 1 'places: <code>[^<>|`]*</code> .depth 2' 'Markdown escapes the name of a source in a binary' spills --format markdown located.log "$work/hostile.cubin"
expect 1 'Places: ./src/<b>[|]`\\\\\](\(9\))\\\\x1b:6\]\(1\) .depth 2.' 'SARIF escapes the name of a source in a binary' spills --format sarif located.log "$work/hostile.cubin"

expect 0 'sm_100f' 'a fat binary with sm_100f' report family.fatbin
expect 0 '^judged: 14 kernels for sm_90a' 'a log and its cubin: no binary-mismatch' \
    check --select binary-mismatch cubin.log cubin.elf
expect 0 '^bounded .* warps$' 'launch bounds of a cubin apply to the kernels of the log' report --all cubin.log cubin.elf
expect 0 '^bounded .* warps$' 'launch bounds of --objects FILE apply to the kernels of the log' report --all --objects cubin.elf cubin.log
mkdir -p "$work/build/sub"
cp cubin.elf "$work/build/sub/kernels.cubin"
cp kernels.cu "$work/build/"
cp /bin/true "$work/build/true" 2>/dev/null || :
expect 0 '^bounded .* warps$' 'launch bounds of --objects FOLDER apply to the kernels of the log' report --all --objects "$work/build" cubin.log
expect 0 'cubin.log: warning: this input is given twice, and read once' 'a log that is given twice: a warning' report cubin.log cubin.log
report cubin.log cubin.log --format csv 2>/dev/null >"$work/twice.csv"
report cubin.log --format csv >"$work/once.csv"
ln -s "$PWD/cubin.log" "$work/link.log"
expect 0 'link.log: warning: this input is given twice, first as ./cubin.log, and read once' 'a log that is given twice by different paths: a warning' \
    report ./cubin.log "$work/link.log"
holds 'a log that is given twice counts once' cmp "$work/once.csv" "$work/twice.csv"
expect 0 '^seen: 14 kernels for sm_90a$' 'a binary as an input and in --objects counts once' \
    report --objects "$work/build" "$work/build/sub/kernels.cubin"
expect 0 'cubin.elf: warning: this input is given twice, first as cubin.elf, and read once' 'a binary as an input and as --objects: a warning' \
    report --objects ./cubin.elf cubin.elf
mkdir "$work/sources" && cp kernels.cu "$work/sources"
expect 0 'sources: warning: --objects has no effect: no file of this folder has GPU code' '--objects of a folder without binaries: a warning' \
    check --select binary-mismatch --objects "$work/sources" cubin.log
expect 3 'kernels.cu: error: not a binary' '--objects of a file that is no binary: status 3' \
    check --select binary-mismatch --objects kernels.cu cubin.log
mkdir "$work/cut"
head -c 30000 cubin.elf >"$work/cut/kernels.cubin"
expect 3 'kernels.cubin: error: the binary is broken: it is cut short' 'a truncated cubin: status 3' \
    check --ignore register-spill lz4.elf "$work/cut/kernels.cubin"
expect 3 'kernels.cubin: error: the binary is broken: it is cut short' 'a truncated cubin in the folder of --objects: status 3' \
    check --select binary-mismatch --objects "$work/cut" cubin.log
expect 0 '^bounded .* warps$' 'launch bounds of PTX apply to the kernels of the log' report --all cubin.log kernels.ptx
expect 0 '^bounded .* warps$' 'launch bounds of PTX before the log apply, too' report --all kernels.ptx cubin.log
sed 's/$/\r/' kernels.ptx >"$work/crlf.ptx"
expect 0 '^bounded .* warps$' 'PTX with CRLF line ends is read' report --all cubin.log "$work/crlf.ptx"
expect 0 '^bounded .*<=' 'PTX of another architecture: no launch bounds' report --all lz4.log kernels.ptx
sed 's/Used 8 registers/Used 9 registers/' cubin.log >"$work/other.log"
expect 1 'cubin.elf is of another build: registers 9 in the log, 8 in the binary \[binary-mismatch\]' 'a cubin of another build: binary-mismatch' \
    check "$work/other.log" cubin.elf
{
    sed '/entry function .*plain/,/Used/s/Used 8 registers/Used 9 registers/' cubin.log
    echo "nvlink info    : Function properties for '_Z5plainPf':"
    echo 'nvlink info    : used 8 registers, used 0 barriers, 0 stack, 0 bytes smem, 536 bytes cmem[0], 0 bytes lmem'
} >"$work/linked.log"
expect 0 '9 registers' 'a log with a link: the registers of the link are compared with the cubin' \
    in_shell "grep 'Used 9 registers' '$work/linked.log' && '$warplint' check --no-config --select binary-mismatch '$work/linked.log' cubin.elf"
# Parts of a log that are not text.
within() # its bytes for printf
{
    cat cubin.log
    printf "$1"
    echo
    cat cubin.log
}
within '\037\213\010\000\001' >"$work/part.log"
expect 3 'part.log:[0-9]+: error: here begin compressed data, which were not read: give what `gzip -dc`' \
    'gzip data in a log: status 3 with the command to use' check --select binary-mismatch "$work/part.log"
within '\004\042\115\030\144' >"$work/part.log"
expect 3 'give what `lz4 -dc` makes of them' 'LZ4 data in a log: status 3 with the command to use' report "$work/part.log"
check "$work/other.log" cubin.elf --format ndjson 2>/dev/null | cat cubin.log - >"$work/part.log"
expect 3 'here begin records of warplint, which were not read' 'NDJSON records in a log: status 3' \
    check --select binary-mismatch "$work/part.log"
{
    printf '\377\376'
    iconv -f UTF-8 -t UTF-16LE cubin.log
    cat cubin.log
    iconv -f UTF-8 -t UTF-16LE cubin.log
} >"$work/part.log"
expect 3 'here begin lines in another encoding than the first ones' 'lines in another encoding in a log: status 3' \
    check --select binary-mismatch "$work/part.log"
# Relocatable code: records of the link are compared with the linked code, ptxas's records with that of the object.
mismatches() { check --select binary-mismatch "$@"; }
grep -v nvlink rdc.log >"$work/unlinked.log"
unlinked=$2/fixtures/rdc-without-link/log.txt linked=$2/fixtures/rdc-one-arch/log.txt
export warplint linked
expect 0 'log.txt:[0-9]*: warning: relocatable code is judged with the registers, stack and shared memory of its compile' 'relocatable code without its link: a warning' check "$unlinked"
expect 3 'relocatable code is judged without its link' 'relocatable code without its link: status 3 under --strict' check --strict "$unlinked"
expect 0 '' 'relocatable code with its link: no such message' in_shell '! "$warplint" check --no-config --strict --fail-on never "$linked" 2>&1 | grep "without its link"'
frame='uses_stack .sm_90, as linked.: stack of 408 B per thread, with the functions it calls, without spills of its own .dynamic-indexing.'
expect 1 "$frame" 'a linked cubin alone: its stack includes called functions' check --strict rdc_linked.cubin
expect 1 "$frame" 'records of a linked cubin: the stack includes called functions' in_shell '"$warplint" report --no-config --format ndjson rdc_linked.cubin | "$warplint" check --no-config -'
expect 0 '' 'code that nvlink did not make: the stack is that of the kernel' in_shell '! "$warplint" check --no-config calls.fatbin 2>&1 | grep "as linked"'
expect 0 '^. `calling` . 50\^ . sm_80 .$' 'Markdown prints the mark of a launch bound' report --format markdown frame.cubin
expect 3 '<h1 class="unjudged">no verdict' 'HTML without a verdict says so' check --format html frame.cubin
functions() { printf 'rules: {own: {when: "kind == '"'function'"' and %s > 400", severity: error, message: m}}\n' "$1" >"$work/own.yaml"; shift; "$warplint" check --ignore dynamic-indexing --config "$work/own.yaml" "$@"; }
expect 1 '[[]own[]]' 'a custom rule on the stack of device functions fires' functions stack_bytes --strict rdc_linked.cubin
expect 0 'not judged by own' 'a custom rule on spills of device functions in a linked cubin: not judged' functions spill_store_bytes rdc_linked.cubin
expect 3 'rule own could not judge [12] of 2 device functions: spill_store_bytes is not known' 'a custom rule on spills of device functions in a linked cubin: status 3 under --strict' functions spill_store_bytes --strict rdc_linked.cubin
expect 0 '' 'a custom rule on spills of device functions in a log: status 0 under --strict' functions spill_store_bytes --strict rdc.log
expect 0 '^judged: 3 kernels for sm_90' 'a log with its link, and the linked cubin: no binary-mismatch' mismatches rdc.log rdc_linked.cubin
expect 0 '^judged: 3 kernels for sm_90' 'the same with the object: no binary-mismatch' mismatches rdc.log rdc_object.cubin rdc_linked.cubin
expect 0 '^judged: 3 kernels for sm_90' 'a log without its link, the linked cubin and the object: no binary-mismatch' \
    mismatches "$work/unlinked.log" rdc_linked.cubin rdc_object.cubin
expect 0 '^uses_stack +sm_90 +68\* +0/0 +408\* ' 'registers and stack are those of the linked cubin' \
    report "$work/unlinked.log" rdc_linked.cubin rdc_object.cubin
expect 0 '^uses_shared +sm_90 +24\* +0/0 +0\* +12000\* ' 'shared memory is that of the linked cubin' \
    report "$work/unlinked.log" rdc_linked.cubin rdc_object.cubin
# Without the object: the program shows that its code was linked, or the record shows that its code will be linked.
for said in 'unlinked.log rdc_linked.cubin' 'rdc_linked.cubin unlinked.log' '--objects rdc_linked.cubin unlinked.log'; do
    said=$(echo "$said" | sed "s|unlinked.log|$work/unlinked.log|")
    expect 0 '^judged: 3 kernels for sm_90' "a log without its link, and the linked cubin: no binary-mismatch: $said" mismatches $said
    expect 0 '^uses_stack +sm_90 +68\* +0/0 +408\* ' "registers and stack of the linked cubin: $said" report $said
    expect 0 '^uses_shared +sm_90 +24\* +0/0 +0\* +12000\* ' "shared memory of the linked cubin: $said" report $said
done
sed '/_Z10uses_stackPi/,/Used/s/Used 24/Used 70/' "$work/unlinked.log" >"$work/more.log"
expect 1 'uses_stack .*of another build: registers 70 in the log, 68 in the binary \[binary-mismatch\]' \
    'fewer registers in the linked cubin than in the compile: binary-mismatch' mismatches "$work/more.log" rdc_linked.cubin
sed '/properties for _Z10uses_stackPi/,/stack/s/ 0 bytes stack/ 16 bytes stack/' "$work/unlinked.log" >"$work/more.log"
expect 1 'uses_stack .*of another build: .*stack frame 16 B in the log, 0 B in the binary \[binary-mismatch\]' \
    'another stack frame in the linked cubin: binary-mismatch' mismatches rdc_linked.cubin "$work/more.log"
sed '/_Z11uses_sharedPi/,/Used/s/barriers/barriers, 13000 bytes smem/' "$work/unlinked.log" >"$work/more.log"
expect 1 'uses_shared .*of another build: .*shared memory 13000 B in the log, 12000 B in the binary' \
    'less shared memory in the linked cubin than in the compile: binary-mismatch' mismatches rdc_linked.cubin "$work/more.log"
LC_ALL=C sed 's/\x00nvlink/\x00nolink/' rdc_linked.cubin >"$work/unnoted.cubin" # as before CUDA 13
expect 1 'uses_stack .*of another build: registers 24 in the log, 68 in the binary' 'a cubin without the note of nvlink: binary-mismatch' \
    mismatches "$work/unlinked.log" "$work/unnoted.cubin"
report --format ndjson "$work/unlinked.log" >"$work/plain.ndjson" 2>/dev/null
expect 1 'registers 24 in the log, 68 in the binary' 'records without a command, a cubin without the note of nvlink: binary-mismatch' mismatches "$work/plain.ndjson" "$work/unnoted.cubin"
sed '/"type":"log"/s/}$/,"command":["nvcc","-dc"],"flags":["-dc"],"rdc_line":1}/' "$work/plain.ndjson" >"$work/relocatable.ndjson"
expect 0 '^judged: 3 kernels for sm_90' 'records of a compile with -dc, a cubin without the note of nvlink: no binary-mismatch' mismatches "$work/unnoted.cubin" "$work/relocatable.ndjson"
# A program contains the relocatable code of its objects beside the linked code.
le() # number, bytes of it
{
    number=$1 left=$2
    while [ "$left" -gt 0 ]; do
        printf "\\$(printf %03o $((number % 256)))"
        number=$((number / 256)) left=$((left - 1))
    done
}
fat_binary() # cubins of sm_90...
{
    for cubin; do
        bytes=$(($(wc -c <"$cubin")))
        printf '\120\355\125\272'
        le 1 2 && le 16 2 && le $((64 + bytes)) 8
        le 2 2 && le 257 2 && le 64 4 && le $bytes 8 && le 0 12 && le 90 4 && le 0 32
        cat "$cubin"
    done
}
fat_binary rdc_object.cubin "$work/unnoted.cubin" >"$work/program.fatbin"
expect 0 '^judged: 3 kernels for sm_90' 'a program that contains the object and the linked code: no binary-mismatch' mismatches "$work/unlinked.log" "$work/program.fatbin"
expect 0 '^uses_stack +sm_90 +68\* ' 'registers are those of the linked code in the program' report "$work/program.fatbin" "$work/unlinked.log"
sed '/_Z10uses_stackPi/,/Used/s/Used 24/Used 22/' "$work/unlinked.log" >"$work/fewer.log"
expect 1 'uses_stack .*program.fatbin is of another build: registers 22 in the log, 68 in the binary' \
    'a log of another build and such a program: binary-mismatch' mismatches "$work/fewer.log" "$work/program.fatbin"
sed -n '/nvlink/{s/13024/14048/;s/used 68/used 70/;p;}' rdc.log | cat "$work/unlinked.log" - >"$work/linked.log"
expect 1 'rdc_linked.cubin is of another build: shared memory 13024 B in the log, 12000 B in the binary' \
    'a link with other shared memory than the cubin: binary-mismatch' mismatches "$work/linked.log" rdc_linked.cubin rdc_object.cubin
expect 1 'registers 70 in the log, 68 in the binary' 'a link with other registers than the cubin: binary-mismatch' mismatches "$work/linked.log" rdc_linked.cubin
sed -n '/nvlink/{s/408 stack/400 stack/;p;}' rdc.log | cat "$work/unlinked.log" - >"$work/stack.log"
expect 1 'cumulative stack 400 B in the log, 408 B in the binary' 'a link with another stack than the cubin: binary-mismatch' mismatches "$work/stack.log" rdc_linked.cubin
grep nvlink rdc.log >>"$work/linked.log"
expect 0 'verdict: passed' 'two links of one object, one of them matches the cubin: passed' mismatches "$work/linked.log" rdc_linked.cubin
expect 1 'uses_stack .*408 B per thread, with the functions it calls' 'dynamic-indexing uses the stack of the link' \
    check --select dynamic-indexing rdc.log
printf 'sms: 132\nrules:\n  local-memory-reservation: warning\n' >"$work/reserve.yaml"
expect 1 'uses_stack .*408 B stack per thread reserve' 'local-memory-reservation uses the stack of the link' \
    "$warplint" check --config "$work/reserve.yaml" --select local-memory-reservation rdc.log
expect 0 '"mangled":"_Z10uses_stackPi".*"producer":"ptxas".*"link_registers":68,"link_stack_bytes":408,"link_smem_bytes":0' \
    'NDJSON has the metrics of the link' report --format ndjson rdc.log
check "$work/other.log" cubin.elf --format ndjson >"$work/other.ndjson" 2>/dev/null
expect 1 'binary-mismatch' 'records keep binary-mismatch' check "$work/other.ndjson"
expect 3 'PTX says what kernels declare' 'PTX alone: status 3' check kernels.ptx
head -c 20000 lz4.elf >"$work/cut.elf"
expect 3 'cut.elf: error: ' 'a truncated binary: status 3' check "$work/cut.elf"
head -c 3000 kernels.cu >"$work/source.ptx"
expect 3 'source.ptx: error: no PTX' 'a file .ptx that is not PTX: status 3' check "$work/source.ptx"
cp /bin/true "$work/true" 2>/dev/null && expect 3 'holds no GPU code' 'a program without GPU code: status 3' check "$work/true"

printf '!<thin>\n' >"$work/thin.a"
mkdir "$work/thin" && cp "$work/thin.a" "$work/thin"
expect 3 'thin.a: error: a thin archive holds the names of its members alone' 'a thin archive: status 3' check "$work/thin.a"
expect 0 'verdict: not asked for' 'a thin archive in the folder of --objects: no error' check --fail-on never --objects "$work/thin" cubin.log
expect 0 'a thin archive' 'a thin archive: no message about an empty log' \
    in_shell "'$warplint' check '$work/thin.a' '$work/true' >'$work/seen' 2>&1; grep 'a thin archive' '$work/seen' && ! grep 'the log is empty' '$work/seen'"
expect 3 'family.fatbin: warning: spills: not stated for this kernel.*\[unstated\]' 'doctor on a fat binary: spills are not stated' \
    "$warplint" doctor family.fatbin

# Compressed files, and text in UTF-16 (test_encoding.c tests the conversion itself).
gzip -c cubin.log >"$work/log.gz"
packed='error: is compressed: give the output of .gzip -dc.'
expect 3 "log.gz: $packed" 'a compressed log: status 3' check "$work/log.gz"
expect 0 '^1$' 'a compressed log: one message' in_shell "'$warplint' check '$work/log.gz' 2>&1 >/dev/null | grep -c ."
: >"$work/empty.log"
expect 3 'empty.log: error: no kernels: the log is empty' 'report of a compressed and an empty log: the empty one is reported, too' \
    report "$work/log.gz" "$work/empty.log"
expect 3 "<stdin>: $packed" 'a compressed log on standard input: status 3' in_shell "'$warplint' check - <'$work/log.gz'"
{ cat "$work/log.gz" && head -c 300000 /dev/zero; } >"$work/long.gz"
expect 0 '^whole$' 'a compressed log on standard input is read to its end' in_shell \
    "{ cat '$work/long.gz' && echo whole >'$work/ended'; } | '$warplint' check - >/dev/null 2>&1; cat '$work/ended'"
expect 3 "log.gz: $packed" 'doctor of a compressed log: status 3' "$warplint" doctor "$work/log.gz"
expect 3 "log.gz: $packed" 'occupancy --csv of a compressed file: status 3' "$warplint" occupancy --csv "$work/log.gz"
expect 0 '^1$' 'occupancy --csv of a compressed file: one message' in_shell "'$warplint' occupancy --csv '$work/log.gz' 2>&1 | grep -c ."
expect 3 "log.gz: $packed" '--launches of a compressed file: status 3' check --launches "$work/log.gz" cubin.log
expect 2 "log.gz: $packed" '--baseline of a compressed file: status 2' check --baseline "$work/log.gz" cubin.log
if has iconv; then
    { printf '\357\273\277' && cat ../profiles/ncu-details.csv; } | iconv -f UTF-8 -t UTF-16LE >"$work/wide.csv"
    expect 0 '"_Z5plainPf".*"threads_from":"profile"' 'a profile in UTF-16 is read' \
        report --format ndjson --launches "$work/wide.csv" cubin.log
fi

# A rule about a message checks whether the log has the record of its function.
mkdir -p "$work/messages"
{
    cat cubin.log
    for name in _Z5plainPf of_another_log; do
        echo "ptxas warning : Registers are spilled to local memory in function '$name', 8 bytes spill stores, 8 bytes spill loads"
    done
} >"$work/messages.log"
for answer in 'has_record:plain' 'not has_record:of_another_log'; do
    printf "id: told\ntitle: told\nseverity: warning\nevent: spill-warning\nwhen: '%s'\nmessage: 'told'\n" "${answer%:*}" \
        >"$work/messages/told.yaml"
    expect 1 " ${answer#*:}(:| \(sm_90a\):) told " "a rule on messages: ${answer%:*}" \
        check --rules "$work/messages" --select told "$work/messages.log"
    expect 1 'found: 0 errors, 1 warning,' 'the rule fires on one message' check --rules "$work/messages" --select told "$work/messages.log"
done

# Profiles with the log of the same program: the kernels of ../profiles are those of ../binaries.
profiles=../profiles
for file in ncu-details.csv ncu-raw.csv nsys-trace.csv nsys-gb-sum.csv nvprof.csv ncu-function.csv; do
    expect 0 '"mangled":"_Z5plainPf".*"threads":256,"threads_from":"profile"' "block size from the profile $file" \
        report --format ndjson --launches $profiles/$file cubin.log
done
expect 0 '"_Z14shared_dynamicPf".*"threads":256.*"launches":\[\{"count":2.*"count":1' 'the most frequent of several launches is used, and all are listed' \
    report --format ndjson --launches $profiles/ncu-details.csv cubin.log
expect 0 '"achieved_occupancy_percent":81.530' 'achieved occupancy keeps its decimals' \
    report --format ndjson --launches $profiles/ncu-raw.csv cubin.log
expect 0 '"_Z14shared_dynamicPf".*"sms":132,.*"achieved_occupancy_at_most_percent":12.500,.*"achieved_occupancy_percent":12.240' \
    'NDJSON has the number of SMs, the mean achieved occupancy and its bound by the grid' \
    report --format ndjson --launches $profiles/ncu-details.csv cubin.log
expect 0 'shared_dynamic +sm_90a .* 100.0% +12.24% +0.06 +warps' 'text has columns of achieved occupancy and waves' \
    report --all --launches $profiles/ncu-details.csv cubin.log
expect 0 'typed<double> +sm_90a .* 98.4% +- +- +warps' 'text prints - for a kernel without achieved occupancy' \
    report --all --launches $profiles/ncu-details.csv cubin.log
printf '%s\n' "ptxas info    : Overriding maximum register limit 256 for 'k' with 64 of maxrregcount option" \
    "ptxas info    : Compiling entry function 'k' for 'sm_80'" \
    'ptxas info    : Used 40 registers, 352 bytes cmem[0]' >capped.log
expect 0 '^kernel +arch +regs +cap +spill' 'text has a column of register caps if one is known' report capped.log
expect 0 '^k +sm_80 +40 +64 ' 'text prints the register cap' report capped.log
expect 0 '<th scope="col" class="n">achieved %</th><th scope="col" class="n">waves</th>' 'HTML has columns of achieved occupancy and waves' \
    report --format html --launches $profiles/ncu-details.csv cubin.log
expect 0 '<td>12.24<td>0.06<td class=t>warps$' 'HTML prints achieved occupancy and waves' \
    report --format html --launches $profiles/ncu-details.csv cubin.log
expect 0 '<li>at most 1 block on an SM: achieved occupancy is at most 12.5 %</li>' 'HTML prints the bound of occupancy by the grid' \
    report --format html --launches $profiles/ncu-details.csv cubin.log
expect 0 'the profile measured 12.24 %' 'advise prints the achieved occupancy' \
    "$warplint" advise --no-config --launches $profiles/ncu-details.csv shared_dynamic cubin.log
expect 0 'achieved occupancy 12.2 %, theoretical 100 %; the grid of 64 blocks on 132 SMs allows at most 12.5 %' \
    'achieved-below-theoretical states the bound by the grid' \
    check --select achieved-below-theoretical --launches $profiles/ncu-details.csv cubin.log
expect 0 'found: 0 errors, 0 warnings, 0 notes' '--threads other than in the profile: no achieved-below-theoretical' \
    check --select achieved-below-theoretical --threads 128 --launches $profiles/ncu-details.csv cubin.log
mkdir -p "$work/rules"
cat >"$work/rules/narrow.yaml" <<'YAML'
id: narrow
title: blocks of one warp
severity: warning
when: 'known(threads) and threads <= 32'
message: 'blocks of {threads} threads reach {occupancy}'
why: one warp a block wastes the SM
hint: use larger blocks
YAML
expect 1 'shared_dynamic \(sm_90a\): blocks of 32 threads reach 50 %' 'a rule on the block size fires for the worst launch' \
    check --select narrow --rules "$work/rules" --launches $profiles/ncu-details.csv cubin.log
expect 1 'found: 0 errors, 2 warnings' 'a rule on the block size fires for two kernels' \
    check --select narrow --rules "$work/rules" --launches $profiles/ncu-details.csv cubin.log
expect 0 'typed<double> +sm_90a .* 98.4% .* warps' 'a template instance in an anonymous namespace matches the profile' \
    report --all --launches $profiles/ncu-details.csv cubin.log
expect 0 '1 of 2 kernels in the profile are not in the log, or their name fits several there: typed' \
    'a short name that fits two kernels of the log matches none' report --launches $profiles/ncu-function.csv cubin.log
expect 0 '^warplint: warning: [0-9]* of [0-9]* kernels in the profile are not' 'two profiles without matches: the message names neither' \
    report --launches $profiles/ncu-function.csv --launches $profiles/ncu-details.csv lz4.log
expect 0 '"mangled":"_Z5plainPf".*"threads":null' 'a log of another architecture: the profile does not apply' \
    report --format ndjson --launches $profiles/ncu-details.csv lz4.log
expect 0 '"_Z5plainPf".*"threads":128,"threads_from":"cli"' '--threads takes precedence over a profile' \
    report --format ndjson --threads 128 --launches $profiles/ncu-details.csv cubin.log
printf 'kernels: [{match: plain, threads: 64, grid: 7, dynamic-smem: 1KiB, ilp: 2}]\nsms: 3\n' >"$work/other.yaml"
expect 0 '"_Z5plainPf".*"threads":256,"threads_from":"profile"' 'a profile takes precedence over the configuration' \
    "$warplint" report --config "$work/other.yaml" --format ndjson --launches $profiles/ncu-details.csv cubin.log
expect 0 '"_Z5plainPf".*"threads":256,"threads_from":"profile".*"dynamic_smem_bytes":1024,.*"grid":64,' 'the configuration gives what the profile does not state' \
    "$warplint" report --config "$work/other.yaml" --format ndjson --launches $profiles/ncu-function.csv cubin.log
expect 1 'plain \(sm_90a\): 8 registers in the log, 32 in the profile.*\[profile-mismatch\]' 'other registers in the profile: profile-mismatch' \
    check --select profile-mismatch --launches $profiles/other-build.csv cubin.log
expect 1 'profile-mismatch' 'a baseline does not make profile-mismatch known' \
    check --select profile-mismatch --launches $profiles/other-build.csv --baseline cubin.log cubin.log
"$warplint" baseline write --no-config "$work/mismatch.json" cubin.log >/dev/null 2>&1
expect 1 '^to accept a finding: `allow`' 'profile-mismatch: the hint to accept names `allow`' "$warplint" baseline check --no-config \
    --select profile-mismatch --launches $profiles/other-build.csv "$work/mismatch.json" cubin.log
expect 0 'mismatch.json: [0-9]+ kernel x arch: [0-9]+ kept$' 'baseline update keeps the kernel with profile-mismatch' "$warplint" baseline update \
    --no-config --select profile-mismatch --launches $profiles/other-build.csv "$work/mismatch.json" cubin.log
expect 2 'not accepted: plain .sm_90a. is reported by profile-mismatch, and no baseline holds what a profile says; give another profile' 'update --accept refuses a kernel with profile-mismatch only' \
    "$warplint" baseline update --no-config --select profile-mismatch --launches $profiles/other-build.csv \
    --accept plain --reason x "$work/mismatch.json" cubin.log
expect 0 'verdict: passed' 'a profile of the same build: no profile-mismatch' \
    check --select profile-mismatch --launches $profiles/nsys-trace.csv cubin.log
expect 3 'german.csv:2: error: column' 'a profile with an unknown column: status 3' check --launches $profiles/german.csv cubin.log

# ---- a profile by Nsight Compute from a real GPU: its registers equal the log's, its warps equal ours
for page in details raw mangled function; do
    expect 0 'verdict: passed' "a profile of the same build on a GPU: no profile-mismatch: $page" check --select profile-mismatch --launches $profiles/real-$page.csv $profiles/real.log
done
sed 's/"register\/thread","56"/"register\/thread","58"/' "$profiles/real-details.csv" >"$work/other-build.csv"
expect 1 'keep<50> .sm_90.: 56 registers in the log, 58 in the profile' 'other registers in a profile of a GPU: profile-mismatch' \
    check --select profile-mismatch --launches "$work/other-build.csv" $profiles/real.log
"$warplint" report --no-config --format ndjson --launches "$profiles/real-mangled.csv" "$profiles/real.log" |
    sed -n 's/.*"mangled":"\([^"]*\)".*"warps_per_sm":\([0-9]*\).*/\1 \2/p' | sort >"$work/ours"
awk -F '","' '$13 == "Theoretical Active Warps per SM" { print $5, $15 + 0 }' "$profiles/real-mangled.csv" | sort -u >"$work/theirs"
expect 0 '^7 ' 'the profile has 7 kernels with theoretical warps' wc -l "$work/theirs"
expect 0 '' "the warps of $(wc -l <"$work/theirs") kernels equal those of Nsight Compute" diff "$work/theirs" "$work/ours"

finish
