#!/bin/sh
# usage: test_source_trees.sh PROGRAM SOURCE_DIR
#
# Comparison of random source trees after random changes: the status follows from what was changed (source_trees.py).
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
if has python3; then
    expect 0 ' pairs compared, 0 wrong$' 'random changes of sources: the expected status, and update and prune succeed' \
        python3 "$source/tests/source_trees.py" "$program" "${WARPLINT_TREES:-400}"
    python3 "$source/tests/source_trees.py" true 40 >told 2>&1
    expect 1 '' 'a program that always passes fails' grep -q ', 0 wrong$' told
else
    skip 'random changes of sources: no python3'
fi
finish
