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

# The places of register-spill, as printed in a folder.
places() # where, what to check
{
    (cd "$1" && "$warplint" check --no-config --select register-spill "$2" 2>/dev/null) | sed -n 's/: error:.*//p'
}

wrap project/build -c ../src/k.cu -o deep/k.o
is 'from the root of the project' src/k.cu:1 "$(places project build)"
is 'from the build folder' ../src/k.cu:1 "$(places project/build .)"
is 'from the folder of the record' ../src/k.cu:1 "$(places project/build deep)"
is 'one record alone' src/k.cu:1 "$(places project build/deep/k.o.warplint.ndjson)"
is 'the folder by its full path' src/k.cu:1 "$(places project "$work/project/build")"
is 'from above' project/src/k.cu:1 "$(places . project/build)"

# A symbolic link to a build folder on another disk: its `..` is not the folder that holds the link.
mkdir -p elsewhere/src
mv project/build elsewhere/build
ln -s ../elsewhere/build project/build
is 'behind a link what is no file there stays' ../src/k.cu:1 "$(places project build)"
cp project/src/k.cu elsewhere/src/k.cu
is 'and what is one is found' 1 "$(places project build | grep -c 'src/k.cu:1$')"
rm -r project/build elsewhere

# The command in `next` works in the folder where the records are read.
tune() # where, what to check: the command
{
    (cd "$1" && "$warplint" check --no-config --select register-spill "$2" 2>/dev/null) | sed -n 's/.*measure it: //p'
}
sed 's/255/128/' spill.txt >capped.txt
mkdir -p project/build
FAKE_SAY=$work/capped.txt wrap project/build -c ../src/k.cu -o k.o
is 'the command from the folder of the compile' 'warplint tune --kernel k -- nvcc -c ../src/k.cu -o k.o' "$(tune project/build .)"
is 'and from another' '(cd project/build && warplint tune --kernel k -- nvcc -c ../src/k.cu -o k.o)' "$(tune . project)"
FAKE_SAY=$work/capped.txt wrap project/build -c "$work/project/src/k.cu" -o k.o
is 'of a source by its full path' "(cd project/build && warplint tune --kernel k -- nvcc -c $work/project/src/k.cu -o k.o)" "$(tune . project)"
mv project/src project/gone
is 'of a source that is not there' 'warplint tune --kernel k -- nvcc ...' "$(tune . project)"
mv project/gone project/src
rm -r project/build

