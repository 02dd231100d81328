#!/bin/sh
# usage: test_cli.sh PROGRAM SOURCE_DIR
#
# Bad input, exit statuses and outputs. Prints one line per case; the status is 0 only if none failed.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"

spill=$source/fixtures/register-spill/log.txt
clean=$source/fixtures/clean/log.txt
silent=$source/fixtures/not-verbose/log.txt
mixed=mixed.log
export program source spill clean

cat >mixed.log <<'LOG'
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Compiling entry function 'b' for 'sm_86'
ptxas info    : Function properties for a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Used 12 registers, used 0 barriers, 360 bytes cmem[0]
LOG

# ---- a missing file: status 3 for an input or output, 2 for configuration, rules and baseline
cat >missing.txt <<'TABLE'
3 check none
3 check --launches none $clean
3 check --objects none $clean
3 check -o csv=none/x $clean
2 check --config none $clean
2 check --rules none $clean
2 check --baseline none $clean
3 report none
3 report --launches none $clean
3 report --objects none $clean
3 report -o csv=none/x $clean
2 report --config none $clean
2 report --format none $clean
2 baseline check none $clean
2 baseline update none $clean
2 baseline prune none $clean
3 baseline check $clean none
3 baseline check --launches none $clean $clean
3 baseline check --objects none $clean $clean
2 baseline check --rules none $clean $clean
2 baseline check --config none $clean $clean
3 baseline check -o csv=none/x $clean $clean
3 baseline write none/x $clean
3 baseline write x none
3 diff none $clean
3 diff $clean none
3 diff --launches none $clean $clean
2 diff --rules none $clean $clean
2 diff --config none $clean $clean
3 diff -o csv=none/x $clean $clean
3 merge none
3 merge -o ndjson=none/x $clean
2 check --ptxas none $clean
2 report --ptxas none $clean
2 diff --ptxas none $clean $clean
3 advise saxpy none
3 advise --launches none saxpy $clean
3 advise --objects none saxpy $clean
2 advise --config none saxpy $clean
3 advise -o json=none/x saxpy $clean
3 doctor none
3 doctor --nvcc none $clean
3 occupancy --csv none
3 init none
2 list rules --rules none
2 explain --rules none register-spill
2 config show --rules none
2 config show --config none
TABLE
while read -r status words; do
    eval "set -- $words"
    expect "$status" '' "a path that does not exist: status $status: $words" "$program" "$@"
    case $1 in doctor) streams='out err' ;; *) streams=err ;; esac
    # shellcheck disable=SC2086 # two words
    holds "a message names the path: $words" grep -q none $streams
done <missing.txt
for command in check report diff merge advise doctor occupancy; do
    for option in $("$program" $command --help | sed -n 's/^.* \(--[a-z-]*\)[ =]\(FILE\|DIR\|PATH\)\b.*/\1/p'); do
        holds "$command $option has a row for a path that does not exist" grep -q "^[23] $command .*$option none" missing.txt
    done
done

# ---- exit statuses
expect 1 '\[register-spill\]' 'a kernel that spills: status 1' "$program" check "$spill"
expect 0 'verdict: passed' 'a log without findings: status 0' "$program" check "$clean"
expect 0 'verdict: not asked for' '--fail-on never: status 0' "$program" check --fail-on never "$spill"
expect 0 'verdict: passed' '--select leaves out the rule that fails: status 0' "$program" check --select low-occupancy "$spill"
expect 1 'verdict: FAILED' 'options after the log are read' "$program" check "$spill" --fail-on error
expect 0 '' '-q with a clean log prints nothing' in_shell '"$program" check -q "$clean" >q && test ! -s q'
expect 1 'register-spill' '-q with findings prints them' "$program" check -q "$spill"
expect 1 '^verdict: FAILED' 'a CSV file with -o: the text is still printed' "$program" check -o csv=found.csv "$spill"
expect 1 '' 'a text file with -o: the text is not printed' in_shell '"$program" check -o text=found.txt "$spill" >q; status=$?; test ! -s q && grep -q ^verdict found.txt && exit $status'
expect 0 '' '-q with a CSV file: only the file is written' in_shell 'rm found.csv; "$program" check -q -o csv=found.csv "$clean" >q && test ! -s q && test -s found.csv'

# ---- nothing to judge
expect 3 'none: error: cannot be opened' 'a missing log: status 3' "$program" check none
expect 3 'the log is empty.*2>&1' 'an empty log: status 3 with a hint' "$program" check /dev/null
expect 0 'verdict: none' 'an empty log with --allow-empty: status 0' "$program" check --allow-empty /dev/null
expect 3 'add -Xptxas=-v .*warplint doctor' 'a log without -Xptxas=-v: status 3 with a hint' "$program" check "$silent"
expect 3 'no kernels: the compile made no machine code \(PTX only' 'a log of a compile to PTX: status 3' "$program" check "$source/fixtures/ptx-only/log.txt"
expect 3 'no kernels: the compile made no machine code \(PTX only, or -dlto' 'a log of a compile with -dlto: status 3' "$program" check "$source/fixtures/device-lto/log.txt"
expect 3 'no kernels: the commands ask for resource lines' 'a log of commands without their output: status 3' "$program" check "$source/fixtures/stderr-lost/log.txt"
printf '%s\n' '#$ _SPACE_=' '#$ ptxas -arch=sm_80 -m64 -v "/tmp/k.ptx" -o "/tmp/k.cubin"' >dryrun.log
expect 3 'no kernels: the commands ask for resource lines .*--dryrun' 'a log of --dryrun: status 3' "$program" check dryrun.log
expect 3 'add -Xptxas=-v' 'a log in which --resource-usage has no effect: status 3 with a hint' "$program" check "$source/fixtures/usage-refused/log.txt"
mkdir empty
expect 3 'empty: error: the folder has no records.*--output ndjson=.*warplint doctor' 'a folder without records: status 3' "$program" check empty
expect 3 'no kernels' 'an empty standard input: status 3' "$program" check -
expect 1 'register-spill' 'findings and a missing log: status 1' "$program" check none "$spill"
expect 3 'ambiguous' 'an ambiguous log: status 3 under --strict' "$program" check --strict --fail-on never "$mixed"

# ---- a partial build
broken='make: *** [Makefile:4: b.o] Error 1'
{ cat "$clean"; echo "$broken"; } >stopped.log
{ cat stopped.log; printf 'again\r\n%.0s' 1 2 3 4 5 6 7 8 9 10 11; } >told.log
{ cat told.log; echo again; } >mended.log
at=$(wc -l <stopped.log)
export broken
expect 0 "^stopped.log:$at: warning: the build ended with an error" 'a build that ended with an error: a warning' "$program" check stopped.log
expect 0 "^<stdin>:$at: warning: the build ended with an error" 'a build that ended with an error, on standard input: a warning' in_shell '"$program" check - <stopped.log'
expect 0 "^told.log:$at: warning: the build ended with an error" 'an error of the build 11 lines before the end: a warning' "$program" check told.log
expect 0 '' 'an error of the build 12 lines before the end: no warning' in_shell '"$program" check -q mended.log 2>said && test ! -s said'
expect 0 '' 'a later build that succeeded: no warning' in_shell '{ cat stopped.log; echo "[100%] Built target all"; } | "$program" check -q - 2>said && test ! -s said'
expect 0 "^stopped.log:$at: warning: the build ended with an error" 'diff warns about a base that ended with an error' "$program" diff stopped.log "$clean"
expect 3 'error: the build ended with an error: --strict' 'a baseline log that ended with an error: status 3 under --strict' "$program" check --strict --baseline stopped.log "$clean"
for said in 'scons: *** [b.o] Error 1' 'scons: building terminated because of errors.' 'scons: done building targets (errors occurred during build).'; do
    { cat "$clean"; echo "$said"; } >scons.log
    expect 0 "^scons.log:$at: warning: the build ended with an error" "a warning: $said" "$program" check scons.log
