#!/bin/sh
# usage: test_load.sh PROGRAM SOURCE_DIR
#
# The wrapper under load, and on file systems with errors (load.py).
set -u
if ! command -v python3 >/dev/null 2>&1; then
    echo "skipped: no python3, which runs the load"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$2/tests/load.py" "$1" "${WARPLINT_SHIM:-}" "$work"
