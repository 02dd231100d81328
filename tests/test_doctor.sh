#!/bin/sh
# usage: test_doctor.sh PROGRAM SOURCE_DIR
#
# doctor: every cause of its table is found where it exists, and nowhere else: in logs of nvcc (fixtures/), in logs of
# tests/data/doctor.test, in folders; a good log has no cause. test_doctor_nvcc.sh does the same with real builds.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS PTXAS_FLAGS
export XDG_CACHE_HOME="$work/cache"
: >named

# shows CODES TITLE INPUT...: exactly these causes are named, in any order; the exit status is that of the worst one
shows()
{
    codes=$1 title=$2
    shift 2
    "$program" doctor "$@" >out 2>err </dev/null
    status=$?
    sed -n 's/^[^ ].*\[\([a-z-]*\)\]$/\1/p' out | sort | tr '\n' ' ' >got
    [ "$codes" = none ] && codes=
    for code in $codes; do echo "$code"; done | sort | tr '\n' ' ' >want
    expected=3
    case $codes in '' | no-hook | no-remarks | sccache | triton-cache | unknown-lines | spills-not-located | 'no-hook no-remarks') expected=0 ;; esac
    if cmp -s got want && [ $status = $expected ]; then
        ok "$title: $(cat want)"
        tr ' ' '\n' <want >>named
    else
        bad "$title: named '$(cat got)', expected '$(cat want)'; status $status, expected $expected"
    fi
}

# ---- logs of real compilers
fixture() # codes, name...
{
    codes=$1
    shift
    for name; do shows "$codes" "$name" "$source/fixtures/$name/log.txt"; done
}
fixture empty-log empty
fixture up-to-date up-to-date
fixture not-verbose not-verbose warn-spills
fixture 'variable-behind-cache not-verbose' variable-behind-cache
fixture stderr-lost stderr-lost
fixture swallowed swallowed
fixture cache-outside cache-outside
fixture ptx-only ptx-only
shows ptx-only 'a PTX file' "$source/tests/data/binaries/kernels.ptx"
shows no-compile 'a CUDA source' "$source/fixtures/ptx-only/saxpy.cu"
holds 'the fix does not overwrite the source' grep -q 'tee build\.log$' out
echo 'import torch' >setup.py
shows no-compile 'a script' setup.py
holds 'the fix does not overwrite the script' grep -q 'tee build\.log$' out
echo '[1/2] Compiling Cuda object libk.a.p/sub_k.cu.o' >meson.log
shows not-verbose 'a progress line that does not prove the source' meson.log
fixture device-lto device-lto
fixture usage-refused usage-refused
fixture rdc-without-link rdc-without-link
fixture functions-only functions-only
fixture no-kernels no-kernels
fixture partly-verbose partly-verbose
fixture stopped compiler-error insufficient-registers
fixture debug debug
fixture 'cut lines-missing spills-not-located' cut
fixture 'torn unknown-lines' torn
fixture 'unknown-arch unknown-lines' unknown-phrases
# Logs with reliable numbers, whatever the rules find in them.
fixture none ansi-crlf clean many-archs rdc-one-arch rdc-two-archs windows
fixture spills-not-located cmake-ninja demo docker-buildkit github-actions make-echo make-j2 register-spill templates cuda5
fixture unstated cuda2 cuda3

# ---- logs of the data file
awk '/^=== / { number++; codes = $0; sub(/^=== /, "", codes); print codes >("codes." number); next }
     number { print >("log." number) }' "$source/tests/data/doctor.test"
at=1
while [ -f "codes.$at" ]; do
    shows "$(cat codes.$at)" "log $at of doctor.test" "log.$at"
    at=$((at + 1))
done
[ $at -gt 20 ] || bad 'the data file has more than 20 logs'