mkdir -p project/build
wrap project/part -c k.cu -o k.o
is 'make in a folder below' part/k.cu:1 "$(places project part)"
wrap project -c part/k.cu -o build/k.o
is 'make in the root' part/k.cu:1 "$(places project build)"
wrap project/build -c "$work/project/src/k2.cu" -o k.o
is 'a full path' src/k2.cu:1 "$(places project build)"
mkdir brought
wrap project/build -c ../src/k.cu -o k.o
cp project/build/k.o.warplint.ndjson brought
is 'records brought from elsewhere stay as they are' ../src/k.cu:1 "$(places . brought)"

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
is 'cd src, object in build: from the root' src/k.cu:1 "$(places project build)"
is 'from the folder of the source' k.cu:1 "$(places project/src ../build)"
is 'from the build folder' ../src/k.cu:1 "$(places project/build .)"
is 'the folder by its full path' src/k.cu:1 "$(places project "$work/project/build")"
ln -s project alias
is 'the folder by a full path with a link in it' src/k.cu:1 "$(places project "$work/alias/build")"
is 'and from the folder of the source' k.cu:1 "$(places alias/src "$work/alias/build")"
rm alias
is 'the record by its full path' src/k.cu:1 "$(places project "$work/project/build/k.o.warplint.ndjson")"
is 'the working directory is relative in the record' '../src' "$(sed -n 's/.*"working_directory":"\([^"]*\)".*/\1/p' project/build/k.o.warplint.ndjson)"
is 'an annotation names the file by its path in the repository' 'src/k.cu ' "$(git_place project build)"
is 'from everywhere' 'src/k.cu src/k.cu ' "$(git_place project/src ../build)$(git_place project/build .)"
is 'and so does the wrapper' src/k.cu "$(cd project/src && "$warplint" wrap --no-config --keep-output --select register-spill -o github=- -- nvcc -c k.cu -o ../build/k.o 2>&1 | sed -n 's/^::error file=\([^,]*\),.*/\1/p')"
# The same if the lines that spill are known.
site='{"file":"k.cu","line":3,"inlined":[],"depth":0,"stores":2,"loads":2,"store_bytes":8,"load_bytes":8}'
mkdir project/sites
sed "s/\"spill_bytes_in_loops\":null,\"spill_depth\":null/\"spill_bytes_in_loops\":0,\"spill_depth\":0/; /\"type\":\"kernel\"/s|}\$|,\"spill_sites\":[$site],\"array_sites\":[]}|" project/build/k.o.warplint.ndjson >project/sites/k.o.warplint.ndjson
is 'a line that spills' 'src/k.cu src/k.cu src/k.cu ' "$(git_place project sites)$(git_place project/src ../sites)$(git_place project/sites .)"
is 'each place in SARIF' '"src/k.cu"' "$(cd project/src && "$warplint" check --no-config --select register-spill --format sarif ../sites 2>/dev/null | grep -o '"uri":"[^"]*"' | cut -d: -f2 | sort -u)"
is 'and there are two' 2 "$(cd project/src && "$warplint" check --no-config --select register-spill --format sarif ../sites 2>/dev/null | grep -o '"uri":"src/k.cu"' | wc -l)"
rm -r project/sites
wrap project/src -c k.cu -o "$work/project/build/k.o"
is 'the object by its full path' src/k.cu:1 "$(places project build)"
mkdir "project/bu ild é"
wrap project/src -c ./k.cu -o "../bu ild é/k.o"
is 'a folder with blanks' src/k.cu:1 "$(places project "bu ild é")"
wrap project/build -c ../part/../src/k.cu -o k2.o
is 'a path that goes up and down' src/k.cu:1 "$(places project build/k2.o.warplint.ndjson)"
rm -r project/build/k2.o* "project/bu ild é"

# A symbolic link to a folder: its `..` is the parent of its target.
mkdir -p elsewhere/deep/build
mv project/build project/was && ln -s ../elsewhere/deep/build project/build
wrap project/src -c k.cu -o ../build/k.o
is 'a build folder behind a link' src/k.cu:1 "$(places project build)"
is 'and by its own path' project/src/k.cu:1 "$(places . elsewhere/deep/build)"
ln -s project/src short
(cd short && "$warplint" wrap --no-config --record-only -- nvcc -c k.cu -o ../build/k.o) >/dev/null 2>&1
wrap short -c k.cu -o "$work/project/build/k.o"
is 'a source folder behind a link' src/k.cu:1 "$(places project build)"
rm -r project/build elsewhere short && mv project/was project/build

# The build folder is moved; only the records are moved; the source of an annotation is deleted.
wrap project/src -c k.cu -o ../build/k.o
cp -r project moved
is 'the whole project was moved' src/k.cu:1 "$(places moved build)"
mkdir brought && cp -r moved/build brought/
is 'the records alone: as they were recorded' k.cu:1 "$(places . brought)"
is 'and in an annotation' 'k.cu ' "$(git_place . brought)"
rm -r moved
sed 's/,"working_directory":"[^"]*"//' project/build/k.o.warplint.ndjson >brought/build/k.o.warplint.ndjson
cp brought/build/k.o.warplint.ndjson project/build/
is 'a record of an older version: as it was recorded' k.cu:1 "$(places project build)"
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
is 'are two kernels of a baseline' 'part/k.cu src/k.cu ' "$(grep -o '"source":"[^"]*"' project/b.json | cut -d'"' -f4 | tr '\n' ' ')"
both 16 8
judged 'what each of them spills is its own' 1 '^src/k.cu:1: error: k .* 8 B and 8 B in the baseline' --baseline b.json build
both 8 16
(cd project && cp -r build before)
judged 'a folder of records as the baseline' 0 '2 entries expected, 2 seen; 2 the same$' --baseline before build
rm -r project/before
judged 'nothing is new' 0 '2 entries expected, 2 seen; 2 the same$' --baseline b.json build
judged 'nor from another folder' 0 '2 seen; 2 the same$' --baseline "$work/project/b.json" "$work/project/build"
expect 0 '2 seen; 2 the same$' 'nor from the folder of one of them' in_shell 'cd project/src && "$0" check --no-config --baseline ../b.json ../build'
sed 's/"source":"[a-z]*\//"source":"/; s/,"max_warps_per_sm":64}$/,"max_warps_per_sm":64,"variant":2}/' project/b.json >project/old.json
judged 'a baseline that knows both by one name' 0 '2 entries expected, 2 seen; 2 the same$' --baseline old.json build
both 16 8
judged 'which of them is which it cannot know' 0 '2 seen; 2 the same$' --baseline old.json build
both 8 16
mkdir project/deep && mv project/build project/deep/
judged 'the build folder was moved' 0 '2 entries expected, 2 seen; 2 the same$' --baseline b.json deep/build
mv project/deep/build project/ && rmdir project/deep
rm project/build/part.*
judged 'one of them was not built' 3 'no record of source part/k.cu' --baseline b.json build
judged 'by its old name nobody can know' 0 '1 gone' --baseline old.json build
both 8 16
mkdir brought && cp project/build/*.ndjson brought/
expect 0 '2 entries expected, 2 seen; 2 the same$' 'records alone are compared with the baseline' in_shell '"$0" check --no-config --baseline project/b.json brought'
is 'and are two kernels in another' 'part/k.cu src/k.cu ' "$("$warplint" baseline --no-config write c.json brought >/dev/null 2>&1; grep -o '"source":"[^"]*"' c.json | cut -d'"' -f4 | tr '\n' ' ')"
expect 0 '' 'do not contradict each other' in_shell '"$0" merge brought >merged.ndjson'
expect 0 '2 seen; 2 the same$' 'and stay two in one stream' in_shell '"$0" check --no-config --baseline project/b.json merged.ndjson'
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
is 'targets with the same numbers need no objects' '' "$(objects b.json)"
is 'and older versions read the baseline' 2 "$(sed -n 's/"warplint_baseline": \(.*\),/\1/p' project/b.json)"
target CMakeFiles/b.dir/k.o 8
known write b.json
is 'a file of two targets has their objects' '8 b.dir/k.o 16 a.dir/k.o ' "$(objects b.json)"
is 'which older versions refuse' 3 "$(sed -n 's/"warplint_baseline": \(.*\),/\1/p' project/b.json)"
sed 's/,"object":"[^"]*"//; s/"warplint_baseline": 3/"warplint_baseline": 2/' project/b.json >project/old.json
known write again.json
is 'it is the same when written again' '' "$(cmp project/b.json project/again.json 2>&1)"
for base in b.json old.json; do
    judged "nothing changed: $base" 0 '2 entries expected, 2 seen; 2 the same$' --strict --baseline $base build
done
wrapped 'nor in one of them' 0 '' CMakeFiles/a.dir/k.o 16 b.json
wrapped 'nor in the other one' 0 '' CMakeFiles/b.dir/k.o 8 b.json
target CMakeFiles/b.dir/k.o 16
judged 'one has the numbers of the other now: that one is worse' 1 '2 seen; 1 worse \(1 fails\), 1 the same$' --baseline b.json build
for base in b.json old.json; do
    judged "one finding fails: $base" 1 '^verdict: FAILED, 1 error$' --baseline $base build
done
got_worse() # folders of records: the target of each finding that is worse than in $base
{
    (cd project && "$warplint" check --no-config --format ndjson --baseline "$base" "$@" 2>/dev/null) | sed -n '/"baseline_state":"worse"/s/.*"log":"[^"]*\/\([ab].dir\)\/k.o".*/\1/p'
}
for base in b.json old.json; do
    is "it is of the target that changed: $base" b.dir "$(got_worse build/CMakeFiles/a.dir build/CMakeFiles/b.dir)"
    is 'whatever the order is' b.dir "$(got_worse build/CMakeFiles/b.dir build/CMakeFiles/a.dir)"
done
wrapped 'and fails where it is compiled' 1 'spill-regression' CMakeFiles/b.dir/k.o 16 b.json
judged 'and alone' 1 '1 worse \(1 fails\), 1 gone$' --baseline b.json build/CMakeFiles/b.dir
judged 'the other one alone is a part of the build' 3 'no record of object b.dir/k.o, of which the baseline has 1: another target compiled src/k.cu; was this one removed, or not built.' --baseline b.json build/CMakeFiles/a.dir
judged 'which can be accepted' 0 '1 gone, 1 the same$' --strict --allow-missing --baseline b.json build/CMakeFiles/a.dir
cp -r project/build project/without
spills says.txt 8 && sed -i "s/'k'/'other'/; s/for k$/for other/" says.txt
(cd project/without && FAKE_SAY=$work/says.txt "$warplint" wrap --no-config --record-only -- nvcc -c ../src/k.cu -o CMakeFiles/b.dir/k.o) >/dev/null 2>&1
judged 'a kernel that one target does not have any more is gone' 1 '1 new \(1 fails\), 1 gone, 1 the same$' --baseline b.json without
rm -r project/without
judged 'a baseline without objects: which it is is not known' 3 'which --strict does not accept' --strict --baseline old.json build/CMakeFiles/b.dir
judged 'without --strict that is a warning' 0 'warning: 1 kernel x arch may be worse than in the baseline, first k \(sm_90\) of src/k.cu: several targets' --baseline old.json build/CMakeFiles/b.dir
wrapped 'wrap refuses it too' 3 '1 kernel x arch may be worse' CMakeFiles/b.dir/k.o 16 old.json
wrapped 'but none that is as good as the best' 0 '' CMakeFiles/b.dir/k.o 8 old.json
{ echo 'nvcc -Xptxas=-v -c src/k.cu -o b.o' && cat says.txt; } >project/part.log
sed -i 's/8 bytes/16 bytes/g' project/part.log
judged 'nor is it known of a log' 3 'which --strict does not accept' --strict --baseline b.json part.log
target CMakeFiles/b.dir/k.o 16
mv project/build project/out
judged 'another build folder' 1 '1 worse \(1 fails\), 1 gone$' --baseline b.json out/CMakeFiles/b.dir
mv project/out project/build
mkdir -p project/build/more/b.dir
sed "s/'k'/'other'/; s/for k\$/for other/" says.txt >other.txt
(cd project/build && FAKE_SAY=$work/other.txt "$warplint" wrap --no-config --record-only -- nvcc -c ../part/k.cu -o more/b.dir/k.o) >/dev/null 2>&1
mv project/build/CMakeFiles/b.dir project/away
judged 'the object of another source has the same name' 3 'no record of object b.dir/k.o, .* another target compiled src/k.cu' --allow-empty --fail-on never --baseline b.json build
mv project/away project/build/CMakeFiles/b.dir
rm -r project/build/more
target CMakeFiles/b.dir/k.o 8 && target CMakeFiles/c.dir/k.o 24
judged 'a new target that is worse than both' 1 '1 worse \(1 fails\), 2 the same$' --baseline b.json build
target CMakeFiles/c.dir/k.o 8 && target CMakeFiles/a.dir/k.o 12
known update b.json
is 'update takes what is better, with its object' '8 b.dir/k.o 12 a.dir/k.o ' "$(objects b.json)"
rm project/build/CMakeFiles/b.dir/* project/build/CMakeFiles/c.dir/*
known prune b.json
is 'prune keeps what was not built' '8 b.dir/k.o 12 a.dir/k.o ' "$(objects b.json)"
known prune --allow-missing b.json
is 'one that is left needs no object' '' "$(objects b.json)"

# The compiler runs in the folder of each object, so all files have one name there.
own() # folder, spilled bytes
{
    sed "s/8 bytes/$2 bytes/g" spill.txt >says.txt
    mkdir -p "project/own/$1"
    FAKE_SAY=$work/says.txt wrap "project/own/$1" -c ../../src/k.cu -o k.o
}
own a 8 && own b 24
(cd project && "$warplint" baseline --no-config write own.json own) >/dev/null 2>&1
is 'objects of one name have their folders' '8 a/k.o 24 b/k.o ' "$(objects own.json)"
judged 'nothing changed' 0 '2 the same$' --strict --baseline own.json own
own a 24 && own b 8
judged 'each is compared with itself' 1 '1 worse \(1 fails\), 1 better$' --baseline own.json own
own b 24 && own a 8 && rm project/own/b/*
judged 'one without its record is missing' 3 'no record of object b/k.o' --ignore register-spill --baseline own.json own
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
programs build 24 24 24
known write same.json
is 'programs that agree are counted' '24 3 ' "$(linked same.json)"
programs build 38 24 24
known write b.json
is 'programs that differ have the objects of their links' '24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
judged 'nothing changed in any program' 0 '3 entries expected, 3 seen; 3 the same$' --strict --baseline b.json build
judged 'one is worse than all were' 1 '1 worse \(1 fails\)' --baseline same.json build
programs bworse 38 38 24
judged 'one program is now as another one was' 1 'k \(sm_90, as linked\): 38 registers per thread, 24 in the baseline' --baseline b.json bworse
judged 'it alone is worse' 1 '1 worse \(1 fails\), 2 the same$' --baseline b.json bworse
judged 'also by the records of before' 1 '1 worse \(1 fails\), 2 the same$' --baseline build bworse
(cd project && "$warplint" merge bworse >bworse.ndjson) 2>/dev/null
judged 'also in one stream' 1 '3 entries expected, 3 seen; 1 worse \(1 fails\), 2 the same$' --baseline b.json bworse.ndjson
programs all 38 38 38
judged 'the same numbers for all: two are worse' 1 '2 worse \(2 fail\), 1 the same$' --baseline b.json all
judged 'which is one finding' 1 '^found: 0 errors, 1 warning, 0 notes$' --baseline b.json all
cp project/b.json project/accepted.json
(cd project && "$warplint" baseline --no-config update --accept k --reason measured accepted.json all) >/dev/null 2>&1
is 'and is accepted as one' 2 "$(grep -c '"reason":"measured"' project/accepted.json)"
programs better 24 24 24
judged 'the program that was worst gets better' 0 '3 entries expected, 3 seen; 1 better, 2 the same$' --strict --baseline b.json better
programs swapped 24 38 24
judged 'each program is compared with itself' 1 '1 worse \(1 fails\), 1 better, 1 the same$' --baseline b.json swapped
cp -r project/build project/without
sed -i "s/'k'/'other'/" link.txt
FAKE_SAY=$work/link.txt wrap project/without -dlink other.o c.o -o CMakeFiles/c.dir/dlink.o
judged 'a program that does not link the kernel any more is not missing' 0 '3 entries expected, 2 seen; 1 new, 1 gone, 2 the same$' --ignore register-spill --baseline b.json without
rm -r project/without
rm project/build/CMakeFiles/c.dir/*
judged 'a program without its record is missing' 3 'no record of object c.dir/dlink.o' --baseline b.json build
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
is 'each program has its entry' '24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
targets bworse '1592 d041' 38 38 24
judged 'the program that got worse is found' 1 '3 entries expected, 3 seen; 1 worse \(1 fails\), 2 the same$' --baseline b.json bworse
targets better '1592 d041' 24 24 24
judged 'or got better' 0 '3 entries expected, 3 seen; 1 better, 2 the same$' --baseline b.json better
targets build '1600 aaaa' 38 24 24
known write b.json
is 'of two codes, a link took the one that its command names' '24 s.o 24 b.dir/dlink.o 24 c.dir/dlink.o 38 a.dir/dlink.o ' "$(linked b.json)"
sed -i 's/"k.o"/"s.o"/g' project/build/CMakeFiles/a.dir/dlink.o.warplint.ndjson
judged 'both objects are linked' 0 '4 entries expected, 3 seen; 1 gone, 3 the same$' --baseline b.json build
sed -i 's/"[ks].o"/"libk.a"/g' project/build/CMakeFiles/*/dlink.o.warplint.ndjson
known write b.json
is 'of a library it is not known which one a link took' '' "$(linked b.json | grep -o dlink.o)"
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

# Accepted messages in the baseline, with a place in a source and without.
cat >messages.txt <<'LOG'
remark: k.cu:1:5: Unable to fully unroll loop as directed by unroll(full) pragma because loop has a runtime trip count.

ptxas warning : Stack size for entry function '_ZL1kPf' cannot be statically determined
LOG
cat spill.txt >>messages.txt
for folder in src part; do
    (cd project/$folder && FAKE_SAY=$work/messages.txt "$warplint" wrap --no-config --record-only -- nvcc -c k.cu -o ../build/$folder.o) >/dev/null 2>&1
done
(cd project && "$warplint" baseline --no-config write messages.json build >/dev/null 2>&1)
is 'what a baseline accepts of messages has the path of their source' 'part/k.cu src/k.cu ' "$(sed -n '/"findings"/,$p' project/messages.json | grep -o '"source":"[^"]*"' | cut -d'"' -f4 | tr '\n' ' ')"
accepted='found: 0 errors, 0 warnings, .* no worse than the baseline'
judged 'it is accepted' 0 "$accepted" --baseline messages.json build
expect 0 "$accepted" 'from the folder of one of them' in_shell 'cd project/src && "$0" check --no-config --baseline ../messages.json ../build'
expect 0 "$accepted" 'from the build folder' in_shell 'cd project/build && "$0" check --no-config --baseline ../messages.json .'
expect 0 '' 'and by the wrapper' in_shell 'cd project/src && FAKE_SAY=../../messages.txt "$0" wrap --no-config --baseline ../messages.json -- nvcc -c k.cu -o ../build/src.o'
mkdir brought && cp project/build/*.ndjson brought/
expect 0 "$accepted" 'and in records alone' in_shell '"$0" check --no-config --baseline project/messages.json brought'
sed '/"source":"part/d; s/"source":"src\//"source":"/; s/64}$/64,"copies":2}/; /"source"/s/"count":1/"count":2/' project/messages.json >project/old.json
judged 'by a baseline that knows both by one name' 0 "$accepted" --baseline old.json build
# Patterns in a configuration match paths in the repository.
cat >project/.warplint.yaml <<'YML'
kernels:
  - source: 'src/*.cu'
    allow: [{rule: register-spill, reason: measured}]
YML
allowed() { expect 1 '^found: 1 error.*; 1 suppressed' "$1" in_shell 'cd "$1" && "$0" check --select register-spill "$2"' "$2" "$3"; }
in_shell() { script=$1; shift; sh -c "$script" "$warplint" "$@"; }
allowed 'a pattern on sources, from the root' project build
allowed 'from the folder of the source' project/src ../build
allowed 'from the build folder' project/build .
expect 0 '' 'under the wrapper' in_shell 'cd project/src && "$0" wrap --select register-spill -- nvcc -c k.cu -o ../build/src.o'
expect 1 '^k.cu:1: error' 'and for no other file' in_shell 'cd project/part && "$0" wrap --keep-output --select register-spill -- nvcc -c k.cu -o ../build/part.o'
expect 1 '^found: 1 error.*; 1 suppressed' 'of records alone' in_shell 'cp project/.warplint.yaml brought && cd brought && "$0" check --select register-spill .'
rm project/.warplint.yaml
rm -r brought
wrap project/src -c ../../outside.cu -o ../build/outside.o
is 'a source outside of the repository' ../outside.cu "$(cd project && touch ../outside.cu && "$warplint" check --no-config --select register-spill build/outside.o.warplint.ndjson 2>/dev/null | sed -n 's/:.*error:.*//p')"
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
is 'a name like that of a target of CMake makes no trial' '3' "$(judged_records build)"
try=project/build/CMakeFiles/CMakeScratch/TryCompile-2
mkdir -p $try/CMakeFiles/cmTC_12abc.dir
wrap $try -c ../../../../src/k.cu -o CMakeFiles/cmTC_12abc.dir/src.cu.o
is 'a target that CMake made for a trial' "3,1 compile $tried" "$(judged_records build)"
for folder in meson-private/tmpab12_x CMakeFiles/CMakeScratch/TryCompile-1 CMakeFiles/3.25.1/CompilerIdCUDA CMakeTmp; do
    mkdir -p "project/build/$folder"
    wrap project/build -c ../src/k.cu -o "$folder/k.o"
done
is 'folders for trials' "3,5 compiles $tried" "$(judged_records build)"
expect 3 '^[^ ]*: error: the folder has no records of the build, only 1 of compiles' 'nothing but trials' "$warplint" check --no-config $try

rm -r project/build
deep=project/build
for level in 1 2 3 4 5 6 7 8 9 10; do deep=$deep/a/b/c/d/e/f/g; done
mkdir -p $deep project/build/other
wrap project -c src/k.cu -o "${deep#project/}/k.o"
wrap project -c src/k.cu -o build/k.o
is 'a record below seventy folders' '2' "$(judged_records build)"
(
    long=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    cd project/build/other && for level in $(seq 50); do mkdir $long && cd -P $long || exit 1; done
)
is 'deeper than any path is an error' '2,error' "$(judged_records build)"
rm -r project/build/other

mkdir project/store project/links
ln -s k.o.warplint.ndjson project/build/again.o.warplint.ndjson
is 'a link to a record below the folder is not a second one' '2' "$(judged_records build)"
wrap project -c src/k.cu -o store/x.o
ln -s ../store/x.o.warplint.ndjson project/links/b.o.warplint.ndjson
ln -s "$work/project/store/x.o.warplint.ndjson" project/links/a.o.warplint.ndjson
is 'a link to another record is read, and once' '1' "$(judged_records links)"
is 'its sources are where those of the record are' src/k.cu:1 "$(places project links)"
is 'as seen from everywhere' ../src/k.cu:1 "$(places project/store ../links)"
echo other >project/store/x.o && touch -d '+1 hour' project/store/x.o
is 'and it is as old' '1,warning' "$(judged_records links | sed 's/,error$//')"
mkfifo project/build/pipe.o.warplint.ndjson
is 'a pipe is not read, which is told' '2,warning' "$(judged_records build)"
rm project/build/pipe.o.warplint.ndjson
rm project/store/x.o.warplint.ndjson
is 'a link that leads nowhere is an error' 'error' "$(judged_records links | sed 's/,.*//')"

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
is 'all sources are there' ' 0' "$(gone project build)"
mv project/src/b.cu project/src/new.cu
is 'one was renamed' 'src/b.cu 3' "$(gone project build)"
holds 'what to delete is named' grep -q '^build/b.o.warplint.ndjson: .* delete the record and its object, build/b.o; if make generates and deletes it, name it in .SECONDARY$' err
is 'from the build folder' '../src/b.cu 3' "$(gone project/build .)"
is 'from the folder of the sources' 'b.cu 3' "$(gone project/src ../build)"
is 'the folder by its full path' 'src/b.cu 3' "$(gone project "$work/project/build")"
is 'a record alone is judged as it is' ' 0' "$(gone project build/b.o.warplint.ndjson)"
expect 3 '^build/b.o.warplint.ndjson: warning: src/b.cu: .*\[gone-source\]' 'doctor finds it' in_shell 'cd project && "$0" doctor build'
expect 3 '^      rm build/b.o build/b.o.warplint.ndjson$' 'and says what to do' in_shell 'cd project && "$0" doctor build'
cp -r project moved
is 'in a project that was moved' 'src/b.cu 3' "$(gone moved build)"
mkdir -p moved/store && mv moved/build moved/store/brought && mkdir moved/build
wrap moved/build -c ../src/a.cu -o a.o
is 'a folder that was brought from elsewhere does not say where its sources are' ' 0' "$(gone moved .)"
rm -r moved
mkdir brought && cp -r project/build brought/
is 'nor does one alone' ' 0' "$(gone brought build)"
rm -r brought
sed -i 's/,"working_directory":"[^"]*"//' project/build/b.o.warplint.ndjson
is 'nor does a record of an older version' ' 0' "$(gone project build)"
rm project/build/b.o*
for source in a c; do wrap project/build -c "$work/project/src/$source.cu" -o $source.o; done
mkdir project/part && mv project/src/c.cu project/part/c.cu
is 'by its full path, it moved' 'src/c.cu 3' "$(gone project build)"
mv project/src/a.cu project/part/a.cu
is 'no source is there: these records are judged elsewhere' ' 0' "$(gone project build)"
mv project/part/*.cu project/src/
cp project/src/a.cu project/build/generated.cu
cp project/src/a.cu tmpxft_1.cu
wrap project/build -c generated.cu -o generated.o
wrap project/build -c "$work/tmpxft_1.cu" -o temporary.o
rm project/build/generated.cu tmpxft_1.cu
is 'the build deletes what it generates' ' 0' "$(gone project build)"
rm project/src/c.cu project/build/c.o
is 'without an object there is one warning' ' 3' "$(gone project build)"

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
    expect 3 "$unlinked" 'a device link without a record' link
    expect 3 '^warplint: error: a device link has no record, .*: give the program too .--objects PATH' 'the error says what helps' link
    mkdir linked/other.dir
    pack "$binaries/dynamic.cubin" linked/other.dir/k2.o
    expect 3 'error: .*: build again$' 'unless more than links has no record' link
    rm -r linked/other.dir
    expect 0 '' 'nvlink said what it takes' link link.log
    expect 0 '' 'the program is given' link --objects "$binaries/rdc_linked.cubin"
    expect 0 '^block size unknown .*, or __launch_bounds__ in the source\)$' 'binaries beside records are no reason for the wrapper' link --objects "$binaries/rdc_linked.cubin"
    expect 0 '' 'or the link itself' link linked/app.dir/cmake_device_link.o
    expect 3 "$unlinked" 'the link of another program takes other registers' link other.log
    expect 3 "$unlinked" 'and one before the link says nothing of it' link "$binaries/rdc_object.cubin"
    mv linked/app.dir/cmake_device_link.o linked/app.dir/k2.o
    expect 0 '' 'nvlink of CUDA 13 notes in its code that it made it' link link.log
    pack "$binaries/dynamic.cubin" linked/app.dir/k2.o
    expect 3 '^linked/app.dir/k2.o: warning: device code without a record' 'a compile is no link' link --objects "$binaries/dynamic.cubin"
fi

finish
