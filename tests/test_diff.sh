#!/bin/sh
# usage: test_diff.sh PROGRAM SOURCE_DIR
#
# diff: golden outputs for two builds with the real nvcc in every format, the table of renamed kernels, inputs, exit
# statuses and errors. WARPLINT_UPDATE=1 rewrites the golden outputs; read the difference.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
golden=$source/tests/golden/diff
for name in changed renamed; do
    cp "$source/fixtures/$name-before/log.txt" "$work/$name-before.log"
    cp "$source/fixtures/$name-after/log.txt" "$work/$name-after.log"
done
export program

nothing() # title: nothing was said
{
    if [ -s said ]; then bad "$1"; else ok "$1"; fi
}

expect 0 'warning: BASE and HEAD are one file' 'BASE and HEAD are one file: a warning' "$program" diff --no-config "$source/fixtures/clean/log.txt" "$source/fixtures/clean/log.txt"

{ cat "$source/fixtures/clean/log.txt"; echo 'make: *** [Makefile:2: all] Error 2'; } >ended.log
expect 0 'verdict: passed, no errors or warnings in what was judged' 'HEAD ended with an error of the build: the verdict is limited to what was judged' "$program" diff --no-config "$source/fixtures/clean/log.txt" ended.log

# ---- golden outputs
for name in changed renamed; do
    for format in text markdown json ndjson csv; do
        "$program" diff --no-config --all --format $format $name-before.log $name-after.log >$name.$format 2>&1
        [ -z "${WARPLINT_UPDATE:-}" ] || cp $name.$format "$golden/$name.$format"
        diff -u "$golden/$name.$format" $name.$format >said 2>&1
        nothing "$name as $format"
    done
done
awk 'length($0) > 80' changed.text renamed.text >said
nothing "text fits 80 columns"

# ---- renamed kernels: the table contains all of them
"$program" diff --no-config --format csv renamed-before.log renamed-after.log | tr -d '\r' >rows
grep -v '^#' "$source/tests/data/renames.tsv" >table
cut -f 1,2 table | grep -v -- '^-	\|	-$' >expected.renamed
sed -n 's/^\[renamed\]  //p' renamed.text >now
sed -n 's/^      was  //p' renamed.text >was
paste was now | sed 's/gets_a_parameter([^	]*)/gets_a_parameter/g; s/was_c(float\*)/was_c/' | sort -u >seen.renamed
sort -u expected.renamed | diff - seen.renamed >said
nothing "text lists every renamed kernel of tests/data/renames.tsv, and no other ($(wc -l <seen.renamed))"
[ "$(wc -l <seen.renamed)" -ge 10 ] || echo "fewer than ten" >said
nothing "text lists at least ten renamed kernels"
for state in new gone; do # which of them others replaced is no matter here
    [ $state = new ] && cut -f 1,2 table | sed -n 's/^-	//p' | sort >expected || cut -f 1,2 table | sed -n 's/	-$//p' | sort >expected
    sed -n "s/^$state,[^,]*,\([^,]*\),sm_80,.*/\1/p" renamed.csv | sed 's/~.*//' | sort | diff expected - >said
    nothing "kernels that the table marks as $state are $state"
done

# ---- long names of which only the parameters differ: their labels, with the parameters from the first different one on
long=_ZN30a_namespace_with_a_long_name__25kernel_with_a_long_name__IfLi128ELi64ELb1EEEvPfPKfi
for parameters in '' l; do
    {
        echo "ptxas info    : Compiling entry function '$long$parameters' for 'sm_80'"
        echo "ptxas info    : Function properties for $long$parameters"
        echo '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
        echo 'ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]'
    } >long$parameters.log
done
expect 0 'renamed\]  \.\.\.::kernel_with_a_long_name__<float, 128, 64, true>\(\.\.\., int, long\)$' 'a long name gets a parameter: the label with it' "$program" diff --no-config long.log longl.log
expect 0 'was  \.\.\.::kernel_with_a_long_name__<float, 128, 64, true>\(\.\.\., int\)$' 'a long name gets a parameter: the label without it' "$program" diff --no-config long.log longl.log

# ---- a new lambda before others renumbers those after it (tests/data/lambdas)
"$program" diff --no-config --all --format csv "$source/tests/data/lambdas/before.log" "$source/tests/data/lambdas/after.log" |
    sed -n 's/^\([a-z]*\),_Z4eachIZ3runPfS0_iEUliE\([0-9]*\)_EviT_,"[^"]*",sm_80,,\([^,]*\),.*/\1 \2 \3/p' | sort >lambdas
cat >expected <<END
new  
renamed 0 _Z4eachIZ3runPfS0_iEUliE_EviT_
renamed 2 _Z4eachIZ3runPfS0_iEUliE1_EviT_
worse 1 _Z4eachIZ3runPfS0_iEUliE0_EviT_
END
diff expected lambdas >said
nothing 'lambdas renumbered by a new one are compared with themselves'

# ---- static kernels of one name in two checkouts (tests/data/checkouts): each has its own source, and the rows name it
expect 1 '26 -> 38  64 -> 48  sm_90  scan \(in new/src/x.cu\) \[register-regression\]' 'two checkouts with two kernels of one name: the worse one' \
    "$program" diff --no-config "$source/tests/data/checkouts/old.log" "$source/tests/data/checkouts/new.log"
expect 1 '38 -> 26  48 -> 64  sm_90  scan \(in new/src/y.cu\)' 'two checkouts with two kernels of one name: the better one' \
    "$program" diff --no-config "$source/tests/data/checkouts/old.log" "$source/tests/data/checkouts/new.log"

# ---- findings on messages have no row: they are listed with their place
loops=$source/fixtures/unroll-outcomes/log.txt
"$program" baseline write --no-config loops.json "$loops" >/dev/null 2>&1
sed -i '/"rule":"unroll-failed".*block_stride_fully/d' loops.json
expect 1 '^loops.cu:41:5: warning: block_stride_fully: not unrolled' 'a loop finding is listed with its line' "$program" diff --no-config loops.json "$loops"
expect 0 '' 'a loop finding is wrapped at 80 columns' in_shell '"$program" diff --no-config loops.json "'"$loops"'" | awk "length(\$0) > 80" >said; test ! -s said'
expect 1 '^- loops.cu.*41.*5: warning: block_stride_fully: not unrolled' 'Markdown lists a loop finding' "$program" diff --no-config --format markdown loops.json "$loops"
expect 0 '' 'a known loop finding is not listed' in_shell '! "$program" diff --no-config loops.json "'"$loops"'" | grep -q by_5000'

