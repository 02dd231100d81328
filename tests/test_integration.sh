#!/bin/sh
# usage: test_integration.sh PROGRAM SOURCE_DIR
#
# One project (tests/integration/project) in five build systems, each with and without ccache, with an empty and a
# filled cache: every build gives the same records and the same verdict, and the same objects as without us. With
# sccache the records equal those of a build without hook and remarks. Tools that are not installed are skipped.
set -u
warplint=$1 root=$2
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc"
    exit 0
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set, ten builds take minutes"
    exit 0
fi
. "$root/tests/cases.sh"
export XDG_CACHE_HOME="$work/cache" CCACHE_DIR="$work/ccache"
unset CMAKE_CUDA_COMPILER_LAUNCHER CMAKE_GENERATOR MAKEFLAGS CCACHE_BASEDIR CCACHE_NOHASHDIR
export CC=cc CXX=c++ # or Meson puts sccache in front where it is installed, which leaves a server behind
cp -r "$root/tests/integration/project" "$work/flow"
cd "$work/flow" || exit 1
# The toolkit's folder as the toolkit names it: the nvcc in PATH may be a link, or a script that calls another.
cuda=$(nvcc --dryrun -c histogram/histogram.cu 2>&1 | sed -n 's/^#\$ TOP=//p')
wrap="$warplint wrap --fail-on never --"

same() # what, expected file, found file
{
    if cmp -s "$2" "$3"; then ok "$1"; else
        bad "$1"
        diff "$2" "$3" | head -n 12 | cut -c1-300
    fi
}

# ---- the build systems: NAME tree cache; the tree may exist already ----

cmake_with() # generator, tree, cache
{
    cmake -S . -B "$2" -G "$1" -DCMAKE_CUDA_ARCHITECTURES='80-real;90-real' -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CUDA_COMPILER_LAUNCHER="$3" && cmake --build "$2" -j 4
}

build_cmake_ninja() { cmake_with Ninja "$@"; }

build_cmake_make() { cmake_with 'Unix Makefiles' "$@"; }

build_make() { make -j4 BUILD="$1" NVCC="$wrap $2 nvcc"; }

build_meson()
{
    quoted=$(printf "'%s', " $wrap $2 nvcc)
    printf '[binaries]\ncuda = [%s]\n' "${quoted%, }" >"$work/cuda.ini"
    { test -e "$1/build.ninja" || meson setup --native-file "$work/cuda.ini" "$1" .; } && ninja -C "$1"
}

# The file that torch.utils.cpp_extension writes, with PYTORCH_NVCC in it.
build_torch()
{
    mkdir -p "$1"
    sed -e "s,@NVCC@,$wrap $2 nvcc," -e "s,@SOURCE@,$PWD,g" -e "s,@CUDA@,$cuda," \
        "$root/tests/integration/build.ninja.in" >"$1/build.ninja.new"
    if ! cmp -s "$1/build.ninja.new" "$1/build.ninja"; then mv "$1/build.ninja.new" "$1/build.ninja"; fi
    ninja -v -C "$1"
}

build() # what, system, tree, cache
{
    if ! "build_$2" "$3" "$4" >"$work/said" 2>&1; then
        bad "$1: builds"
        tail -n 15 "$work/said" | cut -c1-300
    fi
    if ! grep -q 'bytes stack frame' "$work/said"; then ok "$1: no lines of ptxas are printed"; else bad "$1: no lines of ptxas are printed"; fi
}

# The verdict on a tree, as text and records. The count of lines also includes those of links without kernels.
judged() # tree, name
{
    "$warplint" check --no-config "$1" >"$work/check" 2>&1
    echo "status $?" >>"$work/check"
    # Meson compiles test programs, which other build systems do not.
    sed -e 's/(cd [^ ]* && warplint tune/warplint tune/; s/\(warplint tune .*-- \).*/\1the command of this build/' -e '/CMake or Meson tried/d' "$work/check" >"$work/$2.verdict"
    "$warplint" report --no-config --format csv "$1" >"$work/csv" 2>&1
    python3 "$root/tests/integration/columns.py" "$work/csv" >"$work/$2.records"
}

alike() # what, tree
{
    judged "$2" now
    same "$1: the verdict" "$work/first.verdict" "$work/now.verdict"
    same "$1: the records" "$work/first.records" "$work/now.records"
}

hits() { ccache --print-stats | awk '/^(direct|preprocessed)_cache_hit\t/ { n += $2 } END { print n + 0 }'; }

