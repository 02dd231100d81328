#!/bin/sh
# usage: test_folder.sh PROGRAM SOURCE_DIR
#
# A folder of records is read from anywhere: sources stand where they are as seen from here, whatever folder the compiler
# ran in, and what a build system compiled to try the compiler is not the build.
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

# The places of register-spill, seen from a folder.
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

# A link to the build folder on another disk: `..` behind it is not the folder that holds the link.
mkdir -p elsewhere/src
mv project/build elsewhere/build
ln -s ../elsewhere/build project/build
is 'behind a link what is no file there stays' ../src/k.cu:1 "$(places project build)"
cp project/src/k.cu elsewhere/src/k.cu
is 'and what is one is found' 1 "$(places project build | grep -c 'src/k.cu:1$')"
rm -r project/build elsewhere

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

for trial in meson-private CMakeFiles/CMakeScratch/TryCompile-1 CMakeFiles/3.25.1/CompilerIdCUDA; do
    mkdir -p "project/build/$trial"
    wrap project/build -c ../src/k2.cu -o "$trial/try.o"
    test -e "project/build/$trial/try.o.warplint.ndjson" || failed=$((failed + 1))
done
is 'trials of the compiler are not the build' src/k.cu:1 "$(places project build)"

finish