done
expect 0 '' 'a line that only begins like an error of a build tool: no warning' in_shell '{ cat "$clean"; echo ninja: build stopped; } | "$program" check -q - 2>said && test ! -s said'
expect 0 "warning: the build ended with an error" 'an error of the build after a line of 100,000 bytes: a warning' in_shell '{ cat "$clean"; yes long | head -c 100000 | tr -d "\n"; echo; echo "$broken"; } | "$program" check -'
expect 0 "^stopped.log:$at: warning: the build ended with an error" 'records of a build that ended with an error: a warning' in_shell '"$program" report -o ndjson=stopped.ndjson stopped.log >/dev/null 2>&1; "$program" check stopped.ndjson'
expect 0 '"stopped_line":'$at'}' 'merge keeps the line of that error' in_shell '"$program" merge stopped.ndjson'
{ echo "nvlink error   : entry function '_Z1kPf' with max regcount of 32 calls function '_Z1fPf' with regcount of 158"; cat "$clean"; } >failing.log
expect 0 '^failing.log:1: warning: a compiler reported an error: what it did not compile or link was not judged$' 'an error of nvlink: a warning' "$program" check failing.log
expect 0 'warning: no rule is on: --select, --ignore and the configuration leave none' 'all rules are ignored: a warning' "$program" check --select register-spill --ignore register failing.log
expect 3 'error: no rule is on, which --strict does not accept' 'all rules are ignored: status 3 under --strict' "$program" check --strict --select register-spill --ignore register "$clean"
expect 3 'error: a compiler reported an error: --strict' 'an error of nvlink: status 3 under --strict' "$program" check --strict failing.log
{ printf 'b.cu:2:10: fatal error: nope.h: No such file or directory\ncompilation terminated.\n'; cat "$clean"; } >header.log
expect 3 '^header.log:1: warning: a compiler reported an error' 'a missing header: status 3 under --strict' "$program" check --strict header.log
{ cat "$clean"; echo 'ninja: build stopped: subcommand failed.'; printf '  File "x.py", line 1, in f\n%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13; } >traceback.log
expect 3 "^traceback.log:$at: warning: a compiler reported an error" 'a build tool that gave up before a traceback: status 3 under --strict' "$program" check --strict traceback.log
{ cat "$clean"; echo 'conftest.c:3:10: fatal error: nope.h: No such file or directory'; } >attempt.log
expect 0 '' 'a failed test compile of a configure script: no warning' in_shell '"$program" check --strict -q attempt.log 2>said && test ! -s said'
expect 3 'error: the build ended with an error: --strict' 'a build that ended with an error: status 3 under --strict' "$program" check --strict stopped.log
expect 3 '^verdict: none' 'a build that ended with an error: no verdict under --strict' "$program" check --strict stopped.log

# ---- a partial log
{ echo 'stderr (/w/actions/stderr-2) 1131999 exceeds maximum size of --experimental_ui_max_stdouterr_bytes=1048576 bytes; skipping'; cat "$clean"; } >clipped.log
expect 0 '^clipped.log:1: warning: the log is truncated here, at a limit of length' 'a log that Bazel truncated: a warning' "$program" check clipped.log
expect 3 'error: lines of the log were left out: --strict' 'a log that Bazel truncated: status 3 under --strict' "$program" check --strict clipped.log
expect 0 '^clipped.log:1: warning: the log is truncated here' 'records of a truncated log: a warning' in_shell '"$program" report -o ndjson=clipped.ndjson clipped.log >/dev/null 2>&1; "$program" check clipped.ndjson'
expect 0 '"clipped_line":1[,}]' 'merge keeps the line of the truncation' in_shell '"$program" merge clipped.ndjson'

# A record with only spill stores: its loads are unknown, not 0.
"$program" report -o ndjson=- "$source/fixtures/register-spill/log.txt" 2>/dev/null |
    sed 's/"spill_load_bytes":[0-9]*/"spill_load_bytes":null/' >half.ndjson
for format in text html json markdown csv; do
    expect 0 '^none$' "unknown spill loads are not printed as a number: $format" in_shell '"$program" check -q --no-config --format '$format' half.ndjson >half.out 2>&1; test $? -le 3 && ! grep -o "[0-9-]*21474836[0-9]*" half.out && echo none'
done
sed 's/"spill_store_bytes":[0-9]*/"spill_store_bytes":null/; s/"spill_load_bytes":null/"spill_load_bytes":8/' half.ndjson >loads.ndjson
sed 's/"spill_store_bytes":[0-9]*/"spill_store_bytes":0/' half.ndjson >zero.ndjson
expect 0 ' -/8 ' 'unknown spill stores are printed as -, beside the loads' "$program" report --no-config loads.ndjson
expect 0 'no known spills</li>' 'HTML says "no known spills" if the loads are unknown' "$program" report --no-config --format html zero.ndjson
expect 0 '^none$' 'where says that the spills are unknown' in_shell '"$program" where filter_tight zero.ndjson >half.out 2>&1; grep "spills are not known" half.out >/dev/null && ! grep "does not access" half.out && echo none'
expect 0 '^none$' 'the summary does not print unknown spill loads as a number' in_shell '"$program" report --no-config --summary half.ndjson >half.out && ! grep -o "[0-9-]*21474836[0-9]*" half.out && echo none'

head -c 900 "$clean" >ends-inside.log
: >empty.log
expect 0 '^incomplete: the log ends inside a kernel' 'a log that ends inside a kernel is reported' "$program" check ends-inside.log
expect 0 '^verdict: passed, .* in what was judged$' 'the verdict on such a log is limited to what was judged' "$program" check ends-inside.log
{ cat "$clean"; echo 'ptxas info    : Function properties for _Z1fv'; } >ends-function.log
expect 0 '^verdict: passed, .* in what was judged$' 'a log that ends before the stack line of a device function: the same' "$program" check ends-function.log
expect 3 'error: a log ends inside a kernel or a line: --strict' 'a log that ends inside a kernel: status 3 under --strict' "$program" check --strict ends-inside.log
expect 0 '^1 log not judged: empty.log has no output of ptxas' 'one of two logs has no ptxas output: it is reported' "$program" check "$clean" empty.log
expect 3 'error: a log has no resource line of ptxas: --strict' 'one of two logs has no ptxas output: status 3 under --strict' "$program" check --strict "$clean" empty.log

expect 3 'error: a compile has no -Xptxas=-v: --strict' 'one of several compiles lacks -Xptxas=-v: status 3 under --strict' "$program" check --strict "$source/fixtures/partly-verbose/log.txt"
for command in 'nvcc -x cu -c b.cpp' 'clang++ -x cuda -c b.cpp' 'nvcc_wrapper -c b.cpp'; do
    { cat "$source/fixtures/clean/log.txt"; echo "nvcc -Xptxas=-v -c a.cu"; echo "$command -o b.o"; } >quiet-cpp.log
    expect 3 'error: a compile has no -Xptxas=-v: --strict' "a C++ source compiled as CUDA without -Xptxas=-v: status 3 under --strict: $command" "$program" check --strict --ignore missing-launch-bounds quiet-cpp.log
done
{ cat "$source/fixtures/clean/log.txt"; echo "nvcc -Xptxas=-v -c a.cu"; echo "nvcc -c b.cpp -o b.o"; } >quiet-cpp.log
expect 0 'verdict: passed' 'a C++ source compiled for the host: passed under --strict' "$program" check --strict --ignore missing-launch-bounds quiet-cpp.log

# ---- a debug build whose command is not in the log
unnamed=$source/fixtures/debug-unnamed/log.txt
export unnamed
expect 3 "^$unnamed:[0-9]+: warning: only unoptimised code has such a function" 'a function that only unoptimised code has: a warning, status 3' "$program" check "$unnamed"
expect 3 '^warplint: error: only debug builds: ' 'only debug builds: status 3' "$program" check "$unnamed"
expect 0 'verdict: passed' 'only debug builds with --allow-empty: status 0' "$program" check --allow-empty "$unnamed"
expect 3 'verdict: none' 'only compiles with -G: verdict none' "$program" check --strict "$source/fixtures/debug/log.txt"
mkdir debug-rules message-rules
printf "id: mine\nseverity: warning\ndebug-builds: true\nwhen: 'registers > 1000'\nmessage: much\n" >debug-rules/mine.yaml
printf 'id: mine\nseverity: warning\ndebug-builds: true\nevent: wgmma-serialized\nmessage: slow\n' >message-rules/mine.yaml
expect 0 'verdict: passed' 'only debug builds, and a rule of the user judges them: status 0' "$program" check --rules debug-rules "$unnamed"
expect 3 '^warplint: error: only debug builds: ' 'only debug builds, and the rule that judges them is ignored: status 3' "$program" check --rules debug-rules --ignore mine "$unnamed"
expect 3 '^warplint: error: only debug builds: ' 'only debug builds, and the rule that judges them is not selected: status 3' "$program" check --rules debug-rules --select register-spill "$unnamed"
expect 3 '^warplint: error: only debug builds: ' 'only debug builds, and the rule for them is on messages: status 3' "$program" check --rules message-rules "$unnamed"
expect 3 '^warplint: error: only debug builds: ' 'records of a compile with -G: status 3' in_shell '"$program" report -o ndjson=debug.ndjson "$source/fixtures/debug/log.txt" >/dev/null 2>&1; "$program" check debug.ndjson'
expect 0 'verdict: passed' 'a debug build beside a release: passed' "$program" check "$source/fixtures/debug/log.txt" "$clean"
expect 3 'warning: only unoptimised code has such a function' 'records of an unoptimised build: a warning, status 3' in_shell '"$program" report -o ndjson=unnamed.ndjson "$unnamed" >/dev/null 2>&1; "$program" check unnamed.ndjson'

# ---- a log that was copied from a terminal
sed '/Compiling entry function/d; /Function properties/d' "$spill" | cat "$source/fixtures/clean/log.txt" - >unowned.log
expect 3 '^unowned.log:[0-9]+: warning: a .Used. line without a kernel' 'a Used line without a kernel: status 3 under --strict' "$program" check --strict unowned.log
expect 3 'is missing, so it was not judged' 'records of a log with such a line: status 3 under --strict' in_shell '"$program" report -o ndjson=unowned.ndjson unowned.log >/dev/null 2>&1; "$program" check --strict unowned.ndjson'
{ cat "$source/fixtures/clean/log.txt"; printf '%s\n' 'ptxas info    : Function properties for _Z5kern3v' '    864 bytes stack frame, 864 byt' \
    '    864 bytes stack frame, 864 bytes spill stores, 864 bytes spill loads' \
    'ptxas info    : Used 255 registers, used 1 barriers, 864 bytes cumulative stack size, 380 bytes cmem[0]'; } >unowned.log
expect 3 '^unowned.log:[0-9]+: warning: a .Used. line without a kernel' 'a Used line after a truncated stack line: status 3 under --strict' "$program" check --strict unowned.log
fold -w 60 "$spill" >wrapped.log
expect 3 '^wrapped.log:[0-9]+: warning: messages are wrapped into the next line' 'messages wrapped at 60 columns: a warning, status 3' "$program" check wrapped.log
expect 0 '' 'wrapped messages are not reported as several compilers' in_shell '! "$program" check wrapped.log 2>&1 | grep "several compilers"'
expect 3 'error: the log is ambiguous: messages are wrapped into the next line' 'wrapped messages: status 3 under --strict' "$program" check --strict --select launch-bounds-ignored wrapped.log
expect 3 'no baseline is written of an ambiguous log: messages are wrapped' 'no baseline is written of wrapped messages' "$program" baseline write wrapped.json --select launch-bounds-ignored wrapped.log
expect 3 '^wrapped.log:[0-9]+: warning: messages are wrapped' 'records of wrapped messages: a warning, status 3' in_shell '"$program" report -o ndjson=wrapped.ndjson wrapped.log >/dev/null 2>&1; "$program" check wrapped.ndjson'
expect 0 '"wrapped_line":[0-9]+[,}]' 'merge keeps the line of the wrapped message' in_shell '"$program" merge wrapped.ndjson'
awk '/Function properties/ && ++n == 2 { next } 1' "$clean" >nameless.log
expect 0 '' 'a missing line "Function properties": no warning' in_shell '"$program" check nameless.log >said 2>&1 && ! grep -E "several compilers|not sure|cannot be told" said'

expect 3 'no kernels' 'report of an empty log: status 3' "$program" report /dev/null
expect 0 'regs' 'report of a log with findings: status 0' "$program" report "$spill"
expect 3 'selects? none; the log has kernels for sm_' '--arch selects no kernel: status 3' "$program" check --arch sm_52 "$clean"
expect 3 'selects? none; the log has kernels for' '--kernel selects no kernel: status 3' "$program" check --kernel '^no$' "$clean"
expect 0 '' 'a missing file is not reported as PTX' in_shell '! "$program" report nowhere.log 2>&1 | grep PTX'
cat >barriers.log <<'LOG'
ptxas info    : Compiling entry function 'k' for 'sm_120'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers
LOG
expect 0 'found: 0 errors, 0 warnings, 0 notes' 'barriers that do not limit occupancy: no finding' \
    "$program" check --threads 64 barriers.log
expect 0 'found: 0 errors, 0 warnings, 0 notes' 'barriers are one of two limits: no finding' \
    "$program" check --threads 32 barriers.log
expect 0 '3 barriers in each block allow 8 blocks of 64 threads per SM .33.3 %. .barrier-limited' 'barriers are the only limit: barrier-limited' in_shell \
    'sed "s/used 1/used 3/" barriers.log | "$program" check --threads 64 -'
expect 0 'assumed: no barrier limit for 1 kernel x arch, whose barriers are not stated' 'a log without barriers: occupancy assumes no barrier limit' in_shell \
    'sed "s/, used 1 barriers//" barriers.log | "$program" check --threads 64 -'
binaries=$source/tests/data/binaries
expect 0 '^judged: 1 kernel for sm_90$' 'a binary: "lines read" is left out' "$program" check --no-config --fail-on never "$binaries/located.cubin"
expect 0 'assumed: no barrier limit for 4 kernel' 'the log of an old toolkit states no barriers: an assumption is printed' "$program" check --no-config "$binaries/barriers.log"
expect 0 '' 'with the binary the barriers are known: no assumption is printed' in_shell \
    '! "$program" check --no-config "$binaries/barriers.log" "$binaries/barriers.cubin" | grep assumed'
expect 0 '^_Z3anyPii,.*,4,4,64,barriers,' 'with the binary the barriers limit occupancy' \
    "$program" report --no-config --threads 32 --format csv "$binaries/barriers.log" "$binaries/barriers.cubin"
expect 0 '' 'a log without barriers for sm_80: no assumption is printed' in_shell \
    '! sed "s/, used 1 barriers//; s/sm_120/sm_80/" barriers.log | "$program" check --threads 64 - | grep assumed'
for log in quiet-1 quiet-2 quiet-3 quiet-4; do
    echo 'nvcc -c a.cu -o a.o' >"$log.log"
done
grep ptxas "$spill" >grepped.log
unstated='error: no kernel was judged by [a-z, -]*: the [a-z]* does not state'
lost="$unstated spills or stack frames .keep all lines .*; --ignore leaves the rules out\$"
expect 3 "grepped.log:[0-9]+: $lost" 'a log filtered by grep ptxas: status 3' "$program" check grepped.log
expect 3 '^verdict: none' 'a log filtered by grep ptxas: verdict none' "$program" check grepped.log
expect 3 "$lost" 'records of a log filtered by grep ptxas: status 3' in_shell \
    '"$program" report -o ndjson=grepped.ndjson grepped.log >/dev/null 2>&1; "$program" check grepped.ndjson'
expect 3 'no baseline is written of a log that lacks' 'no baseline is written of a filtered log' "$program" baseline write grepped.json grepped.log
expect 3 "$lost" 'a filtered log is not compared with a baseline: status 3' in_shell \
    '"$program" baseline write whole.json "$spill" >/dev/null && "$program" check --baseline whole.json grepped.log'
expect 3 "$unstated registers, spills" 'a log without a Used line: status 3' in_shell \
    'sed "/Function properties/q" "$spill" | "$program" check -'
expect 0 'verdict: passed' 'a filtered log, the rules on spills ignored: passed' "$program" check --ignore dynamic-indexing,register-spill grepped.log
expect 0 'verdict: passed' 'a filtered log, no rule at or above --fail-on lacks its numbers: passed' "$program" check --fail-on error --ignore register-spill grepped.log
expect 0 'verdict: passed' 'a filtered log, only a rule with known numbers selected: passed' "$program" check --select register-ceiling grepped.log
mkdir asks
printf '%s\n' 'id: asks' 'severity: error' "when: 'threads > 0 or budget_registers > 0 or baseline.registers > 0'" 'message: x' >asks/asks.yaml
expect 0 'verdict: passed' 'a rule that needs a block size, a budget or a baseline which are not given: passed' "$program" check --no-config --rules asks --select asks "$spill"
echo 'rules: {register-spill: off, dynamic-indexing: off}' >unstated.yaml
expect 0 'verdict: passed' 'a filtered log, the rules on spills off in the configuration: passed' "$program" check --config unstated.yaml grepped.log
expect 0 'verdict: not asked for' 'a filtered log with --fail-on never: no verdict' "$program" check --fail-on never grepped.log
expect 0 'no kernel was judged by register-spill: the log does not state spills .keep all lines' 'with --fail-on error the message names only register-spill' \
    in_shell '"$program" check --fail-on error --ignore dynamic-indexing grepped.log || test $? = 3'
expect 1 'unlaunchable' 'findings in a filtered log: status 1' "$program" check --threads 1024 grepped.log
expect 0 '"not_judged":.*"register-spill":3' 'JSON counts kernels that a rule could not judge' in_shell '"$program" check --format json grepped.log || test $? = 3'
expect 0 '<skipped message="not judged by all rules: ' 'JUnit marks kernels that were not judged by all rules' in_shell '"$program" check --format junit grepped.log || test $? = 3'
for format in html markdown sarif; do
    expect 0 'no kernel was judged by dynamic-indexing, register-spill: the log does not state' "$format names the rules that judged no kernel" \
        in_shell "\"\$program\" check --format $format grepped.log || test \$? = 3"
done
expect 0 'verdict: passed' 'a debug build without stack lines and --allow-empty: passed' in_shell \
    'sed "/bytes stack frame/d" "$source/fixtures/debug/log.txt" | "$program" check --allow-empty -'
printf '%s\n' 'info    : 0 bytes gmem' "info    : Function properties for 'advance':" \
    'info    : used 28 registers, 0 stack, 1024 bytes smem, 368 bytes cmem[0], 0 bytes lmem' >driver.log
expect 3 "$unstated spills " 'a log of a driver without spills: status 3' "$program" check driver.log
expect 0 '^1 kernel x arch not judged by register-spill: the log does not state spills ' 'one of several kernels has no spills stated: a line says so' \
    "$program" check "$clean" driver.log
expect 3 '^driver.log:2: error: 1 of 5 kernel x arch were not judged by register-spill: .*; --ignore leaves the rule out$' 'one of several kernels has no spills stated: status 3 under --strict' \
    "$program" check --strict "$clean" driver.log
expect 3 '^verdict: none' 'one of several kernels has no spills stated: verdict none under --strict' "$program" check --strict "$clean" driver.log
expect 0 '^1 log not judged: quiet-1.log has no output of ptxas' 'one log without ptxas output beside another: named' \
    "$program" check "$clean" quiet-1.log
expect 0 '^4 logs not judged: quiet-1.log, quiet-2.log, quiet-3.log and 1 more have no output' 'four logs without ptxas output: three are named' \
    "$program" check "$clean" quiet-?.log
expect 0 '^1 log not judged: quiet-1.log has no output' 'records keep that a log has no ptxas output' in_shell \
    '"$program" report -o ndjson=quiet.ndjson "$clean" quiet-1.log >/dev/null; "$program" check quiet.ndjson'

# ---- one cause gives one finding; the page names every rule
formats=$("$program" list formats | sed 's/ .*//; /^html$/d')
for format in $formats; do
    expect 0 '' "$format reports register-spill and no register-ceiling on one kernel" in_shell \
        "\"\$program\" check --all --format $format \"\$source/fixtures/smem-spilling/log.txt\" >cause.out; test \$? = 1 && grep -q register-spill cause.out && ! grep -q register-ceiling cause.out"
done
loops=$source/fixtures/unroll-sm90/log.txt
export loops
for format in $formats; do
    expect 0 '' "$format reports unroll-failed and no dynamic-indexing on one kernel" in_shell \
        "\"\$program\" check --no-config --all --format $format \"\$loops\" >cause.out; test \$? = 1 && grep -q unroll-failed cause.out && ! grep -q dynamic-indexing cause.out"
done
expect 1 '[[]dynamic-indexing[]]' 'with unroll-failed ignored: dynamic-indexing' "$program" check --no-config --ignore unroll-failed "$loops"
echo 'allow: [{rule: unroll-failed, reason: measured}]' >loops.yaml
expect 1 '[[]dynamic-indexing[]]' 'with an exception for unroll-failed: dynamic-indexing' "$program" check --config loops.yaml "$loops"
expect 1 '[[]dynamic-indexing[]]' 'with unroll-failed as a note: dynamic-indexing' in_shell 'echo "rules: {unroll-failed: note}" >milder.yaml; "$program" check --config milder.yaml "$loops"'
"$program" report --no-config --format ndjson "$loops" >loops.ndjson
expect 1 '[[]dynamic-indexing[]]' 'unroll-failed is of another architecture: dynamic-indexing' in_shell \
    'sed "/\"event\"/s/\"arch\":null,\"arch_inferred\":null/\"arch\":\"sm_80\",\"arch_inferred\":\"sm_80\"/" loops.ndjson | "$program" check --no-config -'
expect 1 '[[]dynamic-indexing[]]' 'unroll-failed is of another function: dynamic-indexing' in_shell \
    'sed "/\"event\":/s/\"mangled\":\"_Z10early_exit/\"mangled\":\"_Z10early_exis/" loops.ndjson | "$program" check --no-config -'
expect 1 '^found: 0 errors, 1 warning' 'records give one warning for the loop, too' "$program" check --no-config loops.ndjson
expect 1 '[[]register-ceiling[]]' 'with register-spill ignored: register-ceiling' "$program" check --ignore register-spill "$source/fixtures/smem-spilling/log.txt"

# ---- every format is documented
for format in $("$program" list formats | sed 's/ .*//'); do
    expect 0 '' "warplint-reports(5) describes $format" in_shell "\"\$program\" help reports | grep -qx '  $format'"
done

# ---- messages that count kernels of each architecture say so, and agree with the totals line
expect 0 '^19 kernels 57 57 kernel x arch$' '--summary: the kernels of all architectures add up to the total' in_shell \
    '"$program" report --summary "$source/fixtures/demo/log.txt" | awk "/^registers/ { head = \$2 \" \" \$3 \" \" \$4; on = 1; next } on && NF < 4 { on = 0 } on { sum += \$4 } /^seen:/ { print \$2, \$3, \$8, sum, head }"'
for format in html markdown; do
    expect 0 'kernel x arch' "$format counts kernel x arch" "$program" report --format $format "$source/fixtures/demo/log.txt"
done

# ---- the command line
expect 2 'no command was given' 'no command: status 2' "$program"
expect 2 "did you mean check" 'a misspelt command: status 2 with a suggestion' "$program" chekc
expect 2 'did you mean --select' 'a misspelt option: status 2 with a suggestion' "$program" check --selct register-spill "$spill"
expect 2 'needs a value' 'an option without its value: status 2' "$program" check --arch
expect 2 "--arch: 'hopper' is not an architecture, expected one such as sm_90" 'an unknown architecture: status 2' "$program" check --arch hopper "$spill"
expect 2 'from 1 to 1024' 'a block size over 1024: status 2' "$program" check --threads 4096 "$spill"
expect 3 'no kernels: --kernel selects none; the log has kernels for sm_80, sm_90' 'report --kernel that selects none: status 3 with the architectures of the log' \
    "$program" report --kernel 'nothing_like_it' "$clean"
expect 3 '^verdict: none \(status 3\)$' 'a missing input beside a log: verdict none' "$program" check "$clean" nowhere.log
expect 3 '^a part of the build was not judged: nowhere.log: cannot be opened' 'the report names the missing input' \
    in_shell '"$program" check "$clean" nowhere.log 2>/dev/null'
expect 3 '<error message="a part of the build was not judged: nowhere.log: cannot be opened' 'JUnit names the missing input' \
    "$program" check --format junit "$clean" nowhere.log
expect 3 '^::error title=warplint::a part of the build was not judged: no%250A::error::where.log: cannot be opened' 'GitHub annotations escape the name of the missing input' \
    "$program" check --format github "$clean" 'no%0A::error::where.log'
expect 2 'report does not write sarif, which holds findings' 'report refuses sarif' "$program" report --format sarif "$spill"
expect 2 'merge does not write github, which holds findings' 'merge refuses github' "$program" merge -o github=- "$spill"
expect 2 'does not write junit, which holds findings' 'report refuses junit with -o' "$program" report -o junit=none.xml "$spill"
expect 1 '<title>warplint: a &lt;b&gt; 1f3e: FAILED' '--title is the title of the page, escaped' "$program" check --format html --title 'a <b> 1f3e' "$spill"
expect 1 '"automationDetails":.*"id":"warplint/sm_90/"' '--sarif-category is in SARIF' "$program" check --format sarif --sarif-category sm_90 "$spill"
expect 3 '"executionSuccessful":false' 'SARIF of a log without kernels: not successful' "$program" check --format sarif "$silent"
expect 0 '"executionSuccessful":true' 'SARIF of a log without kernels with --allow-empty: successful' "$program" check --format sarif --allow-empty "$silent"
expect 2 'did you mean csv' 'an unknown format: status 2 with a suggestion' "$program" check --format csw "$spill"
expect 2 'FORMAT=PATH' '--output without a format: status 2' "$program" check --output x "$spill"
for words in '--title x' '--title x --format json' '--sarif-category x' '--sarif-category x -o html=some.html' '--max-bytes 65536'; do
    # shellcheck disable=SC2086 # several words
    expect 0 'warning: --(title|sarif-category|max-bytes) has an effect on (html|sarif|markdown) reports alone, and none is written: add --output (html|sarif|markdown)=PATH' "an option without a report that it affects: a warning: $words" "$program" check $words "$clean"
done
for words in '--top 3 --format json' '--sort registers -o ndjson=some.ndjson' '--summary --format csv'; do
    # shellcheck disable=SC2086 # several words
    expect 0 'warning: --(top|sort|summary) has an effect on text reports alone, and none is written: add --output text=PATH' "an option of text without a text report: a warning: $words" "$program" report --no-config $words "$clean"
done
expect 0 '' 'an option of text with a text report beside JSON: status 0' "$program" report --no-config --top 3 --format json -o text=top.txt "$clean"
expect 0 'warning: --drift has no effect without a baseline' '--drift without a baseline: a warning' "$program" check --no-config --drift report "$clean"
expect 0 'warning: --allow-missing has no effect without a baseline' '--allow-missing without a baseline: a warning' "$program" check --no-config --allow-missing "$clean"
expect 2 'two reports' 'two reports to one path: status 2' "$program" check -o csv=a -o json=a "$spill"
expect 2 "two reports would be written to './a'" 'by two names' "$program" check -o csv=a -o json=./a "$spill"
expect 2 '\^' 'an invalid --kernel pattern: status 2 with a caret' "$program" check --kernel 'a(b' "$spill"
expect 2 'no.*rule' '--select of an unknown rule: status 2' "$program" check --select no-such-rule "$spill"
expect 0 'usage: warplint check' 'help of a command: status 0' "$program" check --help
for command in '' $("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    expect 0 '^usage: warplint' "help has at most 80 columns: ${command:-warplint}" \
        sh -c '"$program" $1 --help >help && ! grep ".\{81\}" help && head -n 1 help' sh "$command"
done
expect 0 'warplint [0-9]' '--version prints the version' "$program" --version
expect 2 'list takes .* found .kernels.' 'list of an unknown kind: status 2' "$program" list kernels
expect 2 "nothing is called 'nonsense', expected a rule, a field, an architecture or a cause" 'explain with an unknown name: status 2' "$program" explain nonsense
expect 2 "nothing is called 'register-spil', did you mean register-spill$" 'explain with a misspelt rule suggests the rule' "$program" explain register-spil
expect 2 "nothing is called 'register', did you mean registers$" 'explain with a part of a name suggests a field' "$program" explain register
expect 2 "'H100' is a GPU, did you mean its architecture, sm_90$" 'explain with a GPU suggests its architecture' "$program" explain H100
expect 0 '^warplint-config\(5\)' 'explain config prints the manual of the configuration' "$program" explain config
expect 0 '^warplint-rules\(5\)' 'explain rule prints the manual of rules' "$program" explain rule
expect 2 "--arch: 'rtx 4090' is a GPU, its architecture is sm_89$" '--arch with a GPU names its architecture' "$program" check --arch 'rtx 4090' "$spill"
expect 2 "found 'report.html', did you mean html=report.html$" '-o with a path only suggests html=' "$program" check -o report.html "$spill"
expect 2 "found 'a/b.md', did you mean markdown=a/b.md$" '-o with a path only suggests markdown=' "$program" check -o a/b.md "$spill"
mkdir logs && cp "$spill" logs/a.log && cp "$spill" logs/b.log
expect 3 'has no records .*, only logs: logs/a.log, logs/b.log; .warplint check logs/\*.log. reads them$' 'a folder of logs: status 3 with a command that reads them' "$program" check logs
# Each row of the page on expressions works in the message of a rule that has the parameter that it names.
"$program" explain expressions >page
sed -n 's/^    \([^ ].*[^ ]\)   *[^ ].*/\1/p' page | cut -c 1-38 | sed 's/ *$//' >expressions
mkdir one
printf "id: a\ntitle: t\nparams: {most: 128}\nwhen: 'registers > 1'\nmessage: >\n" >one/a.yaml
sed 's/.*/  {&}/' expressions >>one/a.yaml
expect 0 '^a ' 'each expression of explain expressions is valid in a message' "$program" list rules --rules one
expect 0 '' 'explain expressions lists at least 21' test "$(wc -l <expressions)" -ge 21
expect 0 '' 'explain expressions has at most 80 columns' in_shell '! grep ".\{81\}" page'
expect 0 '^not-verbose: an error of `warplint doctor`' 'explain of a cause of doctor' "$program" explain not-verbose
expect 0 'why' 'explain of a rule' "$program" explain register-spill
expect 0 '^  note: otherwise$' 'explain of a rule lists its cases with severities' "$program" explain register-ceiling
expect 0 '^exceptions of these count here, too$' 'explain of a rule names rules with valid exceptions' "$program" explain spill-in-loop
expect 0 '^register-ceiling +warning, note +on ' 'list rules prints both severities of a rule' "$program" list rules
expect 0 'registers per SM' 'explain of an architecture' "$program" explain sm_90a
expect 0 'registers' 'explain of a field' "$program" explain registers
for list in rules fields archs formats phrases; do
    expect 0 '.' "list $list" "$program" list "$list"
done

# ---- broken rules
mkdir rules
cat >rules/my-rule.yaml <<'RULE'
id: my-rule
title: too many registers
severity: error
when: 'registrs > 10 and'
message: '{registers} registers'
why: because
hint: none
see: a page
bad: |
  x
good: |
  y
RULE
expect 2 'my-rule.yaml:4:.*' 'a misspelt field in a rule: the line' "$program" check --rules rules "$spill"
expect 2 'registers' 'a misspelt field in a rule: a suggestion' "$program" check --rules rules "$spill"
expect 2 '\^' 'a misspelt field in a rule: a caret' "$program" check --rules rules "$spill"
sed -i "s/^when:.*/when: 'registers > 10'/" rules/my-rule.yaml
expect 1 '\[my-rule\]' 'a custom rule fires' "$program" check --rules rules --select my-rule "$spill"
sed "s/^when:.*/when: 'threads > 10'/" rules/my-rule.yaml >one/my-rule.yaml && rm one/a.yaml
expect 3 '^3 kernel x arch not judged by my-rule: threads is not known$' 'a custom rule on an unknown block size: counted as not judged' "$program" check --rules one --select my-rule "$spill"
for number in 1 2 3 4; do
    sed "s/my-rule/my-rule-$number/" one/my-rule.yaml >one/my-rule-$number.yaml
done
expect 3 '^3 kernel x arch not judged by my-rule, 3 by my-rule-1, 3 by my-rule-2 and 2 more rules: ' 'five such rules: three are named' "$program" check --rules one --select my- "$spill"
rm one/my-rule-[1-4].yaml
sed "s/my-rule/my-other/; s/threads > 10/known(threads) or registers > 0 and not constant_bytes * 2 > 5/" one/my-rule.yaml >one/my-other.yaml
expect 3 '^3 kernel x arch not judged by my-other: constant_bytes is not known$' 'the report names the first unknown field' "$program" check --rules one --select my-other "$spill"
expect 3 '^3 kernel x arch not judged by my-other, 3 by my-rule: a value that the rule needs is not known$' 'two rules with different unknown fields: one line without field names' "$program" check --rules one --select my- "$spill"
rm one/my-other.yaml
expect 3 '"not_judged":\{"my-rule":3\}' 'NDJSON counts kernels that the rule did not judge' "$program" check --rules one --select my-rule --format ndjson "$spill"
expect 0 '"not_judged":\{\}' 'with a block size the rule judges all kernels' "$program" check --rules one --select my-rule --format ndjson --threads 8 "$spill"
expect 2 'norules' 'a missing folder of rules: status 2' "$program" check --rules norules "$spill"

# ---- selection
expect 0 '' '--kernel roomy selects filter_roomy, not filter_tight' in_shell '"$program" report --kernel roomy --format ndjson "$spill" >said && grep -q filter_roomy said && ! grep -q filter_tight said'
printf 'a.cu(3): warning #1675-D: unrecognized GCC pragma\n' | cat - "$spill" >pragma.log
expect 1 '' '--kernel leaves out messages without a kernel' in_shell '"$program" check --all --format csv pragma.log >all.csv; "$program" check --all --kernel tight --format csv pragma.log >tight.csv; s=$?; grep -q unroll-failed all.csv && ! grep -q unroll-failed tight.csv && exit $s'

names=$source/fixtures/local-names/log.txt
expect 0 'seen: 1 kernel ' '--kernel with a label that has brackets: taken literally' "$program" report --kernel 'each<launch(int*, int)::{lambda(int)#2}>' "$names"
expect 0 'seen: 2 kernels ' '--kernel with a shortened label selects all instances of it' "$program" report --kernel '...::apply<(anonymous namespace)::inner::Scale>~c288' "$names"
expect 3 'selects none' '--kernel with a label of another hash: none selected' "$program" report --kernel '...::apply<(anonymous namespace)::inner::Scale>~c23f' "$names"
expect 0 'compared: 1 kernel x arch: 1 the same' 'diff --kernel with a label' "$program" diff --kernel 'each<launch(int*, int)::{lambda(int)#2}>' "$names" "$names"

expect 0 'verdict: none' '--arch selects no kernel, with --allow-empty: verdict none' "$program" check --arch sm_90 --allow-empty "$spill"

# ---- our own NDJSON as input
mkdir -p build/a build/b
cp "$spill" build/build.log
"$program" report -o ndjson=build/a/x.o.warplint.ndjson "$spill" >/dev/null
"$program" report -o ndjson=build/b/y.o.warplint.ndjson "$clean" >/dev/null
"$program" check -o ndjson=findings.json --format csv "$spill" >/dev/null
head -n 3 build/a/x.o.warplint.ndjson >cut.ndjson
expect 1 'register-spill' 'check of a folder reads all records below it' "$program" check build
expect 0 'log\.txt' 'report of a folder' "$program" report --format csv build
expect 0 '' 'a folder with records: the log in it is not read' in_shell 'cat build/*/*.ndjson | "$program" report --format csv >a && "$program" report --format csv build >b && cmp a b'
expect 1 'register-spill' 'NDJSON is recognized by its first line' "$program" check - --format text findings.json
expect 1 'register-spill' 'NDJSON on standard input' in_shell '"$program" check <findings.json'
expect 3 'cut.ndjson:4: error: the stream ends without an end record' 'a truncated record: status 3' "$program" check cut.ndjson
expect 1 'the stream ends without an end record' 'a truncated record and findings: status 1' "$program" check cut.ndjson "$spill"
expect 3 'no kernels|cut' 'a truncated record has no kernels' "$program" check --fail-on never cut.ndjson
mkdir lines
sed -e 's/^id: .*/id: my-lines/' -e "s/^when:.*/pattern: 'Used'/" -e 's/{registers}/some/' rules/my-rule.yaml >lines/my-lines.yaml
expect 1 'records and binaries hold no lines' 'a pattern rule with NDJSON input: a message says that it judges no lines' "$program" check --rules lines findings.json

# ---- output
if [ -w /dev/full ]; then
    expect 3 'cannot be written' 'check with a full disk: status 3' in_shell '"$program" check "$spill" >/dev/full'
    expect 3 'cannot be written' 'report with a full disk: status 3' in_shell '"$program" report "$spill" >/dev/full'
    expect 3 'cannot be written' '--version with a full disk: status 3' in_shell '"$program" --version >/dev/full'
fi
expect 3 'cannot be written' 'a closed standard output: status 3' in_shell '"$program" check "$spill" >&-'

# The reader of standard output has exited: status 3 without a message, and the other outputs are complete.
gone() # COMMAND...
{
    python3 - "$@" <<'PYTHON'
import os, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE)
sys.stderr.buffer.write(run.stderr)
sys.exit(f"status {run.returncode}" if run.returncode != 3 or run.stderr else 0)
PYTHON
}
for command in --version --help help 'help rules' 'list rules' 'explain register-spill' 'config show' "doctor $clean" \
    "merge $clean" "advise filter_tight $spill" "where filter_tight $spill" 'occupancy --arch sm_90 --threads 256 --registers 32' \
    "baseline write - $clean" "baseline check $clean"; do
    case $command in "baseline check"*) "$program" baseline write known.json "$clean" >"$work/out" && command="baseline check known.json $clean" ;; esac
    # shellcheck disable=SC2086 # several words
    holds "standard output has no reader: $command" gone "$program" $command
