#!/bin/sh
# usage: test_folder.sh PROGRAM SOURCE_DIR
#
# A folder of records can be read from any working directory: the paths of sources are right from there, whichever
# folder the compiler ran in. Compiles by which a build system only tests the compiler are not part of the build.
set -u
warplint=$1 root=$2
. "$root/tests/cases.sh"
mkdir -p bin project/src project/build/deep project/part
ln -s "$root/tests/fake-nvcc" bin/nvcc
PATH=$work/bin:$PATH
cat >spill.txt <<'LOG'
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
LOG
export FAKE_SAY="$work/spill.txt"
for source in src/k.cu src/k2.cu part/k.cu; do
    echo 'extern "C" __global__ void k(float *p) { *p = 1; }' >project/$source
done

is() # what, expected, found
{
    if [ "$2" = "$3" ]; then ok "$1"; else bad "$1: expected '$2', found '$3'"; fi
}

wrap() # folder, arguments of nvcc
{
    folder=$1
    shift
    (cd "$folder" && "$warplint" wrap --no-config --record-only -- nvcc "$@") >/dev/null 2>&1
}

# The source lines of register-spill, as printed in a folder.
places() # where, what to check
{
    (cd "$1" && "$warplint" check --no-config --select register-spill "$2" 2>/dev/null) | sed -n 's/: error:.*//p'
}

wrap project/build -c ../src/k.cu -o deep/k.o
is 'source path from the root of the project' src/k.cu:1 "$(places project build)"
is 'source path from the build folder' ../src/k.cu:1 "$(places project/build .)"
is 'source path from the folder of the record' ../src/k.cu:1 "$(places project/build deep)"
is 'source path of one record' src/k.cu:1 "$(places project build/deep/k.o.warplint.ndjson)"
is 'source path if the folder is given by its absolute path' src/k.cu:1 "$(places project "$work/project/build")"
is 'source path from above the project' project/src/k.cu:1 "$(places . project/build)"

# A symbolic link to a build folder on another disk: its `..` is not the folder that holds the link.
mkdir -p elsewhere/src
mv project/build elsewhere/build
ln -s ../elsewhere/build project/build
is 'build folder behind a link, no source at the path: the path is unchanged' ../src/k.cu:1 "$(places project build)"
cp project/src/k.cu elsewhere/src/k.cu
is 'build folder behind a link, a source at the path: the path is adjusted' 1 "$(places project build | grep -c 'src/k.cu:1$')"
rm -r project/build elsewhere

# The command in `next` works in the folder where the records are read.
tune() # where, what to check: the command
{
    (cd "$1" && "$warplint" check --no-config --select register-spill "$2" 2>/dev/null) | sed -n 's/.*measure it: //p'
}
sed 's/255/128/' spill.txt >capped.txt
mkdir -p project/build
FAKE_SAY=$work/capped.txt wrap project/build -c ../src/k.cu -o k.o
is 'next: the command in the folder of the compile' 'warplint tune --kernel k -- nvcc -c ../src/k.cu -o k.o' "$(tune project/build .)"
is 'next: the command from another folder' '(cd project/build && warplint tune --kernel k -- nvcc -c ../src/k.cu -o k.o)' "$(tune . project)"
FAKE_SAY=$work/capped.txt wrap project/build -c "$work/project/src/k.cu" -o k.o
is 'next: a source with an absolute path' "(cd project/build && warplint tune --kernel k -- nvcc -c $work/project/src/k.cu -o k.o)" "$(tune . project)"
mv project/src project/gone
is 'next: a source that does not exist' 'warplint tune --kernel k -- nvcc ...' "$(tune . project)"
mv project/gone project/src
rm -r project/build

mkdir -p project/build
wrap project/part -c k.cu -o k.o
is 'source path of a compile in a subfolder' part/k.cu:1 "$(places project part)"
wrap project -c part/k.cu -o build/k.o
is 'source path of a compile in the root' part/k.cu:1 "$(places project build)"
wrap project/build -c "$work/project/src/k2.cu" -o k.o
is 'source path of a compile with an absolute path' src/k2.cu:1 "$(places project build)"
mkdir brought
wrap project/build -c ../src/k.cu -o k.o
cp project/build/k.o.warplint.ndjson brought
is 'source path of copied records is unchanged' ../src/k.cu:1 "$(places . brought)"

# ---- the object is not below the folder where the compiler ran
rm -r project brought
mkdir -p project/src project/part project/build project/.git
for source in src/k.cu part/k.cu; do
    echo 'static __global__ void k(float *p) { *p = 1; }' >project/$source
