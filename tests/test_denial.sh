#!/bin/sh
# usage: test_denial.sh PROGRAM SOURCE_DIR
#
# Inputs made to use much time or memory, against the limits in warplint-security(7) (denial.py).
set -u
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: no python3, which makes the inputs and measures"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$2/tests/denial.py" "$1" "$work"