done
sed 's/^\( *\)\([0-9]*\) bytes stack frame, [0-9]* /\1\2 bytes stack frame, 8000 /' "$spill" >worse.log
for format in text json ndjson csv markdown html sarif github gitlab junit checkstyle rdjsonl azure teamcity; do
    holds "standard output has no reader: check --format $format" gone "$program" check --format $format "$spill"
    holds "standard output has no reader: diff --format $format" gone "$program" diff --format $format "$spill" worse.log
done
for format in text json ndjson csv markdown html; do
    holds "standard output has no reader: report --format $format" gone "$program" report --format $format "$spill"
done
holds 'standard output has no reader, a CSV file is written' gone "$program" check -o text=- -o csv=rest.csv "$spill"
holds 'that CSV file is complete' in_shell '"$program" check --format csv "$spill" >said; cmp rest.csv said'
expect 3 'cannot be written' 'an output in a missing folder: status 3' "$program" check -o csv=no/such/folder "$clean"
expect 0 '' 'outputs leave no temporary file' in_shell '"$program" check -o csv=out.csv -o json=out.json "$clean" && ! ls -A | grep -e "[.]tmp" -e "[.]warplint-"'
expect 0 '' 'two outputs are written at once' in_shell 'test -s out.csv && test -s out.json'
echo mine >out.html.tmp && ln out.html.tmp hard
expect 0 '' "another file with the name out.html.tmp is unchanged" in_shell '"$program" check -q -o html=out.html "$clean" && [ "$(cat hard out.html.tmp)" = "$(echo mine; echo mine)" ] && [ "$(ls -l out.html | cut -c1-10)" = "$(umask 022; : >plain; ls -l plain | cut -c1-10)" ]'
written='cmp out.csv got'
mkfifo pipe
expect 0 '' 'an output to a pipe: it stays a pipe' in_shell "cat pipe >got & timeout 20 \"\$program\" check -q -o csv=pipe \"\$clean\" && wait && $written && test -p pipe"
expect 0 '' 'an output to an open descriptor' in_shell "timeout 20 \"\$program\" check -q -o csv=/proc/self/fd/3 \"\$clean\" 3>got; $written"
expect 0 '' 'an output to an open descriptor keeps what was written before' in_shell "(echo first >&3; \"\$program\" check -q -o csv=/proc/self/fd/3 \"\$clean\") 3>got; (echo first; cat out.csv) | cmp - got"
expect 0 '' 'an output to standard output, which is a pipe' in_shell "\"\$program\" check -q -o csv=/proc/self/fd/1 \"\$clean\" | cat >got; $written"
expect 0 '' 'an input from a slow pipe' in_shell '(exec >pipe; sleep 1; cat "$clean") & timeout -s KILL 20 "$program" check -q pipe'
expect 0 '' 'a configuration and a baseline from pipes' in_shell '"$program" baseline write known.json "$clean"; mkfifo other; (sleep 0.3; cat known.json >pipe) & echo "fail-on: never" >other & timeout -s KILL 20 "$program" check -q --config other --baseline pipe "$clean"'
mkdir piped ruled && mkfifo piped/.warplint.yaml ruled/x.yaml
echo 'extends: pipe' >extends.yaml
echo 'rules-dir: ruled' >ruled.yaml
regular='is not a regular file, expected one'
expect 2 "extends.yaml:1:10: error: 'pipe' $regular" 'extends: of a pipe: status 2' timeout -s KILL 8 "$program" check --config extends.yaml "$clean"
expect 2 "yaml: error: $regular" 'a found configuration that is a pipe: status 2' in_shell 'cd piped; timeout -s KILL 8 "$program" check "$clean"'
expect 2 "ruled/x.yaml: error: $regular" 'a rule file that is a pipe: status 2' timeout -s KILL 8 "$program" check --config ruled.yaml "$clean"
rm ruled/x.yaml && ln -s /dev/null ruled/x.yaml
expect 2 "ruled/x.yaml: error: $regular" 'a link to a device' timeout -s KILL 8 "$program" check --config ruled.yaml "$clean"
expect 2 "pipe: error: $regular" 'baseline write to a pipe: status 2' timeout -s KILL 8 "$program" baseline write pipe "$clean"
if mknod null c 1 3 2>/dev/null && (: >null) 2>/dev/null; then
    expect 0 '' 'an output to a device: it stays a device' in_shell '"$program" check -q -o html=null "$clean" && test -c null'
    ln -s null link
    expect 0 '' 'an output to a link to a device: both stay' in_shell '"$program" check -q -o html=link "$clean" && test -c null && test -L link'
