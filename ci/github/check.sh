#!/bin/sh
# The second step of action.yml: runs `warplint check`, and writes the reports, the job's summary, annotations and
# outputs. Its inputs are environment variables; the exit status is that of `warplint check`.
set -eu

newline='
'
complain() # input, what is wrong and what to do
{
    printf '%s\n' "::error title=warplint::the input '$1' $2" | sed 's/%/%25/g' # a percent sign would begin an escape
    exit 2
}

one_line() # input, value
{
    case $2 in
    *[[:cntrl:]]*) complain "$1" "holds a control character (a tab, an escape, an end of line); expected is text on one line" ;;
    esac
}

as_path() # path; one that looks like an option, or like an operator of find, is a path all the same
{
    case $1 in
    [!A-Za-z0-9_./]*) printf './%s\n' "$1" ;;
    *) printf '%s\n' "$1" ;;
    esac
}

has_records() # folder
{
    [ -n "$(find "$1" -name '*.warplint.ndjson' -print | head -n 1)" ]
}

is_triton_cache() # folder; there, a cubin has its metadata beside it
{
    # shellcheck disable=SC2016 # the inner shell expands it
    [ -n "$(find "$1" -name '*.cubin' -exec sh -c '[ -f "${1%.cubin}.json" ]' sh {} \; -print | head -n 1)" ]
}

# ---- inputs ----

paths=${WARPLINT_PATHS:-} reports=${WARPLINT_REPORTS:-warplint-reports} label=${WARPLINT_LABEL:-}
fail_on=${WARPLINT_FAIL_ON:-} baseline=${WARPLINT_BASELINE:-} config=${WARPLINT_CONFIG:-}
there=${WARPLINT_FOLDER:-.}

one_line reports "$reports"
one_line label "$label"
one_line fail-on "$fail_on"
one_line baseline "$baseline"
one_line config "$config"
one_line working-directory "$there"
reports=$(as_path "$reports") baseline=$(as_path "$baseline") config=$(as_path "$config")

case $fail_on in
'' | error | warning | note | never) ;;
*) complain fail-on "is '$fail_on'; expected is \`fail-on: error\`, \`warning\`, \`note\` or \`never\`" ;;
esac
case $label in
*[!A-Za-z0-9._-]*) complain label "is '$label'; expected are letters, digits and . _ -, as in \`label: sm_90\`" ;;
esac
[ -z "$baseline" ] || [ -e "$baseline" ] ||
    complain baseline "names '$baseline', which is not there. Write it with \`warplint baseline write $baseline build\` and commit it, or leave out the line \`baseline: $baseline\`"
[ -z "$config" ] || [ -f "$config" ] ||
    complain config "names '$config', which is not there. Correct the line \`config: $config\`, or leave it out: the nearest .warplint.yaml is used"

set -f # paths and arguments are words of one line each, whatever is in them
IFS=$newline
set --
for path in $paths; do
    one_line paths "$path"
    path=$(as_path "$path")
    [ -e "$path" ] ||
        complain paths "names '$path', which is not there (seen from $(pwd)). Correct the line \`paths: $path\`, and see that the build ran in an earlier step of this job"
    if [ -d "$path" ] && ! has_records "$path" && ! is_triton_cache "$path"; then
        complain paths "names the folder '$path', which holds no records (*.warplint.ndjson). Build with -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--record-only;--\" or with the nvcc of \`warplint wrap --record-only --install-shim shim\` (make NVCC=\"\$PWD/shim/bin/nvcc\" CUDA_HOME=\"\$PWD/shim\"), or give the build's log: \`paths: build.log\`"
    fi
    set -- "$@" "$path"