# ---- a kernel without spills has none in loops, also if its record does not say so
"$program" report --no-config -o ndjson=- "$source/fixtures/register-spill/log.txt" >unlocated.ndjson 2>/dev/null
sed 's/"spill_bytes_in_loops":null,"spill_depth":null/"spill_bytes_in_loops":88,"spill_depth":1/' unlocated.ndjson >spilled.ndjson
sed 's/"spill_store_bytes":[0-9]*,"spill_load_bytes":[0-9]*/"spill_store_bytes":0,"spill_load_bytes":0/' unlocated.ndjson >unspilled.ndjson
expect 0 ' 88 -> 0 ' 'spills in loops are gone: 88 -> 0' "$program" diff --no-config spilled.ndjson unspilled.ndjson
expect 1 ' 0 -> 88 ' 'spills in loops are new: 0 -> 88' "$program" diff --no-config unspilled.ndjson spilled.ndjson
sed 's/"bound_threads":null,"bound_from":null/"bound_threads":1024,"bound_from":"launch-bounds"/; s/"registers":[0-9]*/"registers":32/' unlocated.ndjson >bounded.ndjson
sed 's/"registers":[0-9]*/"registers":128/' unlocated.ndjson >unbounded.ndjson
expect 0 '"base":[^}]*"warps_per_sm":0,[^}]*[}],"head":[^}]*"warps_per_sm":64,.*"delta":[^}]*"warps_per_sm":64,' \
    'NDJSON: both sides have the warps at the launch bound of HEAD' "$program" diff --no-config --format ndjson unbounded.ndjson bounded.ndjson
expect 0 '0 -> 64 ' 'text: both sides have the warps at the launch bound of HEAD' "$program" diff --no-config unbounded.ndjson bounded.ndjson

# ---- a kernel compared with itself, for every kind of input
diff_of='"$program" diff --no-config'
export diff_of
"$program" report --no-config --format ndjson changed-before.log >before.ndjson
"$program" report --no-config --format ndjson changed-after.log >after.ndjson
mkdir before after
cp before.ndjson before/x.warplint.ndjson
cp after.ndjson after/x.warplint.ndjson
"$program" baseline write --no-config before.json changed-before.log >/dev/null 2>&1
"$program" baseline write --no-config after.json changed-after.log >/dev/null 2>&1
for base in changed-before.log before.ndjson before before.json; do
    expect 0 'compared: 20 kernel x arch: 20 the same' "nothing changed: $base" "$program" diff --no-config $base changed-before.log
    for head in changed-after.log after.ndjson after after.json; do
        "$program" diff --no-config --all $base $head >seen 2>&1
        diff changed.text seen >said
        nothing "$base against $head"
    done
done
expect 1 'spill-regression 2' 'HEAD from standard input' in_shell '"$program" diff --no-config before.ndjson - <changed-after.log'
"$program" merge before.ndjson before.ndjson >merged.ndjson
expect 0 'compared: 20 kernel x arch: 20 the same' 'a merged stream as HEAD' "$program" diff --no-config before.ndjson merged.ndjson

# ---- totals: each record counts once, however many records it is compared with
kernel() # name, registers
{
    echo "ptxas info    : Compiling entry function '$1' for 'sm_80'"
    echo "ptxas info    : Function properties for $1"
    echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
    echo "ptxas info    : Used $2 registers, used 0 barriers, 368 bytes cmem[0]"
}
{ kernel both_8_gpu 40 && kernel both_12_gpu 40 && kernel one 40; } >alike.log
{ kernel both_9_gpu 40 && kernel both_13_gpu 60 && kernel one 48; } >parted.log
expect 1 '^warning  40 -> 60  48 -> 32  sm_80  both_L_gpu .register-regression.$' 'a table with few columns shows values of both sides' "$program" diff --no-config alike.log parted.log
expect 1 '"head":{"records":3,"registers":148' 'two equal kernels become different: both count once in the totals' "$program" diff --no-config --format json alike.log parted.log
expect 0 '"head":{"records":3,"registers":120' 'two different kernels become equal: both count once in the totals' "$program" diff --no-config --format json parted.log alike.log

# ---- barriers have a column if they changed
kernel one 40 >still.log
sed 's/used 0 barriers/used 1 barriers/' still.log >waits.log
{ cat waits.log; kernel two 40 | sed 's/used 0 barriers/used 2 barriers/'; } >waits-too.log
expect 0 '^ +0 -> 1  sm_80  one$' 'only barriers changed: a column of barriers' "$program" diff --no-config still.log waits.log
expect 0 'changed . `one` . sm_80 . 0 → 1 .$' 'only barriers changed: a column of barriers in Markdown' "$program" diff --no-config --format markdown still.log waits.log
expect 0 '^ +regs  warps  arch$' 'only a new kernel has other barriers: no column of barriers' "$program" diff --no-config --all waits.log waits-too.log

# ---- rows that are equal in everything else are ordered by architecture
{ sed 's/sm_80/sm_100/' still.log; cat still.log; } >two-archs.log
{ sed 's/sm_80/sm_100/; s/used 0 b/used 2 b/' still.log; cat waits.log; } >two-wait.log
expect 0 'sm_80.*sm_100' 'diff sorts equal rows by architecture: sm_80 before sm_100' in_shell '"$program" diff --no-config two-archs.log two-wait.log | grep " one$" | tr "\n" " "'
expect 0 'one  *sm_80 .*  sm_100 ' 'report sorts architectures: sm_80 before sm_100' in_shell '"$program" report --no-config two-archs.log | tr "\n" " "'

