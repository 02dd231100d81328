#!/bin/sh
# usage: test_baseline_cli.sh PROGRAM SOURCE_DIR
#
# The baseline on the command line: how it is adopted, what passes, what fails and what is refused; a write that fails
# must leave the old file. Prints one line per case.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
mkdir .git # this folder is the checkout

# kernel NAME REGISTERS STORES LOADS [ARCH [SMEM [STACK]]]: prints the log lines of a kernel
kernel()
{
    cat <<LOG
ptxas info    : Compiling entry function '$1' for '${5:-sm_80}'
ptxas info    : Function properties for $1
    ${7:-$3} bytes stack frame, $3 bytes spill stores, $4 bytes spill loads
ptxas info    : Used $2 registers, used 0 barriers, ${6:-0} bytes smem, 360 bytes cmem[0]
LOG
}

spill=$source/fixtures/register-spill/log.txt
loops=$source/fixtures/unroll-sm90/log.txt
export program source spill loops work

# ---- a first baseline: a project with spills passes
expect 1 'register-spill' 'spills fail without a baseline' "$program" check "$spill"
expect 0 '3 kernel x arch: 3 taken' 'write stores 3 kernels' "$program" baseline write b.json "$spill"
expect 0 '3 entries expected, 3 seen; 3 the same$' 'the same log passes' "$program" check --baseline b.json "$spill"
expect 0 'found: 0 errors, .*no worse than the baseline' 'findings of the baseline are counted as no worse' "$program" check --baseline b.json "$spill"
expect 0 '' 'baseline check prints the same as check --baseline' in_shell '"$program" baseline check b.json "$spill" >a && "$program" check --baseline b.json "$spill" >c && cmp a c'
expect 0 '' 'write gives the same bytes twice' in_shell 'cp b.json old && "$program" baseline write b.json "$spill" && cmp b.json old'
expect 0 '' 'the file has one kernel a line and no path of this machine' in_shell '[ "$(grep -c kernel_id b.json)" = 3 ] && ! grep -q "$work\|$(dirname "$spill")" b.json'
printf 'baseline: ../b.json\n' >.warplint.yaml
mkdir sub && sed 's/\.\.\///' .warplint.yaml >sub/.warplint.yaml && cp b.json sub/b.json && rm .warplint.yaml
expect 0 'no worse than the baseline' 'a baseline path in a configuration is relative to the configuration' "$program" check --config sub/.warplint.yaml "$spill"
sed 's/b.json/none.json/' sub/.warplint.yaml >sub/broken.yaml
expect 2 "broken.yaml:1:11: error: 'sub/none.json' cannot be opened.*baseline write" 'a missing baseline in a configuration: status 2, with its line and column' "$program" check --config sub/broken.yaml "$spill"
{ printf '\357\273\277' && cat b.json; } >marked.json
expect 0 'no worse than the baseline' 'a baseline with a byte order mark is read' "$program" check --baseline marked.json "$spill"
expect 2 'none.json: error: cannot be opened' 'a missing baseline: status 2' "$program" check --baseline none.json "$spill"
expect 2 'was cut short' 'a truncated baseline: status 2' in_shell 'head -c 200 b.json >cut.json; "$program" check --baseline cut.json "$spill"'
expect 0 '' 'a truncated baseline: no report is printed' in_shell '"$program" check --baseline cut.json "$spill" >said 2>err; test $? = 2 && test ! -s said'
expect 0 '' 'write does not replace a truncated baseline' in_shell 'cp cut.json before; "$program" baseline write cut.json "$spill" 2>/dev/null; test $? = 2 && cmp cut.json before'
expect 2 '/dev/zero.* is a device, expected a file' 'a device as the baseline: status 2' "$program" check --baseline /dev/zero "$spill"
for verb in write update prune; do
    expect 3 'inside.log:[0-9]*: error: no baseline is written of a log that ends inside a kernel or a line: give the whole log' "$verb: a log that ends inside a kernel: status 3, the file is unchanged" in_shell "cp b.json before; sed '/Compiling.*filter_tight/q' \"$spill\" >inside.log; \"\$program\" baseline $verb b.json inside.log; status=\$?; cmp b.json before && exit \$status"
done
# ---- write, update and prune write no reports
for verb in write update prune; do
    expect 2 "baseline $verb writes no reports: -o and --format" "baseline $verb refuses -o" "$program" baseline $verb --no-config -o json=none.out none.json "$spill"
    expect 2 "baseline $verb writes no reports" "baseline $verb refuses --format" "$program" baseline $verb --no-config --format json none.json "$spill"
    expect 2 "baseline $verb writes no reports" "baseline $verb refuses --format text" "$program" baseline $verb --no-config --format text none.json "$spill"
    expect 2 "baseline $verb writes no reports" "baseline $verb refuses -o text=-" "$program" baseline $verb --no-config -o text=- none.json "$spill"
done
expect 0 '' 'the refused commands write no file' in_shell '! test -e none.out && ! test -e none.json'
expect 2 "unknown option '--notes'" 'diff has no option --notes' "$program" diff --notes "$spill" "$spill"

# ---- accepting a kernel accepts the findings on its messages too
loops=$source/fixtures/unroll-outcomes/log.txt
"$program" baseline write --no-config loops.json "$loops" >/dev/null 2>&1
sed -i '/"rule":"unroll-failed".*block_stride_fully/d' loops.json
expect 1 'block_stride_fully.*unroll-failed' 'a loop finding that is not in the baseline fails' "$program" check --no-config --baseline loops.json "$loops"
expect 0 ' 1 accepted, ' 'update --accept takes the kernel of the loop' "$program" baseline update --no-config --accept block_stride_fully --reason 'small loop' loops.json "$loops"
expect 0 '' 'the accepted loop passes' "$program" check --no-config --baseline loops.json "$loops"
expect 2 'there is nothing to accept' '--accept of a kernel that is already accepted: status 2' "$program" baseline update --no-config --accept block_stride_fully --reason again loops.json "$loops"

# ---- renumbered lambdas: each finding on a message follows its kernel
lambda() # number, registers
{
    kernel "_Z4eachIZ3runvEUlvE${1}_EvT_" "$2" 0 0
}
with_loops() # number...: the records of standard input, with a loop of each of these lambdas that is not unrolled
{
    "$program" report --no-config --format ndjson - 2>/dev/null | sed 's/"verbose":true/&,"loop_remarks":true/' >loops.ndjson
    grep -v '"type":"end"' loops.ndjson
    line=0
    for number in "$@"; do
        line=$((line + 1))
        printf '{"type":"event","event":"unroll","severity":"note","text":"not unrolled: unable to fully unroll loop","numbers":[null,null],"mangled":"_Z4eachIZ3runvEUlvE%s_EvT_","arch":null,"arch_inferred":null,"file":"l.cu","line":%s,"column":7,"log":"<stdin>","log_line":null,"count":1}\n' "$number" $line
    done
    records=$(grep -c "\"type\":\"\(log\|kernel\)\"" loops.ndjson)
    grep '"type":"end"' loops.ndjson | sed "s/\"records\":[0-9]*/\"records\":$((records + $#))/"
}

# ---- the configuration changed the launch: records show the launch of the baseline as the earlier one
cat >launch.yaml <<'END'
kernels:
  - match: .*
    threads: 128
    dynamic-smem: 16KiB
END
kernel _Z4scanPfi 40 0 0 >launch.log
"$program" report --config launch.yaml --format ndjson launch.log >launch.ndjson 2>/dev/null
"$program" baseline write --config launch.yaml launch.json launch.log >/dev/null 2>&1
sed -i 's/16KiB/64KiB/' launch.yaml
mkdir launches
cp launch.ndjson launches/scan.warplint.ndjson
for base in launch.ndjson launch.json launches; do
    expect 1 'occupancy fell from .*; the launch is another one now \(block size, dynamic shared memory or carveout\) \[occupancy-regression\]' "more dynamic shared memory in the configuration lowers occupancy: baseline $base" \
        "$program" check --config launch.yaml --baseline $base launch.log
    expect 1 'occupancy fell from .*; the launch is another one now .*\[occupancy-regression\]' "more dynamic shared memory on the command line lowers occupancy: baseline $base" \
        "$program" check --no-config --threads 128 --dynamic-smem 64KiB --baseline $base launch.log
done
"$program" report --no-config --format ndjson launch.log >unlaunched.ndjson 2>/dev/null
for base in launch.log unlaunched.ndjson; do
    expect 0 '1 the same' "baseline $base states no launch and gets that of the command line" \
        "$program" check --no-config --threads 128 --dynamic-smem 64KiB --baseline $base launch.log
done
sed '/"type":"kernel"/{ s/"source":null/"source":"a.cu"/; p; s/"a.cu"/"b.cu"/; s/"threads":128/"threads":64/; }
     s/"records":2/"records":3/' launch.ndjson >namesakes.ndjson
expect 1 'occupancy fell from .*\[occupancy-regression\] in a.cu' 'kernels of one name have different launches: each is compared with its own' \
    "$program" check --no-config --threads 128 --dynamic-smem 64KiB --baseline namesakes.ndjson namesakes.ndjson
expect 0 '1 the same' 'diff applies the launch of the command line to both sides' \
    "$program" diff --no-config --threads 128 --dynamic-smem 64KiB launch.ndjson launch.log
expect 0 '1 the same' 'diff applies the configuration to both sides' \
    "$program" diff --config launch.yaml launch.ndjson launch.log

{ lambda '' 20; lambda 0 30; } | with_loops '' 0 >lambdas1.ndjson
{ lambda '' 90; lambda 0 20; lambda 1 30; } | with_loops 0 1 >lambdas2.ndjson
{ lambda '' 90; lambda 0 20; lambda 1 30; } | with_loops '' 0 1 >lambdas3.ndjson
expect 0 '2 accepted findings' 'write stores the loop findings of two lambdas' "$program" baseline write --no-config lambdas.json lambdas1.ndjson
expect 0 '2 of them renamed' 'a new lambda renumbers the others: their findings are known' "$program" check --no-config --baseline lambdas.json lambdas2.ndjson
expect 1 '0 errors, 1 warning' 'a loop finding of the new lambda is new' "$program" check --no-config --baseline lambdas.json lambdas3.ndjson
"$program" baseline update --no-config lambdas.json lambdas2.ndjson >/dev/null 2>&1
expect 0 '; 3 the same' 'update stores the findings under the new numbers' "$program" check --no-config --baseline lambdas.json lambdas2.ndjson
expect 1 '0 errors, 1 warning' 'after the update a finding of the new lambda is still new' "$program" check --no-config --baseline lambdas.json lambdas3.ndjson

# ---- update removes replaced entries: otherwise they would be compared with the successors of their successors
scan() # registers, template arguments: a log with scan<16> and scan<8>
{
    kernel "_Z4scanILi16${2}EEvPf" "$1" 0 0
    kernel "_Z4scanILi8${2}EEvPf" "$1" 0 0
}
scan 60 '' >scan1.log
scan 60 ELb1 >scan2.log
scan 168 ELb1ELb0 >scan3.log
"$program" baseline write --no-config scan.json scan1.log >/dev/null 2>&1
expect 0 'scan.json: 2 kernel x arch: 2 taken, 2 dropped' 'update drops replaced entries' "$program" baseline update --no-config scan.json scan2.log
cp scan.json scan-before.json
expect 1 'successor-regression' 'a regression of the third version fails' "$program" check --no-config --baseline scan.json scan3.log
expect 0 '2 new and failing, left out' 'update does not take failing kernels' "$program" baseline update --no-config scan.json scan3.log
expect 0 '' 'update keeps the entries that the failing kernels may replace' cmp scan.json scan-before.json

# one kernel is accepted: the entries that it replaced are removed too, so that the arguments of the others show their
# successors
{ scan 60 ''; kernel _Z4scanILi4EEvPf 60 0 0; } >three1.log
{ kernel _Z4scanILi16ELb1EEvPf 168 0 0; kernel _Z4scanILi8ELb1EEvPf 60 0 0; kernel _Z4scanILi4ELb1EEvPf 168 0 0; } >three2.log
"$program" baseline write --no-config three.json three1.log >/dev/null 2>&1
expect 0 '2 new and failing, left out' 'update --accept takes one of three kernels' \
    "$program" baseline update --no-config --accept 'scan<4, true>' --reason 'small' three.json three2.log
expect 1 'scan<16, true>' 'the other worse kernel fails' "$program" check --no-config --baseline three.json three2.log
expect 0 'left out' 'the next update does not take the worse kernel' "$program" baseline update --no-config three.json three2.log
expect 1 'scan<16, true>' 'the worse kernel still fails after that update' "$program" check --no-config --baseline three.json three2.log

# ---- kernels of one name in two files: accepting a label accepts only that kernel
two_files() # registers
{
    for file in a b; do
        echo "nvcc -arch=sm_90 -Xptxas=-v -c $file.cu -o $file.o"
        kernel "_ZN41_GLOBAL__N__0000000${file}_4_${file}_cu_000000004stepEPf" "$1" 0 0 sm_90
    done
}
two_files 38 >files1.log
two_files 76 >files2.log
"$program" baseline write --no-config files.json files1.log >/dev/null 2>&1
expect 1 '2 worse \(2 fail\)' 'two kernels of one name in two files are worse' "$program" check --no-config --all --baseline files.json files2.log
label=$(sed -n 's/.*warning: \(.*\) (sm_90).* in b.cu$/\1/p' "$work/out")
[ -n "$label" ] || label='no label in the report'
expect 0 ' 1 accepted, ' "--accept with the label of one kernel accepts only that one ($label)" "$program" baseline update --no-config --accept "$label" --reason measured files.json files2.log
expect 1 '1 worse \(1 fails\), 1 the same' 'the other kernel of that name still fails' "$program" check --no-config --baseline files.json files2.log