fi
echo mine >target.csv && ln -s target.csv linked.csv && ln target.csv hardlinked.csv
for name in linked.csv hardlinked.csv; do
    expect 0 '' "an output replaces a link, the linked file is unchanged: $name" in_shell '"$program" check -q -o csv='$name' "$clean" && cmp -s out.csv '$name' && test ! -L '$name' && [ "$(cat target.csv)" = mine ]'
done
echo before >kept.csv
if [ "$(id -u)" != 0 ]; then
    mkdir shut && echo before >shut/kept.csv && chmod 500 shut
    expect 3 'cannot be written' 'an output in a folder without write permission: status 3' "$program" check -o csv=shut/kept.csv "$clean"
    chmod 700 shut
fi
expect 1 '' 'standard input is read to its end' in_shell '(cat "$spill"; sleep 0.2; echo end; echo last >&2) 2>tail | "$program" check - && false; status=$?; grep -q last tail && exit $status'
expect 0 '' 'no colours in a pipe' in_shell '"$program" check --fail-on never "$spill" | grep -c "\[31m" | grep -qx 0'
expect 0 '' '--color always in a pipe' in_shell '"$program" check --fail-on never --color always "$spill" | grep -q "\[31m"'
expect 0 '' 'the verdict has a colour' in_shell '"$program" check --fail-on error --color always "$spill" | grep -q "verdict: .\[3[123]m"'
expect 0 '' '--color takes precedence over NO_COLOR' in_shell 'NO_COLOR=1 "$program" check --fail-on never --color always "$spill" | grep -q "\[31m"'
expect 0 '' 'CLICOLOR_FORCE gives colours in a pipe' in_shell 'CLICOLOR_FORCE=1 "$program" check --fail-on never "$spill" | grep -q "\[31m"'
expect 0 '' 'the same input gives the same bytes twice' in_shell 'for f in text json ndjson csv; do "$program" check --fail-on never --format $f "$spill" >a && "$program" check --fail-on never --format $f "$spill" >b && cmp a b || exit 1; done'
if command -v python3 >/dev/null 2>&1; then
    expect 0 '' 'JSON is valid' in_shell '"$program" report --format json "$spill" | python3 -m json.tool >/dev/null'