# ---- statuses
expect 1 'verdict: FAILED, 6 errors and 6 warnings' 'new and worse findings: status 1' "$program" diff --no-config before after
expect 0 'verdict: not asked for' '--fail-on never: status 0' "$program" diff --no-config --fail-on never before after
expect 1 'FAILED, 6 errors' '--fail-on error: status 1 for errors' "$program" diff --no-config --fail-on error before after
expect 1 'failing: smem-regression 2$' '--select limits the rules' "$program" diff --no-config --select smem-regression before after
expect 0 'verdict: passed' '--ignore of all failing rules: passed' "$program" diff --no-config --ignore spill-,new-,register-,occupancy-,smem-,stack- before after
expect 1 'FAILED, 3 errors and 3 warnings' '--arch limits the architectures' "$program" diff --no-config --arch sm_80 before after
expect 0 'compared: 2 kernel x arch: 2 the same' '--kernel limits the kernels' "$program" diff --no-config --kernel '^stays' before after
printf 'rules:\n  spill-regression: {params: {more_bytes: 2000}}\n  new-spill: off\n' >tolerant.yaml
expect 1 'failing: register-regression 4, register-spill [46], smem-regression 2$' 'parameters and severities of the configuration are used' \
    "$program" diff --config tolerant.yaml before after
expect 0 '' '-q prints nothing if the comparison passes' in_shell '"$program" diff -q --no-config before before >q && test ! -s q'

# ---- the order of architectures does not matter, also for renamed kernels
"$program" report --no-config --format ndjson renamed-after.log >straight.ndjson
for lines in '"type":"run"' '"type":"log"' '"arch_inferred":"sm_90"' '"arch_inferred":"sm_80"' '"type":"end"'; do
    grep "$lines" straight.ndjson
done >turned.ndjson
for records in straight turned; do
    "$program" diff --no-config --all --format csv renamed-before.log $records.ndjson | sort >$records.csv
done
diff straight.csv turned.csv >said
nothing 'another order of architectures gives the same rows'

# ---- a check against a baseline knows renamed kernels too
"$program" baseline write --no-config known.json renamed-before.log >/dev/null 2>&1
expect 0 '^renamed: .* was .* \(sm_80 sm_90\).*; `baseline update`' 'check lists renamed kernels' \
    "$program" check --all --no-config --baseline known.json renamed-after.log

# ---- other parameters: the kernel is still compared
sed 's/_Z14more_registersPfi/_Z14more_registersPfilllllllllllllllll/; s/_Z11spills_morePfi/_Z11spills_morePfdi/' changed-after.log >other-after.log
sed 's/_Z11spills_morePfi/_Z11spills_morePfdi/' changed-before.log >other-before.log
"$program" diff --no-config --all changed-before.log other-after.log | sed '/^compared/,/them renamed/d; s/ (parameters changed)//' >seen
sed '/^compared/,/them renamed/d' changed.text | diff - seen >said
nothing 'kernels with other parameters have the same regressions'
expect 0 'compared: 20 kernel x arch: 20 the same; 2 of them renamed$' 'kernels with other parameters and the same spills: the same' "$program" diff --no-config changed-before.log other-before.log
expect 0 '' 'check: kernels with other parameters and the same spills pass' in_shell '
    "$program" baseline write --no-config spilling.json changed-before.log && ! "$program" check --no-config changed-before.log >seen &&
    "$program" check --no-config --baseline spilling.json other-before.log'
expect 0 '20 kept, 2 under new names$' 'update stores the new names' "$program" baseline update --no-config spilling.json other-before.log
expect 0 '20 entries expected, 20 seen; 20 the same' 'after the update no kernel is gone or new' \
    "$program" check --no-config --baseline spilling.json other-before.log
expect 0 '' 'after the update no parameters are reported as changed' in_shell '! "$program" check --no-config --baseline spilling.json other-before.log | grep -q parameters'
expect 1 'more_registers .* registers per thread, .* in the baseline.*register-regression' 'a kernel with other parameters and more registers: register-regression' \
    "$program" check --no-config --baseline spilling.json other-after.log
expect 0 '12 worse and not taken, .*4 under new names$' 'update does not take worse kernels with other parameters' \
    "$program" baseline update --no-config spilling.json other-after.log
expect 1 '12 worse' 'after that update the kernels are still worse' "$program" check --no-config --baseline spilling.json other-after.log

cp "$source/fixtures/launch-bounds-ignored/log.txt" ignored.log
sed 's/_Z5crowdPf/_Z5crowdPfi/g; s/_Z5twicePf/_ZN1n5twiceEPf/g' ignored.log >ignored-after.log
"$program" baseline write --no-config ignored.json ignored.log >/dev/null 2>&1
expect 0 '7 no worse than the baseline' 'known messages of renamed kernels are known' "$program" check --no-config --baseline ignored.json ignored-after.log
"$program" baseline update --no-config ignored.json ignored-after.log >/dev/null 2>&1
expect 0 '7 no worse than the baseline' 'after an update messages of renamed kernels are known' "$program" check --no-config --baseline ignored.json ignored-after.log
expect 0 '' 'after an update the baseline has no old names' in_shell '! grep -q -e crowdPf\" -e _Z5twice ignored.json'

# ---- one cause gives one finding: the finding on a regression also says which occupancy step it crossed
step() # registers
{
    printf "%s\n" "ptxas info    : Compiling entry function 'k' for 'sm_80'" 'ptxas info    : Function properties for k' \
        '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "ptxas info    : Used $1 registers, 0 barriers"
}
step 40 >step-before.log
step 50 >step-after.log
expect 1 '50 registers per thread, 40 in the baseline; occupancy 56.2 %, was 75 %; 48 registers would give 62.5 %' 'register-regression names the next occupancy step' \
    "$program" check --no-config --baseline step-before.log step-after.log
expect 1 'found: 0 errors, 1 warning, 0 notes$' 'register-regression is the only finding' "$program" check --no-config --baseline step-before.log step-after.log

