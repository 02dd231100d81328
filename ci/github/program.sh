#!/bin/sh
# The first step of action.yml: selects the program: WARPLINT_PROGRAM, else `warplint` from PATH, else it builds the
# source that contains the action. Writes the output `program`.
set -eu

complain() # what is wrong and what to do
{
    printf '%s\n' "::error title=warplint::$1" | sed 's/%/%25/g' # a percent sign would begin an escape
    exit 2
}

case ${WARPLINT_PROGRAM:-} in
*[[:cntrl:]]*) complain "the input 'program' holds a control character (a tab, an escape, an end of line); expected is text on one line" ;;
esac
if [ -n "${WARPLINT_PROGRAM:-}" ]; then
    command -v -- "$WARPLINT_PROGRAM" >/dev/null 2>&1 ||
        complain "the input 'program' names '$WARPLINT_PROGRAM', which is no program; correct the line \`program: $WARPLINT_PROGRAM\`, or leave it out"
    program=$WARPLINT_PROGRAM
elif command -v warplint >/dev/null 2>&1; then
    program=warplint
else
    source=$(cd "$(dirname "$0")/../.." && pwd)
    build=${RUNNER_TEMP:-/tmp}/warplint-build
    echo "::group::warplint is built"
    sh "$source/ci/setup" --program
    cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DWARPLINT_TESTS=OFF
    cmake --build "$build" --target warplint -j "$(nproc 2>/dev/null || echo 2)"
    echo "::endgroup::"
    program=$build/warplint
fi
program=$(command -v -- "$program")
case $program in /*) ;; *) program=$PWD/$program ;; esac # the next step runs in another folder
"$program" --version
printf '%s\n' "program=$program" >>"$GITHUB_OUTPUT"