# ---- a kernel that moved to another namespace and got worse: only its name links it to the kernel that it may replace
in_source() # source, then what kernel takes: a compile of it
{
    echo "nvcc -arch=sm_80 -Xptxas=-v -c $1 -o $1.o"
    shift
    kernel "$@"
}
in_source x.cu _ZN1a4scanEPfi 60 0 0 >space1.log
in_source x.cu _ZN1b4scanEPfi 168 0 0 >space2.log
in_source x.cu _ZN1b4scanEPfi 60 0 0 >space3.log
"$program" baseline write --no-config space.json space1.log >/dev/null 2>&1
expect 1 'b::scan.*successor-regression' 'another namespace and more registers: successor-regression' "$program" check --no-config --baseline space.json space2.log
expect 0 'the same' 'another namespace and the same numbers: the same' "$program" check --no-config --baseline space.json space3.log
for log in space1 space2; do in_source x.cu _ZN1c4scanEPfi 40 0 0 >>$log.log; done
"$program" baseline write --no-config space.json space1.log >/dev/null 2>&1
expect 1 'b::scan.*may replace' 'two namespaces have the kernel: equal parameters show which one moved' "$program" check --no-config --baseline space.json space2.log
for log in space1 space2; do sed 's/_ZN1[abc]4scanEPfi/\0_/; s/_ZN1c4scanEPfi_/_ZN1c4scanEPfi/; s/scanEPfi_/scanEv/' $log.log >$log-v.log; done
"$program" baseline write --no-config space.json space1-v.log >/dev/null 2>&1
expect 0 '1 gone' 'the parameters differ: the kernel is gone and not compared' "$program" check --no-config --baseline space.json space2-v.log
two_in_x() # a kernel and its registers, twice: a compile of x.cu
{
    in_source x.cu "$1" "$2" 0 0
    kernel "$3" "$4" 0 0
    in_source z.cu _Z5staysv 20 0 0
}
moves() # compares moved2.log with a baseline of moved1.log
{
    "$program" baseline write --no-config moved.json moved1.log >/dev/null 2>&1
    "$program" check --no-config --baseline moved.json moved2.log
}
{ two_in_x _ZN2v11tILi1EEEvPf 60 _ZN2v11tILi2EEEvPf 60; in_source x.cu _ZN2v11uEPf 60 0 0; } >moved1.log
{ two_in_x _ZN2v21tILi1EEEvPf 60 _ZN2v21tILi2EEEvPf 168; in_source x.cu _ZN2v21uEPf 40 0 0; } >moved2.log
expect 1 'v2::t<2>.*successor-regression' 'a namespace is renamed, and one of two instances is worse' moves
{ two_in_x _ZN2v21tILi1EEEvPf 60 _ZN2v21tILi2EEEvPf 40; in_source x.cu _ZN2v21uEPf 40 0 0; } >moved2.log
expect 0 '2 new, 2 replaced, 2 the same' 'a namespace is renamed, and one of two instances is better' moves
two_in_x _ZN2a11kEPf 60 _ZN2a21kEPf 80 >moved1.log
two_in_x _ZN2b11kEPf 60 _ZN2b21kEPf 168 >moved2.log
expect 1 'b2::k.*successor-regression' 'two namespaces are renamed, and one of the two kernels is worse' moves
two_in_x _ZN2b11kEPf 128 _ZN2b21kEPf 168 >moved2.log
expect 1 'successor-regression' 'two namespaces are renamed, and both kernels are worse' moves
two_in_x _ZN2b11kEPf 40 _ZN2b21kEPf 64 >moved2.log
expect 0 '2 new, 2 gone, 1 the same' 'two namespaces are renamed, and both kernels are better' moves
two_in_x _Z4scanILi8EEvPf 60 _Z4scanILi16EEvPf 40 >moved1.log
two_in_x _Z5scan2ILi8EEvPf 60 _Z5scan2ILi16EEvPf 168 | sed s/x.cu/y.cu/ >moved2.log
expect 1 'scan2<16>.*successor-regression' 'a kernel is renamed and moves to another file, and one of two instances is worse' "$program" check --no-config --baseline moved1.log moved2.log
two_in_x _Z4keepPf 60 _ZN1a4copyIiEEvPf 40 >moved1.log
two_in_x _Z4keepPf 60 _ZN1b4copyIiEEvPf 168 | sed s/x.cu/y.cu/ >moved2.log
expect 1 'b::copy<int>.*successor-regression' 'a file and a namespace are renamed, and a kernel of it is worse' moves
two_in_x _Z4scanILi8EEvPf 40 _Z4scanI3fooLi16EEvPf 60 >moved1.log
two_in_x _Z4scanILi8ELi0EEvPf 40 _Z4scanI3fooLi16ELi0EEvPf 80 >moved2.log
expect 1 'scan<foo, 16, 0>.*successor-regression' 'instances with different numbers of arguments get one more, and one is worse' moves
two_in_x _Z4scanILi8EEvPf 40 _Z4scanPff 30 >moved1.log
in_source x.cu _Z4scanILi9EEvPf 40 0 0 >moved2.log
in_source z.cu _Z5staysv 20 0 0 >>moved2.log
expect 0 '1 new' 'a template argument changes, and a plain overload is removed: not worse' moves
{ in_source x.cu _Z4scanILi8EEvPf 40 0 0; in_source z.cu _Z5staysv 20 0 0; } >moved1.log
two_in_x _Z4scanILi9EEvPf 168 _Z4scanPff 30 >moved2.log
expect 1 'scan<9>.*successor-regression' 'a template argument changes, the kernel is worse, and a small overload is added' moves
{ in_source x.cu _Z4scanILi9EEvPf 168 0 0; in_source z.cu _Z5staysv 20 0 0; in_source y.cu _Z4scanILi4EEvPf 30 0 0; } >moved2.log
expect 1 'scan<9>.*successor-regression' 'the same, and a small instance in another file is added' moves
{ in_source y.cu _Z4scanILi4EEvPf 30 0 0; in_source z.cu _Z5staysv 20 0 0; } >moved2.log
expect 3 'no record of source x.cu' 'a source is not compiled, and another file has a new instance of its template' moves
{ in_source x.cu _ZN6solver3runEPf 60 64 64; kernel _ZN6solver4initEPff 20 0 0; in_source z.cu _ZN5other3runEPf 20 0 0; } >moved1.log
sed s/solver3run/solver5solve/ moved1.log >moved2.log
expect 0 '3 the same; 1 of them renamed' 'a kernel with known spills is renamed, and one of another namespace keeps the name: known' moves
two_in_x _Z4scanILi8EEvPf 60 _Z4gemmI3fooEvPf 40 >moved1.log
two_in_x _Z5scan2ILi8EEvPf 168 _Z4gemmI3barEvPf 32 >moved2.log
expect 1 'scan2<8>.*successor-regression' 'a kernel is renamed and worse, and one with its parameters gets another argument' moves
{ in_source x.cu _ZN1a4scanEPfi 40 0 0; in_source y.cu _ZN1a4scanEPfi 168 0 0; } >space1.log
{ in_source x.cu _ZN1b4scanEPfi 160 0 0; in_source y.cu _ZN1b4scanEPfi 48 0 0; } >space2.log
"$program" baseline write --no-config space.json space1.log >/dev/null 2>&1
expect 1 'b::scan .* 160 registers .*before 40 .* in x.cu' 'a namespace changed in two sources: each source is compared by itself' "$program" check --no-config --baseline space.json space2.log
expect 0 '1 warning' 'the source that got better has no finding' in_shell '"$program" check --no-config --baseline space.json space2.log; true'
kernel _ZN1a4scanEPfi 60 0 0 >space1.log
kernel _ZN1b4scanEPfi 168 0 0 >space2.log
"$program" baseline write --no-config space.json space1.log >/dev/null 2>&1
expect 1 'b::scan.*may replace' 'a namespace is renamed, and the logs state no sources' "$program" check --no-config --allow-missing --baseline space.json space2.log
kernel _ZN1c4scanEPfi 60 0 0 >>space1.log
kernel _ZN1c4scanEPfi 60 0 0 >>space2.log
"$program" baseline write --no-config space.json space1.log >/dev/null 2>&1
expect 0 '1 new' 'the same, and a kernel of a third namespace keeps the name: new and not compared' "$program" check --no-config --allow-missing --baseline space.json space2.log

# ---- a renamed source: update stores the new name, so that later comparisons know the source
in_source x.cu _Z4scanPfi 60 0 0 >file1.log
in_source y.cu _Z4scanPfi 60 0 0 >file2.log
in_source y.cu _ZN1b4scanEPfi 168 0 0 >file3.log
loop_of() # source, kernel: a loop of it that is not unrolled
{
    printf "remark: $1:10:5: %s\n" "Starting analysis in loop, in function F[$2]..." '      Loop has "#pragma unroll" (full unroll directive)' \
        '    Warning : unable to fully unroll loop as directed by unroll(full) pragma because loop has a runtime trip count'
}
loop_of x.cu _Z4scanPfi >>file1.log
loop_of y.cu _Z4scanPfi >>file2.log
for log in file1 file2 file3; do in_source z.cu _Z5staysv 20 0 0 >>$log.log; done
"$program" baseline write --no-config file.json file1.log >/dev/null 2>&1
expect 0 ' 2 kept, 1 in another file$' 'update counts the kernel that moved to another file' "$program" baseline update --no-config file.json file2.log
expect 0 '' 'update writes the same file as write' in_shell '"$program" baseline write --no-config file-new.json file2.log && cmp file.json file-new.json'
expect 1 'b::scan.*successor-regression' 'the next change in the new file is compared' "$program" check --no-config --baseline file.json file3.log
in_source y.cu _Z4scanPfi 168 0 0 >file4.log
in_source z.cu _Z5staysv 20 0 0 >>file4.log
"$program" baseline write --no-config file.json file1.log >/dev/null 2>&1
expect 0 '1 worse and not taken, 1 in another file' 'update does not take a worse kernel that moved' "$program" baseline update --no-config file.json file4.log
expect 1 '168 registers per thread, 60 in the baseline' 'the worse kernel fails after the update' "$program" check --no-config --baseline file.json file4.log
{ in_source x.cu _Z4scanPfi 60 0 0; in_source y.cu _Z4scanPfi 60 0 0; } >file5.log
"$program" baseline write --no-config file.json file5.log >/dev/null 2>&1
expect 0 ' 2 kept$' 'a kernel of two files, one of them removed: not counted as moved' "$program" baseline update --no-config --allow-missing file.json file2.log
# entries of kernels that are gone get the new source, too: no build has the old one
{ in_source x.cu _Z4scanPfi 60 0 0; in_source x.cu _Z4goesPf 30 0 0; in_source x.cu _Z4tileILi8EEvPf 32 0 0; } >file6.log
{ in_source y.cu _Z4scanPfi 60 0 0; in_source y.cu _Z4tileILi8EfEvPf 32 0 0; } >file7.log
"$program" baseline write --no-config file.json file6.log >/dev/null 2>&1
expect 0 '1 new, 1 gone, 1 replaced, 1 the same' 'a source that was renamed is not missing' "$program" check --no-config --baseline file.json file7.log
expect 0 '1 taken, 1 dropped, 2 kept, 1 in another file' 'update in a renamed source drops the replaced entry' "$program" baseline update --no-config file.json file7.log
expect 0 'gone: goes' 'after that update the old source is not missing' "$program" check --no-config --baseline file.json file7.log
expect 0 '1 dropped' 'after that update the kernel that is gone can be pruned' "$program" baseline prune --no-config file.json file7.log
{ in_source x.cu _Z4scanPfi 60 0 0; in_source x.cu _Z4tileILi8EEvPf 32 0 0; } >file6.log
"$program" baseline write --no-config file.json file6.log >/dev/null 2>&1
expect 0 '1 taken, 1 dropped, 1 kept, 1 in another file' 'update in a renamed source without gone kernels drops the replaced entry' "$program" baseline update --no-config file.json file7.log
expect 0 '' 'update in a renamed source writes the same file as write' in_shell '"$program" baseline write --no-config file-new.json file7.log && cmp file.json file-new.json'

# all instances get other values and one more argument: one is replaced, the other one may be
{ in_source x.cu _Z4tileILi4EEvPf 64 0 0; in_source x.cu _Z4tileILi8EEvPf 80 0 0; } >file8.log
{ in_source y.cu _Z4tileILi4ELb1EEvPf 64 0 0; in_source y.cu _Z4tileILi64ELb1EEvPf 80 0 0; } >file9.log
"$program" baseline write --no-config file.json file8.log >/dev/null 2>&1
expect 0 '2 new, 2 replaced' 'a source is renamed and all its instances change: passed' "$program" check --no-config --baseline file.json file9.log
expect 0 '2 taken, 1 dropped, 1 kept' 'update keeps the instance whose replacement is not sure' "$program" baseline update --no-config file.json file9.log
expect 0 '"_Z4tileILi8EEvPf".*"source":"y.cu"' 'update gives the kept instance the new source' cat file.json
expect 0 'gone: tile<8>' 'after that update the old source is not missing, although no kernel kept its arguments' "$program" check --no-config --baseline file.json file9.log

# ---- a kernel of a header is in several files: it does not show which of them were compiled
of_header() # file, then names without _Z: a compile with the header's kernel _Z4scanPf and these
{
    in_source "$1" _Z4scanPf 40 0 0
    shift
    for name; do kernel "_Z$name" 30 0 0; done
}
{ of_header x.cu 3onev; of_header y.cu 3twov; } >moved1.log
of_header w.cu 3twov >moved2.log
expect 3 'no record of source x.cu, of which the baseline has 2' 'one of two files is renamed and the other one is not compiled' moves
{ of_header y.cu 3twov; of_header n.cu 5freshv; } >moved2.log
expect 3 'no record of source x.cu, of which the baseline has 2' 'a file is not compiled, and a new file has the kernel of its header' moves
{ of_header w.cu 3twov; of_header v.cu 3onev; } >moved2.log
expect 0 '4 the same' 'both files are renamed: the same' moves
sed 's/Used 40 /Used 168 /' moved2.log >worse.log
expect 1 '2 worse' 'both files are renamed, and the kernel of the header is worse' "$program" check --no-config --baseline moved.json worse.log
expect 0 '4 kept, 4 in another file' 'update stores the new names of both files' "$program" baseline update --no-config moved.json moved2.log
expect 0 '' 'update writes the same file as write' in_shell '"$program" baseline write --no-config written.json moved2.log && cmp moved.json written.json'
for file in x y; do of_header $file.cu 4copyIiEvPf N2v14copyEPf N2v14tileEPf; kernel _Z4copyIfEvPf 44 0 0; kernel _Z4tilePf 36 0 0; done >moved1.log
sed 's/_Z4copy/_Z5copy2/; s/_Z4tile/_Z5tile2/; s/Used 44 /Used 168 /' moved1.log >moved2.log
expect 1 'copy2<float>.*worse than copy<float>' 'a template of a header is renamed, and one of its instances is worse in both files' moves

# ---- a renamed kernel that got worse: it is compared with the kernel that it may replace, and its findings are new
in_source x.cu _Z7scan_v1PKfPfi 60 0 0 >name1.log
in_source x.cu _Z7scan_v2PKfPfi 168 0 0 >name2.log
in_source x.cu _Z7scan_v1PKfPfi 60 64 64 >name3.log
in_source x.cu _Z7scan_v2PKfPfi 60 32 32 >name4.log
for log in name1 name2 name3 name4; do in_source x.cu _Z5staysv 20 0 0 >>$log.log; done
"$program" baseline write --no-config name.json name1.log >/dev/null 2>&1
expect 1 'scan_v2.*is worse than scan_v1, which it may replace: 168 registers' 'a renamed kernel with more registers is compared with the one that it may replace' "$program" check --no-config --baseline name.json name2.log
expect 1 'may replace scan_v1' 'diff names the kernel that it may replace' "$program" diff --no-config name.json name2.log
expect 0 ' 1 accepted, ' 'update --accept takes the renamed kernel' "$program" baseline update --no-config --accept scan_v2 --reason measured name.json name2.log
expect 0 '2 the same' 'the accepted kernel passes' "$program" check --no-config --baseline name.json name2.log
"$program" baseline write --no-config name.json name3.log >/dev/null 2>&1
expect 1 'scan_v2.*: spills 32 B.*register-spill' 'a renamed kernel that spills less than its predecessor still fails' "$program" check --no-config --baseline name.json name4.log