# ---- another list of template parameters: which instance replaced which
instance() # name registers stack
{
    printf "%s\n" "ptxas info    : Compiling entry function '$1' for 'sm_80'" "ptxas info    : Function properties for $1" \
        "    $3 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads" "ptxas info    : Used $2 registers, 0 barriers"
}
{ instance _Z4samePf 24 0; instance _Z1kILi1EEvPf 30 0; instance _Z1kILi2EEvPf 40 128; instance _Z1lILi2EEvPf 40 0; } >list-before.log
{ instance _Z4samePf 24 0; instance _Z1kILi1ELb0EEvPf 30 0; instance _Z1kILi1ELb1EEvPf 50 0; instance _Z1kILi2ELb1EEvPf 40 144; instance _Z1mILi2EEvPf 40 0; } >list-after.log
"$program" diff --no-config list-before.log list-after.log >list.text
expect 0 '^  k<[*], true> .may replace 2 that are gone; the best new one is judged.$' 'diff prints the template once for its instances' cat list.text
expect 0 '^warning  30 -> 50           0  64 -> 36  sm_80  1 .occupancy-cliff.$' 'diff prints the differing argument of each instance' cat list.text
expect 0 '^not shown: 1 new, warps and spills at least as good as what they may' 'diff counts new instances that are as good' cat list.text
expect 1 '^[|] [*][*]new[*][*], warning: occupancy-cliff [|] `1` [|] sm_80 [|] 30 → 50 [|] 0 [|] 64 → 36 [|]$' 'Markdown prints the differing argument of each instance' \
    "$program" diff --no-config --format markdown list-before.log list-after.log
unstated() { instance "$1" 40 800 >one.log; "$program" report --no-config -o ndjson=- one.log | sed 's/"registers":40/"registers":null/'; }
unstated _Z1fILi4EEvv >four.ndjson
unstated _Z1fILi8EEvv | sed 's/\("spill_[a-z]*_bytes":\)0/\1800/g' >eight.ndjson
expect 1 ' f<4>, which it may replace: 1600 B of spills, before 0 B of spills .successor-regression' 'unknown registers are left out of successor-regression' \
    "$program" check --no-config --baseline four.ndjson eight.ndjson
instance _Z26layernorm_backward_kernel2Pf 30 0 >plain-before.log
instance _Z26layernorm_backward_kernel2I13__nv_bfloat16S0_S0_EvPT_ 30 0 >typed-after.log
"$program" diff --no-config --all plain-before.log typed-after.log >typed.text
expect 0 '^           layernorm_backward_kernel2<.*__nv_bfloat16>$' 'a long name beside a long note: the end of the name is printed' cat typed.text
expect 0 '^           .may replace layernorm_backward_kernel2.$' 'a long note is printed below the name' cat typed.text
{ instance _Z12rms_norm_f32ILi256ELb0EEvPf 30 0; instance _Z12rms_norm_f32ILi256ELb1EEvPf 30 0; } >three-before.log
{ instance _Z12rms_norm_f32ILi32ELb0ELb0EEvPf 60 0; instance _Z12rms_norm_f32ILi32ELb1ELb0EEvPf 30 0; } >three-after.log
"$program" diff --no-config three-before.log three-after.log >three.text
expect 0 '^           .may replace 2 that are gone; the best new one is judged.$' 'a note too long for its line is printed in full' cat three.text
expect 0 '^           .successor-regression.$' 'the rule after such a note is on its own line' cat three.text
expect 1 '^verdict: FAILED' 'a report into a file: the text is still printed' "$program" diff --no-config -o json=list.json list-before.log list-after.log
holds 'the report is in the file' grep -q '"type":"diff"' list.json
"$program" diff --no-config list-before.log nowhere.log >said 2>/dev/null
nothing 'a HEAD that cannot be read: no rows are printed'
expect 3 'cannot be opened' 'a HEAD that cannot be read: status 3' "$program" diff --no-config list-before.log nowhere.log
expect 1 '^other name, template arguments or parameters: k \(sm_80\): 2 gone, 3 new$' 'check counts kernels with another name or other arguments' "$program" check --no-config --baseline list-before.log list-after.log
expect 1 '4 entries expected, 2 seen; 3 new .2 fail., 2 replaced, 2 the same; 1 of them renamed' 'check counts new, replaced and renamed kernels' \
    "$program" check --no-config --baseline list-before.log list-after.log
expect 1 '^[|] [*][*]new[*][*], warning: occupancy-cliff [|] `1` [|] sm_80 [|] 30 → 50 ' 'check in Markdown prints the differing argument' \
    "$program" check --no-config --baseline list-before.log --format markdown list-after.log

long=Z57a_template_with_a_name_that_is_longer_than_eighty_columns
{ instance "_${long}ILi1EEvPf" 30 0; instance "_${long}ILi2EEvPf" 40 128; } >wide-before.log
{ instance "_${long}ILi1ELb0EEvPf" 40 0; instance "_${long}ILi1ELb1EEvPf" 50 0; } >wide-after.log
"$program" diff --no-config --allow-missing wide-before.log wide-after.log | awk 'length($0) > 80' >said
nothing "the name of a long template is wrapped at 80 columns"

# ---- kernels that were replaced by others of their base name
{ instance _Z4scanILi128EEvPf 32 0; instance _Z4scanILi256EEvPf 40 64; instance _Z5staysPf 20 0; } >family-before.log
{ instance _Z4scanILi128ELi1EEvPf 48 0; instance _Z4scanILi128ELi2EEvPf 40 0; instance _Z4scanILi256ELi1EEvPf 40 64; instance _Z5staysPf 20 0; } >family-worse.log
{ instance _Z4scanILi128ELi1EEvPf 48 0; instance _Z4scanILi128ELi2EEvPf 32 0; instance _Z4scanILi256ELi1EEvPf 40 64; instance _Z5staysPf 20 0; } >family-mixed.log
{ instance _Z4scanILi128ELi1EEvPf 32 0; instance _Z4scanILi256ELi1EEvPf 40 80; instance _Z5staysPf 20 0; } >family-frame.log
"$program" baseline write --no-config family.json family-before.log >/dev/null 2>&1
worse='is worse than scan<128>, which it may replace: 40 registers and 48 warps per SM, before 32 registers and 64 warps per SM; it is the best of 2 new ones'
for base in family.json family-before.log; do
    expect 1 "warning: scan<128, 2> .sm_80.: $worse \[successor-regression\]$" "all successors are worse: successor-regression, baseline $base" \
        "$program" check --no-config --baseline $base family-worse.log
    expect 0 'note: scan<128, 1> .sm_80.: is worse than scan<128>, which it may replace: 48 registers and 40 warps per SM, before 32 registers and 64 warps per SM; another replacement is as good' \
        "one successor is worse, another as good: a note, baseline $base" "$program" check --no-config --all --baseline $base family-mixed.log