fi

# ---- the order of the table
{
    for kernel in a:30:5.5 b:50:1.5 c:40:9; do
        rest=${kernel#*:}
        printf "ptxas info    : Compiling entry function '_Z1%sv' for 'sm_90'\n" "${kernel%%:*}"
        printf 'ptxas info    : Function properties for _Z1%sv\n' "${kernel%%:*}"
        echo '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
        echo "ptxas info    : Used ${rest%:*} registers, used 0 barriers"
        [ "${kernel%%:*}" = b ] || echo "ptxas info    : Compile time = ${rest#*:} ms"
    done
} >order.log
order() { "$program" report --no-config "$@" order.log | sed -n 's/^\([abc]\) .*/\1/p' | tr -d '\n'; }
[ "$(order)" = bca ] && ok 'by default the worst kernel is first' || bad "order: $(order)"
[ "$(order --sort registers)" = bca ] && ok '--sort registers: the largest first' || bad "--sort registers: $(order --sort registers)"
[ "$(order --sort -registers)" = acb ] && ok '--sort -registers: the smallest first' || bad "--sort -registers: $(order --sort -registers)"
[ "$(order --sort compile_ms)" = cab ] && ok '--sort compile_ms: unknown is last' || bad "--sort compile_ms: $(order --sort compile_ms)"
[ "$(order --sort -compile_ms)" = acb ] && ok '--sort -compile_ms: unknown is last' || bad "--sort -compile_ms: $(order --sort -compile_ms)"
[ "$(order --sort registers --top 2)" = bc ] && ok '--top 2 shows two kernels' || bad "--top 2: $(order --sort registers --top 2)"
expect 0 '^\[1 other kernel; --all shows each\]$' '--top 2 counts the other kernels' "$program" report --no-config --top 2 order.log
expect 0 'limited by$' '--sort by a column of the table adds no column' "$program" report --no-config --sort registers order.log
expect 0 '^c .* 9$' '--sort by another metric adds it as the last column' "$program" report --no-config --sort compile_ms order.log

[ "$(order --sort registers --top 5000)" = "$(order --sort registers --all)" ] && ok '--top with more than there are shows all' || bad "--top 5000: $(order --sort registers --top 5000)"
expect 2 "--top takes a whole number from 1 up, found '0'" '--top 0: status 2' "$program" report --no-config --top 0 order.log
# A kernel is one block with its architectures in order, at the position of its first record.
{
    for kernel in a:sm_100:30 b:sm_90:40 a:sm_90:50 b:sm_100:20; do
        rest=${kernel#*:}
        printf "ptxas info    : Compiling entry function '_Z1%sv' for '%s'\n" "${kernel%%:*}" "${rest%:*}"
        printf 'ptxas info    : Function properties for _Z1%sv\n' "${kernel%%:*}"
        echo '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
        echo "ptxas info    : Used ${rest#*:} registers, used 0 barriers"
    done
} >blocks.log
blocks() { "$program" report --no-config "$@" blocks.log | awk '$1 ~ /^[ab]$/ { kernel = $1; sub(/^[ab]/, "") } $1 ~ /^sm_/ { print kernel, $1, $2 }' | tr '\n' ';'; }
same() { [ "$2" = "$3" ] && ok "$1" || bad "$1: $3"; }
same 'a kernel with several architectures is one block' 'a sm_90 50;a sm_100 30;b sm_90 40;b sm_100 20;' "$(blocks)"
same '--sort places a block by its smallest number' 'b sm_90 40;b sm_100 20;a sm_90 50;a sm_100 30;' "$(blocks --sort -registers)"
same '--top 1 shows one kernel with all its architectures' 'a sm_90 50;a sm_100 30;' "$(blocks --top 1)"
expect 0 '^\[1 other kernel; --all shows each\]$' '--top 1 counts other kernels, not architectures' "$program" report --no-config --top 1 blocks.log

finish