# ---- a log and the binary of its build
binaries=$source/tests/data/binaries
shows none 'spills with source lines' "$binaries/located.log" "$binaries/located.cubin"
shows spills-not-located 'code without source lines' "$binaries/located.log" "$binaries/located_plain.cubin"
holds 'a note says that source lines are unknown' grep -q ':3: note: 1 kernel x arch: the source lines of the spills are not known' out
reason() { sed -n '2,/^      /p' out | tr -s '\n ' ' ' | grep -q "^ $1;"; }
holds 'the reason: no line information' reason 'the machine code has no line information'
sed 's/300 bytes spill stores/304 bytes spill stores/' "$binaries/located.log" >sums.log
shows spills-not-located 'spills that differ from the log' sums.log "$binaries/located.cubin"
holds 'the reason: loads and stores do not add up' reason 'the loads and stores of the machine code do not add up to the bytes of spills that ptxas states'
sed 's/Used 24 registers/Used 26 registers/' "$binaries/located.log" >build.log
shows spills-not-located 'a log of another build' build.log "$binaries/located.cubin"
holds 'the reason: the binary is of another build' reason 'the binary is of another build than the log'
# The ELF flags of CUDA 13 hold the SM number in their second byte.
cp "$binaries/located.cubin" old.cubin && printf '\043' | dd of=old.cubin bs=1 seek=49 conv=notrunc 2>/dev/null
sed 's/sm_90/sm_35/' "$binaries/located.log" >old.log
shows spills-not-located 'code of an architecture that is not decoded' old.log old.cubin
holds 'the reason: this machine code is not decoded' reason 'warplint decodes machine code of sm_50 to sm_121 as CUDA 11 to 13 write it, and this is other code'
if has python3; then
    # Another ABI version, a function symbol shorter than its code, and two broken line tables.
    python3 - "$binaries/located.cubin" <<'PY'
import struct, sys
image = open(sys.argv[1], 'rb').read()
table, = struct.unpack_from('<Q', image, 0x28)
count, names = struct.unpack_from('<HH', image, 0x3c)
sections = [struct.unpack_from('<IIQQQQIIQQ', image, table + 64 * at) for at in range(count)]
def section(name):
    return next(s for s in sections if image[sections[names][4] + s[0]:].startswith(name + b'\0'))
def write(name, at, *bytes):
    changed = bytearray(image)
    changed[at:at + len(bytes)] = bytes
    open(name, 'wb').write(changed)
write('abi.cubin', 8, 9)
symbols = section(b'.symtab')
for at in range(symbols[4], symbols[4] + symbols[5], 24):
    if image[at + 4] & 15 == 2:  # a function; its size is in the last 8 bytes
        write('short.cubin', at + 16, *(64).to_bytes(8, 'little'))
lines = section(b'.debug_line')[4]
write('version.cubin', lines + 4, 9, 0)
write('length.cubin', lines, 255, 255, 255, 15)
PY
    shows spills-not-located 'an unknown ABI version' "$binaries/located.log" abi.cubin
    holds 'the reason: an unknown ABI version is not decoded' reason 'warplint decodes machine code .* and this is other code'
    shows spills-not-located 'code outside the function symbol' "$binaries/located.log" short.cubin
    holds 'the reason: the machine code is broken' reason 'the machine code is broken'
    holds 'report does not print 0 spills for that code' in_shell "'$program'"' report --no-config --format ndjson short.cubin | grep -q "\"spill_store_bytes\":null"'
    for cubin in version length; do
        shows spills-not-located "line information with a wrong $cubin" "$binaries/located.log" $cubin.cubin
        holds "the reason: invalid line information, a wrong $cubin" reason 'the line information of the binary is not a valid DWARF 2 table'
    done
fi
cat "$binaries/located.log" sums.log >both.log
"$program" doctor --format json both.log >out 2>err
holds 'JSON counts all kernels of a cause' grep -q '"code":"spills-not-located",.*"count":2,' out

# ---- the environment
printf 'ccache nvcc -arch=sm_90 -c a.cu -o a.o\n' >cached.log
shows not-verbose 'ccache without a variable' cached.log
export NVCC_APPEND_FLAGS=-Xptxas=-v
shows 'variable-behind-cache not-verbose' 'ccache with NVCC_APPEND_FLAGS' cached.log
unset NVCC_APPEND_FLAGS
export PTXAS_FLAGS='-O3 -v'
shows 'variable-behind-cache not-verbose' 'ccache with -v in PTXAS_FLAGS' cached.log
export PTXAS_FLAGS='-O3'
shows not-verbose 'ccache without -v in PTXAS_FLAGS' cached.log
unset PTXAS_FLAGS