in_source x.cu _Z4blurPKfPfi 30 0 0 >name5.log
expect 3 'if it is of another project' 'no kernel of the baseline is in the input, only a possible successor: status 3' "$program" check --no-config --baseline name.json name5.log
"$program" baseline write --no-config name.json name1.log >/dev/null 2>&1
{ in_source x.cu _Z7scan_v2PKfPfi 40 0 0; in_source x.cu _Z5staysv 20 0 0; } >name6.log
expect 0 '1 taken, 2 kept' 'update adds the renamed kernel and keeps the old entry' "$program" baseline update --no-config name.json name6.log

# ---- an argument of a template changes in all instances: instances with the same other argument are compared
instance() # file, arguments, registers, spills
{
    in_source x.cu "_Z4tileI$2EvPf" "$3" "$4" "$4" >>"$1"
}
instance args1.log Li8ELi2E 32 0; instance args1.log Li20ELi2E 32 0; instance args1.log Li72ELi2E 32 64
instance args2.log Li8ELi3E 32 0; instance args2.log Li20ELi3E 32 48; instance args2.log Li72ELi3E 32 64
instance args3.log Li8ELi3E 32 0; instance args3.log Li20ELi3E 32 0; instance args3.log Li72ELi3E 32 64
instance args4.log Li8ELi2ELb1E 32 0; instance args4.log Li72ELi2ELb1E 32 64
instance args5.log Li8ELi2ELb1E 32 64; instance args5.log Li72ELi2ELb1E 32 64
instance args6.log Li8E 32 0; instance args6.log Li72E 32 64
"$program" baseline write --no-config args.json args1.log >/dev/null 2>&1
expect 1 'tile<20, 3> .*before: 0 B, 0 B. .register-spill' 'an instance that begins to spill fails' "$program" check --no-config --baseline args.json args2.log
expect 0 '1 no worse than the baseline' 'an argument changes in all instances, with the same numbers: passed' "$program" check --no-config --baseline args.json args3.log
expect 0 '1 no worse than the baseline' 'an argument is added and one instance is removed: passed' "$program" check --no-config --baseline args.json args4.log
expect 1 'tile<8, 2, true> .*before: 0 B, 0 B. .register-spill' 'an argument is added and an instance begins to spill: fails' "$program" check --no-config --baseline args.json args5.log
expect 0 '1 no worse than the baseline' 'an argument is removed and one instance is removed: passed' "$program" check --no-config --baseline args.json args6.log
expect 0 '2 taken, 2 dropped, 1 kept' 'update keeps the entry of the instance without a successor' "$program" baseline update --no-config args.json args6.log

# a kernel that replaces another one may lose as many loops as that one had lost
{ loop_of x.cu _Z4tileILi8EEvPf; in_source x.cu _Z4tileILi8EEvPf 32 0 0; in_source x.cu _Z5staysv 20 0 0; } >lost1.log
{ loop_of x.cu _Z4tileILi8ELi2EEvPf; in_source x.cu _Z4tileILi8ELi2EEvPf 32 0 0; in_source x.cu _Z5staysv 20 0 0; } >lost2.log
{ loop_of x.cu _Z4tileILi8ELi2EEvPf | sed 's/:10:5/:20:5/'; cat lost2.log; } >lost3.log
"$program" baseline write --no-config lost.json lost1.log >/dev/null 2>&1
expect 0 '1 no worse than the baseline' 'as many loops' "$program" check --no-config --baseline lost.json lost2.log
expect 1 '1 warning, .*1 no worse than the baseline' 'one loop more' "$program" check --no-config --baseline lost.json lost3.log
expect 0 '1 taken, 1 dropped, 1 kept' 'update takes its loops too' "$program" baseline update --no-config lost.json lost2.log
expect 0 '2 the same' 'so that the same log passes' "$program" check --no-config --baseline lost.json lost2.log

# a kernel of a source that was not compiled is not replaced and counts as not seen
{ in_source a.cu _Z5staysv 20 0 0; in_source b.cu _Z4tileIfLi8EEvPf 32 0 0; } >parts1.log
{ in_source a.cu _Z5staysv 20 0 0; kernel _Z4tileIdLi8EEvPf 32 0 0; } >parts2.log
{ cat parts2.log; in_source b.cu _Z4tileIfLi8EEvPf 168 0 0; } >parts3.log
"$program" baseline write --no-config parts.json parts1.log >/dev/null 2>&1
expect 0 '1 taken, 2 kept' 'the source was not compiled: update keeps the entry' "$program" baseline update --no-config parts.json parts2.log
expect 1 'register-regression' 'the kept entry is compared later' "$program" check --no-config --baseline parts.json parts3.log
{ in_source a.cu _Z4tileILi8ELi2EEvPf 168 0 0; in_source b.cu _Z4tileILi64ELi2EEvPf 32 0 0; } >parts4.log
in_source a.cu _Z4tileILi8ELi3EEvPf 168 0 0 >parts5.log
"$program" baseline write --no-config parts4.json parts4.log >/dev/null 2>&1
expect 3 'no record of source b.cu' 'the source of a similar instance was not compiled: status 3' "$program" check --no-config --baseline parts4.json parts5.log

# if more instances were removed than added, those without a successor do not make findings known
{ in_source x.cu _Z4tileILi8EfEvPf 32 64 0; kernel _Z4tileILi16EfEvPf 32 64 0; } >few1.log
{ in_source x.cu _Z4tileILi8EhEvPf 32 64 0; kernel _Z4tileILi128EfEvPf 32 0 0; } >few2.log
"$program" baseline write --no-config few.json few1.log >/dev/null 2>&1
expect 0 '1 no worse than the baseline' 'one instance changes its type, another its size: the spills are known' "$program" check --no-config --baseline few.json few2.log
{ in_source x.cu _Z4tileILi8ELi2EEvPf 32 0 0; kernel _Z4tileILi64ELi4EEvPf 168 0 0; kernel _Z4tileILi64ELi8EEvPf 168 0 0; } >few3.log
in_source x.cu _Z4tileILi64ELi2EEvPf 168 0 0 >few4.log
"$program" baseline write --no-config few3.json few3.log >/dev/null 2>&1
expect 1 'tile<64, 2> .*is worse than tile<8, 2>' 'several removed instances differ by one argument: the new one is compared with each' "$program" check --no-config --baseline few3.json few4.log

# ---- one file was built with -G: it is not judged, and the baseline keeps its optimised entries
{ in_source x.cu scan 40 0 0; in_source y.cu sum 30 0 0; } >one1.log
sed 's/-c y.cu/-G -c y.cu/' one1.log >one2.log
sed 's/nvcc /nvcc -G /' one1.log >one3.log
"$program" baseline write --no-config one.json one1.log >/dev/null 2>&1
for base in one.json one1.log; do
    expect 1 'one2.log:.*: warning: sum .sm_80.: compiled with -G or without optimisation, and optimised in the baseline.*debug-regression' "one file with -G: debug-regression, baseline $base" "$program" check --no-config --baseline $base one2.log
    expect 0 '' "debug-regression has no hint to accept the kernel: baseline $base" in_shell '! "$program" check --no-config --baseline '$base' one2.log | grep "to accept a kernel"'
    expect 1 'warning .*sum .debug-regression.' "diff reports debug-regression: baseline $base" "$program" diff --no-config $base one2.log
    expect 0 'note: sum .*debug-build' "all files with -G: debug-build is a note, baseline $base" "$program" check --no-config --allow-empty --baseline $base one3.log
done

# ---- builds in other folders than the baseline's: update gives all entries the paths of the build
checkout() # folder, registers of j and of scan in x.cu, of m and of scan in y.cu
{
    in_source "$1/x.cu" j "$2" 0 0
    kernel scan "$3" 0 0
    in_source "$1/y.cu" m "$4" 0 0
    kernel scan "$5" 0 0
}
checkout old 20 40 20 80 >folder1.log
checkout new 18 40 18 80 >folder2.log
checkout ci 18 80 18 40 >folder3.log
"$program" baseline write --no-config folder.json folder1.log >/dev/null 2>&1
expect 1 '1 worse \(1 fails\), 3 better' 'a build in another folder is compared' "$program" check --no-config --baseline folder.json folder3.log
expect 0 '2 better, 2 kept' 'update in another folder takes the better kernels' "$program" baseline update --no-config folder.json folder2.log
expect 0 '' 'after the update all paths are those of the new folder' in_shell '! grep -q old/ folder.json && grep -c new/ folder.json | grep -qx 4'
expect 1 '1 worse \(1 fails\), 1 better' 'a build in a third folder is compared' "$program" check --no-config --baseline folder.json folder3.log

expect 2 'not a baseline, and would be replaced' 'update refuses to replace a file of records' in_shell '"$program" report -o ndjson=r.ndjson "$spill" >/dev/null; "$program" baseline update r.ndjson "$spill"'

# ---- a baseline of another project
{ kernel a 40 0 0; kernel b 64 0 0; } >ours.log
{ kernel other 32 0 0; kernel else 24 0 0; } >theirs.log
{ kernel other 32 0 0; kernel a 40 0 0; } >both.log
"$program" baseline write ours.json ours.log >/dev/null
nothing='ours.json: error: no entry of the baseline was seen: the input has none of its 2.*baseline write.*--allow-missing'
for strict in '' --strict; do
    expect 3 "$nothing" "no kernel of the baseline is in the input: status 3 $strict" "$program" check $strict --baseline ours.json theirs.log
done
expect 3 '^verdict: none' 'no kernel of the baseline is in the input: verdict none' "$program" check --baseline ours.json theirs.log
expect 3 '"executionSuccessful":false' 'no kernel of the baseline is in the input: SARIF says that it was not successful' "$program" check --format sarif --baseline ours.json theirs.log
expect 0 '2 entries expected, 0 seen' '--allow-missing accepts that no kernel of the baseline is in the input' "$program" check --allow-missing --baseline ours.json theirs.log
expect 0 'verdict: passed' 'one kernel of the baseline is in the input: passed' "$program" check --baseline ours.json both.log
expect 0 'verdict: passed' 'kernels that --kernel excludes are not expected' "$program" check --kernel '^other' --baseline ours.json theirs.log
expect 3 'no kernel of BASE is in HEAD' 'diff of two projects: status 3' "$program" diff ours.log theirs.log
expect 3 'no entry of the baseline was seen: the input has none of its 2' 'prune with a log of another project: status 3, the file is unchanged' in_shell \
    'cp ours.json kept.json && "$program" baseline prune kept.json theirs.log; status=$?; cmp ours.json kept.json && exit $status'

# ---- new kernels and worse ones
{ kernel a 40 0 0; kernel b 64 16 24; } >base.log
"$program" baseline write w.json base.log >/dev/null
worse() { { kernel a "$1" "$2" "$3" sm_80 "${6:-0}"; kernel b 64 "$4" "$5"; } >head.log; }
worse 40 0 0 16 24
expect 0 'verdict: passed' 'nothing changed: passed' "$program" check --baseline w.json head.log
worse 40 0 0 16 28
expect 1 'spills 16 B stores and 28 B loads per thread at 64 registers, 16 B and 24 B in the baseline \[spill-regression\]' 'more bytes of spill loads: spill-regression' "$program" check --baseline w.json head.log
worse 40 4 4 16 24
expect 1 'none in the baseline \[new-spill\]' 'a kernel that begins to spill: new-spill' "$program" check --baseline w.json head.log
expect 1 'found: 1 error, 0 warnings, 0 notes;' 'new-spill is the only finding on that kernel' "$program" check --baseline w.json head.log
sed 's/    [0-9]* bytes stack frame, 4 bytes/    16384 bytes stack frame, 4 bytes/' head.log >stack.log
expect 1 'note: .*stack frame of 16384 B per thread, [0-9]* B in the baseline \[stack-regression\]' 'a stack frame larger than the spills: a note of stack-regression besides' "$program" check --baseline w.json stack.log
expect 0 '' 'with new-spill ignored, register-spill is marked as new' in_shell '"$program" check --baseline w.json --ignore new-spill --format ndjson head.log | grep "\"register-spill\"" | grep -q "\"baseline_state\":\"new\""'
# ---- a kernel is not gone if its source was not compiled
{ kernel half1 32 0 0; kernel half2 32 0 0; } >half1.log
{ kernel half1 32 0 0; echo "make: *** [Makefile:2: all] Error 2"; } >half2.log
"$program" baseline write --no-config half.json half1.log >/dev/null 2>&1
for verb in write prune; do
    expect 3 'half2.log:5: error: not all of the build was compiled or is in the log, and the baseline would lose kernels' "$verb after a failed build: status 3" "$program" baseline $verb --no-config half.json half2.log
    expect 0 '' 'the failed build leaves the baseline unchanged' in_shell 'test "$(grep -c kernel_id half.json)" = 2'
done
{ cat half1.log; echo "make: *** [Makefile:2: all] Error 2"; } >half3.log
{ kernel half1 32 0 0; echo "ptxas fatal   : Unresolved extern function 'f'"; } >half4.log
expect 0 '2 taken' 'write after a failed link that lost no kernel: status 0' "$program" baseline write --no-config half.json half3.log
expect 3 'half4.log:5: error: not all of the build' 'write after an error of ptxas: status 3' "$program" baseline write --no-config half.json half4.log
{ kernel half1 32 0 0; echo '1 error detected in the compilation of "half2.cu".'; } >half5.log
expect 3 'half5.log:5: error: not all of the build' 'write after an error of the front end: status 3' "$program" baseline write --no-config half.json half5.log
{ echo '1 error detected in the compilation of "half2.cu".'; kernel half1 32 0 0; seq 20; } >half6.log
expect 3 'half6.log:1: error: not all of the build' 'write with an error long before the end of the log: status 3' "$program" baseline write --no-config half.json half6.log
expect 0 'half6.log:1: warning: a compiler reported an error: what it did not compile or link was not judged' 'check warns that a compiler failed' "$program" check --no-config half6.log
expect 3 '' 'check --strict after a compiler error: status 3' "$program" check --no-config --strict half6.log
expect 0 '2 kept' 'update after a failed build drops no entry' "$program" baseline update --no-config half.json half2.log
expect 0 '1 taken' 'a first baseline is written after a failed build' "$program" baseline write --no-config first.json half2.log

