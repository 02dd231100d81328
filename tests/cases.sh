# What the shell tests have in common. Sourced as `. "$source/tests/cases.sh"`, it makes an empty folder, $work, goes
# there, and takes it away at the end. One line a case; `finish` counts them and ends the test.
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

# expect STATUS PATTERN TITLE COMMAND...: the command's status, and a line of its output that matches (ERE)
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

# appears FILE: it is waited for, half a minute at most
appears()
{
    tries=0
    while [ ! -e "$1" ] && [ $tries -lt 1500 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
}

# no_errors FILE...: the validator of SARIF ($multitool, a folder) finds none; its status is 0 whatever it finds
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
