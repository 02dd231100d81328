#!/bin/sh
# usage: test_cmake.sh PROGRAM SOURCE_DIR
#
# The installed CMake package: the errors of warplint_enable(), and, if nvcc is installed, a project built with every
# generator (tests/integration/project; test_integration.sh compares its records with other build systems').
set -u
warplint=$1 root=$2
. "$root/tests/cases.sh"
PATH=$PATH:/usr/local/cuda/bin
export CUDAARCHS=90-real XDG_CACHE_HOME="$work/cache"
unset CMAKE_CUDA_COMPILER_LAUNCHER CMAKE_GENERATOR

says() # what, text in what was said
{
    # CMake wraps its messages; this joins the lines.
    if tr -s ' \n' '  ' <"$work/said" | grep -qF -- "$2"; then ok "$1"; else bad "$1: expected '$2'"; fi
}

silent() # what, text that was not said
{
    if tr -s ' \n' '  ' <"$work/said" | grep -qF -- "$2"; then bad "$1: unexpected '$2'"; else ok "$1"; fi
}

run() # expected status, command...
{
    expected=$1
    shift
    "$@" >"$work/said" 2>&1
    status=$?
    [ $status = "$expected" ] || bad "status $status, expected $expected: $*"
}

prefix="$work/a prefix"
run 0 cmake --install "$(dirname "$warplint")" --prefix "$prefix"

# ---- without CUDA: errors name the wrong argument and the line to change ----

project() # lines of CMakeLists.txt behind find_package...
{
    rm -rf "$work/small"
    mkdir -p "$work/small"
    echo 'int main(void) { return 0; }' >"$work/small/main.c"
    {
        echo 'cmake_minimum_required(VERSION 3.22)'
        echo 'project(small LANGUAGES C)'
        echo 'enable_testing()'
        echo "$before_find"
        echo 'find_package(warplint REQUIRED)'
        echo 'add_executable(app main.c)'
        printf '%s\n' "$@"
    } >"$work/small/CMakeLists.txt"
}

configure() # expected status: 0 or 1, arguments...
{
    expected=$1
    shift
    run "$expected" cmake -S "$work/small" -B "$work/small/build" -DCMAKE_PREFIX_PATH="$prefix" "$@"
}

before_find=
project 'warplint_enable(nothing)'
configure 1
says 'an unknown target: an error' 'nothing is no target yet; call warplint_enable behind add_library(nothing ...) or add_executable(nothing ...)'
project 'warplint_enable(app BASELIN known.json)'
configure 1
says 'an unknown keyword: an error' 'BASELIN is neither a target nor a keyword; the keywords are BASELINE FAIL_ON FAIL_BUILD NAME'
project 'warplint_enable()'
configure 1
says 'no target: an error' 'no target is given; expected as in warplint_enable(my_library my_program)'
project 'add_library(headers INTERFACE)' 'warplint_enable(app headers)'
configure 1
says 'a target that compiles nothing: an error' 'headers compiles nothing (INTERFACE_LIBRARY); leave it out of warplint_enable(app;headers)'
project 'warplint_enable(app FAIL_ON fatal)'
configure 1
says 'an unknown severity: an error' 'FAIL_ON fatal is no severity; expected one of error warning note never'
project 'warplint_enable(app BASELINE)'
configure 1
says 'a keyword without its value: an error' 'BASELINE has no value; expected as in warplint_enable(app BASELINE warplint-baseline.json FAIL_ON warning)'
project 'warplint_enable(app)' 'warplint_enable(app FAIL_ON error)'
configure 1
says 'two calls with one name and different settings: an error' 'the test warplint has another FAIL_ON or BASELINE from an earlier call; give this call a name of its own, as in warplint_enable(... NAME warplint-small)'
before_find='set(CMAKE_VERSION 3.18.4)'
project 'warplint_enable(app)'
configure 1
says 'an old CMake: an error' 'warplint needs CMake 3.19 or later and this is 3.18.4'
says 'an old CMake: the error names the launcher' '-DCMAKE_CUDA_COMPILER_LAUNCHER="warplint;wrap;--"'
before_find=
project 'warplint_enable(app)'
configure 1 -DWARPLINT_EXECUTABLE=/nowhere/warplint
says 'a missing program: an error' 'the program /nowhere/warplint is not there. Install warplint again, or configure with -DWARPLINT_EXECUTABLE=/path/of/warplint'
configure 0 -DWARPLINT_EXECUTABLE="$warplint"
says 'a project without CUDA: a message' 'this build has no CUDA, so there is nothing to record, and the test is skipped. Where that is not meant: enable_language(CUDA)'
run 0 cmake --build "$work/small/build"
run 0 ctest --test-dir "$work/small/build"
says 'a project without CUDA: the test is skipped' 'warplint (Skipped)'
before_find='unset(CMAKE_TESTING_ENABLED)'
project 'warplint_enable(app)'
configure 0
says 'enable_testing() is not called: a message' 'CMakeLists.txt does not call enable_testing()'
before_find=
project 'find_package(warplint 99 REQUIRED)'
configure 1
says 'a version that does not exist: an error' 'requested version "99"'
project 'warplint_enable(app BASELINE known.json)'
configure 0
says 'a missing baseline: a message with the commands' "known.json is not there, and the test warplint fails without it. Write it once, commit it and configure again: cmake --build $work/small/build && cmake --build $work/small/build --target warplint-baseline"
before_find='set(CMAKE_GENERATOR "Visual Studio 17 2022")'
project 'warplint_enable(app)'
configure 0
says 'a generator without launchers: a message' 'Visual Studio 17 2022 has no compiler launcher, so the test has no records. app is compiled with -Xptxas=-v instead'
before_find=