# the tolerance for spills applies to the stack that they take, too
{ kernel fat 32 40 40; } >fat1.log
{ kernel fat 32 48 40; } >fat2.log
{ kernel fat 32 48 40 sm_80 0 72; } >fat3.log
printf 'rules: {spill-regression: {params: {more_bytes: 16}}}\n' >more.yaml
"$program" baseline write --no-config fat.json fat1.log >/dev/null 2>&1
expect 0 '' 'more_bytes also permits the stack frame of the permitted spills' "$program" check --config more.yaml --baseline fat.json fat2.log
expect 1 'spill-regression' 'without more_bytes: spill-regression' "$program" check --no-config --baseline fat.json fat2.log
expect 1 'stack frame of 72 B per thread, 40 B in the baseline .stack-regression' 'more_bytes does not permit a stack frame larger than the spills' "$program" check --config more.yaml --baseline fat.json fat3.log
expect 2 'a report would take the place of this input' 'diff refuses to overwrite its base' "$program" diff --no-config fat1.log fat2.log -o json=fat1.log
expect 2 'a report would take the place of this input' 'merge refuses to overwrite its input' in_shell '"$program" report --format ndjson fat1.log >fat.ndjson; "$program" merge fat.ndjson -o ndjson=fat.ndjson'
expect 0 'to accept a finding: `allow`' 'a toolkit without a column: the hint to accept names `allow`, not update' in_shell '
    "$program" baseline write --no-config --toolkit 12.4 kit.json fat1.log >/dev/null 2>&1; "$program" check --no-config --toolkit 13.0 --baseline kit.json fat2.log | grep "to accept"'
expect 0 '' 'diff --format markdown writes at most --max-bytes' in_shell '
    i=0; while [ $i -lt 300 ]; do for side in 1 2; do printf "%s\n" "ptxas info    : Compiling entry function '"'"'k$i'"'"' for '"'"'sm_80'"'"'" "ptxas info    : Used $((side * 30 + i % 9)) registers, used 0 barriers" >>many$side.log; done; i=$((i + 1)); done
    for most in 4096 10000 20000; do
        bytes=$("$program" diff --no-config --all --format markdown --max-bytes $most many1.log many2.log 2>/dev/null | wc -c)
        [ "$bytes" -gt 1000 ] && [ "$bytes" -le $most ] || exit 9
    done'
worse 40 0 0 12 24
expect 0 'better: 1 kernel x arch .--all names them.; .baseline update' 'an improvement passes, and a hint names baseline update' "$program" check --baseline w.json head.log
worse 42 0 0 16 24
expect 1 '42 registers per thread, 40 in the baseline; occupancy 62.5 %, was 75 % \[register-regression\]' 'more registers that cost a block: register-regression' "$program" check --baseline w.json head.log
expect 0 '' 'register-regression with lost occupancy gives no occupancy-regression' in_shell '! "$program" check --baseline w.json head.log | grep occupancy-regression'
expect 1 'occupancy fell from 75 % in the baseline to 62.5 % \[occupancy-regression\]' 'with register-regression ignored: occupancy-regression' "$program" check --baseline w.json --ignore register-regression head.log
printf 'rules: {register-regression: note, new-spill: {severity: warning}}\n' >milder.yaml
expect 1 'warning: .* occupancy fell from 75 % in the baseline to 62.5 % \[occupancy-regression\]' 'with register-regression as a note: occupancy-regression is a warning' "$program" check --baseline w.json --config milder.yaml head.log
printf 'allow:\n  - {rule: register-regression, kernel: a, reason: meant}\n' >allowed.yaml
expect 0 '1 suppressed by exceptions' 'an exception for register-regression also covers the lost occupancy' "$program" check --baseline w.json --config allowed.yaml head.log
expect 1 '\[occupancy-regression\]' 'an exception for a note of register-regression does not cover occupancy-regression' in_shell 'cat milder.yaml allowed.yaml >both.yaml; "$program" check --baseline w.json --config both.yaml head.log'
expect 1 '\[register-regression\]' 'an exception does not cover more registers than its max' in_shell 'sed "s/reason/max: 1, reason/" allowed.yaml >bound.yaml; "$program" check --baseline w.json --config bound.yaml head.log'
"$program" baseline write --threads 256 launched.json base.log >/dev/null
expect 1 'the launch is another one now.*\[occupancy-regression\]' 'an exception for register-regression does not cover occupancy lost to the block size' "$program" check --threads 1024 --baseline launched.json --config allowed.yaml head.log
expect 1 '42 registers per thread, 40 in the baseline; .*the launch is another one now.*[[]register-regression' 'register-regression states that the launch changed' "$program" check --threads 1024 --baseline launched.json head.log
sed 's/used 0 barriers/used 9 barriers/; s/sm_80/sm_90/' head.log >barriers.log
sed 's/sm_80/sm_90/' base.log >base90.log
"$program" baseline write --threads 64 barriers.json base90.log >/dev/null
sed 's/, used 0 barriers//' base90.log >unstated.log && sed 's/used 0 b/used 9 b/' base90.log >nine.log
expect 1 '[[]occupancy-regression[]]' 'more barriers alone lower occupancy: occupancy-regression' "$program" check --threads 64 --baseline base90.log nine.log
expect 0 'verdict: passed' 'a baseline log without barriers: more barriers are no regression' "$program" check --threads 64 --baseline unstated.log nine.log
"$program" baseline write --threads 64 unstated.json unstated.log >/dev/null
expect 0 'verdict: passed' 'a baseline file without barriers: more barriers are no regression' "$program" check --threads 64 --baseline unstated.json nine.log
expect 0 'verdict: passed' 'a baseline log without barriers, block size unknown: no regression' "$program" check --baseline unstated.log nine.log
expect 1 ' a .sm_90.: occupancy fell.*[[]occupancy-regression[]]' 'an exception for register-regression does not cover occupancy lost to barriers' "$program" check --threads 64 --baseline barriers.json --config allowed.yaml barriers.log
worse 40 0 0 16 24 65536
expect 1 '\[smem-regression\]' 'an exception for register-regression does not cover smem-regression' "$program" check --threads 256 --baseline launched.json --config allowed.yaml head.log
sed -i s/register-regression/smem-regression/ allowed.yaml
expect 0 'suppressed by exceptions' 'an exception for smem-regression also covers the lost occupancy' "$program" check --threads 256 --baseline launched.json --config allowed.yaml head.log
worse 40 16 24 16 24
printf 'allow:\n  - {rule: new-spill, kernel: a, max: 40B, reason: meant}\n' >spills.yaml
expect 0 '1 suppressed by exceptions' 'an exception for new-spill also covers register-spill' "$program" check --baseline w.json --config spills.yaml head.log
expect 1 '\[register-spill\]' 'without a baseline an exception for new-spill does not cover register-spill' "$program" check --config spills.yaml head.log
worse 40 16 28 16 24
expect 1 '\[new-spill\]' 'an exception for new-spill does not cover more than its max' "$program" check --baseline w.json --config spills.yaml head.log
sed -i s/new-spill/register-spill/ spills.yaml
worse 40 16 24 16 24
expect 1 '\[new-spill\]' 'an exception for register-spill does not cover new-spill' "$program" check --baseline w.json --config spills.yaml head.log
worse 40 0 0 16 28
printf 'allow:\n  - {rule: spill-regression, kernel: b, reason: meant}\n' >spills.yaml
expect 0 '1 suppressed by exceptions' 'an exception for spill-regression also covers register-spill' "$program" check --baseline w.json --config spills.yaml head.log
worse 39 0 0 16 24
expect 0 'verdict: passed' 'fewer registers: passed' "$program" check --baseline w.json head.log
{ kernel a 33 0 0; } >narrow.log
"$program" baseline write narrow.json narrow.log >/dev/null
kernel a 40 0 0 >wide.log
expect 0 'verdict: passed' 'more registers that cost no block: passed' "$program" check --baseline narrow.json wide.log
printf 'rules:\n  register-regression: {params: {only_lost_blocks: false, more: 4}}\n' >strict.yaml
expect 1 'register-regression' 'only_lost_blocks: false makes register-regression fire without a lost block' "$program" check --config strict.yaml --baseline narrow.json wide.log
kernel a 37 0 0 >wide4.log
expect 0 'verdict: passed' 'more registers within the parameter `more`: passed' "$program" check --config strict.yaml --baseline narrow.json wide4.log
printf 'rules:\n  spill-regression: {params: {more_bytes: 8 B}}\n' >soft.yaml
worse 40 0 0 16 32
expect 0 'verdict: passed' 'more spills within more_bytes: passed' "$program" check --config soft.yaml --baseline w.json head.log
worse 40 0 0 16 36
expect 1 'spill-regression' 'more spills than more_bytes: spill-regression' "$program" check --config soft.yaml --baseline w.json head.log
worse 40 0 0 16 24 16384
expect 1 'warning: .*16384 B shared memory per block, 0 B in the baseline \[smem-regression\]' 'more shared memory, block size unknown: a warning, because it may cost a block' "$program" check --baseline w.json head.log
expect 0 'note: .*16384 B shared memory per block, 0 B in the baseline; it costs no block \[' 'more shared memory that costs no block at 1024 threads: a note' "$program" check --threads 1024 --baseline w.json head.log
expect 1 'warning: .*; occupancy 28.1 %, was 75 % \[smem-regression\]' 'more shared memory that costs blocks at 64 threads: a warning' "$program" check --threads 64 --baseline w.json head.log
worse 40 0 0 16 24 512
expect 0 'note: .*512 B .* it costs no block \[smem-regression\]' '512 B of shared memory cost no block at any block size: a note' "$program" check --baseline w.json head.log
printf 'rules:\n  smem-regression: {params: {only_lost_blocks: false}}\n' >bytes.yaml
expect 1 'warning: .*512 B shared memory' 'only_lost_blocks: false makes 512 B of shared memory a warning' "$program" check --config bytes.yaml --baseline w.json head.log
{ cat base.log; kernel c 32 8 8; } >head.log
expect 1 'register-spill' 'a new kernel that spills fails' "$program" check --baseline w.json head.log
{ cat base.log; kernel c 32 0 0; } >head.log
expect 0 '2 entries expected, 2 seen; 1 new' 'a new kernel without spills passes' "$program" check --baseline w.json head.log
expect 1 'register-spill' 'the same log fails without the baseline' "$program" check head.log

# ---- messages
expect 1 'unroll-failed' 'a loop that was not unrolled fails without a baseline' "$program" check --select unroll-failed "$loops"
expect 0 'accepted finding' 'write counts the accepted findings on messages' "$program" baseline write l.json "$loops"
expect 0 'no worse than the baseline' 'a loop finding of the baseline passes' "$program" check --select unroll-failed --baseline l.json "$loops"
grep -v '"rule":"unroll-failed"' l.json | sed -e ':a' -e '$!{N;ba' -e '}' -e 's/},\n]/}\n]/g' >none.json
expect 1 'unroll-failed' 'a loop finding that was removed from the baseline fails' "$program" check --select unroll-failed --baseline none.json "$loops"

expect 0 '[0-9]+ findings on messages; .baseline prune' 'loop findings that are gone: a hint names baseline prune' in_shell 'grep -v "oop not unrolled\|unroll" "$loops" >clean.log; "$program" check --fail-on never --baseline l.json clean.log'
expect 0 '' 'prune drops loop findings that are gone' in_shell '"$program" baseline prune l2.json clean.log 2>/dev/null; cp l.json l2.json && "$program" baseline prune l2.json clean.log && ! grep -q unroll-failed l2.json'
{ grep -v Used "$work/base.log"; } >unknown.log
"$program" report -o ndjson=unknown.ndjson unknown.log >/dev/null
sed 's/"spill_store_bytes":[0-9]*,"spill_load_bytes":[0-9]*/"spill_store_bytes":null,"spill_load_bytes":null/' unknown.ndjson >unstated.ndjson
expect 1 'register-spill' 'spills that the baseline does not state do not excuse register-spill' "$program" check --baseline unstated.ndjson base.log
expect 0 '"baseline_state":"new"' 'debug-build is new against an optimised baseline' in_shell '{ echo "nvcc -G -c x.cu"; cat base.log; } >debug.log; "$program" check --format ndjson --baseline w.json debug.log | grep debug-build'

# ---- update
{ kernel a 40 0 0; kernel b 60 8 8; kernel c 30 0 0; kernel d 30 4 4; } >head.log
cp w.json u.json
expect 0 '1 taken, 1 better, 1 kept, 1 new and failing, left out' 'update takes better kernels, and new ones that pass' "$program" baseline update u.json head.log
expect 0 'not taken: d \(sm_80\) is new and fails' 'update names the kernels that it does not take' in_shell 'cp w.json u2.json; "$program" baseline update u2.json head.log 2>&1'
expect 0 '' 'the file has the taken numbers, and no entry of the failing kernel' in_shell 'grep "\"b\"" u.json | grep -q "\"registers\":60,\"spill_store_bytes\":8" && grep -q "\"c\"" u.json && ! grep -q "\"d\"" u.json'
{ kernel a 48 0 0; kernel b 64 40 40; } >head.log
expect 0 '2 worse and not taken' 'update takes no worse kernel' "$program" baseline update u.json head.log
expect 2 'needs --reason' '--accept without --reason: status 2' "$program" baseline update --accept b u.json head.log
expect 2 'belong to baseline update' 'write refuses --accept' "$program" baseline write --accept b --reason x u.json head.log
expect 0 'warning: no rule is on: .* leave none, so nothing was judged' 'update with all rules ignored warns that nothing was judged' in_shell '
    cp u.json unruled.json; "$program" baseline update --ignore "$("$program" list rules | cut -d" " -f1 | paste -sd, -)" unruled.json head.log'
expect 2 "no kernel is called 'zz', the input has 2" '--accept of a kernel that is not in the input: status 2' "$program" baseline update --accept zz --reason x u.json head.log
expect 0 '1 accepted' '--accept takes one worse kernel' "$program" baseline update --accept b --reason 'measured: 3 % faster' u.json head.log
expect 0 '' 'the file has the reason, and the other worse kernel is not taken' in_shell 'grep "\"b\"" u.json | grep -q "\"spill_store_bytes\":40.*\"reason\":\"measured: 3 % faster\"" && grep "\"a\"" u.json | grep -q "\"registers\":40"'
expect 2 'is not worse than the baseline' '--accept of a kernel that is not worse: status 2' "$program" baseline update --accept b --reason again u.json head.log
{ kernel _Z1kILi1EEvPf 64 40 40; kernel _Z1kILi2EEvPf 64 40 40; kernel _Z2klILi2EEvPf 64 40 40; } >instances.log
"$program" baseline write --allow-empty i.json instances.log >/dev/null 2>&1
sed 's/40 bytes/48 bytes/g' instances.log >instances-worse.log
expect 2 "'k' fits 2 kernels; give one of these names, or 'k<[*]>' for all instances" '--accept of a name that fits two instances: status 2' \
    "$program" baseline update --accept k --reason x i.json instances-worse.log
expect 0 '2 accepted, .*1 worse and not taken' '--accept k<*> takes all instances of a template' \
    "$program" baseline update --accept 'k<*>' --reason x i.json instances-worse.log