# ---- folders
record() # object, flags, line of relocatable code: a record of one kernel beside an object
{
    mkdir -p "$(dirname "$1")"
    : >"$1"
    cat >"$1.warplint.ndjson" <<RECORD
{"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}
{"type":"log","log":"$1","lines":5,"unknown_lines":0,"verbose":true,"interleaved":false,"torn":false,"cut":false,"no_machine_code":false,"command":["nvcc","-c","a.cu"],"flags":[${2:-"\"-c\""}],"nvcc":null,"ptxas":null,"toolkit":null,"rdc_line":${3:-null}}
{"type":"kernel","mangled":"_Z1kPf","kind":"entry","arch_inferred":"sm_80","producer":"ptxas","arch":"sm_80","source":"k.cu","log":"$1","log_line":0,"registers":40,"stack_bytes":0,"spill_store_bytes":0,"spill_load_bytes":0,"barriers":0,"used_line":true,"ambiguous":false,"debug":false,"headless":false}
{"type":"end","records":2}
RECORD
}
cmake_cache() # folder, lines...
{
    mkdir -p "$1"
    folder=$1
    shift
    printf '%s\n' 'CMAKE_GENERATOR:INTERNAL=Ninja' "$@" >"$folder/CMakeCache.txt"
}
# The smallest object with a section of device code: an ELF header, section headers, and their names.
object()
{
    mkdir -p "$(dirname "$1")"
    python3 - "$1" <<'PY'
import struct, sys
names = b"\0.nv_fatbin\0.shstrtab\0"
names += b"\0" * (-len(names) % 8)
head = b"\x7fELF\2\1\1" + b"\0" * 9
offset = 64 + len(names)
head += struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, offset, 0, 64, 0, 0, 64, 3, 2)
def section(name, kind, at, size):
    return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, at, size, 0, 0, 1, 0)
table = section(0, 0, 0, 0) + section(1, 1, 64, 4) + section(12, 3, 64, len(names))
open(sys.argv[1], "wb").write(head + names + table)
PY
}
launcher='CMAKE_CUDA_COMPILER_LAUNCHER:UNINITIALIZED=warplint;wrap;--'

in_log() { echo "$1" | "$program" doctor -; } # a log of one line
mkdir nothing
shows no-build 'an empty folder' nothing
mkdir -p cache/HASH
cp "$source/tests/data/triton/small.cubin" cache/HASH/matmul_kernel.cubin
echo '{"name": "matmul_kernel", "num_warps": 4, "shared": 0}' >cache/HASH/matmul_kernel.json
shows triton-cache 'a cache of Triton' cache
cmake_cache plain
shows not-wrapped 'a CMake build without the launcher' plain
mkdir made && printf 'NVCC = nvcc\n' >made/Makefile
shows not-wrapped 'a make build' made
holds 'make: the fix names the nvcc of the shim' grep -qF 'make -B NVCC="$PWD/shim/bin/nvcc"' out
holds 'make: the fix does not name CMake' sh -c '! grep -qi cmake out'
shows not-wrapped 'a CMake build without the launcher, again' plain
holds 'CMake: the fix does not name make or the shim' sh -c 'grep -q "cmake -B" out && ! grep -q "NVCC=\|shim" out'
expect 3 '^      make -B 2>&1 . tee build.log$' 'a log of make: the fix is a make command' in_log 'make[1]: Nothing to be done for .all..'
expect 3 '^      cmake --build build --clean-first' 'a log of CMake: the fix is a CMake command' in_log '[100%] Built target all'
for other in 'cmake --build' 'bazel'; do
    in_log 'make[1]: Nothing to be done for .all..' >out
    holds "a log of make: the fix does not name $other" sh -c '! grep -q "$1" out' sh "$other"
done
cmake_cache ready "$launcher"
shows not-built 'the launcher is configured, but nothing is built' ready
cmake_cache visual "$launcher" && sed -i 's/=Ninja/=Visual Studio 17 2022/' visual/CMakeCache.txt
shows no-launchers 'a generator without launchers' visual
cmake_cache host 'CMAKE_CXX_COMPILER_LAUNCHER:STRING=warplint;wrap;--'
shows other-launcher 'only C++ has the launcher' host
cmake_cache inverted 'CMAKE_CUDA_COMPILER_LAUNCHER:STRING=ccache;warplint;wrap;--'
record inverted/a.o
shows cache-outside 'ccache before the launcher' inverted
cmake_cache rule "$launcher" && mkdir rule/CMakeFiles &&
    printf '  command = ccache warplint wrap -- /usr/bin/nvcc $FLAGS -c $in\n' >rule/CMakeFiles/rules.ninja