# ---- with CUDA ----

if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc: the builds"
    finish
fi
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set: the builds"
    finish
fi

# A target without device code is left out; a library or program that links device code, its own or a library's, is not.
before_find='enable_language(CUDA CXX)'
echo '__global__ void k(float *p) { *p = 1; }' >"$work/k.cu"
project "add_library(k STATIC $work/k.cu)" 'target_link_libraries(app PRIVATE k)' 'warplint_enable(k app)'
configure 0
says 'a target without device code: a message' 'target app compiles no CUDA source and links no device code; leave it out of warplint_enable'
run 0 cmake --build "$work/small/build"
run 0 ctest --test-dir "$work/small/build" --output-on-failure -V
says 'a target without device code: the other target is judged' 'judged: 1 kernel'
project 'warplint_enable(app)'
configure 0
says 'the only target has no device code: a message' 'leave it out of warplint_enable'
run 0 cmake --build "$work/small/build"
project "add_library(k STATIC $work/k.cu)" "add_library(ptx OBJECT $work/k.cu)" \
    'set_target_properties(ptx PROPERTIES CUDA_PTX_COMPILATION ON)' 'warplint_enable(k ptx)'
configure 0
says 'a target of PTX: a message' 'target ptx makes no machine code (CUDA_PTX_COMPILATION or CUDA_OPTIX_COMPILATION), so it has no records and is not judged; leave it out of warplint_enable'
run 0 cmake --build "$work/small/build"
run 0 ctest --test-dir "$work/small/build" --output-on-failure -V
says 'a target of PTX: the other target is judged' 'judged: 1 kernel'
project "add_library(ptx OBJECT $work/k.cu)" 'set_target_properties(ptx PROPERTIES CUDA_PTX_COMPILATION ON)' 'warplint_enable(ptx)'
configure 0
run 0 ctest --test-dir "$work/small/build"
says 'only a target of PTX: there is no test' 'No tests were found'
for device in k app; do
    project "add_library(k STATIC $work/k.cu)" 'target_link_libraries(app PRIVATE k)' 'warplint_enable(k app)' \
        "set_target_properties($device PROPERTIES CUDA_SEPARABLE_COMPILATION ON LINKER_LANGUAGE CXX)"
    configure 0
    silent "device code of $device is linked: no message" 'leave it out'
    run 0 cmake --build "$work/small/build"
    run 0 ctest --test-dir "$work/small/build" --output-on-failure
done
before_find=

cp -r "$root/tests/integration/project" "$work/flow"
tree="$work/flow/a build"
flow="$work/flow"

# CMake's compiler launcher runs after ours.
builds() # generator, launcher, more...
{
    generator=$1 launcher=$2
    shift 2
    rm -rf "$tree"
    run 0 cmake -S "$flow" -B "$tree" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_CUDA_COMPILER_LAUNCHER="$launcher" "$@"
    silent "$generator $launcher: configure prints no message" warplint_enable
    run 0 cmake --build "$tree" --config Release -j 2
    says "$generator $launcher: the build prints the finding" '[register-spill]'
    silent "$generator $launcher: the build prints no lines of ptxas" 'bytes stack frame'
    run 8 ctest --test-dir "$tree" -C Release --output-on-failure
    says "$generator $launcher: the test fails" 'verdict: FAILED, 1 '
    says "$generator $launcher: linked code is judged" '(sm_90, as linked)'
    says "$generator $launcher: all five kernels are judged" 'judged: 5 kernels for sm_90'
    run 0 cmake --build "$tree" --config Release --target warplint-report
    says "$generator $launcher: the report has all five kernels" 'seen: 5 kernels for sm_90'
    if [ -s "$tree/warplint-report.html" ]; then ok "$generator: an HTML report is written"; else bad "$generator: an HTML report is written"; fi
}