expect 2 "no kernel is called 'z<[*]>', the input has 3" '--accept of a template that is not in the input: status 2' \
    "$program" baseline update --accept 'z<*>' --reason x i.json instances-worse.log
{
    echo 'ptxas warning : Value of threads per SM for entry a is out of range. .minnctapersm will be ignored'
    kernel a 8 0 0 sm_80
    kernel a 8 0 0 sm_90
} >archs.log
echo 'archs: [sm_90]' >archs.yaml
expect 0 '1 entry expected, 1 seen; 1 the same$' 'archs: of the configuration limits a log that is the baseline' "$program" check --config archs.yaml --baseline archs.log archs.log
expect 1 '' 'architectures that archs: excludes are not gone' in_shell '"$program" check --config archs.yaml --baseline archs.log archs.log | grep gone'
calls() { # SPILLS: a function and its clone, as ptxas prints them under -rdc=true
    for name in '_Z1fPKfi$1' _Z1fPKfi; do
        printf 'ptxas info    : Function properties for %s\n    80 bytes stack frame, %s bytes spill stores, %s bytes spill loads\n' "$name" "$1" "$1"
    done
    kernel _Z1kPfi 24 0 0
}
calls 0 >calls.log && calls 8 >calls-worse.log
"$program" baseline write calls.json calls.log >/dev/null 2>&1
expect 1 'device function spills 8 B stores and 8 B loads per thread, none in the baseline .new-spill' 'a device function that begins to spill: new-spill' "$program" check --baseline calls.json calls-worse.log
for name in f 'f(float const*, int)' _Z1fPKfi '_Z1fPKfi$1'; do
    cp calls.json accepted.json
    expect 0 '1 accepted, 1 kept' "--accept takes the device function by the name $name" "$program" baseline update --accept "$name" --reason x accepted.json calls-worse.log
    expect 0 'verdict: passed' 'the accepted device function passes' "$program" check --baseline accepted.json calls-worse.log
done
expect 0 '' 'write keeps the reason while the numbers stay' in_shell '"$program" baseline write u.json head.log && grep -q "measured: 3 %" u.json'
expect 2 "takes write, check, update or prune, found 'wrte'" 'an unknown verb: status 2' "$program" baseline wrte u.json head.log
expect 2 'needs the file' 'baseline check without a file: status 2' "$program" baseline check

# ---- sources outside the checkout
compiled() { echo "nvcc -Xptxas=-v -arch=sm_80 -c $1 -o $2.o" && kernel "$2" 24 0 0; }
{ compiled /w/build/_deps/f-src/src/k.cu f && compiled /w/build/_deps/g-src/src/k.cu g; } >deps.log
compiled /w/build/_deps/f-src/src/k.cu f >dep.log
{ compiled /v/_deps/f-src/src/k.cu f && compiled /v/_deps/g-src/src/k.cu g; } >elsewhere.log
"$program" baseline write deps.json deps.log >/dev/null
expect 0 '"source":"f-src/src/k.cu"' 'two outside sources of one file and folder name: stored with one more folder' cat deps.json
expect 0 '2 the same$' 'the same log with two outside sources passes' "$program" check --baseline deps.json deps.log
expect 0 '2 the same$' 'two outside sources in another folder pass' "$program" check --strict --baseline deps.json elsewhere.log
expect 3 'no record of source g-src/src/k.cu, of which the baseline has 1' 'one of two outside sources was not compiled: status 3' "$program" check --baseline deps.json dep.log
expect 3 'no record of source g-src/src/k.cu' 'the same with a log as the baseline: status 3' "$program" check --baseline deps.log dep.log
"$program" baseline write dep.json dep.log >/dev/null
expect 0 '"source":"src/k.cu"' 'a single outside source is stored with its folder' cat dep.json
expect 0 '1 new, 1 the same$' 'a second outside source is added: the first is recognized' "$program" check --baseline dep.json deps.log
cp dep.json more.json
expect 0 '1 taken, 1 kept|1 added' 'update adds the second outside source' "$program" baseline update more.json deps.log
expect 0 '2 the same$' 'both outside sources are recognized after the update' "$program" check --baseline more.json deps.log

# ---- a lambda in front of others renumbers them, also if only one of the two builds states its sources
{ kernel _Z3runIZ1gPfEUlS0_E_EvT_S0_ 64 0 0; kernel _Z3runIZ1gPfEUlS0_E0_EvT_S0_ 32 0 0; } >renumbered1.log
{ echo 'nvcc -arch=sm_80 -c a.cu -o a.o'; kernel _Z3runIZ1gPfEUlS0_E_EvT_S0_ 24 0 0; kernel _Z3runIZ1gPfEUlS0_E0_EvT_S0_ 64 0 0
  kernel _Z3runIZ1gPfEUlS0_E1_EvT_S0_ 32 0 0; } >renumbered2.log
expect 0 '1 new, 2 the same' 'a lambda is added, and only the input states its source' "$program" check --no-config --baseline renumbered1.log renumbered2.log
expect 0 '1 gone, 2 the same' 'a lambda is removed, and only the baseline states its source' "$program" check --no-config --baseline renumbered2.log renumbered1.log

# ---- fewer spills for more registers that cost no block: update takes it, so that the spills cannot come back
kernel _Z1kPf 33 128 128 >spilled.log
kernel _Z1kPf 40 0 0 >clean.log
"$program" baseline write --no-config clean.json spilled.log >/dev/null
expect 0 '1 better' 'no spills for more registers: better' "$program" check --no-config --baseline clean.json clean.log
expect 0 '1 kernel x arch: 1 better' 'update takes the kernel without spills' "$program" baseline update --no-config clean.json clean.log
expect 1 'new-spill' 'the old spills fail after the update' "$program" check --no-config --baseline clean.json spilled.log

# ---- kernels of a header belong to the file that was compiled
record() # object, source of the compile, kernel, source of the kernel
{
    printf '{"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}\n'
    printf '{"type":"log","log":"%s","lines":9,"unknown_lines":0,"verbose":true,"interleaved":false,"torn":false,"cut":false,' "$1"
    printf '"command":["nvcc","-arch=%s","-c","%s","-o","%s"],"flags":["-c","%s"],"nvcc":null,"ptxas":null}\n' "${5:-sm_80}" "$2" "$1" "$2"
    printf '{"type":"kernel","mangled":"%s","kind":"entry","arch_inferred":"%s","producer":"ptxas","arch":"%s","source":"%s",' "$3" "${5:-sm_80}" "${5:-sm_80}" "$4"
    printf '"log":"%s","log_line":0,"registers":32,"stack_bytes":0,"spill_store_bytes":0,"spill_load_bytes":0,"barriers":0,' "$1"
    printf '"used_line":true,"ambiguous":false,"debug":false,"headless":false}\n{"type":"end","records":2}\n'
}
record a.o src/a.cu _Z5scaleILi24EEvv src/k.h >a.ndjson
record b.o src/b.cu _Z5scaleILi8EEvv src/k.h >b.ndjson
record b.o src/b.cu _Z4keptv src/b.cu >kept.ndjson
record c.o src/c.cu _Z5scaleILi8EEvv src/k.h >c.ndjson
"$program" baseline write header.json a.ndjson b.ndjson >/dev/null
expect 0 '"source":"src/k.h","compiled_in":"src/b.cu"' 'the entry of a header kernel states the file that was compiled' cat header.json
expect 3 'no record of source src/b.cu, of which the baseline has 1' 'the compiled file of a header kernel is missing: status 3' "$program" check --baseline header.json a.ndjson
expect 3 'no record of source src/b.cu' 'the same with merged records as the baseline: status 3' in_shell '
    "$program" merge a.ndjson b.ndjson >ab.ndjson && "$program" check --baseline ab.ndjson a.ndjson'
expect 0 '1 gone, 1 new, 1 the same$|1 new, 1 gone, 1 the same$' 'the file was compiled without its header kernel: gone, status 0' "$program" check --baseline header.json a.ndjson kept.ndjson
expect 0 '2 the same$' 'another file compiles the header kernel: the same' "$program" check --strict --baseline header.json a.ndjson c.ndjson
"$program" baseline write unit.json b.ndjson kept.ndjson >/dev/null
sed 's/b[.]cu/d.cu/g' b.ndjson >b-renamed.ndjson
sed 's/b[.]cu/d.cu/g' kept.ndjson >kept-renamed.ndjson
expect 0 '2 kept, 2 in another file' 'a compiled file is renamed: update stores its name for the kernel of the header too' "$program" baseline update unit.json b-renamed.ndjson kept-renamed.ndjson
expect 0 '' 'update of a renamed compiled file writes the same file as write' in_shell '"$program" baseline write written.json b-renamed.ndjson kept-renamed.ndjson && cmp unit.json written.json'
"$program" baseline write twice.json b.ndjson c.ndjson >/dev/null
expect 0 '"warplint_baseline": 6' 'a header kernel of two files: schema 6' cat twice.json
expect 0 '"compiled_in":[[]"src/b.cu","src/c.cu"[]]' 'the entry states both files' cat twice.json
"$program" baseline write thrice.json b.ndjson c.ndjson kept.ndjson >/dev/null
expect 3 'no record of source src/c.cu, of which the baseline has 1' 'a header kernel is gone and one of its two files was not compiled: status 3' "$program" check --baseline thrice.json kept.ndjson
expect 0 '1 new, 1 gone, 1 the same' 'a header kernel is gone and both files were compiled: status 0' in_shell '
    sed "s/b[.]o/c.o/; s/src.b.cu/src\/c.cu/g; s/_Z4keptv/_Z5otherv/" kept.ndjson >other.ndjson && "$program" check --baseline thrice.json kept.ndjson other.ndjson'
"$program" baseline write again.json c.ndjson b.ndjson >/dev/null
expect 0 '' 'the order of two records does not change the file' cmp twice.json again.json
expect 0 'gone: scale<24>' 'a header without kernels is not a missing source' in_shell '
    "$program" baseline write only.json a.ndjson kept.ndjson >/dev/null && sed "s/_Z5scaleILi24EEvv/_Z4mainv/; s/k.h/a.cu/" a.ndjson >lost.ndjson && "$program" check --baseline only.json lost.ndjson kept.ndjson'

for arch in sm_80 sm_90; do
    record a.o src/a.cu _Z5scaleILi24EEvv src/k.h $arch >a-$arch.ndjson
    record d.o src/d.cu _Z4mainv src/d.cu $arch >d-$arch.ndjson
done
"$program" baseline write archs.json a-*.ndjson d-*.ndjson >/dev/null
expect 3 'no record of architecture sm_80 of src/a.cu' 'a file was compiled for one of its two architectures: status 3' "$program" check --baseline archs.json a-sm_90.ndjson d-*.ndjson
record one/a.o src/a.cu _Z5scaleILi24EEvv src/k.h >one.ndjson
record two/a.o src/a.cu _Z5scaleILi24EEvv src/k.h | sed 's/"registers":32/"registers":48/' >two.ndjson
"$program" baseline write targets.json one.ndjson two.ndjson >/dev/null
expect 3 'no record of object two/a.o, .* another target compiled src/a.cu' 'one of two targets did not compile the file: status 3' "$program" check --baseline targets.json one.ndjson

sed 's/a[.]o/e.o/g; s/src\/a[.]cu/src\/e.cu/g' one.ndjson >three.ndjson
"$program" baseline write units.json one.ndjson two.ndjson three.ndjson >/dev/null
expect 0 '2' 'the header kernel has one entry for each object' grep -c '"compiled_in":"src/a.cu".*"object":"\(one\|two\)/a.o"' units.json
"$program" baseline write again.json three.ndjson two.ndjson one.ndjson >/dev/null
expect 0 '' 'the order of three records does not change the file' cmp units.json again.json

sed 's/a[.]cu/n.cu/g; s/k[.]h/n.h/; s/"registers":32/"registers":48/' one.ndjson >one-renamed.ndjson
sed 's/one\//two\//g' one-renamed.ndjson >two-renamed.ndjson
sed 's/one\//three\//g; s/"registers":48/"registers":32/' one-renamed.ndjson >three-renamed.ndjson
expect 1 '48 registers per thread, 32 in the baseline' 'a source is renamed in all targets: each object is compared with its own entry' \
    "$program" check --baseline targets.json one-renamed.ndjson two-renamed.ndjson three-renamed.ndjson