done
cp family.json pruned.json
expect 0 'kept: scan<128> is gone, and a new kernel that may replace it fails' 'prune keeps the entry that a failing kernel is compared with' \
    "$program" baseline prune --no-config pruned.json family-worse.log
holds 'prune drops an entry that only passing kernels may have replaced' eval '! grep -q _Z4scanILi256 pruned.json'
expect 1 'successor-regression' 'after prune the kernel still fails' "$program" check --no-config --baseline pruned.json family-worse.log
expect 0 ': 1 kernel x arch: 1 dropped' 'prune drops the entry if no successor fails' "$program" baseline prune --no-config pruned.json family-mixed.log
expect 1 'failing: successor-regression 1$' 'diff reports successor-regression' "$program" diff --no-config family.json family-worse.log
"$program" check --no-config --baseline family.json --format ndjson family-worse.log >family.ndjson
expect 0 '^1$' 'several successors: one finding' grep -c '^{"type":"finding","rule":"successor-regression"' family.ndjson
expect 0 '1 no worse than the baseline' 'findings of the replaced kernel are known for its successor' "$program" check --no-config --baseline family.json family-mixed.log
expect 1 'warning: scan<256, 1>.*dynamic-indexing' 'a larger stack frame than the replaced kernel had: dynamic-indexing' "$program" check --no-config --baseline family.json family-frame.log
sed 's/_Z5crowdPf/_Z5crowdILi1EEvPf/g' ignored.log >ignored-before.log
sed 's/_Z5crowdPf/_Z5crowdILi1ELi2EEvPf/g' ignored.log >ignored-family.log
expect 0 '7 no worse than the baseline' 'messages of the replaced kernel are known for its successor' "$program" check --no-config --baseline ignored-before.log ignored-family.log

# ---- diff judges as check does: the same exit status, and each finding has the old number
{ instance _Z5framePf 20 144; instance _Z5otherPf 20 0; } >frame-before.log
{ instance _Z5framePf 20 272; instance _Z5otherPf 20 0; } >frame-after.log
for base in frame-before.log family-before.log changed-before.log; do
    head=$(echo $base | sed 's/before/after/; s/family-after/family-frame/')
    "$program" check --no-config --baseline $base --format ndjson $head >check.ndjson 2>/dev/null
    status=$?
    expect $status '' "diff has the same status as check: $base" "$program" diff --no-config $base $head
    "$program" diff --no-config --format ndjson $base $head 2>/dev/null | grep '"type":"finding"' | sed 's/"count":[0-9]*//' >diff.ndjson
    grep '"type":"finding"' check.ndjson | sed 's/"count":[0-9]*//' | diff - diff.ndjson >said
    nothing "diff has the same findings as check: $base"
done
expect 1 'stack frame of 272 B per thread without spills .before: 144 B. \[dynamic-indexing\]' 'a finding shows the number of the baseline' \
    "$program" check --no-config --baseline frame-before.log frame-after.log
expect 1 'stack frame of 80 B per thread without spills .before: 64 B.' 'a finding of a successor shows the number of the replaced kernel' \
    "$program" check --no-config --baseline family-before.log family-frame.log
expect 0 '"baseline":{"registers":20,"spill_store_bytes":0,"spill_load_bytes":0,"stack_bytes":144,.*' 'NDJSON has all numbers of the baseline' \
    "$program" check --no-config --fail-on never --baseline frame-before.log --format ndjson frame-after.log
expect 0 '"stack_bytes":64,.*"successor_of":\["_Z4scanILi256EEvPf"\]' 'NDJSON names the replaced kernel' \
    "$program" check --no-config --fail-on never --baseline family-before.log --format ndjson family-frame.log

# ---- partial builds
compile() # source
{
    echo "nvcc -arch=sm_80 -Xptxas=-v -c $1 -o x.o"
}
{ compile src/main.cu && instance _Z5staysPf 20 0; compile src/old.cu && instance _Z1kILi1EEvPf 32 0; } >seen-before.log
{ compile src/main.cu && instance _Z5staysPf 20 0; compile src/new.cu && instance _Z1kILi1ELi2EEvPf 32 0; } >seen-after.log
"$program" baseline write --no-config seen.json seen-before.log >/dev/null 2>&1
expect 0 '2 entries expected, 1 seen; 1 new, 1 replaced, 1 the same' 'all kernels of a source were replaced: the source is not missing' \
    "$program" check --no-config --baseline seen.json seen-after.log
expect 0 '"gone":1,"replaced":1' 'the NDJSON end record counts gone and replaced kernels' "$program" check --no-config --format ndjson --baseline seen.json seen-after.log
{ compile src/main.cu && instance _Z5staysPf 20 0; compile src/old.cu && instance _Z4movePf 32 0 && instance _Z4gonePf 16 0; } >moved-before.log
{ compile src/main.cu && instance _Z5staysPf 20 0; compile src/new.cu && instance _Z4movePf 32 0; } >moved-after.log
expect 0 '^no record of source src/old.cu: 1 kernel x arch gone, the others are seen under other sources$' 'a renamed source: a line instead of an error' \
    "$program" check --no-config --baseline moved-before.log moved-after.log
expect 0 '^gone: gone \(sm_80\)' 'a kernel that is gone with a renamed source is listed' "$program" check --no-config --baseline moved-before.log moved-after.log
{ compile src/main.cu && instance _Z5staysPf 20 0 && instance _Z5spillPf 40 64; } >failing.log
expect 1 'no record of source src/old.cu, of which the baseline has 2' 'a missing source is reported beside findings' \
    "$program" check --no-config --baseline moved-before.log failing.log
{ instance _Z5staysPf 20 0; instance _Z5otherPf 48 0; } >nameless.log
expect 3 'no record of source src/old.cu, of which the baseline has 2' 'a missing source, and no commands in the log: status 3' \
    "$program" check --no-config --baseline moved-before.log nameless.log