done
git_place() # where, what to check: the file of each annotation
{
    (cd "$1" && "$warplint" check --no-config --select register-spill --format github "$2" 2>/dev/null) |
        sed -n 's/^::[a-z]* file=\([^,]*\),.*/\1/p' | tr '\n' ' '
}
wrap project/src -c k.cu -o ../build/k.o
is 'compile in src, object in build: source path from the root' src/k.cu:1 "$(places project build)"
is 'compile in src: source path from src' k.cu:1 "$(places project/src ../build)"
is 'compile in src: source path from the build folder' ../src/k.cu:1 "$(places project/build .)"
is 'compile in src: source path if the folder is given by its absolute path' src/k.cu:1 "$(places project "$work/project/build")"
ln -s project alias
is 'compile in src: source path if the absolute path has a link' src/k.cu:1 "$(places project "$work/alias/build")"
is 'compile in src: source path from src through a link' k.cu:1 "$(places alias/src "$work/alias/build")"
rm alias
is 'compile in src: source path if the record is given by its absolute path' src/k.cu:1 "$(places project "$work/project/build/k.o.warplint.ndjson")"
is 'the record has a relative working directory' '../src' "$(sed -n 's/.*"working_directory":"\([^"]*\)".*/\1/p' project/build/k.o.warplint.ndjson)"
is 'an annotation has the path in the repository' 'src/k.cu ' "$(git_place project build)"
is 'an annotation from other folders has the path in the repository' 'src/k.cu src/k.cu ' "$(git_place project/src ../build)$(git_place project/build .)"
is 'an annotation of wrap has the path in the repository' src/k.cu "$(cd project/src && "$warplint" wrap --no-config --keep-output --select register-spill -o github=- -- nvcc -c k.cu -o ../build/k.o 2>&1 | sed -n 's/^::error file=\([^,]*\),.*/\1/p')"
# The same if the lines that spill are known.
site='{"file":"k.cu","line":3,"inlined":[],"depth":0,"stores":2,"loads":2,"store_bytes":8,"load_bytes":8}'
mkdir project/sites
sed "s/\"spill_bytes_in_loops\":null,\"spill_depth\":null/\"spill_bytes_in_loops\":0,\"spill_depth\":0/; /\"type\":\"kernel\"/s|}\$|,\"spill_sites\":[$site],\"array_sites\":[]}|" project/build/k.o.warplint.ndjson >project/sites/k.o.warplint.ndjson
is 'a line that spills: annotations have the path in the repository' 'src/k.cu src/k.cu src/k.cu ' "$(git_place project sites)$(git_place project/src ../sites)$(git_place project/sites .)"
is 'a line that spills: all paths in SARIF are in the repository' '"src/k.cu"' "$(cd project/src && "$warplint" check --no-config --select register-spill --format sarif ../sites 2>/dev/null | grep -o '"uri":"[^"]*"' | cut -d: -f2 | sort -u)"
is 'a line that spills: two locations in SARIF' 2 "$(cd project/src && "$warplint" check --no-config --select register-spill --format sarif ../sites 2>/dev/null | grep -o '"uri":"src/k.cu"' | wc -l)"
rm -r project/sites
wrap project/src -c k.cu -o "$work/project/build/k.o"
is 'object with an absolute path: source path' src/k.cu:1 "$(places project build)"
mkdir "project/bu ild é"
wrap project/src -c ./k.cu -o "../bu ild é/k.o"
is 'folder with blanks: source path' src/k.cu:1 "$(places project "bu ild é")"
wrap project/build -c ../part/../src/k.cu -o k2.o
is 'path with ..: source path' src/k.cu:1 "$(places project build/k2.o.warplint.ndjson)"
rm -r project/build/k2.o* "project/bu ild é"

# A symbolic link to a folder: its `..` is the parent of its target.
mkdir -p elsewhere/deep/build
mv project/build project/was && ln -s ../elsewhere/deep/build project/build
wrap project/src -c k.cu -o ../build/k.o
is 'build folder behind a link: source path' src/k.cu:1 "$(places project build)"
is 'build folder behind a link, given by its own path: source path' project/src/k.cu:1 "$(places . elsewhere/deep/build)"
ln -s project/src short
(cd short && "$warplint" wrap --no-config --record-only -- nvcc -c k.cu -o ../build/k.o) >/dev/null 2>&1
wrap short -c k.cu -o "$work/project/build/k.o"
is 'source folder behind a link: source path' src/k.cu:1 "$(places project build)"
rm -r project/build elsewhere short && mv project/was project/build

# The build folder is moved; only the records are moved; the source of an annotation is deleted.
wrap project/src -c k.cu -o ../build/k.o
cp -r project moved
is 'moved project: source path' src/k.cu:1 "$(places moved build)"
mkdir brought && cp -r moved/build brought/
is 'records moved alone: the recorded source path' k.cu:1 "$(places . brought)"
is 'records moved alone: an annotation has the recorded source path' 'k.cu ' "$(git_place . brought)"
rm -r moved
sed 's/,"working_directory":"[^"]*"//' project/build/k.o.warplint.ndjson >brought/build/k.o.warplint.ndjson
cp brought/build/k.o.warplint.ndjson project/build/
is 'a record without working_directory: the recorded source path' k.cu:1 "$(places project build)"
rm -r brought

# ---- two files of one name, each with a static kernel of one name
spill() # file, what k.cu of its folder spills
{
    sed "s/8 bytes spill stores/$2 bytes spill stores/" spill.txt >says.txt
    (cd project/$1 && FAKE_SAY=$work/says.txt "$warplint" wrap --no-config --record-only -- nvcc -c k.cu -o ../build/$1.o) >/dev/null 2>&1
}
both() { spill src "$1" && spill part "$2"; }
judged() # title, status, pattern, arguments of check in the project
{
    title=$1 status=$2 pattern=$3
    shift 3
    expect "$status" "$pattern" "$title" in_shell 'cd project && shift && "$0" check --no-config "$@"' "$@"
}
in_shell() { script=$1; shift; sh -c "$script" "$warplint" - "$@"; }
rm -f project/build/*
both 8 16
(cd project && "$warplint" baseline --no-config write b.json build >/dev/null 2>&1)
is 'two static kernels of one name are two entries of a baseline' 'part/k.cu src/k.cu ' "$(grep -o '"source":"[^"]*"' project/b.json | cut -d'"' -f4 | tr '\n' ' ')"
both 16 8
judged 'two static kernels swap their spills: one is worse' 1 '^src/k.cu:1: error: k .* 8 B and 8 B in the baseline' --baseline b.json build
both 8 16
(cd project && cp -r build before)
judged 'a folder of records as the baseline: the same' 0 '2 entries expected, 2 seen; 2 the same$' --baseline before build
rm -r project/before
judged 'two static kernels unchanged: the same' 0 '2 entries expected, 2 seen; 2 the same$' --baseline b.json build
judged 'two static kernels with absolute paths: the same' 0 '2 seen; 2 the same$' --baseline "$work/project/b.json" "$work/project/build"
expect 0 '2 seen; 2 the same$' 'two static kernels from the folder of one source: the same' in_shell 'cd project/src && "$0" check --no-config --baseline ../b.json ../build'
sed 's/"source":"[a-z]*\//"source":"/; s/,"max_warps_per_sm":64}$/,"max_warps_per_sm":64,"variant":2}/' project/b.json >project/old.json
judged 'a baseline with one source name for both: the same' 0 '2 entries expected, 2 seen; 2 the same$' --baseline old.json build
both 16 8
judged 'a baseline with one source name for both, spills swapped: the same' 0 '2 seen; 2 the same$' --baseline old.json build
both 8 16
mkdir project/deep && mv project/build project/deep/
judged 'the build folder is moved: the same' 0 '2 entries expected, 2 seen; 2 the same$' --baseline b.json deep/build
mv project/deep/build project/ && rmdir project/deep
rm project/build/part.*
judged 'one of two sources was not built: status 3' 3 'no record of source part/k.cu' --baseline b.json build
judged 'a baseline with one source name for both, one was not built: gone' 0 '1 gone' --baseline old.json build
both 8 16
mkdir brought && cp project/build/*.ndjson brought/
expect 0 '2 entries expected, 2 seen; 2 the same$' 'records moved alone: the same as in the baseline' in_shell '"$0" check --no-config --baseline project/b.json brought'
is 'records moved alone: two entries of a baseline' 'part/k.cu src/k.cu ' "$("$warplint" baseline --no-config write c.json brought >/dev/null 2>&1; grep -o '"source":"[^"]*"' c.json | cut -d'"' -f4 | tr '\n' ' ')"
expect 0 '' 'merge of records moved alone has no conflict' in_shell '"$0" merge brought >merged.ndjson'
expect 0 '2 seen; 2 the same$' 'the merged records have two kernels' in_shell '"$0" check --no-config --baseline project/b.json merged.ndjson'
rm -r brought

# ---- one file in two targets
spills() # file, bytes
{
    sed "s/8 bytes spill \([a-z]*\), 8 /$2 bytes spill \1, $2 /; s/8 bytes stack/$2 bytes stack/" spill.txt >"$1"
}
target() # object below the build folder, bytes that k.cu spills for it
{
    mkdir -p "project/build/$(dirname "$1")"
    spills says.txt "$2"
    (cd project/build && FAKE_SAY=$work/says.txt "$warplint" wrap --no-config --record-only -- nvcc -c ../src/k.cu -o "$1") >/dev/null 2>&1
}
wrapped() # title, status, pattern, object, bytes, baseline
{
    title=$1 status=$2 pattern=$3
    spills says.txt "$5"
    expect "$status" "$pattern" "$title" in_shell 'cd project/build && FAKE_SAY=$1 "$0" wrap --no-config --keep-output --strict --baseline "../$2" -- nvcc -c ../src/k.cu -o "$3"' "$work/says.txt" "$6" "$4"
}
in_shell() { script=$1; shift; sh -c "$script" "$warplint" "$@"; }
judged() # title, status, pattern, arguments of check in the project
{
    title=$1 status=$2 pattern=$3
    shift 3
    expect "$status" "$pattern" "$title" in_shell 'cd project && "$0" check --no-config "$@"' "$@"
}
known() { (cd project && "$warplint" baseline --no-config "$@" build) >/dev/null 2>&1; }
objects() { sed -n 's/.*"spill_store_bytes":\([0-9]*\),.*"object":"\([^"]*\)".*/\1 \2/p' "project/$1" | tr '\n' ' '; }
rm -rf project/build && mkdir project/build
target CMakeFiles/a.dir/k.o 16 && target CMakeFiles/b.dir/k.o 16
known write b.json
is 'two targets with the same numbers: entries without objects' '' "$(objects b.json)"
is 'two targets with the same numbers: schema 2' 2 "$(sed -n 's/"warplint_baseline": \(.*\),/\1/p' project/b.json)"
target CMakeFiles/b.dir/k.o 8
known write b.json
is 'two targets with different numbers: entries with objects' '8 b.dir/k.o 16 a.dir/k.o ' "$(objects b.json)"
is 'two targets with different numbers: schema 3' 3 "$(sed -n 's/"warplint_baseline": \(.*\),/\1/p' project/b.json)"
sed 's/,"object":"[^"]*"//; s/"warplint_baseline": 3/"warplint_baseline": 2/' project/b.json >project/old.json
known write again.json
is 'two targets: write gives the same bytes again' '' "$(cmp project/b.json project/again.json 2>&1)"
for base in b.json old.json; do
    judged "two targets unchanged: the same, baseline $base" 0 '2 entries expected, 2 seen; 2 the same$' --strict --baseline $base build
done
wrapped 'wrap of the first target, unchanged: status 0' 0 '' CMakeFiles/a.dir/k.o 16 b.json
wrapped 'wrap of the second target, unchanged: status 0' 0 '' CMakeFiles/b.dir/k.o 8 b.json
target CMakeFiles/b.dir/k.o 16
judged 'one target gets the numbers of the other: worse' 1 '2 seen; 1 worse \(1 fails\), 1 the same$' --baseline b.json build
for base in b.json old.json; do
    judged "one target gets the numbers of the other: one error, baseline $base" 1 '^verdict: FAILED, 1 error$' --baseline $base build
done
got_worse() # folders of records: the target of each finding that is worse than in $base
{
    (cd project && "$warplint" check --no-config --format ndjson --baseline "$base" "$@" 2>/dev/null) | sed -n '/"baseline_state":"worse"/s/.*"log":"[^"]*\/\([ab].dir\)\/k.o".*/\1/p'
}
for base in b.json old.json; do
    is "the worse target is named: baseline $base" b.dir "$(got_worse build/CMakeFiles/a.dir build/CMakeFiles/b.dir)"
    is "the worse target is named, folders in the other order: baseline $base" b.dir "$(got_worse build/CMakeFiles/b.dir build/CMakeFiles/a.dir)"
done
wrapped 'wrap of the worse target fails' 1 'spill-regression' CMakeFiles/b.dir/k.o 16 b.json
judged 'the worse target alone fails' 1 '1 worse \(1 fails\), 1 gone$' --baseline b.json build/CMakeFiles/b.dir
judged 'the other target alone: status 3' 3 'no record of object b.dir/k.o, of which the baseline has 1: another target compiled src/k.cu; was this one removed, or not built.' --baseline b.json build/CMakeFiles/a.dir
judged 'the other target alone with --allow-missing: status 0' 0 '1 gone, 1 the same$' --strict --allow-missing --baseline b.json build/CMakeFiles/a.dir
cp -r project/build project/without
spills says.txt 8 && sed -i "s/'k'/'other'/; s/for k$/for other/" says.txt
(cd project/without && FAKE_SAY=$work/says.txt "$warplint" wrap --no-config --record-only -- nvcc -c ../src/k.cu -o CMakeFiles/b.dir/k.o) >/dev/null 2>&1
judged 'a kernel disappears from one target: gone' 1 '1 new \(1 fails\), 1 gone, 1 the same$' --baseline b.json without
rm -r project/without
judged 'a baseline without objects, the worse target alone: status 3 under --strict' 3 'which --strict does not accept' --strict --baseline old.json build/CMakeFiles/b.dir
judged 'a baseline without objects, the worse target alone: a warning' 0 'warning: 1 kernel x arch may be worse than in the baseline, first k \(sm_90\) of src/k.cu: several targets' --baseline old.json build/CMakeFiles/b.dir
wrapped 'a baseline without objects, wrap of the worse target: status 3 under --strict' 3 '1 kernel x arch may be worse' CMakeFiles/b.dir/k.o 16 old.json
wrapped 'a baseline without objects, wrap of a target as good as the best: status 0' 0 '' CMakeFiles/b.dir/k.o 8 old.json
{ echo 'nvcc -Xptxas=-v -c src/k.cu -o b.o' && cat says.txt; } >project/part.log
sed -i 's/8 bytes/16 bytes/g' project/part.log
judged 'a log without objects: status 3 under --strict' 3 'which --strict does not accept' --strict --baseline b.json part.log
target CMakeFiles/b.dir/k.o 16
mv project/build project/out
judged 'another build folder: targets are recognized' 1 '1 worse \(1 fails\), 1 gone$' --baseline b.json out/CMakeFiles/b.dir
mv project/out project/build
mkdir -p project/build/more/b.dir
sed "s/'k'/'other'/; s/for k\$/for other/" says.txt >other.txt
(cd project/build && FAKE_SAY=$work/other.txt "$warplint" wrap --no-config --record-only -- nvcc -c ../part/k.cu -o more/b.dir/k.o) >/dev/null 2>&1
mv project/build/CMakeFiles/b.dir project/away
judged 'an object of another source with the same name does not stand for a target: status 3' 3 'no record of object b.dir/k.o, .* another target compiled src/k.cu' --allow-empty --fail-on never --baseline b.json build
mv project/away project/build/CMakeFiles/b.dir
rm -r project/build/more
target CMakeFiles/b.dir/k.o 8 && target CMakeFiles/c.dir/k.o 24
judged 'a new target that is worse than both: fails' 1 '1 worse \(1 fails\), 2 the same$' --baseline b.json build
target CMakeFiles/c.dir/k.o 8 && target CMakeFiles/a.dir/k.o 12
known update b.json
is 'update takes the better target with its object' '8 b.dir/k.o 12 a.dir/k.o ' "$(objects b.json)"
rm project/build/CMakeFiles/b.dir/* project/build/CMakeFiles/c.dir/*
known prune b.json
is 'prune keeps the target that was not built' '8 b.dir/k.o 12 a.dir/k.o ' "$(objects b.json)"
known prune --allow-missing b.json
is 'prune --allow-missing: the only target has no object in its entry' '' "$(objects b.json)"

# The compiler runs in the folder of each object, so all files have one name there.
own() # folder, spilled bytes
{
    sed "s/8 bytes/$2 bytes/g" spill.txt >says.txt
    mkdir -p "project/own/$1"
    FAKE_SAY=$work/says.txt wrap "project/own/$1" -c ../../src/k.cu -o k.o
}
own a 8 && own b 24
(cd project && "$warplint" baseline --no-config write own.json own) >/dev/null 2>&1
is 'two objects of one name: entries with their folders' '8 a/k.o 24 b/k.o ' "$(objects own.json)"
judged 'two objects of one name, unchanged: the same' 0 '2 the same$' --strict --baseline own.json own
own a 24 && own b 8
judged 'two objects of one name: each is compared with its own entry' 1 '1 worse \(1 fails\), 1 better$' --baseline own.json own
own b 24 && own a 8 && rm project/own/b/*
judged 'two objects of one name, one without its record: status 3' 3 'no record of object b/k.o' --ignore register-spill --baseline own.json own
rm -r project/own

# ---- one object in several programs
program() # folder, a program, registers of its link
{
    {
        echo "nvlink info    : Function properties for 'k':"
        echo "nvlink info    : used $3 registers, used 0 barriers, 0 stack, 0 bytes smem, 376 bytes cmem[0], 0 bytes lmem"
    } >link.txt
    mkdir -p "project/$1/CMakeFiles/$2.dir"
    FAKE_SAY=$work/link.txt wrap "project/$1" -dlink k.o "$2.o" -o "CMakeFiles/$2.dir/dlink.o"
}
programs() # folder, registers of the links of a, b and c
{
    rm -rf "project/$1" && mkdir "project/$1"
    sed 's/8 bytes/0 bytes/g; s/255/24/' spill.txt >says.txt
    FAKE_SAY=$work/says.txt wrap "project/$1" -rdc=true -c ../src/k.cu -o k.o
    program "$1" a "$2" && program "$1" b "$3" && program "$1" c "$4"
}
linked() # baseline: registers and objects, or copies
{
    sed -n 's/.*"registers":\([0-9]*\),.*"\(object\|copies\)":"*\([^",]*\)[",].*/\1 \3/p' "project/$1" | tr '\n' ' '
}
mkdir project/unlinked
wrap project/unlinked -rdc=true -c ../src/k.cu -o k.o
is 'relocatable code: the warning names the object from the working directory' 'unlinked/k.o: warning: relocatable code' "$(cd project && "$warplint" check --no-config unlinked 2>&1 >/dev/null | grep -o '^.*relocatable code')"
is 'relocatable code: the warning names the object from another folder' '../unlinked/k.o: warning: relocatable code' "$(cd project/src && "$warplint" check --no-config ../unlinked 2>&1 >/dev/null | grep -o '^.*relocatable code')"
programs build 24 24 24
known write same.json
is 'three programs with equal links: one entry with copies' '24 3 ' "$(linked same.json)"
programs build 38 24 24
known write b.json
is 'three programs with different links: one entry for each' '24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
judged 'three programs unchanged: the same' 0 '3 entries expected, 3 seen; 3 the same$' --strict --baseline b.json build
judged 'one program is worse than the single entry: fails' 1 '1 worse \(1 fails\)' --baseline same.json build
programs bworse 38 38 24
judged 'one program gets the numbers of another: a finding' 1 'k \(sm_90, as linked\): 38 registers per thread, 24 in the baseline' --baseline b.json bworse
judged 'one program gets the numbers of another: the other two are the same' 1 '1 worse \(1 fails\), 2 the same$' --baseline b.json bworse
judged 'records as the baseline: the other two programs are the same' 1 '1 worse \(1 fails\), 2 the same$' --baseline build bworse
(cd project && "$warplint" merge bworse >bworse.ndjson) 2>/dev/null
judged 'merged records: the other two programs are the same' 1 '3 entries expected, 3 seen; 1 worse \(1 fails\), 2 the same$' --baseline b.json bworse.ndjson
programs all 38 38 38
judged 'all programs get the same numbers: two are worse' 1 '2 worse \(2 fail\), 1 the same$' --baseline b.json all
judged 'two worse programs: one finding' 1 '^found: 0 errors, 1 warning, 0 notes$' --baseline b.json all
cp project/b.json project/accepted.json
(cd project && "$warplint" baseline --no-config update --accept k --reason measured accepted.json all) >/dev/null 2>&1
is 'update --accept of two worse programs: both entries have the reason' 2 "$(grep -c '"reason":"measured"' project/accepted.json)"
programs better 24 24 24
judged 'the worst program gets better: better' 0 '3 entries expected, 3 seen; 1 better, 2 the same$' --strict --baseline b.json better
programs swapped 24 38 24
judged 'two programs swap their numbers: one worse, one better' 1 '1 worse \(1 fails\), 1 better, 1 the same$' --baseline b.json swapped
cp -r project/build project/without
sed -i "s/'k'/'other'/" link.txt
FAKE_SAY=$work/link.txt wrap project/without -dlink other.o c.o -o CMakeFiles/c.dir/dlink.o
judged 'a program without the kernel: gone, status 0' 0 '3 entries expected, 2 seen; 1 new, 1 gone, 2 the same$' --ignore register-spill --baseline b.json without
rm -r project/without
rm project/build/CMakeFiles/c.dir/*
judged 'a program without its record: status 3' 3 'no record of object c.dir/dlink.o' --baseline b.json build
rm -r project/bworse project/all project/better project/swapped

# One source is compiled for two targets with equal code, so it does not matter which object a link used.
targets() # folder, what the second object holds, registers of the links of a, b and c
{
    programs "$1" "$3" "$4" "$5"
    FAKE_SAY=$work/says.txt wrap "project/$1" -rdc=true -c ../src/k.cu -o s.o
    set_code "$1/k.o" '1592 d041' && set_code "$1/s.o" "$2"
}
set_code() # object, what it holds
{
    sed -i "s/\"object_code\":\"[^\"]*\"/\"object_code\":\"$2\"/" "project/$1.warplint.ndjson"
}
targets build '1592 d041' 38 24 24
known write b.json
is 'two equal objects of one source: one entry for each program' '24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
targets bworse '1592 d041' 38 38 24
judged 'two equal objects of one source: the worse program is found' 1 '3 entries expected, 3 seen; 1 worse \(1 fails\), 2 the same$' --baseline b.json bworse
targets better '1592 d041' 24 24 24
judged 'two equal objects of one source: the better program is found' 0 '3 entries expected, 3 seen; 1 better, 2 the same$' --baseline b.json better
targets build '1600 aaaa' 38 24 24
known write b.json
is 'two different objects: entries of the links and of the object that is not linked' '24 s.o 24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
sed -i 's/"k.o"/"s.o"/g' project/build/CMakeFiles/a.dir/dlink.o.warplint.ndjson
judged 'two different objects, both linked: one entry is gone' 0 '4 entries expected, 3 seen; 1 gone, 3 the same$' --baseline b.json build
sed -i 's/"[ks].o"/"libk.a"/g' project/build/CMakeFiles/*/dlink.o.warplint.ndjson
known write b.json
is 'objects in a library: no entries of links' '' "$(linked b.json | grep -o dlink.o)"
rm -r project/bworse project/better
rm -rf project/build && mkdir project/build
both 8 16
judged() # title, status, pattern, arguments of check in the project
{
    title=$1 status=$2 pattern=$3
    shift 3
    expect "$status" "$pattern" "$title" in_shell 'cd project && shift && "$0" check --no-config "$@"' "$@"
}
in_shell() { script=$1; shift; sh -c "$script" "$warplint" - "$@"; }

# Accepted messages in the baseline, with a source line and without.
cat >messages.txt <<'LOG'
remark: k.cu:1:5: Unable to fully unroll loop as directed by unroll(full) pragma because loop has a runtime trip count.

ptxas warning : Stack size for entry function '_ZL1kPf' cannot be statically determined
LOG
cat spill.txt >>messages.txt
for folder in src part; do
    (cd project/$folder && FAKE_SAY=$work/messages.txt "$warplint" wrap --no-config --record-only -- nvcc -c k.cu -o ../build/$folder.o) >/dev/null 2>&1
done
(cd project && "$warplint" baseline --no-config write messages.json build >/dev/null 2>&1)
is 'accepted messages have the paths of their sources' 'part/k.cu src/k.cu ' "$(sed -n '/"findings"/,$p' project/messages.json | grep -o '"source":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' ')"
accepted='found: 0 errors, 0 warnings, .* no worse than the baseline'
judged 'accepted messages: no finding' 0 "$accepted" --baseline messages.json build
expect 0 "$accepted" 'accepted messages, from the folder of one source: no finding' in_shell 'cd project/src && "$0" check --no-config --baseline ../messages.json ../build'
expect 0 "$accepted" 'accepted messages, from the build folder: no finding' in_shell 'cd project/build && "$0" check --no-config --baseline ../messages.json .'
expect 0 '' 'accepted messages under wrap: no finding' in_shell 'cd project/src && FAKE_SAY=../../messages.txt "$0" wrap --no-config --baseline ../messages.json -- nvcc -c k.cu -o ../build/src.o'
mkdir brought && cp project/build/*.ndjson brought/
expect 0 "$accepted" 'accepted messages in records moved alone: no finding' in_shell '"$0" check --no-config --baseline project/messages.json brought'
sed '/"source":"part/d; s/"source":"src\//"source":"/; s/64}$/64,"copies":2}/; /"source"/s/"count":1/"count":2/' project/messages.json >project/old.json
judged 'accepted messages in a baseline with one source name for both: no finding' 0 "$accepted" --baseline old.json build
# Patterns in a configuration match paths in the repository.
cat >project/.warplint.yaml <<'YML'
kernels:
  - source: 'src/*.cu'
    allow: [{rule: register-spill, reason: measured}]
YML
allowed() { expect 1 '^found: 1 error.*; 1 suppressed' "$1" in_shell 'cd "$1" && "$0" check --select register-spill "$2"' "$2" "$3"; }
in_shell() { script=$1; shift; sh -c "$script" "$warplint" "$@"; }
allowed 'source: in the configuration, from the root' project build
allowed 'source: in the configuration, from the folder of the source' project/src ../build
allowed 'source: in the configuration, from the build folder' project/build .
expect 0 '' 'source: in the configuration, under wrap' in_shell 'cd project/src && "$0" wrap --select register-spill -- nvcc -c k.cu -o ../build/src.o'
expect 1 '^k.cu:1: error' 'source: in the configuration does not match another file under wrap' in_shell 'cd project/part && "$0" wrap --keep-output --select register-spill -- nvcc -c k.cu -o ../build/part.o'
expect 1 '^found: 1 error.*; 1 suppressed' 'source: in the configuration, records moved alone' in_shell 'cp project/.warplint.yaml brought && cd brought && "$0" check --select register-spill .'
rm project/.warplint.yaml
rm -r brought
wrap project/src -c ../../outside.cu -o ../build/outside.o
is 'a source outside the repository keeps its path' ../outside.cu "$(cd project && touch ../outside.cu && "$warplint" check --no-config --select register-spill build/outside.o.warplint.ndjson 2>/dev/null | sed -n 's/:.*error:.*//p')"
rm project/build/outside.o*

# ---- files below the folder that can be left out
rm -rf project
mkdir -p project/src project/build
echo 'extern "C" __global__ void k(float *p) { *p = 1; }' >project/src/k.cu
judged_records() # in the project: how many records are judged, then what is not
{
    (cd project && "$warplint" check --no-config --strict --fail-on never "$1" 2>&1) |
        sed -n 's/^judged: .*sm_90, \([0-9]*\) kernel x arch.*/\1/p; s/^judged: \([0-9]*\) kernels* for sm_90$/\1/p; s/^\(.* tried the compiler\)$/\1/p; s/^[^:]*: \(warning\|error\): .*/\1/p' | tr '\n' ',' | sed 's/,$//'
}
tried='not judged: CMake or Meson tried the compiler'
for folder in CMakeFiles/cmTC_12abg.dir CMakeFiles/cmTC_12ab.dir CMakeFiles/cmTC_12abcd.dir; do
    mkdir -p "project/build/$folder"
    wrap project/build -c ../src/k.cu -o "$folder/k.o"
done
is 'folders with names similar to cmTC_*: records are judged' '3' "$(judged_records build)"
try=project/build/CMakeFiles/CMakeScratch/TryCompile-2
mkdir -p $try/CMakeFiles/cmTC_12abc.dir
wrap $try -c ../../../../src/k.cu -o CMakeFiles/cmTC_12abc.dir/src.cu.o
is 'a try-compile target of CMake: not judged' "3,1 compile $tried" "$(judged_records build)"
for folder in meson-private/tmpab12_x CMakeFiles/CMakeScratch/TryCompile-1 CMakeFiles/3.25.1/CompilerIdCUDA CMakeTmp; do
    mkdir -p "project/build/$folder"
    wrap project/build -c ../src/k.cu -o "$folder/k.o"
done
is 'folders of try-compiles: not judged' "3,5 compiles $tried" "$(judged_records build)"
expect 3 '^[^ ]*: error: the folder has no records of the build, only 1 of compiles' 'only try-compiles: status 3' "$warplint" check --no-config $try

rm -r project/build
deep=project/build
for level in 1 2 3 4 5 6 7 8 9 10; do deep=$deep/a/b/c/d/e/f/g; done
mkdir -p $deep project/build/other
wrap project -c src/k.cu -o "${deep#project/}/k.o"
wrap project -c src/k.cu -o build/k.o
is 'a record below seventy folders is read' '2' "$(judged_records build)"
(
    long=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    cd project/build/other && for level in $(seq 50); do mkdir $long && cd -P $long || exit 1; done
)
is 'a folder deeper than any path: an error' '2,error' "$(judged_records build)"
rm -r project/build/other

mkdir project/store project/links
ln -s k.o.warplint.ndjson project/build/again.o.warplint.ndjson
is 'a link to a record in the same folder is not read again' '2' "$(judged_records build)"
wrap project -c src/k.cu -o store/x.o
ln -s ../store/x.o.warplint.ndjson project/links/b.o.warplint.ndjson
ln -s "$work/project/store/x.o.warplint.ndjson" project/links/a.o.warplint.ndjson
is 'two links to another record: it is read once' '1' "$(judged_records links)"
is 'a linked record: source path' src/k.cu:1 "$(places project links)"
is 'a linked record: source path from another folder' ../src/k.cu:1 "$(places project/store ../links)"
echo other >project/store/x.o && touch -d '+1 hour' project/store/x.o
is 'a linked record: its object was changed, a warning' '1,warning' "$(judged_records links | sed 's/,error$//')"
mkfifo project/build/pipe.o.warplint.ndjson
is 'a pipe instead of a record: a warning, an error under --strict' '2,warning,error' "$(judged_records build)"
is 'a pipe instead of a record: the verdict is limited to what was judged' 'in what was judged' "$(cd project && "$warplint" check --no-config --ignore register build 2>/dev/null | sed -n 's/^verdict: passed.* in /in /p')"
is 'a pipe instead of a record: status 3 under --strict' 3 "$(cd project && "$warplint" check --no-config --fail-on never --strict build >/dev/null 2>&1; echo $?)"
rm project/build/pipe.o.warplint.ndjson
ln -s /dev/null project/build/null.o.warplint.ndjson
is 'a link to a device neither' '2,warning,error' "$(judged_records build)"
rm project/build/null.o.warplint.ndjson
rm project/store/x.o.warplint.ndjson
is 'a link to a missing record: an error' 'error' "$(judged_records links | sed 's/,.*//')"

# ---- a source was deleted or renamed after it was compiled
rm -rf project
mkdir -p project/.git project/src project/build
for source in a b c; do cp "$root/tests/data/identity.cu" project/src/$source.cu; done
gone() # where, what to check: the sources that are named, then the status
{
    (cd "$1" && "$warplint" check --no-config --strict --fail-on never "$2" >/dev/null 2>"$work/err"
        echo $? >"$work/status")
    echo "$(sed -n 's/^[^ ]*: warning: the source of this record is gone: \([^ ;]*\);.*/\1/p' err) $(cat status)"
}
for source in a b; do wrap project/build -c ../src/$source.cu -o $source.o; done
is 'all sources exist: status 0' ' 0' "$(gone project build)"
mv project/src/b.cu project/src/new.cu
is 'one source was renamed: status 3' 'src/b.cu 3' "$(gone project build)"
holds 'the warning names the record and the object to delete' grep -q '^build/b.o.warplint.ndjson: .* delete the record and its object, build/b.o; if make generates and deletes it, name it in .SECONDARY$' err
is 'one source was renamed, from the build folder' '../src/b.cu 3' "$(gone project/build .)"
is 'one source was renamed, from the folder of the sources' 'b.cu 3' "$(gone project/src ../build)"
is 'one source was renamed, the folder given by its absolute path' 'src/b.cu 3' "$(gone project "$work/project/build")"
is 'one record alone: its source is not looked for' ' 0' "$(gone project build/b.o.warplint.ndjson)"
expect 3 '^build/b.o.warplint.ndjson: warning: src/b.cu: .*\[gone-source\]' 'doctor reports the missing source' in_shell 'cd project && "$0" doctor build'
expect 3 '^      rm build/b.o build/b.o.warplint.ndjson$' 'doctor prints the command that deletes object and record' in_shell 'cd project && "$0" doctor build'
cp -r project moved
is 'one source was renamed in a moved project: status 3' 'src/b.cu 3' "$(gone moved build)"
mkdir -p moved/store && mv moved/build moved/store/brought && mkdir moved/build
wrap moved/build -c ../src/a.cu -o a.o
is 'a folder of moved records beside others: sources are not looked for' ' 0' "$(gone moved .)"
rm -r moved
mkdir brought && cp -r project/build brought/
is 'a folder of moved records alone: sources are not looked for' ' 0' "$(gone brought build)"
rm -r brought
sed -i 's/,"working_directory":"[^"]*"//' project/build/b.o.warplint.ndjson
is 'a record without working_directory: its source is not looked for' ' 0' "$(gone project build)"
rm project/build/b.o*
for source in a c; do wrap project/build -c "$work/project/src/$source.cu" -o $source.o; done
mkdir project/part && mv project/src/c.cu project/part/c.cu
is 'a source with an absolute path was moved: status 3' 'src/c.cu 3' "$(gone project build)"
mv project/src/a.cu project/part/a.cu
is 'all sources are missing: status 0' ' 0' "$(gone project build)"
mv project/part/*.cu project/src/
cp project/src/a.cu project/build/generated.cu
cp project/src/a.cu tmpxft_1.cu
wrap project/build -c generated.cu -o generated.o
wrap project/build -c "$work/tmpxft_1.cu" -o temporary.o
rm project/build/generated.cu tmpxft_1.cu
is 'generated sources that the build deletes: status 0' ' 0' "$(gone project build)"
rm project/src/c.cu project/build/c.o
is 'a source and its object are missing: no warning about the source, status 3' ' 3' "$(gone project build)"

# ---- a device link of CMake, which runs without the launcher
binaries=$root/tests/data/binaries
pack() # cubin, object: a host object that holds it
{
    python3 - "$1" >packed.fatbin <<'PY'
import struct, sys
code = open(sys.argv[1], "rb").read()
code += bytes(-len(code) % 8)
entry = struct.pack("<HHIQIIIIIIQQQ", 2, 0x101, 64, len(code), 0, 0, 0, 90, 0, 0, 0, 0, 0)
header = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entry) + len(code))
sys.stdout.buffer.write(header + entry + code)
PY
    printf '.section .nv_fatbin,"a"\n.incbin "packed.fatbin"\n' >packed.s && cc -c packed.s -o "$2"
}
if has cc && has python3; then
    mkdir -p linked/app.dir
    grep -v '^nvlink' "$binaries/rdc.log" >compile.log
    grep '^nvlink' "$binaries/rdc.log" >link.log
    sed 's/used 68 registers/used 70 registers/' link.log >other.log
    FAKE_SAY=$work/compile.log wrap linked -rdc=true -c k.cu -o app.dir/k.o
    pack "$binaries/rdc_linked.cubin" linked/app.dir/cmake_device_link.o
    unlinked='^linked/app.dir/cmake_device_link.o: warning: a device link without a record'
    link() { "$warplint" check --no-config --strict --fail-on never linked "$@"; }
    expect 3 "$unlinked" 'a device link without a record: status 3' link
    expect 3 '^warplint: error: a device link has no record, .*: give the program too .--objects PATH' 'a device link without a record: the error says to give the program' link
    mkdir linked/other.dir
    pack "$binaries/dynamic.cubin" linked/other.dir/k2.o
    expect 3 'error: .*: build again$' 'a device link and an object without records: the error says to build again' link
    rm -r linked/other.dir
    expect 0 '' 'the log of the link is given: status 0' link link.log
    expect 0 '' 'the program is given: status 0' link --objects "$binaries/rdc_linked.cubin"
    expect 0 '^block size unknown .*, or __launch_bounds__ in the source\)$' 'with a program, the hint on block sizes does not name wrap' link --objects "$binaries/rdc_linked.cubin"
    expect 0 '' 'the linked object is given: status 0' link linked/app.dir/cmake_device_link.o
    expect 3 "$unlinked" 'the log of another link is given: status 3' link other.log
    expect 3 "$unlinked" 'a cubin that is not linked is given: status 3' link "$binaries/rdc_object.cubin"
    mv linked/app.dir/cmake_device_link.o linked/app.dir/k2.o
    expect 0 '' 'a link of CUDA 13 without the name of CMake is recognized: status 0' link link.log
    pack "$binaries/dynamic.cubin" linked/app.dir/k2.o
    expect 3 '^linked/app.dir/k2.o: warning: device code without a record' 'an object of a compile without a record: status 3' link --objects "$binaries/dynamic.cubin"
fi

finish
