#!/bin/sh
# usage: test_mistakes.sh PROGRAM SOURCE_DIR
#
# Users' mistakes and the messages about them: tests/data/mistakes.test has each command ("$ ..."), its exit status and
# its standard error. Read the messages: one cause, what was found, what was expected, what to do. WARPLINT_UPDATE=1
# rewrites the file.
#
# `config YAML` is `warplint check build.log` with this configuration.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
unset NO_COLOR CLICOLOR_FORCE
table=$source/tests/data/mistakes.test
mkdir .git logs nothing
PATH=/usr/bin:/bin # without nvcc

cat >build.log <<'LOG'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4gemmPf' for 'sm_90'
ptxas info    : Function properties for _Z4gemmPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
LOG
cp build.log logs/a.log
cp build.log logs/b.log
head -n 3 build.log >torn.log
: >empty.log
printf '[1/2] c++ main.cpp\n[2/2] c++ util.cpp\n' >other.log
printf '__global__ void k() {}\n' >kernel.cu
gzip -c build.log >build.log.gz
: >empty.json
echo '{}' >other.json
echo '[1,2' >list.json
printf '\0\1\2\n\0' >random.bin
printf 'Metric Name,Metric Value\nBlock Size,256\n' >metrics.csv
printf 'Kernel Name;Block Size\ngemm;256\n' >semicolons.csv
printf 'Kernel Name,Time\ngemm,256\n' >values.csv
"$warplint" report --no-config --format ndjson build.log | sed '3s/"registers".*/"regis/; 3q' >cut.ndjson
"$warplint" baseline write known.json build.log >said.out
"$warplint" report --no-config --format json build.log >report.json
"$warplint" check --no-config --format sarif build.log >report.sarif
mkdir no-rules unnamed unknown silent objects
: >objects/a.o
printf 'id: mine\nseverity: warning\nwhen: registers > 3\nmessage: m\n' >unnamed/other.yaml
printf 'id: mine\nseverity: warning\nwhen: regs > 3\nmessage: m\n' >unknown/mine.yaml
printf 'id: mine\nseverity: warning\nwhen: registers > 3\n' >silent/mine.yaml
printf '\211PNG\r\n\032\n\000\000\000\rIHDR' >image.png

warplint() { "$warplint" "$@"; }
config()
{
    printf '%s\n' "$1" >.warplint.yaml
    "$warplint" check build.log
    status=$?
    rm .warplint.yaml
    return $status
}

count=0
while IFS= read -r line; do
    case $line in '$ '*) ;; *) continue ;; esac
    eval "${line#??}" >said.out 2>err </dev/null
    status=$?
    count=$((count + 1))
    printf '%s\nstatus %d\n' "$line" $status
    cat err
    echo
    title=${line#??}
    errors=$(grep -c '\(^\|: \)error: ' err)
    [ $status -ge 2 ] || echo "$title: status $status" >>complaints
    [ "$errors" = 1 ] || [ "$title" = warplint ] || echo "$title: $errors errors, expected one" >>complaints
    grep 'error: .*\.$' err >>complaints
done <"$table" >now
cat complaints 2>/dev/null
[ ! -s complaints ] && ok 'each mistake is one error without a full stop' || bad 'mistakes with several errors, none, or a full stop'
[ $count -ge 120 ] && ok "$count mistakes" || bad "$count mistakes, expected 120 or more"
[ -z "${WARPLINT_UPDATE:-}" ] || cp now "$table"
if diff "$table" now >difference; then ok 'the messages are those of tests/data/mistakes.test'; else
    cat difference
    bad 'the messages are not those of tests/data/mistakes.test'
fi
finish