expect 0 '' '--allow-missing accepts a missing source' "$program" check --no-config --allow-missing --baseline moved-before.log nameless.log
{ instance _Z1aPf 200 64; } >project-a.log
{ instance _Z1bPf 200 64; } >project-b.log
expect 3 'no kernel of BASE is in HEAD' 'logs of two projects: status 3, whatever they contain' "$program" diff --no-config project-a.log project-b.log
{ instance _Z1aPf 20 0; } | sed s/sm_80/sm_90/ >arch.log
sed s/sm_90/sm_90a/ arch.log >other-arch.log
expect 3 '^warplint: error: BASE is sm_90, HEAD is sm_90a: architectures are not compared with each other$' \
    'one kernel for different architectures: status 3' "$program" diff --no-config arch.log other-arch.log
expect 3 '^the comparison is incomplete: BASE is sm_90, HEAD is sm_90a' 'text says that the comparison is incomplete' in_shell \
    '"$program" diff --no-config arch.log other-arch.log 2>/dev/null'
expect 3 '^the comparison is incomplete: BASE is sm_90, HEAD is sm_90a' 'Markdown says that the comparison is incomplete' in_shell \
    '"$program" diff --no-config --format markdown arch.log other-arch.log 2>/dev/null'
expect 3 '"why_incomplete":"the comparison is incomplete: BASE is sm_90, HEAD' 'JSON says that the comparison is incomplete' in_shell \
    '"$program" diff --no-config --format json arch.log other-arch.log 2>/dev/null'
cat arch.log other-arch.log >both-archs.log
expect 3 '^<stdin>: error: no kernel of architecture sm_90a, of which BASE has 1: was it built' 'standard input lacks an architecture of BASE: status 3' \
    in_shell '"$program" diff --no-config both-archs.log - <arch.log'
expect 0 '1 new, 1 the same' 'HEAD has an additional architecture: new, status 0' "$program" diff --no-config arch.log both-archs.log
{ instance _Z1bPf 20 0; } | sed s/sm_80/sm_90/ >same-arch.log
expect 3 'no kernel of BASE is in HEAD .none of 1 kernel x arch.: if all were renamed' 'different kernels for one architecture: status 3' "$program" diff --no-config arch.log same-arch.log
expect 0 '' '--allow-missing accepts different architectures' "$program" diff --no-config --allow-missing arch.log other-arch.log

# ---- real commits: every regression is found, and nothing else
history=$source/../shared/history
[ -d "$history" ] || echo "skipped: no $history"
for pair in "$history"/*/; do
    [ -d "$pair" ] || continue
    "$program" baseline write --no-config history.json "$pair/base.log" >/dev/null 2>&1
    grep -v '^none' "$pair/truth.tsv" | sed 's/\[with.*\]	/	/' | awk -F '\t' '{ sub(/^void /, "", $3); sub(/[(].*/, "", $3); print $2, $3 }' | sort >expected
    for how in 'check --baseline history.json' "diff $pair/base.log"; do
        # shellcheck disable=SC2086 # several words
        "$program" $how --no-config --format ndjson "$pair/head.log" 2>/dev/null |
            sed -n '/"severity":"warning"/s/.*"rule":"\(register\|successor\)-regression".*"name":"\(void \)*\([^"(]*\).*"arch":"\([^"]*\)".*/\4 \3/p' >findings
        rm -f seen
        sed 's/\(ssm_scan_f32\)<.*/\1/' findings | sort >seen
        diff expected seen >said
        nothing "$(basename "$pair"): ${how%% *}"
    done
    rm history.json
done

if [ -d "$history/G5" ]; then
    expect 1 'no record of source .*hs128-f16-f16.cu: 20 kernel x arch gone' 'a renamed file with renamed kernels: the source is named' \
        "$program" check --no-config --baseline "$history/G5/base.log" "$history/G5/head.log"
    expect 1 'found: 0 errors, 14 warnings' 'a renamed file with renamed kernels: findings of the new names' "$program" check --no-config --baseline "$history/G5/base.log" "$history/G5/head.log"
fi

# ---- one register more without a loss of occupancy comes last; a new harmless kernel is only counted
{ instance a 20 0; instance b 20 0; instance c 40 0; } >little-before.log
{ instance a 21 0; instance b 20 16; instance c 50 0; instance d 20 0; } >little-after.log
"$program" diff --no-config little-before.log little-after.log | sed -n '/^total/,$d; s/.*sm_80  //p' | paste -s -d ' ' >said
expect 0 '^c .register-regression. b .stack-regression. a$' 'rows that cost occupancy come first, new harmless kernels are counted only' cat said

# ---- the comment on a pull request: worst first, long lists are folded
many() # registers of the first kernel, step
{
    awk -v first="$1" -v step="$2" 'BEGIN { for (at = 1; at <= 60; at++) printf "ptxas info    : Compiling entry function '\''k%d'\'' for '\''sm_80'\''\n" \
        "ptxas info    : Function properties for k%d\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" \
        "ptxas info    : Used %d registers, 0 barriers\n", at, at, first + step * at }'
}
many 32 0 >many-before.log
many 40 1 >many-after.log
expect 1 '^\[40 more rows: 40 worse; --all shows all\]' '20 rows are printed, the others are counted' "$program" diff --no-config many-before.log many-after.log
"$program" check --no-config --baseline many-before.log --format markdown many-after.log >many.md
expect 0 '^60$' 'Markdown lists each worse kernel once' in_shell 'grep -c "^| .*worse" many.md'
expect 0 '' 'Markdown lists the worst kernel first' in_shell 'grep "^| .*worse" many.md | head -n 1 | grep -q k60'
expect 0 '^40$' 'Markdown folds all but twenty rows' in_shell 'sed "1,/Worse kernels: 40 more/d" many.md | grep -c "^| .*worse"'
"$program" check --no-config --baseline many-before.log --format markdown --max-bytes 18000 --select register-regression many-after.log >few.md
expect 0 'of 60 kernels shown' 'a truncated Markdown report says how many kernels are shown' in_shell 'cat few.md'

