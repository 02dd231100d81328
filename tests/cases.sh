# Shared by the shell tests. Sourced as `. "$source/tests/cases.sh"`, it makes an empty folder, $work, enters it, and
# removes it at the end. It prints one line per case; `finish` prints the totals and ends the test.
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0

ok() # title
{
    passed=$((passed + 1))
    echo "ok   $1"
}

bad() # title; what was said last, in files of these names, stands below
{
    failed=$((failed + 1))
    echo "FAIL $1"
    for said in "$work/said" "$work/out" "$work/err"; do
        [ ! -f "$said" ] || head -n 15 "$said" | cut -c1-300 | sed 's/^/     /'
    done
}

# expect STATUS PATTERN TITLE COMMAND...: compares the command's exit status, and looks for a line of its output that
# matches PATTERN (ERE)
expect()
{
    want=$1 pattern=$2 title=$3
    shift 3
    "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    if [ "$got" = "$want" ] && { [ -z "$pattern" ] || cat "$work/out" "$work/err" | grep -Eq -- "$pattern"; }; then
        ok "$title"
    else
        bad "$title: status $got, expected $want and /$pattern/"
    fi
}

# holds TITLE COMMAND...: the command succeeds
holds()
{
    title=$1
    shift
    if "$@" >"$work/said" 2>&1; then ok "$title"; else bad "$title"; fi
}

refuses() { ! "$@"; }

in_shell() { sh -c "$1"; }

# appears FILE: waits for the file, at most half a minute, and fails without it
appears()
{
    tries=0
    while [ ! -e "$1" ] && [ $tries -lt 1500 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
    [ -e "$1" ]
}

# no_errors FILE...: the SARIF validator ($multitool, a folder) finds no errors; its exit status is always 0
no_errors()
{
    "$multitool/Sarif.Multitool" validate --rule-kind 'Sarif;Ghas' "$@" >"$work/multitool" 2>&1
    cat "$work/multitool"
    ! grep -qE '(error|fail)' "$work/multitool" && grep -q "Done. $# files scanned" "$work/multitool"
}

has() { command -v "$1" >/dev/null 2>&1; }

skip() { echo "skipped: $1"; }

finish()
{
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}
