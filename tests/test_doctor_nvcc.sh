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
shows not-wrapped 'built without the launcher' n
configure -B n "$wrap"
shows built-before 'configured with the launcher after the build' n
touch -d '2001-01-01' n/CMakeFiles/saxpy.dir/saxpy.cu.o
ninja -C n >build.log 2>&1
shows none 'built with the launcher' n
ninja -C n >build.log 2>&1
shows up-to-date 'the log of a build that is up to date' build.log
shows none 'the folder of a build that is up to date' n
nvcc -arch=sm_80 -c saxpy.cu -o n/CMakeFiles/saxpy.dir/saxpy.cu.o 2>/dev/null
shows stale-records 'an object that was compiled without wrap' n
nvcc -arch=sm_80 -c saxpy.cu -o n/CMakeFiles/saxpy.dir/other.o 2>/dev/null
shows 'stale-records unrecorded' 'a second object, without a record' n
for generator in Ninja 'Unix Makefiles'; do
    configure -G "$generator" -B r "$wrap" -DLAUNCH=ccache
    shows 'cache-outside not-built' "RULE_LAUNCH_COMPILE=ccache is configured, nothing is built: $generator" r
    cmake --build r >build.log 2>&1
    shows cache-outside "built with RULE_LAUNCH_COMPILE=ccache: $generator" r
    rm -rf r
done
mkdir g d && warplint wrap --no-config -- nvcc -G -arch=sm_80 -c saxpy.cu -o g/x.o 2>/dev/null
shows debug 'a record of -G' g
warplint wrap --no-config -- nvcc -dc -arch=sm_80 saxpy.cu -o d/x.o 2>/dev/null
shows rdc-without-link 'a record of relocatable code' d
warplint wrap --no-config -- nvcc -arch=sm_80 -dlink d/x.o -o d/link.o 2>/dev/null
shows none 'records of relocatable code and of its device link' d

finish