# ---- toolkits
sed 's/"toolkit":"[0-9.]*"/"toolkit":"12.4"/; s/\("type":"log"[^}]*\)}/\1,"toolkit":"12.4"}/' before.ndjson >old.ndjson
sed 's/"toolkit":"[0-9.]*"/"toolkit":"13.0"/; s/\("type":"log"[^}]*\)}/\1,"toolkit":"13.0"}/' after.ndjson >new.ndjson
sed -i 's/"toolkit":null,//' old.ndjson new.ndjson
expect 1 '^drift: CUDA 13.0 compared with CUDA 12.4' 'another CUDA version: a line about drift' "$program" diff --no-config old.ndjson new.ndjson
expect 0 '' 'drift is the first line' in_shell '"$program" diff --no-config old.ndjson new.ndjson | head -n 1 | grep -q ^drift'
expect 0 'passed.*12 are the other compiler' '--drift report: passed' "$program" diff --no-config --drift report old.ndjson new.ndjson
expect 1 'FAILED' '--drift fail: failed' "$program" diff --no-config --drift fail old.ndjson new.ndjson

# ---- errors
expect 2 'takes two arguments, BASE and HEAD, found 1' 'one argument: status 2' "$program" diff before
expect 2 'found 3' 'three arguments: status 2' "$program" diff before after after
expect 2 'base cannot be standard input' 'BASE from standard input: status 2' "$program" diff - before
expect 3 'none: error: cannot be opened' 'a missing BASE: status 3' "$program" diff --no-config none after
expect 3 'none: error: cannot be opened' 'a missing HEAD: status 3' "$program" diff --no-config before none
expect 3 '' 'an empty BASE: status 3' "$program" diff --no-config /dev/null after
expect 3 'the log is empty' 'an empty HEAD: status 3' "$program" diff --no-config before /dev/null
cp "$source/fixtures/not-verbose/log.txt" silent.log
expect 3 'verdict: none, no kernel of BASE is in HEAD' '--kernel selects none of BASE: status 3' "$program" diff --no-config --kernel '^added' before after
expect 3 '^silent.log: error: the base has no kernels, there is nothing to compare$' 'BASE is a log without kernels: status 3' "$program" diff --no-config silent.log after
: >nothing.log
expect 3 '^nothing.log: error: the base has no kernels' 'BASE is an empty log: status 3' "$program" diff --no-config nothing.log after
expect 3 '"state":"new".*"why_incomplete":"the comparison is incomplete: silent.log: the base has no kernels' 'JSON says that BASE has no kernels' "$program" diff --no-config --format json silent.log after
expect 3 '-Xptxas=-v' 'HEAD is a log without kernels: status 3 with a hint' "$program" diff --no-config before silent.log
expect 3 '^part.ndjson: error: no kernel of architecture sm_90, of which BASE has [0-9]+: was it built\? this build is for sm_80$' 'HEAD lacks an architecture of BASE: status 3' in_shell \
    '"$program" report --no-config --arch sm_80 --format ndjson changed-before.log >part.ndjson; "$program" diff --no-config before part.ndjson'
expect 0 '' '--allow-missing accepts that HEAD lacks an architecture' "$program" diff --no-config --allow-missing before part.ndjson

# ---- a base that lacks the metrics of its kernels
clean=$source/fixtures/clean/log.txt
grep -v Used "$clean" >unused.log
expect 3 'unused.log: error: 4 of 4 kernel x arch may be worse: BASE does not state' 'BASE lacks the registers of all kernels: status 3' "$program" diff --no-config unused.log "$clean"
sed '21d' "$clean" >half.log
expect 0 'compared: 4 kernel x arch: 4 the same; 1 of them may be worse, BASE' 'BASE lacks the registers of one kernel: status 0 with a count' "$program" diff --no-config half.log "$clean"
expect 3 'which --strict does not accept' 'BASE lacks the registers of one kernel: status 3 under --strict' "$program" diff --no-config --strict half.log "$clean"
expect 0 '"base":\{"records":2,"registers":null,"spill_store_bytes":0' 'a total with an unknown part is null in JSON' "$program" diff --no-config --format json half.log "$clean"
expect 0 'no errors or warnings in what was judged' 'check with a baseline that lacks the registers of one kernel: status 0' "$program" check --no-config --baseline half.log "$clean"
expect 3 'unused.log: error: 4 of 4 kernel x arch may be worse: the baseline' 'check with a baseline that lacks the registers of all kernels: status 3' "$program" check --no-config --baseline unused.log "$clean"

head -n 9 before.ndjson >cut.ndjson
expect 3 'the stream ends without an end record' 'a truncated record as BASE: status 3' "$program" diff --no-config cut.ndjson after
expect 3 'the stream ends without an end record' 'a truncated record as HEAD: status 3' "$program" diff --no-config before cut.ndjson
head -c 300 before.json >cut.json
expect 2 'cut.json' 'a truncated baseline file as BASE: status 2' "$program" diff --no-config cut.json after
expect 3 'No space left' 'a full disk: status 3' in_shell '"$program" diff --no-config before after >/dev/full'
expect 0 'usage: warplint diff .*BASE HEAD' '--help: status 0' "$program" diff --help

# ---- a source without records: was it compiled, did it lose its last kernel, or was it deleted?
mkdir -p emptied/build emptied/src && git init -q emptied && touch emptied/src/stays.cu emptied/src/loses.cu
for name in stays loses; do
    sed "s/\"source\":null/\"source\":\"src\/$name.cu\"/; s/\"kernel_id\":\"_Z/&${#name}$name/; s/\"mangled\":\"_Z/&${#name}$name/" before.ndjson >emptied/$name.ndjson
done
cp emptied/stays.ndjson emptied/build/stays.o.warplint.ndjson
expect 0 '' 'merge of two sources' in_shell 'cd emptied && "$program" merge --allow-conflicts stays.ndjson loses.ndjson -o ndjson=both.ndjson >/dev/null'
expect 3 '^build: error: no kernel of source src/loses.cu, of which BASE has 20: was it built' 'one of two sources was not compiled: status 3' \
    in_shell 'cd emptied && "$program" diff --no-config both.ndjson build'
expect 3 'it is not in the checkout, was it removed' 'the missing source is not in the checkout: a question says so' \
    in_shell 'cd emptied && rm src/loses.cu && "$program" diff --no-config both.ndjson build'