record rule/a.o
shows cache-outside 'ccache before the launcher in rules.ninja' .//rule/
mv rule/CMakeFiles/rules.ninja rule/CMakeFiles/build.make
shows cache-outside 'ccache before the launcher in build.make' rule
record healthy/a.o
cmake_cache healthy "$launcher;ccache"
shows none 'a good build folder' healthy
cmake_cache tools 'CMAKE_CUDA_COMPILER_LAUNCHER:STRING=/home/ccache/my tools/warplint;wrap;--'
record tools/a.o
shows none 'a launcher in a folder with ccache in its name' tools
cmake_cache only 'CMAKE_CUDA_COMPILER_LAUNCHER:STRING=/src/warplint/bin/ccache'
shows not-wrapped 'ccache in a folder named warplint' only
cmake_cache sc "$launcher;sccache"
record sc/a.o
shows sccache 'sccache behind the launcher' sc
record old/a.o
record old/b.o
sed -i 's/"object_code":"[^"]*",//' old/a.o.warplint.ndjson
touch -d '2001-01-01' old/a.o.warplint.ndjson
shows stale-records 'a record older than its object' old
touch old/a.o.warplint.ndjson
rm old/b.o
shows orphaned-records 'one record without its object' old
rm old/a.o
shows none 'all records without their objects' old
record old/a.o
record rdc/a.o '"-rdc=true","-c"' 1
shows rdc-without-link 'records of relocatable code' rdc
record lto/a.o '"-dlto","-c"'
sed -i '/"type":"kernel"/d; s/"verbose":true/"verbose":false/; s/"no_machine_code":false/"no_machine_code":true/; s/"records":2/"records":1/' lto/a.o.warplint.ndjson
shows device-lto 'records of -dlto' lto
cp -r lto ptx
sed -i 's/-dlto/-ptx/' ptx/a.o.warplint.ndjson
shows ptx-only 'records of -ptx' ptx
cp -r lto mute
sed -i 's/-dlto/-G/; s/"no_machine_code":true/"no_machine_code":false/' mute/a.o.warplint.ndjson
shows records-not-verbose 'records of --no-verbose' mute
mkdir -p gone && : >gone/k.cu
for object in k l; do
    record gone/$object.o "\"-c\",\"$object.cu\""
    sed -i "s/\"toolkit\":null/\"toolkit\":null,\"working_directory\":\".\"/" gone/$object.o.warplint.ndjson
done
shows gone-source 'a record without its source' gone
record linked/a.o
record linked/link.o '"-dlink","a.o"'
sed -i "s/\"toolkit\":null/\"linked_code\":\"1 0123456789abcdef\",\"working_directory\":\".\",&/" linked/link.o.warplint.ndjson
shows old-link 'a device link of other objects' linked
holds 'a device link of other objects: the fix deletes and builds it' grep -qx '      rm linked/link.o && cmake --build linked' out
record unread/a.o
sed -i "s/\"toolkit\":null/\"object_code\":\"1 0123456789abcdef\",&/" unread/a.o.warplint.ndjson
rm unread/a.o && mkdir unread/a.o
shows unread-object 'an object that cannot be read' unread
record unrecorded/a.o
if command -v python3 >/dev/null; then
    object unrecorded/b.o
    shows unrecorded 'an object without a record' unrecorded
    record unlinked/a.o '"-rdc=true","-c"' 1
    object unlinked/app.dir/cmake_device_link.o
    shows unrecorded-link 'a device link of CMake without a record' unlinked
    holds 'a device link without a record: the fix gives the program to check' grep -qx '      warplint check --objects PROGRAM unlinked' out
    cmake_cache unlinked "$launcher"
    shows unrecorded-link 'a device link of CMake with the launcher' unlinked
    holds 'a device link of CMake with the launcher: the fix uses the shim' grep -qF 'cmake -B build2 -DCMAKE_CUDA_COMPILER="$PWD/shim/bin/nvcc"' out
    holds 'a device link of CMake with the launcher: the fix does not rebuild' sh -c '! grep -q clean-first out'
    cmake_cache before "$launcher"
    object before/b.o
    shows built-before 'objects older than the launcher' before
    object ready/CMakeFiles/CMakeScratch/TryCompile/CMakeFiles/cmTC_12abc.dir/b.o
    shows not-built 'an object of a try-compile of CMake' ready
    rm before/CMakeCache.txt
    shows not-wrapped 'objects without CMake' before
else
    echo 'skipped: objects with device code, no python3'
    printf 'unrecorded\nunrecorded-link\nbuilt-before\n' >>named
fi