ccache=
if command -v ccache >/dev/null 2>&1; then ccache=ccache; else echo "skipped: no ccache"; fi
export CCACHE_DIR="$work/ccache"
if command -v ninja >/dev/null 2>&1; then
    builds Ninja "$ccache"
    builds 'Ninja Multi-Config' ''
else
    echo "skipped: no ninja"
fi
builds 'Unix Makefiles' ''

# The test runs before the build: with nothing to judge it must not pass.
rm -rf "$tree"
run 0 cmake -S "$flow" -B "$tree" -DCMAKE_PREFIX_PATH="$prefix"
run 8 ctest --test-dir "$tree" --output-on-failure
says 'the test before the build: no verdict' 'verdict: none, there was nothing to judge'

# In another project, with a baseline and a build that fails.
mkdir "$work/outer"
cat >"$work/outer/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(outer LANGUAGES CXX)
find_package(warplint REQUIRED)
add_subdirectory(flow)
enable_testing()
CMAKE
cp -r "$root/tests/integration/project" "$work/outer/flow"
tree=$work/outer/build
sed -i 's/^warplint_enable.*/warplint_enable(flow solve FAIL_BUILD)\nwarplint_enable(histogram NAME others FAIL_ON never)/' \
    "$work/outer/flow/CMakeLists.txt"
run 0 cmake -S "$work/outer" -B "$tree" -DCMAKE_PREFIX_PATH="$prefix"
run 2 cmake --build "$tree" -j 2
says 'FAIL_BUILD: the compile fails' '[register-spill]'
if ls "$tree"/flow/CMakeFiles/flow.dir/flow/smooth.cu.o >/dev/null 2>&1; then bad 'FAIL_BUILD: the object is removed'; else
    ok 'FAIL_BUILD: the object is removed'
fi
sed -i 's/ FAIL_BUILD/ FAIL_BUILD BASELINE known.json/' "$work/outer/flow/CMakeLists.txt"
run 0 cmake -S "$work/outer" -B "$tree"
says 'BASELINE of a missing file: a message' 'known.json is not there'
run 0 cmake --build "$tree" -j 2 --target warplint-baseline
if [ -s "$work/outer/flow/known.json" ]; then ok 'the target warplint-baseline writes the baseline'; else bad 'the target warplint-baseline writes the baseline'; fi
run 0 cmake -S "$work/outer" -B "$tree"
run 0 cmake --build "$tree" -j 2
run 0 ctest --test-dir "$tree" --output-on-failure -V
says 'a subproject: both tests pass' '100% tests passed, 0 tests failed out of 2'
says 'a subproject: known findings pass' 'verdict: passed'

# With a compiler launcher that is set already.
rm -rf "$tree"
run 0 cmake -S "$work/outer" -B "$tree" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CUDA_COMPILER_LAUNCHER="warplint;wrap;--"
says 'a launcher with wrap is kept' 'flow is compiled by a wrapper already (warplint;wrap;--), and stays so'
rm -rf "$tree"
sed -i '2a set_property(GLOBAL PROPERTY RULE_LAUNCH_COMPILE env)\nset_property(GLOBAL PROPERTY RULE_LAUNCH_LINK env)' \
    "$work/outer/CMakeLists.txt"
run 0 cmake -S "$work/outer" -B "$tree" -DCMAKE_PREFIX_PATH="$prefix"
says 'RULE_LAUNCH_COMPILE: a message' 'RULE_LAUNCH_COMPILE puts `env` in front of warplint, where a compiler cache keeps old verdicts. Take it away and configure with -DCMAKE_CUDA_COMPILER_LAUNCHER=env'
says 'RULE_LAUNCH_LINK: a message' 'links of flow have a launcher already (RULE_LAUNCH_LINK: env)'
run 0 cmake --build "$tree" -j 2
says 'RULE_LAUNCH_LINK: the build prints lines of nvlink' 'nvlink info'
finish