printf '%s\n' '{"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}' \
    '{"type":"log","log":"build/loses.o","lines":2,"unknown_lines":0,"verbose":true,"interleaved":false,"torn":false,"cut":false,"no_machine_code":false,"command":["nvcc","-c","../src/loses.cu","-o","loses.o"],"flags":[],"nvcc":"13.0.88","ptxas":"13.0.88","toolkit":"13.0"}' \
    '{"type":"end","kernels":0,"entries":0,"functions":0,"lines":2,"unknown_lines":0,"ambiguous":0,"findings":0,"suppressed":0,"interleaved":false,"records":1}' >emptied/build/loses.o.warplint.ndjson
expect 0 'compared: 40 kernel x arch: 20 gone, 20 the same' 'a record shows a compile without kernels: gone, status 0' in_shell 'cd emptied && "$program" diff --no-config both.ndjson build'
sed -i 's/"verbose":true/"verbose":false/' emptied/build/loses.o.warplint.ndjson
expect 3 'no kernel of source' 'a record shows a compile without -Xptxas=-v: status 3' in_shell 'cd emptied && "$program" diff --no-config both.ndjson build'

# ---- a source is not compiled for an architecture that other sources are compiled for
kernels() # SOURCE ARCH...
{
    printf 'nvcc -c -Xptxas=-v'
    printf ' -gencode arch=compute_%s,code=sm_%s' $(shift && for arch; do echo $arch $arch; done)
    printf ' %s -o %s.o\n' $1 $1
    name=$(basename $1 .cu)
    shift
    for arch; do
        printf 'ptxas info    : 0 bytes gmem\n'
        printf "ptxas info    : Compiling entry function '%s' for 'sm_%s'\nptxas info    : Function properties for %s\n" $name $arch $name
        printf '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers, used 0 barriers\n'
    done
}
{ kernels a.cu 80 90 && kernels b.cu 80 90; } >both.log
{ kernels a.cu 90 && kernels b.cu 80 90; } >one.log
expect 3 '^one.log: error: no kernel of architecture sm_80 of a.cu, of which BASE has 1: other sources have it' 'a source lacks one of its architectures: status 3' "$program" diff --no-config both.log one.log
printf 'allow:\n  - {rule: register-regression, reason: measured | twice}\n' >excepted.yaml
expect 0 '^- register-regression of [^ ]+ and [0-9]+ more: measured .* twice$' 'Markdown lists exceptions with their reasons' in_shell '
    "$program" diff --config excepted.yaml --format markdown many-before.log many-after.log | sed -n "/<summary>Allowed by exceptions</,\$p"'
printf 'allow:\n  - {rule: register-regression, reason: %s}\n' "$(printf 'word%.0s' $(seq 900))" >excepted.yaml
"$program" diff --config excepted.yaml --max-bytes 4096 --format markdown many-before.log many-after.log >limited.md
expect 0 '' '--max-bytes leaves out exceptions before rows' test "$(grep -c '^| ' limited.md)" -gt 5
{
    printf 'rules:\n'
    for at in $(seq 90); do
        printf '  a-rule-with-a-name-of-the-length-that-a-team-gave-it-%s: {severity: error, when: registers > 50, message: too many}\n' "$at"
    done
} >many-rules.yaml
"$program" diff --config many-rules.yaml --max-bytes 4096 --format markdown many-before.log many-after.log >limited.md
expect 0 '^Left out for --max-bytes: .*rules that fail' '--max-bytes leaves out names of failing rules' in_shell 'cat limited.md && test $(wc -c <limited.md) -le 4096'
expect 0 '1 gone, 3 the same' '--allow-missing accepts that a source lacks an architecture' "$program" diff --no-config --allow-missing both.log one.log
expect 3 'no record of architecture sm_80 of a.cu, of which the baseline has 1' 'check: a source lacks one of its architectures: status 3' "$program" check --no-config --baseline both.log one.log
named() { sed "s/'a'/'$1'/; s/for a$/for $1/"; }
named _Z1aPf <both.log >was.log && named _Z1aPfi <one.log >renamed.log
expect 3 'no kernel of architecture sm_80 of a.cu' 'a source lacks an architecture, and its kernel has other parameters: status 3' "$program" diff --no-config was.log renamed.log
printf '%s\n' '{"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}' \
    '{"type":"log","log":"a.o","lines":2,"unknown_lines":0,"verbose":true,"interleaved":false,"torn":false,"cut":false,"no_machine_code":false,"command":["nvcc","-c","-gencode","arch=compute_80,code=sm_80","-gencode","arch=compute_90,code=sm_90","a.cu","-o","a.o"],"flags":[],"nvcc":"13.0.88","ptxas":"13.0.88","toolkit":"13.0"}' \
    '{"type":"end","kernels":0,"entries":0,"functions":0,"lines":2,"unknown_lines":0,"ambiguous":0,"findings":0,"suppressed":0,"interleaved":false,"records":1}' >a.ndjson
expect 0 'gone: a \(sm_80\)' 'a record shows a compile for the missing architecture: gone, status 0' "$program" check --no-config --baseline both.log one.log a.ndjson
sed 's/"arch=compute_80,code=sm_80"/"-o","out_sm_80\/sm_80\/a.o"/' a.ndjson >path.ndjson
expect 3 'no record of architecture sm_80 of a.cu' 'an output folder named like an architecture is no target: status 3' "$program" check --no-config --baseline both.log one.log path.ndjson

# ---- every format escapes the names of a log
sed 's/_Z5stays/evil\x1b[31m<script>|`@all`$(x)/g' changed-before.log >evil-before.log
sed 's/spills_more/spills_m|re/g' evil-before.log >evil-after.log
for format in text markdown json csv; do
    "$program" diff --no-config --all --format $format changed-before.log evil-after.log >evil.$format 2>/dev/null
    holds "no control character in $format" sh -c 'grep -q evil "$1" && ! grep -q "$2" "$1"' sh evil.$format "$(printf '\033')"
done
holds 'Markdown escapes names with | in table cells' awk -F'[|]' '/^[|]/ { rows++; if (NF != 10) bad = 1 } END { exit bad || rows < 8 }' evil.markdown

finish
