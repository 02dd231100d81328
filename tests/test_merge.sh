#!/bin/sh
# usage: test_merge.sh PROGRAM SOURCE_DIR
#
# merge: the order of the inputs does not matter, merging twice changes nothing, and the merged records are judged like
# their parts. The shards are made from the fixtures' logs.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
export program

shards=0
for log in "$source"/fixtures/*/log.txt; do
    name=$(basename "$(dirname "$log")")
    cp "$log" "$name.log"
    "$program" report --no-config --format ndjson "$name.log" >"$name.ndjson" 2>/dev/null && shards=$((shards + 1)) ||
        rm "$name.ndjson"
done
echo "$shards shards"
[ "$shards" -ge 40 ] || {
    echo "FAIL fewer than 40 fixtures have records"
    failed=1
}

# ---- order, merging twice, parts
"$program" merge ./*.ndjson >all.once
"$program" merge $(ls -r ./*.ndjson) >all.back
"$program" merge $(ls ./*.ndjson | sort -t / -k 2.3) ./*.ndjson >all.twice
expect 0 '' 'inputs in reverse order: the same bytes' cmp all.once all.back
expect 0 '' 'each input twice, in another order: the same bytes' cmp all.once all.twice
expect 0 '' 'the merged records merged again: the same bytes' in_shell '"$program" merge - <all.once | cmp - all.once'
"$program" merge [a-l]*.ndjson >part.1
"$program" merge [m-z]*.ndjson >part.2
cat part.2 part.1 >joined.records
expect 0 '' 'merged parts, one of them twice: the same bytes' in_shell '"$program" merge joined.records part.1 | cmp - all.once'
mkdir -p folder/deep
cp all.once folder/deep/x.warplint.ndjson
expect 0 '' 'a folder of records: the same bytes' in_shell '"$program" merge folder | cmp - all.once'
expect 0 '' 'a log and its records: the same bytes' in_shell '"$program" merge demo.log >a && "$program" merge demo.ndjson | cmp - a'

# ---- judged like its parts
mkdir apart # not those that hold the same kernels or loops, built otherwise
cp ./*.ndjson apart
rm apart/rdc-* apart/unroll-*
"$program" merge apart/*.ndjson >apart.once
"$program" check --no-config --fail-on never --format csv apart/*.ndjson 2>/dev/null | sort >parts.csv
"$program" check --no-config --fail-on never --format csv apart.once 2>/dev/null | sort >merged.csv
comm -23 merged.csv parts.csv >more
expect 0 '' 'the merged records have no finding that the parts do not have' test ! -s more
cut -d, -f1,4,6 parts.csv | sort -u >parts.keys
cut -d, -f1,4,6 merged.csv | sort -u >merged.keys
expect 0 '' 'the merged records have all findings of the parts' cmp parts.keys merged.keys

# ---- duplicates and contradictions
record() # registers, log, log line, source: a stream of one record
{
    printf '{"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}\n'
    printf '{"type":"log","log":"%s","lines":9,"unknown_lines":0,"verbose":true,"interleaved":false,"torn":false,"cut":false}\n' "$2"
    printf '{"type":"kernel","mangled":"_Z1kPf","kind":"entry","arch_inferred":"sm_80","producer":"ptxas","arch":"sm_80",'
    printf '"source":%s,"log":"%s","log_line":%s,"registers":%s,"stack_bytes":0,"spill_store_bytes":0,' "$4" "$2" "$3" "$1"
    printf '"spill_load_bytes":0,"barriers":0,"used_line":true,"ambiguous":false,"debug":false,"headless":false}\n'
    printf '{"type":"end","records":2}\n'
}
kernels='grep -c "\"type\":\"kernel\""'
export kernels
record 40 a.log 3 '"k.cu"' >a
record 40 b.log 5 '"k.cu"' >b
record 48 c.log 7 '"k.cu"' >c
record 40 d.log 3 null >d
record 40 e.log 3 null >e
record 48 f.log 3 null >f
record 40 g.o 0 '"k.cu"' >g
record 48 h.o 0 '"k.cu"' >h
record 48 g.o 0 '"k.cu"' >i
expect 0 '^1$' 'equal records of one source from two logs: one kernel' in_shell '"$program" merge a b | eval $kernels'
expect 0 '"log":"a.log","log_line":3' 'equal records: the one of the first log stays' "$program" merge b a
expect 0 '^1$' 'equal records without a source: one kernel' in_shell '"$program" merge d e | eval $kernels'
expect 3 'k \(sm_80\) of k.cu contradicts itself: registers 40 and 48, in a \(log a.log:3\) and c \(log c.log:7\)' \
    'records of one source with different registers: status 3' "$program" merge a c
expect 0 '^2$' 'records of one source with different registers: both stay' in_shell '"$program" merge a c 2>/dev/null | eval $kernels'
expect 0 'warning: .*contradicts itself' '--allow-conflicts: a warning about different registers' "$program" merge --allow-conflicts a c
expect 0 'warning: different numbers in several logs for 1 kernel of unknown sources: .* registers 40 and 48, in d .log d.log:3. and c .log c.log:7.$' 'one record with a source and one without, different registers: a warning' "$program" merge c d
expect 0 '' 'one record with a source and one without, equal: no warning' in_shell '! "$program" merge a d 2>&1 | grep "different numbers"'
expect 0 '^2$' 'records without a source, different registers: both stay' in_shell '"$program" merge d f | eval $kernels'
expect 0 'warning: different numbers in several logs for 1 kernel of unknown sources: .* k \(sm_80\): registers 40 and 48, in d \(log d.log:3\) and f \(log f.log:3\)$' \
    'records without a source, different registers: a warning' "$program" merge f d
expect 0 '' 'records without a source, equal: no warning' in_shell '! "$program" merge d e 2>&1 | grep warning'
expect 0 '^2$' 'two objects of one source: two kernels' in_shell '"$program" merge g h | eval $kernels'
expect 3 'contradicts itself' 'one object with different registers: status 3' "$program" merge g i
of_wrap() { record "$@" | sed 's/"lines":9/&,"command":["nvcc","-c","k.cu"],"flags":["-c","k.cu"],"nvcc":null,"ptxas":null/'; }
of_wrap 40 one/k.o 0 '"k.cu"' >one
of_wrap 40 two/k.o 0 '"k.cu"' >two
expect 0 '^2$' 'two objects of one source with equal registers: two kernels' in_shell '"$program" merge one two | eval $kernels'
expect 0 '^1$' 'one object in two inputs: one kernel' in_shell '"$program" merge one one | eval $kernels'
expect 0 '' 'records with different registers in any order: the same bytes' in_shell \
    '"$program" merge a c i >x 2>/dev/null; "$program" merge i c a 2>/dev/null | cmp - x'
sed 's/"-c"/&,"-G"/g; s/"lines":9/&,"loop_remarks":true,"object_code":"1"/' one >other.build
expect 0 '' 'builds of one object with other options in any order: the same bytes' in_shell \
    '"$program" merge one other.build >x; "$program" merge other.build one | cmp - x'
expect 0 '' 'builds of one object: neither the code of one, nor its loops, are those of both' \
    in_shell '! "$program" merge other.build one | grep -e object_code -e loop_remarks'
record 40 '/home/x\u001b[31m.log' 3 '"k.cu"' >j
expect 3 'log /home/x.x1b\[31m.log:3' 'a control character in a path is escaped' "$program" merge j c

mkdir -p tree/build
touch tree/k.cu
record 40 build/k.o 0 '"k.cu"' |
    sed 's/"lines":9/&,"command":["nvcc","-c","k.cu"],"flags":["-c","k.cu"],"nvcc":null,"ptxas":null,"working_directory":".."/' >tree/build/k.o.warplint.ndjson
(cd tree && "$program" merge build >all)
expect 0 '"working_directory":"."' 'working_directory is relative to the output' cat tree/all
expect 0 '' 'merged records and their folder: each kernel once' in_shell 'cd tree && "$program" merge all build | cmp - all'
expect 0 '' 'the folder and its merged records: each kernel once' in_shell 'cd tree && "$program" merge build all | cmp - all'

# ---- bad input
expect 3 'none: error: cannot be opened' 'a missing file: status 3' "$program" merge none all.once
head -n 5 all.once >cut.ndjson
expect 3 'cut.ndjson:[56]: error: the stream ends without an end record' 'a truncated record: status 3' "$program" merge a cut.ndjson
expect 0 '' 'a truncated record: nothing is written' test ! -s out
expect 3 'no kernels' 'an empty log: status 3' "$program" merge /dev/null
expect 0 '"type":"end"' 'an empty log with --allow-empty: status 0' "$program" merge --allow-empty /dev/null
expect 2 "unknown option '--jobs'" '--jobs is unknown: status 2' "$program" merge --jobs 2 a
expect 2 "unknown option '--format'" '--format is unknown: status 2' "$program" merge --format csv a
expect 0 '' '-o ndjson writes the same as standard output' in_shell '"$program" merge -o ndjson=merged.ndjson all.once && cmp merged.ndjson all.once'
expect 3 '<stdout>: error.*No space left' 'a full disk: status 3' in_shell '"$program" merge all.once >/dev/full'
expect 0 'usage: warplint merge' '--help: status 0' "$program" merge --help

finish
