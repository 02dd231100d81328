#!/bin/sh
# usage: test_doctor_nvcc.sh PROGRAM SOURCE_DIR
#
# doctor on builds by CMake and nvcc: a good one, then with one thing broken at a time.
set -u
program=$1 source=$2
PATH=$PATH:/usr/local/cuda/bin
for tool in nvcc cmake ninja ccache; do
    command -v $tool >/dev/null || {
        echo "skipped: no $tool"
        exit 0
    }
done
. "$source/tests/cases.sh"
mkdir bin && cp "$program" bin/warplint && PATH=$work/bin:$PATH
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS PTXAS_FLAGS
export XDG_CACHE_HOME="$work/cache" CCACHE_DIR="$work/ccache"
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CUDA_COMPILER_LAUNCHER

shows() # codes, title, input...
{
    codes=$1 title=$2
    shift 2
    warplint doctor "$@" >out 2>err
    status=$?
    sed -n 's/^[^ ].*\[\([a-z-]*\)\]$/\1/p' out | tr '\n' ' ' >got
    [ "$codes" = none ] && codes= && expected=0 || expected=3
    if [ "$(cat got)" = "${codes:+$codes }" ] && [ $status = $expected ]; then
        ok "$title"
    else
        bad "$title: named '$(cat got)', expected '$codes'; status $status"
    fi
}

cp "$source"/fixtures/cache-outside/saxpy.cu .
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(saxpy LANGUAGES CXX CUDA)
if(LAUNCH)
  set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE ${LAUNCH})
endif()
add_library(saxpy STATIC saxpy.cu)
set_target_properties(saxpy PROPERTIES CUDA_ARCHITECTURES 80)
CMAKE
wrap='-DCMAKE_CUDA_COMPILER_LAUNCHER=warplint;wrap;--'
configure() { cmake -S . "$@" >configure.log 2>&1; }

shows none 'this nvcc has the hooks' --nvcc nvcc
configure -G Ninja -B n
shows not-wrapped 'configured without the launcher' n
ninja -C n >build.log 2>&1
shows not-wrapped 'built without it' n
configure -B n "$wrap"
shows built-before 'the launcher came later' n
touch -d '2001-01-01' n/CMakeFiles/saxpy.dir/saxpy.cu.o
ninja -C n >build.log 2>&1
shows none 'built under it' n
ninja -C n >build.log 2>&1
shows up-to-date 'built again, the log' build.log
shows none 'and the folder' n
nvcc -arch=sm_80 -c saxpy.cu -o n/CMakeFiles/saxpy.dir/saxpy.cu.o 2>/dev/null
shows stale-records 'an object from elsewhere' n
nvcc -arch=sm_80 -c saxpy.cu -o n/CMakeFiles/saxpy.dir/other.o 2>/dev/null
shows 'stale-records unrecorded' 'one without a record' n
for generator in Ninja 'Unix Makefiles'; do
    configure -G "$generator" -B r "$wrap" -DLAUNCH=ccache
    shows 'cache-outside not-built' "RULE_LAUNCH_COMPILE, $generator" r
    cmake --build r >build.log 2>&1
    shows cache-outside "built with it, $generator" r
    rm -rf r
done
mkdir g d && warplint wrap --no-config -- nvcc -G -arch=sm_80 -c saxpy.cu -o g/x.o 2>/dev/null
shows debug '-G under wrap' g
warplint wrap --no-config -- nvcc -dc -arch=sm_80 saxpy.cu -o d/x.o 2>/dev/null
shows rdc-without-link 'relocatable code under wrap' d
warplint wrap --no-config -- nvcc -arch=sm_80 -dlink d/x.o -o d/link.o 2>/dev/null
shows none 'and its device link' d

finish