# ---- a kernel of a header gets another name: records state the header, a log states the compiled file
log_of() # source of the compile, kernel, registers
{
    printf "nvcc -arch=sm_80 -Xptxas=-v -c %s -o k.o\nptxas info    : Compiling entry function '%s' for 'sm_80'\n" "$1" "$2"
    printf "ptxas info    : Function properties for %s\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" "$2"
    printf "ptxas info    : Used %s registers, used 0 barriers\n" "$3"
}
renamed_header() # status, what it says, old and new kernel, registers of the new one
{
    mkdir -p header
    (
        cd header && rm -f ./* && : >.warplint.yaml
        record k.o src/a.cu "$3" src/k.h | tee base.ndjson | sed "s/$3/$4/g; s/\"registers\":32/\"registers\":$5/" >head.ndjson
        record b.o src/b.cu _Z4mainv src/b.cu | tee -a base.ndjson >>head.ndjson
        { log_of src/a.cu "$3" 32; log_of src/b.cu _Z4mainv 32; } >base.log
        { log_of src/a.cu "$4" "$5"; log_of src/b.cu _Z4mainv 32; } >head.log
        for base in ndjson log; do
            "$program" baseline write $base.json base.$base
        done
    ) >/dev/null
    for base in ndjson log; do
        for head in ndjson log; do
            expect "$1" "^baseline: 2 entries expected, $2" "$3 becomes $4: baseline $base, input $head" in_shell "cd header && \"$program\" check --baseline $base.json head.$head"
            expect "$1" "^baseline: 2 entries expected, $2" "$3 becomes $4: baseline $base, input $head, after an update" in_shell "
                cd header && \"$program\" baseline update $base.json head.$head >/dev/null 2>&1; \"$program\" check --baseline $base.json head.$head |
                sed 's/the same; 1 of them renamed/the same/'; \"$program\" check --baseline $base.json head.$head >/dev/null"
        done
    done
}
renamed_header 1 '1 seen; 1 new [(]1 fails[)], 1 replaced, 1 the same' _Z4scanPf _ZN3app4scanEPf 90
renamed_header 1 '1 seen; 1 new [(]1 fails[)], 1 gone, 1 the same' _Z4scanPf _Z5scan2Pf 90
renamed_header 1 '1 seen; 1 new [(]1 fails[)], 1 replaced, 1 the same' _Z4scanILi4EEvPf _Z4scanILi8EEvPf 90
renamed_header 1 '2 seen; 1 worse [(]1 fails[)], 1 the same' _Z4scanPf _Z4scanPfi 90
renamed_header 1 '2 seen; 1 worse [(]1 fails[)], 1 the same' _Z4eachIZ3runvEUlvE0_EvT_ _Z4eachIZ3runvEUlvE1_EvT_ 90
renamed_header 0 '2 seen; 2 the same' _Z4scanPf _ZN3app4scanEPf 32
renamed_header 0 '2 seen; 2 the same' _Z4scanPf _Z5scan2Pf 32

# ---- two files of one name in the checkout
mkdir -p files/fast && : >files/.warplint.yaml
record a.o a.cu _Z1av a.cu >files/a.ndjson
record b.o b.cu _Z1bv b.cu >files/b.ndjson
record f.o fast/a.cu _Z1fv fast/a.cu >files/f.ndjson
(cd files && "$program" baseline write base.json a.ndjson b.ndjson) >/dev/null
expect 0 '1 new, 1 gone, 1 the same' 'fast/a.cu may be a.cu seen from another folder: a.cu is not missing' in_shell 'cd files && "$program" check --strict --baseline base.json f.ndjson b.ndjson'
: >files/a.cu && : >files/fast/a.cu
expect 3 'no record of source a.cu, of which the baseline has 1' 'both a.cu and fast/a.cu exist: a.cu is missing, status 3' in_shell 'cd files && "$program" check --baseline base.json f.ndjson b.ndjson'

mkdir -p files/src other/lib/src && : >files/src/k.cu
record k.o src/k.cu _Z1kv src/k.cu >files/k.ndjson
record o.o "$work/other/lib/src/k.cu" _Z1ov "$work/other/lib/src/k.cu" >files/o.ndjson
(cd files && "$program" baseline write two.json k.ndjson o.ndjson) >/dev/null
expect 0 '"source":"lib/src/k.cu"' 'an outside source is stored with one more folder than src/k.cu' cat files/two.json
expect 3 'no record of source src/k.cu, of which the baseline has 1' 'the outside source does not stand for src/k.cu: status 3' in_shell 'cd files && "$program" check --baseline two.json o.ndjson'

# ---- relocatable code: metrics of the link and of the compile
linked=$source/fixtures/rdc-one-arch/log.txt
{ echo 'nvcc -rdc=true -arch=sm_90 -Xptxas=-v -c main.cu -o main.o' && grep -v nvlink "$linked"; } >unlinked.log
sed 's/used 118 registers/used 119 registers/' "$linked" >more.log
"$program" baseline write linked.json "$linked" >/dev/null
"$program" baseline write unlinked.json unlinked.log >/dev/null 2>&1
expect 0 '"registers":118,.*"code":"linked"' 'an entry states that its numbers are of the link' cat linked.json
expect 0 '"registers":24,.*"code":"relocatable"' 'an entry states that its numbers are of relocatable code' cat unlinked.json
expect 0 '6 the same$' 'numbers of the link against numbers of the link: the same' "$program" check --baseline linked.json "$linked"
echo 'rules: {register-regression: {params: {only_lost_blocks: false}}}' >all.yaml
expect 1 '119 registers per thread, 118 in the baseline' 'a linked kernel with more registers fails' "$program" check --select register-regression --config all.yaml --baseline linked.json more.log
expect 1 'next: its own code needs 24 registers; the functions that it calls raise this to 119 at the link' 'the next step says that called functions raise the registers' "$program" check --select register-regression --config all.yaml --baseline linked.json more.log
expect 3 'the baseline states what their link took, and the input only what their compile needed; link with -Xnvlink=-v' \
    'numbers of the compile against numbers of the link: status 3' "$program" check --baseline linked.json unlinked.log
expect 3 'states what their link took' 'the same without the command in the log: status 3' in_shell '
    grep -v "^nvcc" unlinked.log >bare.log; "$program" check --baseline linked.json bare.log'
cp linked.json kept.json
expect 0 '6 kept' 'update with numbers of the compile keeps the entries' "$program" baseline update kept.json unlinked.log
expect 0 '' 'that update leaves the file unchanged' cmp linked.json kept.json
expect 3 'of relocatable code without its link.*baseline update' 'numbers of the link against numbers of the compile: status 3' "$program" check --baseline unlinked.json "$linked"
expect 0 '4 taken, 2 kept' 'update takes the numbers of the link' "$program" baseline update unlinked.json "$linked"
expect 0 '"registers":118,.*"code":"linked"' 'the updated entry states the link' cat unlinked.json
expect 3 'BASE states what their link took, and HEAD only' 'diff of numbers of the link and of the compile: status 3' "$program" diff "$linked" unlinked.log

# ---- partial builds and shards
{ kernel s 30 0 0 sm_80; kernel s 32 8 8 sm_90; } >parts.log
"$program" baseline write parts.json parts.log >/dev/null
{ kernel s 28 0 0 sm_80; kernel s 99 88 88 sm_90; } >parts2.log
expect 0 '' 'write --arch keeps the entries of other architectures' in_shell '"$program" baseline write --arch sm_80 parts.json parts2.log >/dev/null && grep -q "\"registers\":28" parts.json && grep -q "\"registers\":32" parts.json'
expect 0 '' 'records in any order, and logs, give the same bytes' in_shell '"$program" report -o ndjson=s1.ndjson parts.log >/dev/null; "$program" report -o ndjson=s2.ndjson base.log >/dev/null; "$program" report -o ndjson=s3.ndjson "$loops" >/dev/null; "$program" baseline write s.json s1.ndjson s2.ndjson s3.ndjson >/dev/null && "$program" baseline write t.json s3.ndjson s1.ndjson s2.ndjson >/dev/null && "$program" baseline write v.json "$loops" base.log parts.log >/dev/null && cmp s.json t.json && cmp s.json v.json; status=$?; rm t.json; exit $status'
expect 0 '^{$' 'write - prints the baseline' "$program" baseline write - base.log
{ kernel h 40 0 0; } >threads.log
"$program" baseline write h.json threads.log >/dev/null
expect 0 'seen; 1 the same$' 'only the input has a block size: the same' "$program" check --select register-regression,occupancy-regression --threads 192 --baseline h.json threads.log
"$program" baseline write --threads 192 h.json threads.log >/dev/null
expect 0 'seen; 1 the same$' 'only the baseline has a block size: the same' "$program" check --select register-regression,occupancy-regression --baseline h.json threads.log
kernel h 42 0 0 >threads2.log
expect 1 'register-regression' 'more registers that cost a block at a known block size: register-regression' "$program" check --threads 256 --baseline h.json threads2.log

# ---- gone kernels, stale entries, missing sources
{ kernel a 40 0 0; } >head.log
expect 0 'gone: b \(sm_80\); .baseline prune' 'a kernel is gone: a note, status 0' "$program" check --baseline w.json head.log
cp w.json p.json
expect 0 '1 dropped, 1 kept|1 kernel x arch: 1 dropped' 'prune drops the entry of a kernel that is gone' "$program" baseline prune p.json head.log
expect 0 '' 'the pruned file has only the other kernel' in_shell 'grep -q "\"a\"" p.json && ! grep -q "\"b\"" p.json'
{ kernel a 40 0 0 sm_80; kernel a 40 0 0 sm_90; } >two.log
"$program" baseline write two.json two.log >/dev/null
expect 3 'no record of architecture sm_90, of which the baseline has 1' 'an architecture of the baseline is missing: status 3' "$program" check --baseline two.json head.log
reason='a part of the build was not judged: two.json: no record of architecture sm_90, of which the baseline has 1: was it built\?'
for format in text markdown html github azure teamcity sarif junit; do
    expect 3 "$reason" "$format names the missing architecture" in_shell "'$program' check --format $format --baseline two.json head.log 2>/dev/null"
done
expect 0 'verdict: passed' '--allow-missing accepts a missing architecture' "$program" check --allow-missing --baseline two.json head.log
expect 0 'verdict: passed' 'an architecture that --arch excludes is not missing' "$program" check --arch sm_80 --baseline two.json two.log
holds 'the error "and of N more" is not printed' refuses grep -q '^error: and of' "$work/err"
expect 3 'no record of architecture' 'prune with a missing architecture: status 3' in_shell 'cp two.json part.json; "$program" baseline prune part.json head.log'
expect 0 '' 'that prune leaves the file unchanged' cmp two.json part.json
{ kernel a 40 0 0; kernel b 40 0 0; kernel c 40 0 0; } >all.log
"$program" baseline write all.json all.log >/dev/null
expect 3 '2 of 3 kernel x arch have no record, and no source file is stated for them: were they built' '2 of 3 kernels without a source are gone: status 3' \
    "$program" check --baseline all.json head.log
expect 0 'verdict: passed' '--allow-missing accepts that 2 of 3 kernels are gone' "$program" check --allow-missing --baseline all.json head.log
expect 3 '2 of 3 kernel x arch have no record' 'prune with 2 of 3 kernels gone: status 3' in_shell 'cp all.json part.json; "$program" baseline prune part.json head.log'
expect 0 '' 'the refused prune leaves the file unchanged' cmp all.json part.json
expect 0 'all.json: 1 kernel x arch: 1 taken, 2 dropped' 'write counts the entries that it drops' "$program" baseline write all.json head.log
{ kernel a 40 0 0; for name in f g; do
    printf 'ptxas info    : Function properties for %s\n    0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads\n' $name
done; } >called.log
"$program" baseline write --allow-empty called.json called.log >/dev/null
expect 0 'verdict: passed' 'inlined device functions are not missing' "$program" check --baseline called.json head.log
{ echo 'nvcc -arch=sm_80 -Xptxas=-v -c src/a.cu -o x.o'; kernel a 40 0 0; } >sourced.log
{ kernel b 40 0 0; kernel c 40 0 0; } >unsourced.log
"$program" baseline write half.json sourced.log unsourced.log >/dev/null
expect 3 '2 of 2 kernel x arch have no record' 'all kernels without a source are gone, one with a source is there: status 3' \
    "$program" check --baseline half.json sourced.log
{ kernel a 40 0 0; kernel c 40 0 0; } >less.log
"$program" baseline write all.json all.log >/dev/null
expect 0 'no source file is stated for 1 of these: was it compiled' '1 of 3 kernels without a source is gone: status 0' \
    "$program" check --baseline all.json less.log
nvcc() { printf 'nvcc -arch=sm_80 -Xptxas=-v -c %s -o x.o\n' "$1"; }
{ nvcc src/a.cu; kernel a 40 0 0; nvcc src/b.cu; kernel a 60 0 0; } >units.log
"$program" baseline write units.json units.log >/dev/null
expect 0 '"source":"src/b.cu"' 'entries of kernels of one name state their sources' cat units.json
{ nvcc src/a.cu; kernel a 60 0 0; nvcc src/b.cu; kernel a 60 0 0; } >units2.log
expect 1 '60 registers per thread, 40 in the baseline; occupancy 50 %, was 75 %' 'one of two kernels of one name is worse' "$program" check --baseline units.json units2.log
{ nvcc src/a.cu; kernel a 40 0 0; } >unit.log
expect 3 'no record of source src/b.cu' 'a source of the baseline is missing: status 3' "$program" check --baseline units.json unit.log
expect 3 '^gone: a \(sm_80\)$' 'prune is not advised where it is refused: a source is missing' "$program" check --baseline units.json unit.log
expect 0 '^gone: a \(sm_80\)$' 'the same with --allow-missing' "$program" check --allow-missing --baseline units.json unit.log
{ nvcc a.cu; kernel a 40 0 0; nvcc lib/a.cu; kernel b 60 0 0; } >ends.log
{ nvcc lib/a.cu; kernel b 60 0 0; } >end_lib.log
{ nvcc a.cu; kernel a 40 0 0; } >end_top.log
"$program" baseline write ends.json ends.log >/dev/null
expect 3 'no record of source a.cu' 'lib/a.cu does not stand for a.cu: status 3' "$program" check --baseline ends.json end_lib.log
expect 3 'no record of source lib/a.cu' 'a.cu does not stand for lib/a.cu: status 3' "$program" check --baseline ends.json end_top.log
{ cat end_top.log; nvcc c.cu; kernel c 40 0 0; } >end_two.log
{ cat end_lib.log; nvcc lib/c.cu; kernel c 40 0 0; } >end_below.log
"$program" baseline write end.json end_two.log >/dev/null
expect 0 '1 gone' 'all sources may be seen from another folder: none is missing' "$program" check --baseline end.json end_below.log
sed "s|src/|$work/src/|" units.log >absolute.log
expect 0 '2 entries expected, 2 seen; 2 the same' 'absolute paths in the log: the same' "$program" check --baseline units.json absolute.log
expect 0 '' 'absolute paths in the log give the same baseline' in_shell '"$program" baseline write absolute.json absolute.log && cmp absolute.json units.json'
expect 0 '"expected":2,"seen":2,"new":0,"gone":0' 'the NDJSON end record counts expected and seen entries' "$program" check --format ndjson --baseline units.json units.log
expect 0 '' 'JSON counts expected entries' in_shell '"$program" check --format json --baseline units.json units.log | grep -q "\"baseline\":{\"expected\":2"'

# ---- names: a name that looks like another's is distinguished from it, whether both are shown or not
{ kernel _Z4blurPf 40 0 0; kernel _Z4blurPi 40 0 0; } >alike.log
"$program" baseline write alike.json alike.log >/dev/null
kernel _Z4blurPi 40 0 0 >alike2.log
expect 0 '^gone: blur~[0-9a-f]+ \(sm_80\);' 'text tells a gone kernel from one with the same short name' "$program" check --baseline alike.json alike2.log
expect 0 '^\| gone \| `blur\(float\*\)`' 'Markdown tells a gone kernel from another by its parameters' "$program" check --format markdown --baseline alike.json alike2.log
expect 0 '<code>blur\(float\*\)</code></th><td>sm_80</td>' 'HTML tells a gone kernel from another by its parameters' "$program" check --format html --baseline alike.json alike2.log
{ kernel _Z4blurPf 30 0 0; kernel _Z4blurPi 40 0 0; } >alike2.log
expect 0 '^better: blur~[0-9a-f]+ \(sm_80\);' 'text tells a better kernel from one with the same short name' "$program" check --all --baseline alike.json alike2.log
mkdir speaker
printf "id: new-spill\nseverity: error\nwhen: 'registers > 1'\nmessage: something else\n" >speaker/new-spill.yaml
kernel b 64 16 24 >speaker.log
expect 1 'spills 16 B stores.*\[register-spill\]' 'a custom rule named new-spill does not suppress register-spill' "$program" check --rules speaker --baseline alike.json --allow-missing speaker.log

# ---- builds that give no baseline
expect 3 '/dev/null: error: no kernels' 'write of an empty input: status 3, no file' in_shell '"$program" baseline write new.json /dev/null; s=$?; test ! -e new.json && exit $s'
expect 3 'no baseline is written of a debug build' 'write of a debug build: status 3' "$program" baseline write new.json "$source/fixtures/debug/log.txt"
expect 3 'no baseline is written of an ambiguous log: several compilers' 'write of an interleaved log: status 3' "$program" baseline write new.json "$source/fixtures/interleaved/log.txt"
expect 3 'missing.log: error: cannot be opened' 'write with a missing log: status 3' "$program" baseline write new.json "$spill" missing.log
expect 0 '' 'the refused writes leave no file' test ! -e new.json

# ---- toolkits
cuda() { printf 'Cuda compilation tools, release %s, V%s.1\n' "$1" "$1"; }
{ cuda 12.4; kernel a 40 0 0; } >cuda12.log
{ cuda 13.0; kernel a 60 0 0; } >cuda13.log
"$program" baseline write t.json cuda12.log >/dev/null
expect 1 'drift: CUDA 13.0 compared with CUDA 12.4' 'a regression under another CUDA version: status 1 with a line about drift' "$program" check --baseline t.json cuda13.log
expect 0 '' 'drift is the first line of the report' in_shell '"$program" check --baseline t.json cuda13.log | head -n 1 | grep -q "^drift"'
expect 0 '1 finding is a note because CUDA changed' '--drift report makes the regression a note' "$program" check --drift report --baseline t.json cuda13.log
expect 1 'register-regression' '--drift fail keeps the regression a failure' "$program" check --drift fail --baseline t.json cuda13.log
expect 2 'fail or report' 'an unknown value of --drift: status 2' "$program" check --drift maybe --baseline t.json cuda13.log
expect 3 'no column of toolkit 13.0; .warplint baseline write. adds it' 'update with a toolkit that has no column: status 3' "$program" baseline update t.json cuda13.log
expect 0 '2 kernel x arch: 1 taken, 1 kept' 'write adds a column for the new toolkit' "$program" baseline write t.json cuda13.log
expect 0 'verdict: passed' 'a log of the new toolkit passes' "$program" check --baseline t.json cuda13.log
expect 0 'verdict: passed' 'a log of the old toolkit passes' "$program" check --baseline t.json cuda12.log
expect 3 'columns of several toolkits and the log does not say' 'several columns, and the log does not state its toolkit: status 3' in_shell 'grep -v Cuda cuda13.log >silent.log; "$program" check --baseline t.json silent.log'
expect 0 'verdict: passed' '--toolkit 13.0 selects the column of 13.0' "$program" check --toolkit 13.0 --baseline t.json silent.log
expect 1 'register-regression' '--toolkit 12.4 selects the column of 12.4' "$program" check --toolkit 12.4 --baseline t.json silent.log
expect 2 'a version like 12.4' '--toolkit with a value that is no version: status 2' "$program" check --toolkit thirteen --baseline t.json silent.log
expect 0 '"toolkit":"13.0"' 'NDJSON states the toolkit' "$program" report --format ndjson cuda13.log

{ cat silent.log; kernel c 30 0 0; } >silent2.log
"$program" baseline write v.json silent2.log >/dev/null
{ cuda 13.0; kernel a 58 0 0; kernel b 20 0 0; kernel c 30 0 0; } >cuda13b.log
expect 0 '1 taken, 1 better, 1 kept' 'update keeps the column of an unknown toolkit' "$program" baseline update v.json cuda13b.log
expect 0 'seen; [0-9]+ the same$' 'the updated column of an unknown toolkit passes' "$program" check --baseline v.json cuda13b.log
expect 0 '' 'write replaces the column when the toolkit is known' in_shell '"$program" baseline write v.json cuda13b.log && [ "$(grep -c kernel_id v.json)" = 3 ] && [ "$(grep -c "kernel_id.*toolkit" v.json)" = 3 ]'

# ---- no baseline in the repository: CI keeps that of the main branch
"$program" report -o ndjson=base.ndjson base.log >/dev/null
worse 40 4 4 16 24
expect 0 'verdict: passed' 'records as the baseline: the same log passes' "$program" check --baseline base.ndjson base.log
expect 1 'new-spill' 'records as the baseline: a new spill fails' "$program" check --baseline base.ndjson head.log
expect 1 '^to accept a finding: .allow. in .warplint.yaml$' 'records as the baseline: update is not advised, as there is no file to write' \
    "$program" check --baseline base.ndjson head.log
expect 0 'no worse than the baseline' 'a log as the baseline: the same log passes' "$program" check --baseline base.log base.log
expect 1 'baseline: 0 entries expected, 0 seen; 1 new' '--kernel excludes all entries, of records and of a baseline file: 0 expected' in_shell 'kernel() { sed "s/entry function .a./entry function '"'n'"'/; s/for a$/for n/" base.log; }; kernel >named.log; "$program" check --kernel "^n\$" --baseline base.ndjson named.log; "$program" check --kernel "^n\$" --baseline w.json named.log | grep "0 entries expected" && exit 1; exit 9'
expect 2 'the baseline has no kernels' 'records without kernels as the baseline: status 2' in_shell '"$program" report -o ndjson=no.ndjson /dev/null >/dev/null 2>&1; "$program" check --baseline no.ndjson base.log'
mkdir -p kept/x && cp base.ndjson kept/x/x.o.warplint.ndjson
expect 1 'new-spill' 'a folder of records as the baseline: a new spill fails' "$program" check --baseline kept head.log
expect 2 'was cut' 'truncated records as the baseline: status 2' in_shell 'head -n 3 base.ndjson >cut.ndjson; "$program" check --baseline cut.ndjson head.log'
expect 0 'no worse than the baseline' 'records as the baseline contain loop findings' in_shell '"$program" report -o ndjson=l.ndjson "$loops" >/dev/null; "$program" check --select unroll-failed --baseline l.ndjson "$loops"'

# ---- findings of pattern rules: their identity contains neither paths of this machine nor numbers
mkdir own
printf 'id: slow\nseverity: error\npattern: "^slow: (?<what>.*)"\nmessage: "{what}"\n' >own/slow.yaml
said() { { kernel a 40 0 0; echo "slow: $1 took $2 s in step/$3"; } >"$4.log"; }
said /home/me/a.cu 12 x slow
said /builds/7/a.cu 345 x later
said /home/me/b.cu 12 x other
said /home/me/a.cu 12 y step
"$program" baseline write --rules own slow.json slow.log >/dev/null
expect 0 '"a.cu took # s in step/x"' 'the stored text of a finding has no folders and no numbers' cat slow.json
expect 0 'no worse than the baseline' 'the same finding with another folder and number is known' "$program" check --rules own --baseline slow.json later.log
expect 1 'found: 1 error, .*1 no worse' 'a second occurrence of a known finding fails' in_shell 'cat slow.log later.log >twice.log; "$program" check --rules own --baseline slow.json twice.log'
expect 1 'b.cu took 12 s in step/x \[slow' 'the same finding on another file is new' "$program" check --rules own --baseline slow.json other.log
expect 1 'step/y \[slow' 'the same finding on another relative path is new' "$program" check --rules own --baseline slow.json step.log
{ cuda 12.4; cat slow.log; } >slow12.log
{ cuda 13.0; cat slow.log; } >slow13.log
{ cuda 13.0; kernel a 40 0 0; } >quick13.log
"$program" baseline write --rules own columns.json slow12.log >/dev/null
expect 0 'no worse than the baseline' 'a toolkit without a column: the finding is known' "$program" check --rules own --baseline columns.json slow13.log
"$program" baseline write --rules own columns.json quick13.log >/dev/null
expect 0 'no worse than the baseline' 'the toolkit of the column that has the finding: known' "$program" check --rules own --baseline columns.json slow12.log
expect 1 'a.cu took 12 s in step/x \[slow' 'the toolkit of the column that lacks the finding: new' "$program" check --rules own --baseline columns.json slow13.log

# ---- under wrap each compile is compared only with its own source's entries
cat >nvcc <<SAY
#!/bin/sh
cat "$work/unit.txt" >&2
: >"$work/x.o"
SAY
chmod +x nvcc
kernel a 40 0 0 >unit.txt
expect 0 '' 'wrap --baseline: an architecture that was not compiled is not missing' "$program" wrap --no-hook --no-remarks --baseline two.json -- ./nvcc -c a.cu -o x.o
kernel a 48 4 4 >unit.txt
expect 1 'new-spill' 'wrap --baseline: a new spill fails' "$program" wrap --no-hook --no-remarks --baseline two.json -- ./nvcc -c a.cu -o x.o
expect 2 'cut short' 'wrap --baseline with a truncated baseline: status 2' "$program" wrap --no-hook --no-remarks --baseline cut.json -- ./nvcc -c a.cu -o x.o

# ---- the file is always the old one or the new one
if [ -n "${WARPLINT_TEST_COVERAGE-}" ]; then
    echo "skipped: full disks and kills would tear the data of gcov too"
    finish
fi
cp b.json old.json
expect 3 '' 'write on a full disk: status 3' in_shell 'trap "" XFSZ; ulimit -f 0; "$program" baseline write old.json base.log'
expect 0 '' 'write on a full disk leaves the old file unchanged' cmp b.json old.json
expect 0 '' 'write on a full disk leaves no temporary file' in_shell '! ls | grep -q "old.json."'
i=0
while [ $i -lt 200 ]; do
    kernel "kernel_with_a_long_name_$i" 40 0 0
    i=$((i + 1))
done >some.log
i=0
while [ $i -lt 50 ]; do
    sed "s/long_name/name_$i/" some.log
    i=$((i + 1))
done >many.log
"$program" baseline write whole.json many.log >/dev/null
tries=${WARPLINT_TEST_QUICK:+10}
killed=0 try=0 torn=0
while [ $try -lt "${tries:-100}" ]; do
    cp b.json victim.json
    "$program" baseline write victim.json many.log >/dev/null 2>&1 &
    pid=$!
    sleep "0.$((try % 2))$((try * 7 % 10))$((try % 10))"
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
    if ! cmp -s victim.json b.json && ! cmp -s victim.json whole.json; then
        torn=$((torn + 1))
    fi
    try=$((try + 1))
done
if [ $torn = 0 ] && [ $killed -gt 0 ]; then ok 'a killed write leaves the old file or the new one'; else
    bad "a killed write leaves the old file or the new one: $killed of $try killed, $torn other files"
fi
expect 0 '10000 kernel x arch' 'write succeeds after killed writes' "$program" baseline write victim.json many.log

# ---- only findings that the baseline could contain are new: a log without remarks about loops, and one with them
cp "$source/fixtures/unroll-sm90/log.txt" remarks.log
grep -v '^remark: ' remarks.log | sed '/^$/d' >plain.log
"$program" baseline write --no-config plain.json plain.log >/dev/null
"$program" baseline write --no-config remarks.json remarks.log >/dev/null
"$program" report --no-config --format ndjson remarks.log >remarks.ndjson
"$program" report --no-config --format ndjson plain.log >plain.ndjson
loops=$("$program" check --no-config --format ndjson remarks.log | grep -c '"type":"finding","rule":"unroll')
[ "$loops" -ge 3 ] || bad "the log has fewer than 3 loop findings: $loops"
for base in plain.json plain.log plain.ndjson; do
    for head in remarks.log remarks.ndjson; do
        expect 0 "states nothing of loops: $loops findings of loops" "a baseline without loop remarks: no loop finding is new: $base, $head" "$program" check --no-config --baseline $base $head
        expect 0 '' "diff with a base without loop remarks: status 0: $base, $head" "$program" diff --no-config $base $head
    done
done
for head in plain.log plain.ndjson; do
    expect 0 'seen; [0-9]+ the same$' "a baseline with loop remarks, an input without: the same: $head" "$program" check --no-config --baseline remarks.json $head
    expect 0 '' "diff with loop remarks only in the base: status 0: $head" "$program" diff --no-config remarks.json $head
done
expect 0 '"toolkit":"13.0","loop_remarks":true|{"loop_remarks":true,"loops_by_kernel":true}' 'the file states that it has loop remarks, and loops by kernel' cat remarks.json
sed '/"rule":"unroll/d; s/,$//' remarks.json | awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) { n = line[i + 1]; printf "%s%s\n", line[i], line[i] ~ /^[{]./ && n ~ /^[{]/ || line[i] ~ /^[]]$/ && n ~ /^"/ || line[i] ~ /: 5$/ ? "," : "" } }' >silent.json
expect 1 'early_exit.*unroll-failed' 'a loop finding that a baseline with loop remarks lacks is new' "$program" check --no-config --baseline silent.json remarks.log
sed '/^"inputs"/,/^],/d; s/"warplint_baseline": 5/"warplint_baseline": 1/' remarks.json >older.json
expect 0 "$((loops + 1)) no worse than the baseline" 'a baseline of schema 1 with loop findings: they are known' "$program" check --no-config --baseline older.json remarks.log
sed 's/Used \([0-9]*\) registers/Used 2\1 registers/' remarks.log >grown.log
expect 1 'early_exit.*unroll-failed' 'a kernel is worse: its loop finding is new' "$program" check --no-config --baseline plain.json grown.log
sed 's/early_exit/other_exit/' remarks.log >other.log
expect 1 'other_exit.*unroll-failed' 'a kernel is not in the baseline: its loop finding is new' "$program" check --no-config --baseline plain.json other.log

# ---- one loop in several kernels: each is either accepted or new
lost() {
    echo "remark: a.cu:4:5: Starting analysis in loop, in function F[$1]..."
    echo 'remark: a.cu:4:5:       Loop has "#pragma unroll" (full unroll directive)'
    echo 'remark: a.cu:4:5: Unable to fully unroll loop as directed by unroll(full) pragma because it cannot.'
}
of_loop() { # the kernels, of which the loop of the first COUNT is lost
    count=$1
    shift
    for name; do [ "$count" -gt 0 ] && lost "$name"; count=$((count - 1)); done
    for name; do kernel "$name" 40 0 0; done
}
of_loop 2 first second third >two-lost.log
of_loop 3 first second third >all-lost.log
of_loop 4 first second third fourth >new-lost.log
"$program" baseline write --no-config lost.json two-lost.log >/dev/null
expect 0 '2 no worse than the baseline' 'the loop findings of two kernels are known' "$program" check --no-config --baseline lost.json two-lost.log
expect 1 'third.*unroll-failed.$' 'a third kernel loses the loop: new' "$program" check --no-config --baseline lost.json all-lost.log
expect 1 'fourth.*unroll-failed' 'a new kernel loses the loop: new' "$program" check --no-config --baseline lost.json new-lost.log
sed 's/"warplint_baseline": 5/"warplint_baseline": 2/; s/,"loops_by_kernel":true//' lost.json | grep -v '"kernel_id":"first","source"' >worst.json
expect 0 '3 no worse than the baseline' 'schema 2 stores the loop of the worst kernel: the others are known' "$program" check --no-config --baseline worst.json all-lost.log
expect 1 'fourth.*unroll-failed.$' 'schema 2: the loop of a new kernel is new' "$program" check --no-config --baseline worst.json new-lost.log
"$program" baseline update --no-config worst.json all-lost.log >/dev/null
expect 0 '3 no worse than the baseline' 'schema 2: the three kernels are known after an update' "$program" check --no-config --baseline worst.json all-lost.log

of_loop 1 first >unit1.log
for at in 2 3; do cp unit1.log unit$at.log; done
"$program" baseline write --no-config units.json unit1.log unit2.log >/dev/null
expect 0 '3 no worse than the baseline' 'a third file has the header kernel with its loop: known' "$program" check --no-config --baseline units.json unit1.log unit2.log unit3.log
sed 's/"count":2}/"count":1}/' units.json >once.json
expect 0 '2 no worse than the baseline' 'the baseline counts the loop once, the input twice: known' "$program" check --no-config --baseline once.json unit1.log unit2.log
sed 's/Used 40/Used 80/' unit3.log >grown3.log
expect 1 'first.*unroll-failed' 'the kernel is worse in the third file: its loop is new' "$program" check --no-config --baseline units.json unit1.log unit2.log grown3.log
lost first | cat - unit2.log | sed '1,3s/:4:/:9:/' >other-loop.log
expect 1 'cu:9:5: .*unroll-failed' 'another loop of the kernel: new' "$program" check --no-config --baseline units.json unit1.log unit2.log other-loop.log

compile_loops() { # FILE, and the arguments of of_loop
    echo "nvcc -Xptxas=-v -c $1 -o k.o"
    file=$1
    shift
    of_loop "$@" | sed "s/a\.cu/$file/"
}
for name in a b; do compile_loops $name.cu 1 first second >named-$name.log; done
"$program" baseline write --no-config named.json named-a.log >/dev/null
expect 0 '1 no worse than the baseline' 'a renamed source: its loop is known' "$program" check --no-config --baseline named.json named-b.log
compile_loops b.cu 2 first second >named-two.log
expect 1 'second.*unroll-failed' 'a renamed source: the loop of a second kernel is new' "$program" check --no-config --baseline named.json named-two.log
{ cat named-a.log; compile_loops b.cu 1 third; } >named-other.log
expect 1 'third.*unroll-failed' 'a second source with another kernel: its loop is new' "$program" check --no-config --baseline named.json named-other.log

# ---- fewer new instances than removed ones: a new one that is worse than all of them has replaced one
instances() { echo 'nvcc -Xptxas=-v -c k.cu -o k.o'; for size; do kernel "_Z1kILi${size%:*}ELb1EEvPf" "${size#*:}" 0 0; done; }
instances 32:24 256:24 64:24 >sizes.log
instances 64:24 512:48 >fewer-sizes.log
instances 64:24 512:24 >good-sizes.log
instances 32:24 256:48 64:24 >mixed.log
"$program" baseline write --no-config sizes.json sizes.log >/dev/null
"$program" baseline write --no-config mixed.json mixed.log >/dev/null
expect 1 'is worse than k<256, true>, which it may replace.*successor-regression' 'a new instance that is worse than both removed ones: successor-regression' "$program" check --no-config --baseline sizes.json fewer-sizes.log
expect 0 '1 replaced|2 gone' 'a new instance that is as good as the removed ones: passed' "$program" check --no-config --baseline sizes.json good-sizes.log
expect 0 '' 'a new instance that is as good as one of the removed ones: passed' "$program" check --no-config --baseline mixed.json fewer-sizes.log

# ---- custom rules: `worst` decides what is worse
printf 'rules: {big: {severity: error, title: big, when: registers > 128, message: "{registers} registers", worst: registers}}\n' >own.yaml
own() { for n in base:136 same:136 more:150 fewer:130; do kernel a "${n#*:}" 0 0 >"own-${n%:*}.log"; done; kernel a 126 0 0 >own-below.log; }
own
"$program" baseline write --config own.yaml own.json own-base.log >/dev/null
expect 0 'no worse than the baseline' 'a known finding of a custom rule: passed' "$program" check --config own.yaml --baseline own.json own-same.log
expect 0 'no worse than the baseline' 'a custom rule with a smaller `worst`: passed' "$program" check --config own.yaml --baseline own.json own-fewer.log
expect 1 'error: .*150 registers .before: 136 registers. \[big\]' 'a custom rule with a larger `worst` fails, although no block is lost' "$program" check --config own.yaml --baseline own.json own-more.log
expect 1 '1 entry expected, 1 seen; 1 changed \(1 fails\)' 'the kernel with that finding counts as changed' "$program" check --config own.yaml --baseline own.json own-more.log
expect 0 'passed' 'without the custom rule, more registers that cost no block: passed' "$program" check --no-config --baseline own.json own-more.log
for n in 217 254 255; do kernel a "$n" 0 0 >"near-$n.log"; done
"$program" baseline write --no-config near.json near-217.log >/dev/null
expect 1 'warning: .*255 registers per thread.* .before: 217 registers. \[register-ceiling\]' 'register-ceiling at 255 registers is new, although no block is lost' \
    "$program" check --no-config --baseline near.json near-255.log
expect 0 'passed' '254 registers: no register-ceiling' "$program" check --no-config --baseline near.json near-254.log
"$program" baseline write --no-config near.json near-255.log >/dev/null
expect 0 'passed' 'a known register-ceiling: passed' "$program" check --no-config --baseline near.json near-255.log
"$program" baseline write --config own.yaml below.json own-below.log >/dev/null
expect 1 '130 registers \[big\]|130 registers .before' 'a custom rule that did not fire on the numbers of the baseline fails' "$program" check --config own.yaml --baseline below.json own-fewer.log
expect 0 '1 worse and not taken' 'update does not take a kernel that fails a custom rule' "$program" baseline update --config own.yaml own.json own-more.log
expect 0 '1 accepted' 'update --accept takes a kernel that fails a custom rule' "$program" baseline update --config own.yaml --accept a --reason meant own.json own-more.log
expect 0 'no worse than the baseline' 'the kernel accepted despite a custom rule passes' "$program" check --config own.yaml --baseline own.json own-more.log

# ---- metrics that baselines do not store, and budgets
printf 'rules: {slow: {severity: error, title: slow, when: compile_ms > 1 ms, message: "{compile_ms}"}}\n' >slow.yaml
timed() { kernel a "$1" 0 0 && echo "ptxas info    : Compile time = $2 ms"; }
timed 40 0.5 >slow-base.log && timed 40 9 >slow-same.log && timed 200 9 >slow-worse.log
"$program" baseline write --config slow.yaml slow.json slow-base.log >/dev/null
expect 0 'not compared: 1 finding of rules that ask for numbers which a baseline does not store' 'a rule on a metric that baselines do not store: counted as not compared' "$program" check --config slow.yaml --baseline slow.json slow-same.log
expect 1 'error: .*\[slow\]' 'a rule on such a metric, and the kernel is worse: new' "$program" check --config slow.yaml --baseline slow.json slow-worse.log
printf 'kernels: [{match: a, max-spill: 32 B}]\nrules: {spill-regression: {params: {more_bytes: 64 B}}}\n' >budget.yaml
kernel a 40 16 16 >budget-base.log && kernel a 40 20 20 >budget-more.log
"$program" baseline write --config budget.yaml budget.json budget-base.log >/dev/null
expect 1 '40 B of spills .max-spill 32 B.*\[over-budget\]' 'a budget that is exceeded only now fails' "$program" check --config budget.yaml --baseline budget.json budget-more.log
sed 's/32 B/16 B/' budget.yaml >less.yaml
expect 0 'no worse than the baseline' 'a budget that was exceeded before is known' "$program" check --config less.yaml --baseline budget.json budget-base.log

printf 'rules: {mine: {severity: error, title: mine, when: registers > 62 and textures == 0, message: "{registers}"}}\n' >part.yaml
kernel a 60 0 0 >part-base.log && kernel a 64 0 0 >part-head.log
expect 1 '64 .before: 60. \[mine\]' 'the stored metrics show that the rule did not fire before: new' "$program" check --config part.yaml --baseline part-base.log part-head.log
expect 0 'not compared: 1 finding' 'the stored metrics do not show whether the rule fired before: not compared' "$program" check --config part.yaml --baseline part-head.log part-head.log
expect 0 'not compared: 1 finding' 'a renamed kernel, and a rule on a metric that is not stored: not compared' in_shell '
    sed "s/'"'"'a'"'"'/'"'"'_Z4gemmILi128EEvPf'"'"'/; s/for a$/for _Z4gemmILi128EEvPf/" slow-same.log >g128.log
    sed "s/128/256/" g128.log >g256.log
    "$program" check --config slow.yaml --baseline g128.log g256.log'
barriers() { kernel a 40 0 0 | sed "s/used [0-9]* barriers/used $1 barriers/"; }
barriers 2 >two.log && barriers 6 >six.log
printf 'kernels: [{match: a, max-registers: 32, max-barriers: 4}]\n' >both.yaml
expect 1 '6 named barriers .max-barriers 4.*\[over-budget\]' 'a second budget is exceeded: fails' "$program" check --config both.yaml --baseline two.log six.log
expect 0 'no worse than the baseline' 'the same budget is exceeded: known' "$program" check --config both.yaml --baseline two.log two.log
barriers 5 >five.log
expect 1 '6 named barriers' 'a budget is exceeded by more than before: fails' "$program" check --config both.yaml --baseline five.log six.log
expect 0 'no worse than the baseline' 'a budget is exceeded by less than before: known' "$program" check --config both.yaml --baseline six.log five.log
kernel a 30 0 0 | sed 's/used 0 barriers/used 6 barriers/' >other.log
printf 'kernels: [{match: a, max-registers: 32, max-barriers: 4}]\nrules: {register-regression: off}\n' >both.yaml
expect 1 '40 registers .max-registers 32' 'another budget is exceeded than before: fails' "$program" check --config both.yaml --baseline other.log two.log

# ---- rules that use the launch configuration evaluate the earlier kernel with the earlier configuration
printf 'kernels: [{match: a, threads: 128, dynamic-smem: 16KiB, max-smem: 48KiB}]\n' >then.yaml
sed 's/16KiB/64KiB/' then.yaml >now.yaml
"$program" baseline write --config then.yaml then.json two.log >/dev/null
expect 0 'no worse than the baseline' 'the same launch configuration: known' "$program" check --config then.yaml --baseline then.json two.log
expect 1 '65536 B of shared memory .max-smem 49152 B.*\[over-budget\]' 'more dynamic shared memory exceeds max-smem: fails' "$program" check --config now.yaml --baseline then.json two.log
"$program" baseline write --config now.yaml now.json two.log >/dev/null
expect 0 'no worse than the baseline' 'as much dynamic shared memory as before exceeds max-smem: known' "$program" check --config now.yaml --baseline now.json two.log
printf 'rules: {wide: {severity: error, title: wide, when: threads > 200, message: "{threads} threads"}}\n' >wide.yaml
"$program" baseline write --config wide.yaml --threads 128 wide.json two.log >/dev/null
expect 1 '256 threads .before: 128 threads. \[wide\]' 'a custom rule on the block size, which grew: fails' "$program" check --config wide.yaml --threads 256 --baseline wide.json two.log
"$program" baseline write --config wide.yaml wide.json two.log >/dev/null
expect 0 'not compared: 1 finding' 'a custom rule on a block size that the baseline does not state: not compared' "$program" check --config wide.yaml --threads 256 --baseline wide.json two.log
printf 'kernels: [{match: a, dynamic-smem: 64KiB, max-smem: 48KiB, max-registers: 32}]\n' >dynamic.yaml
printf 'rules: {large: {severity: error, title: large, when: smem_per_block_bytes > 50000, message: "{smem_per_block_bytes}"}}\n' >large.yaml
printf 'rules: {open: {severity: error, title: open, when: known(threads) and not known(dynamic_smem_bytes), message: "{threads}"}}\n' >open.yaml
"$program" baseline write --no-config none.json two.log >/dev/null
expect 0 'no worse than the baseline' 'dynamic shared memory exceeds max-smem, and the baseline states none: known' "$program" check --config dynamic.yaml --baseline none.json two.log
expect 0 'not compared: 1 finding' 'a custom rule on dynamic shared memory that the baseline does not state: not compared' "$program" check --config large.yaml --dynamic-smem 64KiB --baseline none.json two.log
expect 0 'no worse than the baseline' 'a custom rule that fires if dynamic shared memory is unknown, as before: known' "$program" check --config open.yaml --threads 128 --baseline two.log two.log
kernel a 49 0 0 >r49.log && kernel a 50 0 0 >r50.log
"$program" baseline write --no-config --threads 512 r49.json r49.log >/dev/null
expect 0 'no worse than the baseline' 'built-in rules evaluate the earlier kernel with the present block size' "$program" check --no-config --threads 256 --baseline r49.json r50.log
launches() {
    echo 'Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Name'
    for megabytes; do echo "667100000,2100,113,64,1,1,256,1,1,40,0.000,$megabytes,a"; done
}
launches 0.060 0.060 >often.csv && launches 0.010 0.010 0.090 >once.csv
printf 'kernels: [{match: a, max-smem: 48KiB}]\n' >smem.yaml
"$program" baseline write --config smem.yaml --launches often.csv often.json two.log >/dev/null
expect 1 '90112 B of shared memory' 'one launch of a profile exceeds max-smem by more than before: fails' "$program" check --config smem.yaml --launches once.csv --baseline often.json two.log
profiles=$source/tests/data/profiles
printf 'rules: {idle: {severity: error, title: idle, when: achieved_occupancy < 0.3, message: "{achieved_occupancy}"}}\n' >idle.yaml
expect 0 'not compared: 4 findings' 'a rule on a metric of a profile, which baselines do not store: not compared' "$program" check --config idle.yaml --launches "$profiles/real-details.csv" --baseline "$profiles/real.log" "$profiles/real.log"

# ---- a baseline that lacks metrics gets those of a build
kernel a 40 0 0 >whole.log && kernel b 40 16 16 >>whole.log
"$program" baseline write --no-config whole.json whole.log >/dev/null
sed 's/"registers":40,//' whole.json >lacks.json
expect 3 '2 of 2 kernel x arch may be worse: the baseline does not state .* `warplint baseline update` takes' 'a baseline without registers: check has status 3' "$program" check --no-config --baseline lacks.json whole.log
expect 3 'may be worse' 'a baseline without registers: diff has status 3' "$program" diff --no-config lacks.json whole.log
expect 0 '2 kernel x arch: 2 taken' 'update adds the missing registers' "$program" baseline update --no-config lacks.json whole.log
expect 0 '' 'the updated file equals the complete one' cmp whole.json lacks.json
sed 's/"spill_[a-z]*_bytes":16,//g' whole.json >lacks.json
expect 0 '1 kept, 1 worse and not taken' 'update does not add the spills of a kernel that fails' "$program" baseline update --no-config lacks.json whole.log
expect 0 '1 accepted' 'update --accept adds the spills of a kernel that fails' "$program" baseline update --no-config --accept b --reason meant lacks.json whole.log

finish