every_way() # system
{
    tree=$1-tree
    build "$1, cold" "$1" "$tree" ''
    alike "$1, cold" "$tree"
    build "$1, nothing to do" "$1" "$tree" ''
    alike "$1, nothing to do" "$tree"
    rm -rf "$tree"
    command -v ccache >/dev/null 2>&1 || return
    rm -rf "$CCACHE_DIR"
    build "$1, ccache, cold" "$1" "$tree" ccache
    alike "$1, ccache, cold" "$tree"
    before=$(hits)
    rm -rf "$tree"
    build "$1, ccache, warm" "$1" "$tree" ccache
    alike "$1, ccache, warm" "$tree"
    found=$(($(hits) - before))
    if [ $found -ge 4 ]; then ok "$1, ccache: $found hits"; else bad "$1, ccache: $found hits, expected 4 or more"; fi
    rm -rf "$tree"
}

# ---- the first build system: its numbers are written here ----

build first make first ''
judged first first
for line in 'flow/smooth.cu:6: warning: (anonymous namespace)::sweep (sm_90, as linked): spills ' \
    'judged: 5 kernels for sm_80 sm_90, 10 kernel x arch' 'verdict: FAILED, 2 ' 'status 1'; do
    if grep -qF "$line" "$work/first.verdict"; then ok "the first build: $line"; else bad "the first build: $line"; fi
done
if [ "$(wc -l <"$work/first.records")" -ge 10 ]; then ok 'the first build: at least ten records'; else bad 'the first build: at least ten records'; fi

touch solve/solve.cu
build 'one file was changed' make first ''
alike 'one file was changed' first

# ---- the others ----

cmake --install "$(dirname "$warplint")" --prefix "$work/prefix" >"$work/said" 2>&1 || bad 'installed'
command -v ccache >/dev/null 2>&1 || echo "skipped: no ccache"
every_way make
every_way cmake_make
if command -v ninja >/dev/null 2>&1; then
    every_way cmake_ninja
    every_way torch
    if command -v meson >/dev/null 2>&1; then every_way meson; else echo "skipped: no meson (ci/setup --recipes)"; fi
else
    echo "skipped: no ninja: CMake with it, Meson, PyTorch's file"
fi

# ---- sccache: neither hook nor remarks; ptxas's messages are read from the cache too ----

# Starts the server before the build: compilers that start it at once wait for each other, and sccache gives up after
# ten seconds.
start_sccache()
{
    for attempt in 1 2 3; do
        sccache --start-server >"$work/said" 2>&1 && return
        sccache --show-stats >>"$work/said" 2>&1 && return # it is there, but was late
        sleep "$attempt"
    done
    return 1
}

under_sccache()
{
    SCCACHE_DIR=$work/sccache SCCACHE_SERVER_PORT=$((20000 + $$ % 20000)) SCCACHE_IDLE_TIMEOUT=120
    export SCCACHE_DIR SCCACHE_SERVER_PORT SCCACHE_IDLE_TIMEOUT
    if ! start_sccache; then
        echo "skipped: no server of sccache starts here"
        return
    fi
    make -j4 BUILD=plain NVCC="$warplint wrap --fail-on never --no-hook --no-remarks -- nvcc" >"$work/said" 2>&1 ||
        bad 'builds without hook and remarks'
    judged plain plain
    for state in cold warm; do
        build "sccache, $state" make sccache-tree sccache
        judged sccache-tree now
        same "sccache, $state: the records are the same" "$work/plain.records" "$work/now.records"
        if grep -q '"ptxas":"[1-9]' sccache-tree/solve.o.warplint.ndjson; then ok "sccache, $state: the record has the version of ptxas"; else
            bad "sccache, $state: version"
        fi
        rm -rf sccache-tree
    done
    hits=$(sccache --show-stats | sed -n 's/^Cache hits (CUDA) *//p')
    if [ "$hits" = 4 ]; then ok 'sccache: 4 hits'; else bad "sccache: '$hits' hits, expected 4"; fi
    sccache --stop-server >/dev/null 2>&1
}

if command -v sccache >/dev/null 2>&1; then under_sccache; else echo "skipped: no sccache (ci/setup --recipes)"; fi

# ---- the same machine code with and without us ----

code() # name, nvcc
{
    rm -rf objects
    make -j4 BUILD=objects MORE=--no-compress NVCC="$2" >"$work/said" 2>&1 || bad "builds with $2"
    python3 "$root/tests/integration/code.py" objects/*.o objects/solve objects/histogram >"$work/code.$1"
}
code alone nvcc
code wrapped "$wrap nvcc"
same 'the machine code is the same with and without wrap' "$work/code.alone" "$work/code.wrapped"
if grep -q 'smooth.o 2 cubins' "$work/code.alone"; then ok 'the machine code has two cubins for smooth.o'; else bad 'the machine code has two cubins for smooth.o'; fi

finish