done
[ $# -gt 0 ] || complain paths "is empty; expected is the build folder or the build's log, as in \`paths: build\`"
for argument in ${WARPLINT_ARGUMENTS:-}; do
    one_line arguments "$argument"
    set -- "$@" "$argument"
done
unset IFS
set +f
[ -z "$baseline" ] || set -- "$@" --baseline "$baseline"
[ -z "$config" ] || set -- "$@" --config "$config"
[ -z "$fail_on" ] || set -- "$@" --fail-on "$fail_on"
# Nothing is written through a symbolic link of the checkout.
reports=${reports%/}
part=$reports
while :; do
    [ ! -L "$part" ] || complain reports "names '$reports', where '$part' is a link; expected is a folder. Remove the link, or correct the line \`reports: $reports\`"
    case $part in
    */*) part=${part%/*} ;;
    *) break ;;
    esac
    case $reports:$part in
    /*: | /*:/*) break ;; # what leads to it from the root is not of the checkout
    esac
done
mkdir -p "$reports" || complain reports "names '$reports', where no folder can be made; correct the line \`reports: $reports\`"
own='' token=''
# shellcheck disable=SC2317 # the trap calls it
leave()
{
    [ -z "$token" ] || echo "::$token::"
    [ -z "$own" ] || rm -rf "$own"
}
trap leave EXIT
trap 'exit 3' HUP INT TERM

nothing() # status, why
{
    printf '%s\n' "::error title=warplint::$2" | sed 's/%/%25/g'
    printf '%s\n' verdict=none "status=$1" >>"$GITHUB_OUTPUT"
    exit "$1"
}

temporary=${RUNNER_TEMP:-${TMPDIR:-/tmp}}
own=$(mkdir -p "$temporary" && mktemp -d "$temporary/warplint-XXXXXX") ||
    nothing 3 "no folder can be made below '$temporary' (RUNNER_TEMP)"

hand_over() # files of our own folder, which take the place of what has their name in the reports
{
    for file; do
        mv -fT "$own/$file" "$reports/$file" ||
            nothing 3 "'$reports/$file' cannot be written: remove what is there, or correct the line \`reports: $reports\`"
    done
}

# ---- judging ----

# GitHub accepts 65,536 characters in a comment and 1 MiB in the summary of a step; comment.sh adds a line.
status=0
"$WARPLINT" check "$@" ${label:+--sarif-category="$label"} --max-bytes 65000 --format github \
    -o text="$own/findings.txt" -o sarif="$own/warplint.sarif" -o junit="$own/junit.xml" \
    -o html="$own/kernels.html" -o ndjson="$own/kernels.ndjson" -o markdown="$own/summary" || status=$?
if [ ! -s "$own/warplint.sarif" ]; then
    [ "$status" != 0 ] || status=3 # --help and --version are no judgement
    rm -f "$reports/warplint.sarif" || : # of a run before
    nothing "$status" "status $status: nothing was judged; see the messages above"
fi
marker="<!-- warplint${label:+:$label} -->"
sed "1s/.*/$marker/" "$own/summary" >"$own/comment.md"
"$WARPLINT" check "$@" --format markdown --max-bytes 1000000 2>/dev/null | sed 1d >>"$GITHUB_STEP_SUMMARY"

# Names are treated as text, whatever characters they contain.
echo "::group::findings and verdict"
token=warplint-$(od -An -N 16 -t x1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
cat "$own/findings.txt"
echo "::$token::"
token=''
echo "::endgroup::"

# ---- outputs: paths as later steps see them, from the root ----

there=${there#./}
case $there:$reports in
.:* | :* | *:/*) there= ;;
esac

# Findings that count for the verdict: not suppressed and, with a baseline, worse than it. A JSON string contains no
# quotation mark without a backslash, so no name looks like a key.
count() # severity
{
    grep '^{"type":"finding",' "$own/kernels.ndjson" | grep "\"severity\":\"$1\"" |
        grep -vc '"suppressed":true\|"baseline_state":"unchanged"' || :
}

ended() # key of the stream's last line
{
    sed -n "\$s/^{\"type\":\"end\",.*\"$1\":\\([0-9]*\\).*/\\1/p" "$own/kernels.ndjson"
}

case $status in
0) verdict=passed ;;
1) verdict=failed ;;
*) verdict=none ;;
esac
{
    printf '%s\n' "verdict=$verdict"
    printf '%s\n' "status=$status"
    for severity in error warning note; do
        printf '%s\n' "${severity}s=$(count $severity)"
    done
    printf '%s\n' "kernels=$(ended kernels)"
    printf '%s\n' "records=$(ended entries)"
    printf '%s\n' "marker=$marker"
    for output in sarif=warplint.sarif comment=comment.md junit=junit.xml html=kernels.html ndjson=kernels.ndjson; do
        printf '%s\n' "${output%%=*}=${there:+$there/}$reports/${output#*=}"
    done
} >"$own/outputs"
hand_over findings.txt warplint.sarif junit.xml kernels.html kernels.ndjson comment.md
cat "$own/outputs" >>"$GITHUB_OUTPUT"
exit "$status"
