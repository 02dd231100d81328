#!/bin/sh
# usage: test_layers.sh PROGRAM SOURCE_DIR
#
# The source tree follows the rules, and ci/layers finds each kind of violation.
set -eu
root=$2
failed=0

sh "$root/ci/layers" "$root/src" || failed=1

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# Expects exactly the given message for a tree with one violation (and correct files around it).
breach() # name, message, file, text
{
    rm -rf "$tree/src"
    mkdir -p "$tree/src/base" "$tree/src/log" "$tree/src/gpu" "$tree/src/lint" "$tree/src/report" "$tree/src/cli"
    printf '%s\n' '#include "base/str.h"' '#include <jansson.h>' >"$tree/src/base/json.c"
    printf '%s\n' "$4" >"$tree/src/$3"
    said=$(sh "$root/ci/layers" "$tree/src") && status=0 || status=$?
    case "$status $said" in
    "1 $2"*) echo "ok   $1" ;;
    *)
        echo "FAIL $1: status $status, said: $said, expected: $2"
        failed=1
        ;;
    esac
}

breach "an include upwards" "log/a.c:1: include of gpu/arch.h: gpu is not below log" log/a.c '#include "gpu/arch.h"'
breach "an include of a neighbour" "gpu/a.c:2: include of log/model.h: log is not below gpu" gpu/a.c '
#include "log/model.h"'
breach "a second file with a library" "log/a.c:1: jansson.h is used here and in base/json.c" log/a.c '#include <jansson.h>'
breach "a library in a header" "lint/a.h:1: yaml.h in a header" lint/a.h '#include <yaml.h>'
breach "a banned call" "report/a.c:2: call of sprintf, which is banned" report/a.c '/* sprintf(a) */ char *s = "sprintf(";
int n = x + sprintf (buf, s);'
breach "a folder that is no layer" "cli/a.c:1: include of util/a.h, which is no layer" cli/a.c '#include "util/a.h"'
long=$(
    echo 'void f(void)'
    echo '{'
    yes '    f();' | head -81
    echo '}'
)
breach "a long function" "cli/a.c:84: a function of 81 lines, more than 80" cli/a.c "$long"

rm -rf "$tree/src"
mkdir -p "$tree/src/base"
printf '%s\n' '#include "base/a.h"' 'int my_atoi(int atoi); /* atoi(' ' * strtok( */ // system(' >"$tree/src/base/a.c"
if sh "$root/ci/layers" "$tree/src"; then
    echo "ok   a clean tree"
else
    echo "FAIL a clean tree"
    failed=1
fi
exit $failed