# ---- compilers
mkdir bin
cat >bin/nvcc <<'SH'
#!/bin/sh
# A compiler that accepts neither --ptxas-prefix nor -pass-remarks, as nvcc of CUDA 7.
case " $* " in
*' --version '*) echo 'Cuda compilation tools, release 7.5, V7.5.17' ;;
*-prefix=* | *pass-remarks*) echo "nvcc fatal   : Unknown option 'ptxas-prefix'" >&2 && exit 1 ;;
*' --dryrun '*) printf '#$ _HERE_=%s\n#$ PATH=%s\n' "$(dirname "$0")" "$PATH" >&2 ;;
esac
SH
chmod +x bin/nvcc
sed 's/\*-prefix=\* | //; s/7\.5/9.0/g' bin/nvcc >bin/nvcc-9
sed -i "s|^esac|*) : ;;\nesac|" bin/nvcc-9
chmod +x bin/nvcc-9
shows 'no-hook no-remarks' 'a compiler that accepts no hook' --nvcc "$work/bin/nvcc"
shows no-compiler 'a missing compiler' --nvcc "$work/bin/none"
shows not-nvcc 'a program that is not nvcc' --nvcc cat
shows 'no-compiler up-to-date' 'a missing compiler and a log' --nvcc "$work/bin/none" "$source/fixtures/up-to-date/log.txt"

# ---- output
expect 0 '^.*rdc-two-archs/log.txt: 8 kernel x arch can be judged, no problem found$' 'a kernel and its link count once' \
    "$program" doctor "$source/fixtures/rdc-two-archs/log.txt"
expect 0 '^.*clean/log.txt: 4 kernel x arch can be judged, no problem found$' 'a good log: a line says so' \
    "$program" doctor "$source/fixtures/clean/log.txt"
expect 3 "^      cmake --build 'a b' +--clean-first" 'a path with a blank is quoted in the fix' sh -c \
    'mv old "a b" && touch -d 2001-01-01 "a b/a.o.warplint.ndjson" && "$1" doctor "a b"' - "$program"
odd=$(printf "it's \033.log")
: >"$odd"
expect 3 "^it's .x1b.log: error: the log is empty" 'a control character in a path is escaped' "$program" doctor "$odd"
expect 3 "tee 'it'.''s .x1b.log'$" 'a quote in a path is quoted in the fix' "$program" doctor "$odd"
cp -r visual odd && printf 'CMAKE_GENERATOR:INTERNAL=Xcode \033[31m\n' >odd/CMakeCache.txt
expect 3 'error: Xcode .x1b\[31m: this generator' 'a control character in CMakeCache.txt is escaped' "$program" doctor odd
expect 3 '^<stdin>: error: the log is empty \[empty-log\]$' 'standard input: status 3 for an empty log' "$program" doctor
expect 3 'tee build.log$' 'standard input: the fix names build.log' "$program" doctor -
expect 3 'cannot be opened|No such file' 'a missing file: status 3' "$program" doctor nowhere.log
expect 2 "doctor writes text or json, found format 'csv'" 'an unknown format: status 2' "$program" doctor --format csv log.1
expect 2 'did you mean --nvcc' 'a misspelt option: status 2 with a suggestion' "$program" doctor --nvvc x
expect 0 '^usage: warplint doctor' '--help: status 0' "$program" doctor --help
expect 3 '"code":"not-verbose","severity":"error".*"line":1,.*"fix":"export NVCC_APPEND_FLAGS=' 'JSON has code, line and fix' \
    "$program" doctor --format json "$source/fixtures/not-verbose/log.txt"
expect 0 '^not-verbose +error +nvcc ran without' 'list causes prints all causes' "$program" list causes
if command -v python3 >/dev/null; then
    "$program" doctor --format json "$source"/fixtures/*/log.txt "a b" >all.json
    expect 0 '' 'JSON is valid' python3 -m json.tool all.json
fi
expect 3 '' 'a report into a file: status 3' "$program" doctor -o json=x.json "$source/fixtures/up-to-date/log.txt"
expect 0 '"type":"diagnosis"' 'the report is in the file' cat x.json

# Every line fits into 80 columns; lines of findings (path, sentence, code) may be longer.
for log in "$source"/fixtures/*/log.txt; do
    cp "$log" build.log && "$program" doctor build.log
done >said
"$program" doctor plain ready visual host inverted "a b" lto ptx mute gone linked unread rdc unrecorded unlinked --nvcc bin/nvcc >>said
grep '^ ' said | awk 'length($0) > 80' >wide
expect 1 '' 'lines of a fix have at most 80 columns' grep . wide

# ---- every row of the table
"$program" list causes | cut -d' ' -f1 | sort >table
sort -u named | grep . >seen
expect 0 '' 'every cause of list causes was shown' cmp table seen
comm -23 table seen

finish
