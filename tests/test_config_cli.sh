#!/bin/sh
# usage: test_config_cli.sh PROGRAM SOURCE_DIR
#
# Configurations on the command line: which file is found, which value takes precedence, errors, and `config show`.
# Prints one line per case; the status is 0 only if none failed.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
SOURCE_DATE_EPOCH=1795219200 # 2026-11-21
export program SOURCE_DATE_EPOCH

record() # name, architecture, registers, spilled bytes
{
    printf '%s\n' "ptxas info    : Compiling entry function '$1' for '$2'" "ptxas info    : Function properties for $1" \
        "    0 bytes stack frame, $4 bytes spill stores, 0 bytes spill loads" \
        "ptxas info    : Used $3 registers, used 0 barriers"
}

# A repository with a configuration, a folder inside, one outside.
mkdir -p repo/.git repo/src/deep outside
{ record _Z4gemmILi64EEvPf sm_80 41 16; record _Z4gemmILi64EEvPf sm_90 40 0; record _Z6reducePf sm_90 40 32; } >spill.log
{ record _Z4gemmILi64EEvPf sm_80 41 0; record _Z6reducePf sm_90 32 0; } >clean.log
cat >repo/.warplint.yaml <<'YAML'
archs: [sm_80]
fail-on: error
rules:
  register-spill: warning
kernels:
  - match: 'gemm<(\d+)>'
    threads: '$1 * 4'
    dynamic-smem: 2KiB
YAML
cat >broken.yaml <<'YAML'
archs: [sm_80, ampere]
rules:
  registr-spill: off
kernels:
  - match: gemm
    thread: 128
YAML
log=$work/spill.log
export log

# ---- which file is found
expect 1 'register-spill' 'outside a repository: no configuration' in_shell 'cd outside && "$program" check "$log"'
expect 0 'warning: .*register-spill' 'the configuration of the working directory' in_shell 'cd repo && "$program" check "$log"'
expect 0 'warning: .*register-spill' 'the configuration of the repository, from a folder below' in_shell 'cd repo/src/deep && "$program" check "$log"'
expect 1 'error: .*register-spill' '--no-config ignores the configuration' in_shell 'cd repo && "$program" check --no-config "$log"'
expect 0 'warning: .*register-spill' '--config names the configuration' "$program" check --config repo/.warplint.yaml "$log"
mkdir -p dangling/.git && ln -s gone.yaml dangling/.warplint.yaml
expect 2 '.warplint.yaml: error: cannot be opened' 'the configuration is a link to a missing file: status 2' in_shell 'cd dangling && "$program" check "$log"'
expect 2 'none.yaml: error: cannot be opened' '--config of a missing file: status 2' "$program" check --config none.yaml "$log"
expect 2 'exclude each other' '--config and --no-config: status 2' "$program" check --no-config --config repo/.warplint.yaml "$log"
expect 2 'needs a value' '--config without a file: status 2' "$program" check --config
printf 'fail-on: never\n' >repo/src/.warplint.yaml
expect 0 'not asked for' 'of two configurations the nearest is used' in_shell 'cd repo/src/deep && "$program" check "$log"'
rm repo/src/.warplint.yaml
mkdir -p repo/vendor/.git
expect 1 'error: .*register-spill' 'a configuration above the root of the repository is not used' in_shell 'cd repo/vendor && "$program" check "$log"'
printf 'archs: hopper\n' >.warplint.yaml
expect 2 '\.\./\.warplint.yaml:1:8: error' 'outside a repository a configuration of any folder above is used' in_shell 'cd outside && "$program" check "$log"'
rm .warplint.yaml

# ---- precedence
cd repo || exit 1
expect 1 'FAILED, 1 ' '--fail-on takes precedence over the configuration' "$program" check --fail-on warning "$log"
expect 0 'judged: 2 kernels for sm_90;' '--arch takes precedence over the configuration' "$program" check --arch sm_90 "$log"
expect 0 '"threads":256,"threads_from":"config"' 'threads: of the configuration is in JSON' in_shell '"$program" report --format json "$log"'
expect 0 '"threads":128,"threads_from":"cli"' '--threads takes precedence over the configuration' in_shell '"$program" report --threads 128 --format json "$log"'
expect 0 '"dynamic_smem_bytes":2048' 'dynamic-smem: of the configuration is in JSON' in_shell '"$program" report --format json "$log"'
expect 0 '"dynamic_smem_bytes":4096' '--dynamic-smem takes precedence over the configuration' in_shell '"$program" report --dynamic-smem 4KiB --format json "$log"'
expect 2 "takes bytes .*48KiB.*found '48KB'" '--dynamic-smem refuses KB' "$program" report --dynamic-smem 48KB "$log"
expect 0 '"dynamic_smem_bytes":1048576' '--dynamic-smem reads MiB' in_shell '"$program" report --dynamic-smem 1MiB --format json "$log"'

# ---- dynamic shared memory of unknown size: results that depend on it are upper bounds
dynamic=$source/tests/data/binaries/dynamic.cubin
export dynamic
expect 0 '^sized .*<=100.0%' 'unknown dynamic shared memory: text marks the occupancy as an upper bound' "$program" report --no-config --threads 256 "$dynamic"
expect 0 '^fixed .* 100.0%' 'no dynamic shared memory in the code: the occupancy is not marked' "$program" report --no-config --threads 256 "$dynamic"
expect 0 '^[|] `sized` [|].*[|] ≤100 [|]' 'unknown dynamic shared memory: Markdown marks the occupancy' in_shell '"$program" report --no-config --threads 256 --format markdown "$dynamic"'
expect 0 '≤100 %</span>' 'unknown dynamic shared memory: HTML marks the occupancy' in_shell '"$program" report --no-config --threads 256 --format html "$dynamic"'
expect 0 '^unknown for 2 of 5$' 'text counts the kernels with unknown dynamic shared memory' in_shell '"$program" report --no-config --threads 256 "$dynamic" | grep -o "^dynamic shared memory unknown for 2 of 5" | cut -c23-'
expect 0 '^"mangled":"_Z5sizedPf" "registers_to_next_block":null,$' 'unknown dynamic shared memory: JSON has no registers_to_next_block' in_shell '"$program" report --no-config --threads 1024 --format json "$dynamic" | grep -o "\"mangled\":\"_Z5sizedPf\"\|\"registers_to_next_block\":[^,]*," | grep -A1 _Z5sized | paste -sd" " | head -1'
printf 'kernels: [{match: ., threads: 32, min-occupancy: 60%%}]\n' >low.yaml
expect 0 'low-occupancy.*occupancy at most 50 %, 60 % is asked for; limited by blocks; the size of its dynamic shared memory is not known \(dynamic-smem in \.warplint\.yaml\)' 'unknown dynamic shared memory: an upper bound below min-occupancy is a finding' in_shell '"$program" check --select low-occupancy --config low.yaml --format json "$dynamic" | grep -o "\"rule\":\"low-occupancy\".*"'
expect 0 '^2$' 'two kernels have that finding' in_shell '"$program" check --select low-occupancy --config low.yaml --format ndjson "$dynamic" | grep -c "at most 50 %, 60 % is"'
expect 0 '60 % is asked for; limited by shared memory' 'a message names the limiter in words' in_shell '"$program" check --select low-occupancy --config low.yaml --dynamic-smem 40KiB --format ndjson "$dynamic" | grep -o "60 % is asked for; limited by.*"'
expect 0 '^[^<]*100.0%[^<]*$' '--dynamic-smem gives the size: the occupancy is not marked' in_shell '"$program" report --no-config --threads 256 --dynamic-smem 1KiB "$dynamic" | grep "^sized "'

# ---- above 48 KiB the launch must opt in
expect 0 'launch must opt in with cudaFuncSetAttribute\(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes\)$' 'advise: 49153 B need an opt-in by cudaFuncSetAttribute' in_shell '"$program" advise --no-config --dynamic-smem 49153 sized "$dynamic" | paste -sd" " | sed "s/  */ /g; s/ block sizes.*//; s/\(bytes)\).*/\1/"'
expect 0 '^0$' 'advise: 48 KiB need no opt-in' in_shell '"$program" advise --no-config --dynamic-smem 48KiB sized "$dynamic" | grep -c "opt in" || :'
expect 0 '^0$' 'advise: 228 KiB cannot be launched, and no opt-in is named' in_shell '"$program" advise --no-config --dynamic-smem 228KiB sized "$dynamic" | grep -c "opt in" || :'
expect 0 'needs? opt-in \(more than 49152 B\)' 'occupancy: 49153 B need an opt-in' "$program" occupancy --arch sm_90 --registers 32 --threads 256 --dynamic-smem 49153
expect 0 'more than 49152 B of shared memory: the launch must opt in with cudaFuncSetAttribute' 'HTML: 49153 B need an opt-in' "$program" report --no-config --format html --dynamic-smem 49153 "$dynamic"
for size in 1024 1K '1 k' 1KiB 1kib 0.5KiB 1m 0x400; do
    printf 'kernels: [{match: ., dynamic-smem: %s}]\n' "$size" >size.yaml
    "$program" report --config size.yaml --format json "$log" >configured.json
    "$program" report --no-config --threads 256 --dynamic-smem "$size" --format json "$log" >given.json
    expect 0 '^"dynamic_smem_bytes":[1-9]' "the option and the configuration read $size as the same number" in_shell 'grep -o "\"dynamic_smem_bytes\":[0-9]*" configured.json >configured.txt; grep -o "\"dynamic_smem_bytes\":[0-9]*" given.json >given.txt; cmp configured.txt given.txt && cat given.txt'
done
for size in 1KB 1.0001K 1x -1 1s; do
    printf 'kernels: [{match: ., dynamic-smem: %s}]\n' "$size" >size.yaml
    expect 2 'error' "the configuration refuses $size" "$program" report --config size.yaml "$log"
    expect 2 'error' "the option refuses $size" "$program" report --dynamic-smem="$size" "$log"
done
printf 'kernels:\n  - {match: ., threads: 128, dynamic-smem: 8KiB, carveout: 25%%}\n' >carveout.yaml
expect 0 '"carveout_percent":25,.*"blocks_per_sm":7,' 'a carveout in the configuration limits the blocks per SM' "$program" report --config carveout.yaml --format json "$log"
expect 0 'with a carveout of 25 %: 64 KiB' 'advise states the carveout' "$program" advise --config carveout.yaml gemm "$log"
echo 'rules: {mine: {params: {a: 99999999999999, b: 12345678901.25}, when: registers > a + b, message: x}}' >large.yaml
expect 0 '^      a: 99999999999999 ' 'config show prints a large number exactly' "$program" config show --config large.yaml
expect 0 '^      b: 12345678901.25 ' 'config show prints decimals' "$program" config show --config large.yaml
expect 0 "carveout: 25%" 'config show prints the carveout' "$program" config show --config carveout.yaml
expect 0 '^gemm<64> .* 2048 +' 'text shows the sum of static and dynamic shared memory' "$program" report "$log"
expect 0 '[|] [0-9]+/[0-9]+ [|] 0 [|] 2048 [|]' 'Markdown shows the sum of static and dynamic shared memory' "$program" report --format markdown "$log"
expect 0 '0 in every row: .*static smem' 'HTML leaves out a column of zeros' "$program" report --format html "$log"
expect 0 '<td>2048<td>256<td>' 'HTML shows dynamic shared memory beside the registers' "$program" report --format html "$log"
expect 0 'at 41 registers per thread an SM holds 5 blocks of 256 threads' 'rules use the block size of the configuration' "$program" check --fail-on never "$log"
expect 0 '"threads":null' '--no-config: threads are unknown' in_shell '"$program" report --no-config --format json "$log"'
mkdir -p team && cat >team/register-spill.yaml <<'YAML'
id: register-spill
title: ours
severity: note
when: 'spill_store_bytes > 0'
message: 'ours'
YAML
expect 0 'warning: .*: ours \[register-spill\]' 'the configuration changes the severity of a rule of --rules' "$program" check --rules team "$log"
expect 0 'note: .*\[fp64-use\]|passed' '--select of a rule that is off: passed' "$program" check --select fp64-use "$log"
cd ..

# ---- errors
expect 2 'broken.yaml:1:16: error: found .ampere' 'an unknown architecture: line and column' "$program" check --config broken.yaml "$log"
expect 2 'did you mean register-spill' 'an unknown rule: a suggestion' "$program" check --config broken.yaml "$log"
expect 2 'did you mean threads' 'an unknown key: a suggestion' "$program" check --config broken.yaml "$log"
expect 0 '' 'three errors are printed at once, and no report' in_shell '! "$program" check --config broken.yaml "$log" >out 2>err; test ! -s out && test "$(grep -c "error:" err)" = 3'
for words in 'check show' 'report show' 'list rules' 'explain show' 'config show'; do
    # shellcheck disable=SC2086 # several words
    expect 2 'broken.yaml:1:16' "$words with a broken configuration: status 2" "$program" $words --config broken.yaml
done
expect 0 '' '--help with a broken configuration: status 0' "$program" list --config broken.yaml --help
printf 'kernels:\n  - match: "gemm<(..)>"\n    threads: "$1 * 100"\n' >large.yaml
expect 2 "large.yaml:3:14: error: 'threads' gives 6400 for void gemm<64>" 'threads computed from a kernel name is too large: status 2' "$program" check --config large.yaml "$log"
expect 2 'gives 6400' 'report: threads computed from a kernel name is too large: status 2' "$program" report --config large.yaml "$log"
printf 'kernels:\n  - match: "(a+)+$"\n    threads: 32\n' >slow.yaml
record "$(printf 'a%.0s' $(seq 200))b" sm_80 32 0 >slow.log
expect 2 'slow.yaml:2:12: error: matching this pattern takes too many steps' 'a pattern with catastrophic backtracking: status 2' "$program" check --config slow.yaml slow.log

# ---- budgets
printf 'kernels:\n  - match: gemm\n    max-registers: 40\n    max-spill: {sm_80: 15, sm_90: 0}\n    max-smem: 1KiB\n    dynamic-smem: 2KiB\n' >budget.yaml
expect 1 'warning: gemm<64> .sm_80.: over budget: 41 registers \(max-registers 40\), 2048 B of shared memory \(max-smem 1024 B\), 16 B of spills \(max-spill 15 B\)' 'over-budget names every exceeded budget' "$program" check --all --config budget.yaml --select over-budget --arch sm_80 --output text=- "$log"
printf 'kernels:\n  - match: gemm\n    max-barriers: 0\n' >barriers.yaml
sed 's/used [0-9]* barriers/used 3 barriers/' "$log" >barriers.log
expect 1 'over budget: 3 named barriers \(max-barriers 0\)' 'max-barriers is a budget of named barriers' "$program" check --all --config barriers.yaml --select over-budget barriers.log
expect 0 'passed' 'no budget: passed' "$program" check --select over-budget "$log"
for field in budget_registers budget_smem_bytes budget_spill_bytes budget_stack_bytes over_budget; do
    expect 0 "^$field " "list fields has $field" "$program" list fields
    expect 0 "configuration|exceeded" "explain describes $field" "$program" explain $field
done

# ---- entries that match no kernel
cat >renamed.yaml <<'YAML'
kernels:
  - {match: gemm, max-registers: 255}
  - {match: 'gemm_fast', max-registers: 40}
  - {match: reduce, arch: sm_75, threads: 64}
  - {match: gemm, source: 'other/*.cu', threads: 64}
allow:
  - {rule: register-spill, kernel: reduce_fast, reason: measured}
YAML
unmet() { "$program" "$@" --config renamed.yaml "$log" 2>&1 | sed -n 's/\(renamed.yaml:[0-9]*\):.*not in the input.*/\1/p' | paste -s -d ' '; }
for command in check report; do
    expect 0 '^renamed.yaml:3 renamed.yaml:7$' "$command names entries without a kernel, if their source is known" unmet $command
done
expect 0 '^$' '--arch: entries without a kernel are not named' unmet check --arch sm_80
expect 0 '^$' '--kernel: entries without a kernel are not named' unmet check --kernel gemm
expect 0 '' 'config check does not name entries without a kernel' in_shell '! "$program" config check --config renamed.yaml 2>&1 | grep "not in the input"'
expect 0 '' 'a failed build: entries without a kernel are not named' in_shell \
    '! { cat "$log"; echo "make: *** [Makefile:4: b.o] Error 1"; } | "$program" check --config renamed.yaml - 2>&1 | grep "not in the input"'
expect 0 'verdict: passed' 'entries without a kernel are warnings' "$program" check --select min-blocks-missed --config renamed.yaml "$log"
expect 3 'error: the configuration has 2 entries or rules for kernels that are not in the input' 'entries without a kernel: status 3 under --strict' \
    "$program" check --strict --select min-blocks-missed --config renamed.yaml "$log"
expect 3 '^verdict: none' 'entries without a kernel: verdict none under --strict' "$program" check --strict --select min-blocks-missed --config renamed.yaml "$log"

# ---- users' rules that match no kernel
cat >aimed.yaml <<'YAML'
rules:
  gone: {severity: error, when: "name =~ 'gemm_fast' and registers > 10", message: 'm'}
  listed: {severity: error, when: "registers > 10000 and name in ['gone', 'gone_too']", message: 'm'}
  either: {severity: error, when: "registers > 10000 and (name =~ 'gemm_fast' or name =~ 'gemm')", message: 'm'}
  open: {severity: error, when: "name =~ 'gemm_fast' or registers > 10000", message: 'm'}
  excluded: {severity: error, when: "not (name =~ 'gemm') and registers > 10000", message: 'm'}
  ban: {severity: error, when: "kind == 'entry' and name =~ 'debug_'", message: 'm'}
  banned: {severity: error, when: "name =~ 'debug_'", message: 'm'}
  mild: {severity: note, when: "name =~ 'gemm_fast' and registers > 10", message: 'm'}
  unstated: {severity: error, when: "source =~ 'gone'", message: 'm'}
YAML
aimed() { "$program" check --config aimed.yaml "$@" 2>&1 | sed -n 's/aimed.yaml:[23]: warning: rule \([a-z]*\) is for kernels that are not in the input.*/\1/p' | paste -s -d ' '; }
expect 0 '^gone listed$' 'rules that name only missing kernels are reported' aimed "$log"
expect 0 '^$' '--kernel: such rules are not reported' aimed --kernel reduce "$log"
expect 0 '^$' '--ignore of such rules: they are not reported' aimed --ignore gone,listed "$log"
expect 0 'verdict: passed' 'such rules are warnings' "$program" check --select gone,listed --config aimed.yaml "$log"
expect 3 'error: the configuration has 1 entry or rule for kernels that are not in the input' 'such rules: status 3 under --strict' \
    "$program" check --strict --select gone --config aimed.yaml "$log"

# ---- exceptions
cat >allow.yaml <<'YAML'
allow:
  - {rule: register-spill, kernel: gemm, max: 16B, reason: 'measured: 3 % faster', until: 2026-11-21}
  - {rule: register-spill, kernel: reduce, max: 31, reason: small}
  - {rule: unlaunchable, reason: cannot happen}
YAML
expect 1 'found: 1 error, .*; 1 suppressed by exceptions' 'the report counts suppressed findings' "$program" check --config allow.yaml "$log"
expect 1 'FAILED, [0-9]+ error' 'a finding without an exception fails' "$program" check --config allow.yaml --select register-spill "$log"
expect 0 '' 'suppressed findings are not printed' in_shell '"$program" check --config allow.yaml --all --select register-spill "$log" | grep -c "\[register-spill\]" | grep -qx 1'
expect 1 'allow.yaml:3:49: warning: register-spill reaches 32, this exception ends at 31' 'a finding above the max of an exception: a warning' "$program" check --config allow.yaml "$log"
expect 1 'allow.yaml:4:5: warning: this exception is no longer needed' 'an exception without a finding: a warning' "$program" check --config allow.yaml "$log"
expect 0 '' '--arch: no warning about unused exceptions' in_shell '"$program" check --config allow.yaml --fail-on never --arch sm_80 "$log" 2>&1 | grep -c "no longer needed\|not in the input" | grep -qx 0'
expect 0 '' 'NDJSON has suppressed findings with the reason' in_shell '"$program" check --config allow.yaml --fail-on never --select register-spill --format ndjson "$log" | grep -c "\"suppressed\":true,\"suppressed_reason\":\"measured: 3 % faster\"" | grep -qx 1'
expect 0 '"suppressed":1' 'the NDJSON end record counts suppressed findings' "$program" check --config allow.yaml --fail-on never --select register-spill --format ndjson "$log"
expect 0 'true,measured: 3 % faster' 'CSV has suppressed findings with the reason' "$program" check --config allow.yaml --fail-on never --select register-spill --format csv "$log"
expect 0 'passed' 'only suppressed findings: passed' "$program" check --config allow.yaml --select register-spill --arch sm_80 "$log"
expect 1 'allow.yaml:2:5: warning: this exception ended on 2026-11-21' 'an exception ends after the day of until' in_shell 'SOURCE_DATE_EPOCH=1795305600 "$program" check --config allow.yaml --select register-spill --arch sm_80 "$log"'
expect 2 'SOURCE_DATE_EPOCH: error: .* not a number' 'SOURCE_DATE_EPOCH is not a number: status 2' in_shell 'SOURCE_DATE_EPOCH=soon "$program" check --config allow.yaml "$log"'
printf 'rules:\n  slow: {severity: warning, pattern: "^slow", message: slow}\nallow:\n  - {rule: slow, kernel: k, reason: x}\n' >line.yaml
{ printf "ptxas warning : Stack size for entry function 'k' cannot be statically determined\nslow\n" && record k sm_80 32 0; } >line.log
expect 1 'line.yaml:4:5: warning: this exception is for kernels, but slow finds lines, which belong to no kernel: it allows nothing; write it without `kernel`' \
    'an exception with a kernel for a pattern rule: a warning' "$program" check --config line.yaml --select slow line.log
expect 1 'slow \[slow\]' 'an exception with a kernel does not cover a pattern rule' "$program" check --config line.yaml --select slow line.log

# ---- messages and the kernels that they name
loops=$source/fixtures/unroll-sm90/log.txt
printf 'rules:\n  deep: {severity: warning, event: stack-unknown, when: "spill_store_bytes > 0", message: deep}\n' >deep.yaml
{ printf "ptxas warning : Stack size for entry function 'k' cannot be statically determined\n" && record k sm_80 32 0; } >one.log
record k sm_80 32 8 >two.log
expect 0 'verdict: passed' 'a rule on messages uses the kernel of the same log' "$program" check --config deep.yaml --select deep one.log two.log
record k sm_80 32 8 >>one.log
expect 1 'warning: k .*: deep \[deep\]' 'of several kernels of that name the worst is used' "$program" check --config deep.yaml --select deep one.log
expect 1 'unroll-failed' '--arch of the log: loop findings fail' "$program" check --select unroll-failed --arch sm_90 "$loops"
expect 3 'found: 0 errors, 0 warnings' '--arch that the log does not have: no loop findings' "$program" check --select unroll-failed --arch sm_80 "$loops"

# ---- rules on the examples in their files
mkdir own
record k sm_80 168 0 | sed 's/^/  /' >bad
record k sm_80 64 0 | sed 's/^/  /' >good
own() # id, when, more keys
{
    printf "id: %s\ntitle: t\nwhen: '%s'\nmessage: '{registers} registers'\n%s\n" "$1" "$2" "${3:-}" | grep . >"own/$1.yaml"
    { echo 'bad: |' && cat bad && echo 'good: |' && cat good; } >>"own/$1.yaml"
}
own holds 'registers > 128'
own off 'registers > 128' 'severity: off'
own launched 'occupancy < 20%' 'with: {threads: 256}'
own grew 'registers > baseline.registers' 'with: {baseline.registers: 64}'
own parameter 'registers > most' 'params: {most: 100}'
printf 'rules-dir: own\nrules:\n  parameter: {severity: off, params: {most: 500}}\n  inline: {when: registers > 1, message: m}\n' >own.yaml
printf "id: line\ntitle: t\npattern: 'error C(?<n>\\d+)'\nmessage: 'error {n}'\nbad: error C12\n" >own/line.yaml
printf "id: said\ntitle: t\nevent: wgmma-serialized\nmessage: m\ngood: fine\n" >own/said.yaml
expect 0 '^rules of your own: 7, tried on their excerpts: 7$' 'config check: all custom rules hold' "$program" config check --rules own
expect 0 '^holds +own/holds.yaml +fires on `bad`, is silent on `good`$' 'config check: a rule with `bad` and `good`' "$program" config check --rules own
expect 0 '^line +own/line.yaml +fires on `bad`; has no `good`$' 'config check: a rule with `bad` only' "$program" config check --rules own
expect 0 '^said +own/said.yaml +is silent on `good`; has no `bad`$' 'config check: a rule with `good` only' "$program" config check --rules own
expect 0 '^rules of your own: 8, tried on their excerpts: 7$' 'config check: examples use the parameters of the rule file' "$program" config check --config own.yaml
expect 0 '^inline +own.yaml +not tried: has neither `bad` nor `good`$' 'config check: a rule without examples' "$program" config check --config own.yaml
expect 0 '^configuration: none, the built-in settings$' 'config check: no configuration' "$program" config check --no-config
printf 'allow:\n  - {rule: register-spil, reason: r}\n' >misnamed.yaml
expect 0 "^misnamed.yaml:2:12: warning: no rule is called 'register-spil', did you mean register-spill: this exception" 'config check: an exception for an unknown rule' "$program" config check --config misnamed.yaml
own late 'registers > 300'
own early 'registers > 10'
own unasked 'occupancy < 20%'
own nothing 'registers > 128'
sed -i 's/ptxas/ptx/' own/nothing.yaml
printf "id: mute\ntitle: t\npattern: warning\nmessage: m\nbad: error\n" >own/mute.yaml
printf "id: unsaid\ntitle: t\nevent: wgmma-serialized\nmessage: m\nbad: error\n" >own/unsaid.yaml
{ printf "id: other\ntitle: t\nevent: wgmma-serialized\nmessage: m\nbad: |\n" && cat bad && echo '  ptxas warning : Stack size for entry function '\''k'\'' cannot be statically determined'; } >own/other.yaml
{ printf "id: torn\ntitle: t\nwhen: registers > 1\nmessage: m\nbad: |\n" && echo '  {"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}'; } >own/torn.yaml
faults='"$program" config check --rules own'
own dumb 'registers > 128'
sed -i '/^good:/,$d' own/dumb.yaml && printf 'good: nothing here\n' >>own/dumb.yaml
expect 2 '^own/dumb.yaml:10: error: the excerpt `good` of the rule dumb tests nothing: it holds no record of a kernel' 'config check: `good` without a kernel' in_shell "$faults"
expect 2 '^own/unasked.yaml:10: error: the excerpt `good` of the rule unasked tests nothing: `when` asks for what' 'config check: `good` without the block size that the rule needs' in_shell "$faults"
expect 2 '^own/late.yaml:5: error: the rule late is silent on its excerpt `bad`: `when` is true of no record in it$' 'config check: the rule does not fire on `bad`' in_shell "$faults"
expect 2 '^own/early.yaml:10: error: the rule early fires on its excerpt `good`: 64 registers$' 'config check: the rule fires on `good`' in_shell "$faults"
expect 2 '^own/unasked.yaml:5: .*asks for what is not known there; the log states it, or .with.' 'config check: `bad` without the block size that the rule needs' in_shell "$faults"
expect 2 '^own/nothing.yaml:5: .*holds no record of a kernel' 'config check: `bad` without a kernel' in_shell "$faults"
expect 2 '^own/mute.yaml:5: .*no line of it matches the pattern' 'config check: no line of `bad` matches the pattern' in_shell "$faults"
expect 2 '^own/unsaid.yaml:5: .*holds no message that warplint knows' 'config check: `bad` has no known message' in_shell "$faults"
expect 2 '^own/other.yaml:5: .*no message of it is one of `event`' 'config check: `bad` has another message than the event' in_shell "$faults"
expect 2 '^own/torn.yaml \(bad\).*: error: ' 'config check: `bad` has invalid records' in_shell "$faults"
expect 2 '^late +own/late.yaml +does not hold$' 'config check: the table lists a rule that does not hold' in_shell "$faults"
expect 2 '^rules of your own: 16, tried on their excerpts: 16$' 'config check: the number of rules' in_shell "$faults"

# ---- findings that another rule covers
mkdir left
few() # id, severity, when, left to
{
    printf "id: %s\ntitle: t\nseverity: %s\nwhen: '%s'\nmessage: '{registers} registers'\n" "$1" "$2" "$3" >"left/$1.yaml"
    [ -z "${4:-}" ] || echo "left-to: $4" >>"left/$1.yaml"
}
few some warning 'registers > 40' '[many, most]'
few many warning 'registers > 64'
few most error 'registers > 100'
{ record a sm_80 41 0; record b sm_80 65 0; record c sm_80 168 0; } >left.log
leaves='"$program" check --no-config --rules left --select some,many,most left.log'
expect 1 '^found: 1 error, 3 warnings, 0 notes$' 'left-to: `some` is not reported on kernels where `many` or `most` fires' in_shell "$leaves"
expect 1 '1: warning: .*41 registers \[some\]$' 'left-to: no other rule fires: the finding stays' in_shell "$leaves"
expect 1 '5: warning: .*65 registers \[many\]( |$)' 'left-to: another rule fires in its place' in_shell "$leaves"
expect 1 '^found: 0 errors, 3 warnings, 0 notes' 'left-to: the other rules are not selected: the findings stay' "$program" check --no-config --rules left --select some left.log
few many note 'registers > 64'
expect 1 '5: warning: .*65 registers \[some\]' 'left-to: the other rule is milder: the finding stays' in_shell "$leaves --all"
expect 1 '5: note: .*65 registers \[many\]' 'left-to: the milder rule fires, too' in_shell "$leaves --all"
expect 0 '^  many$' 'explain names the rules of left-to' "$program" explain --no-config --rules left some
few some warning 'registers > 40' 'mny'
expect 2 "^left/some.yaml:6: error: left-to names 'mny', which is not a rule, did you mean many$" 'left-to an unknown rule: status 2' in_shell "$leaves"
few many warning 'registers > 64' most
few some warning 'registers > 40' many
expect 2 "^left/some.yaml:6: error: 'many' is left to 'most' itself: name that here, too$" 'left-to a rule that has left-to itself: status 2' in_shell "$leaves"
few many note 'registers > 64'
few some warning 'registers > 40' register-spill
expect 1 '^found: 1 error, 3 warnings, 2 notes$' 'left-to a built-in rule' in_shell "$leaves"
echo 'exceptions-of: register-spil' >>left/some.yaml
expect 2 "^left/some.yaml:7: error: exceptions-of names 'register-spil', which is not a rule, did you mean register-spill$" 'exceptions-of an unknown rule: status 2' in_shell "$leaves"
few some warning 'registers > 40' 'unroll-failed'
expect 1 '65 registers \[some\]' 'left-to a rule on messages that does not fire: the finding stays' in_shell "$leaves --all"
printf "id: said\npattern: 'no such line'\nmessage: m\n" >left/said.yaml
few some warning 'registers > 40' 'said'
expect 2 "^left/some.yaml:6: error: 'said' is a rule on lines" 'left-to a rule on lines: status 2' in_shell "$leaves"
rm left/said.yaml
few some warning 'registers > 40' 'some'
expect 2 "^left/some.yaml:6: error: left-to names 'some', the rule itself$" 'left-to the rule itself: status 2' in_shell "$leaves"
printf "id: said\nevent: wgmma-serialized\nmessage: m\nleft-to: most\n" >left/said.yaml
expect 2 'left/said.yaml:4:1: error: only a rule on kernels is left to others' 'left-to in a rule on messages: status 2' in_shell "$leaves"

# ---- the next action of another rule
of() # id, what is judged, the other rule
{
    printf "id: %s\n%s\nmessage: '{registers} registers'\nnext-of: %s\n" "$1" "$2" "$3" >"left/$1.yaml"
}
rm left/said.yaml
few many note 'registers > 64'
echo "next: use fewer than {registers}" >>left/many.yaml
of some 'when: registers > 40' many
expect 1 '^    next: use fewer than 41$' 'next-of takes the next step of another rule' in_shell "$leaves"
of some 'when: registers > 40' mny
expect 2 "^left/some.yaml:4: error: next-of names 'mny', which is not a rule, did you mean many$" 'next-of an unknown rule: status 2' in_shell "$leaves"
of some 'when: registers > 40' most
expect 2 "^left/some.yaml:4: error: next-of names 'most', which has no key .next.$" 'next-of a rule without next: status 2' in_shell "$leaves"
of some 'when: registers > 40' some
expect 2 "^left/some.yaml:4: error: next-of names 'some', which has no key .next.$" 'next-of the rule itself: status 2' in_shell "$leaves"
of some 'when: registers > 40' wgmma-serialized
expect 2 "^left/some.yaml:4: error: next-of names 'wgmma-serialized': that is a rule on messages, this one on kernels$" 'next-of a rule on messages: status 2' in_shell "$leaves"
of some 'when: registers > 40' many
echo 'next: again' >>left/some.yaml
expect 2 "^left/some.yaml:4:1: error: a rule has either next or next-of, not both$" 'next and next-of: status 2' in_shell "$leaves"

# ---- which places the findings of a rule list
sited() # id, what it looks at, value
{
    printf "id: %s\n%s\nmessage: m\nsites: %s\n" "$1" "$2" "$3" >"left/$1.yaml"
}
rm left/some.yaml
sited sited 'when: registers > 40' array
expect 0 '^  Reports list the lines that access arrays in local memory' 'explain describes sites' "$program" explain --no-config --rules left sited
sited sited 'when: registers > 40' lines
expect 2 "^left/sited.yaml:4:8: error: 'sites' is 'lines', expected spill or array$" 'sites with an unknown value: status 2' in_shell "$leaves"
sited sited 'when: registers > 40' '[spill]'
expect 2 "^left/sited.yaml:4:8: error: 'sites' is a list, expected spill or array$" 'sites with a list: status 2' in_shell "$leaves"
sited sited 'event: wgmma-serialized' spill
expect 2 '^left/sited.yaml:4:1: error: only a rule on kernels has sites, not one with event or pattern$' 'sites in a rule on messages: status 2' in_shell "$leaves"
rm left/sited.yaml

# ---- the pages of rules: code in backticks, everything else escaped
mkdir prose && cat >prose/told.yaml <<'YAML'
id: told
title: t
when: 'registers > 1'
message: 'm'
why: "a `b` and `c\n<i>d` e"
hint: "Use `x | <y>` or `__z__`, `open"
YAML
prose='"$program" check --no-config --rules prose --select told left.log'
expect 1 '^- \*\*told\*\*: Use <code>x &#124; &#60;y&#62;</code> or `__z__`, &#96;open$' 'code and special characters of a hint in Markdown' in_shell "$prose --format markdown"
expect 1 '</b> a <code>b</code> and <code>c &lt;i&gt;d</code> e</p>$' 'code and special characters of a reason in HTML' in_shell "$prose --format html"
expect 1 '\*\*Why\.\*\* a `b` and \\\\`c\\n\\\\<i\\\\>d\\\\` e' 'code and special characters of a reason in SARIF' in_shell "$prose --format sarif"

# ---- wrap
mkdir -p tools project/.git project/kernels && cp clean.log tools/clean.log && cp spill.log tools/spill.log
cat >tools/nvcc <<'SH'
#!/bin/sh
echo object >a.o
cat "${0%/*}/$LOG" >&2
SH
chmod +x tools/nvcc
export LOG
: >project/kernels/a.cu
printf 'rules: {register-spill: note}\nallow:\n  - {rule: unlaunchable, reason: x}\n  - {rule: stale, reason: x}\n' >project/.warplint.yaml
LOG=spill.log
expect 1 'register-spill' 'wrap without a configuration: the default severity' in_shell 'cp project/kernels/a.cu . && "$program" wrap --select register-spill -- "$PWD/tools/nvcc" -c a.cu -o a.o'
expect 0 '' 'wrap uses the configuration of the source' "$program" wrap --select register-spill -- "$PWD/tools/nvcc" -c project/kernels/a.cu -o a.o
expect 1 'error: .*register-spill' 'wrap --no-config ignores the configuration of the source' "$program" wrap --no-config --select register-spill -- "$PWD/tools/nvcc" -c project/kernels/a.cu -o a.o
expect 0 '' 'wrap uses the configuration of the working directory if the source has none' in_shell 'cp project/.warplint.yaml .warplint.yaml && "$program" wrap --select register-spill -- "$PWD/tools/nvcc" -c a.cu -o a.o; status=$?; rm .warplint.yaml; exit $status'
mkdir -p outside/other vendored/.git vendored/src
cp a.cu outside/other/b.cu
cp a.cu vendored/src/c.cu
printf 'rules: {register-spill: error}\n' >strict.yaml
several='"$program" wrap --select register-spill -- "$PWD/tools/nvcc" -c'
expect 0 '' 'wrap of two sources: the only one with a configuration counts' in_shell "$several outside/other/b.cu project/kernels/a.cu"
expect 0 '' 'wrap of two sources with a configuration: the first counts' in_shell "cp strict.yaml outside/other/.warplint.yaml; $several project/kernels/a.cu outside/other/b.cu"
expect 1 'register-spill' 'wrap of two sources in the other order: the first counts' in_shell "$several outside/other/b.cu project/kernels/a.cu"
expect 0 '' 'wrap: a configuration above the repository of the source is not used' in_shell "cp project/.warplint.yaml .warplint.yaml; cp strict.yaml vendored/../outside/.warplint.yaml; $several vendored/src/c.cu; status=\$?; rm .warplint.yaml; exit \$status"
expect 1 'register-spill' 'wrap of a source with an absolute path uses its configuration' in_shell "$several \"\$PWD/outside/other/b.cu\""
expect 0 '' 'wrap --config takes precedence over the configuration of the source' in_shell '"$program" wrap --config project/.warplint.yaml --select register-spill -- "$PWD/tools/nvcc" -c outside/other/b.cu'
rm -r outside/other outside/.warplint.yaml vendored
expect 0 '' 'wrap does not warn about unused exceptions' in_shell '"$program" wrap --select register-spill -- "$PWD/tools/nvcc" -c project/kernels/a.cu -o a.o 2>&1 | grep -c "warning" | grep -qx 0'
expect 2 'broken.yaml:1:16: error' 'wrap with a broken configuration: status 2' "$program" wrap --config broken.yaml -- "$PWD/tools/nvcc" -c a.cu -o a.o
expect 0 '' 'wrap with a broken configuration removes the object' in_shell '! test -e a.o'

# ---- config show
expect 0 '^archs: \[sm_80\] +# \.warplint\.yaml:1$' 'config show prints values with their lines' in_shell 'cd repo && "$program" config show'
expect 0 "^    threads: '\\\$1 \* 4' +# \.warplint\.yaml:7$" 'config show prints entries of kernels' in_shell 'cd repo && "$program" config show'
expect 0 '^      max_bytes: 0 +# built-in$' 'config show marks built-in values' in_shell 'cd repo && "$program" config show'
expect 0 '^# no \.warplint\.yaml' 'config show without a configuration' in_shell 'cd outside && "$program" config show'
expect 2 'config takes show or check, found nothing' 'config without a word: status 2' "$program" config
expect 2 'config takes show or check, found 2 words' 'config with two words: status 2' "$program" config show check
cat >base.yaml <<'YAML'
fail-on: never
sms: {sm_80: 108, sm_90a: 132}
rules:
  register-spill: {severity: note, params: {max_bytes: 1KiB}}
  smem-cliff: off
kernels:
  - match: 'it''s \d+ "quoted" \\ # no comment'
    arch: [sm_80, sm_90]
    source: 'src/**/*.cu'
    threads: {sm_20: 128, sm_30: 256}
    min-occupancy: 12.5%
    max-registers: {sm_80: 128, sm_90a: 255}
    max-spill: 0B
    max-smem: 48KiB
    max-stack: 1 KiB
    launch-bounds: exact
    allow:
      - {rule: register-spill, arch: sm_90, max: 64B, reason: "two\nlines, a \" and a \\", until: 2030-01-31}
YAML
cat >full.yaml <<'YAML'
extends: base.yaml
archs: [sm_80, sm_90a]
kernels:
  - {source: a.cu, grid: 128, ilp: 4}
allow:
  - {rule: unlaunchable, kernel: '^k<(?<n>\d+)>', reason: "it's so: yes"}
YAML
expect 0 '^# full.yaml extends base.yaml$' 'config show prints the chain of extends' "$program" config show --config full.yaml

# A file that is not a configuration is not shown.
printf -- '-----BEGIN KEY-----\nhidden words\n-----END KEY-----\n' >key
echo 'extends: key' >names.yaml
expect 2 '^key:1:1: error: the configuration is a map, found a text$' 'extends of a file that is no configuration: status 2' \
    "$program" config show --config names.yaml
holds 'the message does not quote that file' refuses grep -q 'BEGIN\|hidden' out err
printf 'a: [\nhidden' >flawed
echo 'extends: flawed' >names.yaml
expect 2 '^flawed:2:[0-9]+: error: not YAML' 'extends of a file that is not YAML: status 2' "$program" config show --config names.yaml
holds 'the message does not quote the file that is not YAML' refuses grep -q hidden out err
printf 'token: hidden\nfail-on: hidden\n' >flawed
expect 2 "^flawed:2:10: error: 'fail-on' is a text" 'extends of a file with an unknown value: status 2' "$program" config show --config names.yaml
holds 'the message does not quote the unknown value' refuses grep -q hidden out err
printf 'fail-on: "warning\n\n  hidden"\n' >names.yaml
expect 2 "'fail-on' is 'warning\.\.\.', expected" 'a value of several lines: the message quotes the first line' \
    "$program" config show --config names.yaml
echo "fail-on: $(printf '%060d' 7)" >names.yaml
expect 2 "'fail-on' is '0{20}\.\.\.', expected" 'a long value: the message quotes its beginning' \
    "$program" config show --config names.yaml
mkdir crowd
(cd crowd && seq 10001 | xargs touch)
echo 'rules-dir: crowd' >names.yaml
expect 2 '^crowd: error: the folder holds more than 10000 files and folders' 'a rules-dir with over 10,000 files: status 2' \
    "$program" config show --config names.yaml
rm -r crowd
expect 0 '^    severity: note +# base.yaml:4$' 'config show prints a value of the base with its line' "$program" config show --config full.yaml
expect 0 '^    max-spill: 0B +# base.yaml:[0-9]+$' 'config show prints a budget' "$program" config show --config full.yaml
expect 0 '' 'the output of config show is an equivalent configuration' in_shell '
    "$program" config show --config full.yaml >first.yaml && "$program" config show --config first.yaml >second.yaml &&
    for file in first second; do sed "/^# /d; s/ *# [^#]*$//" $file.yaml >$file; done &&
    cmp first second && test "$(wc -l <first)" -gt 60'
expect 0 '^register-spill +warning +on, changed by \.warplint\.yaml:4' 'list rules names the line that changes a severity' in_shell 'cd repo && "$program" list rules'
expect 0 '^fp64-use +off +off +built-in' 'list rules prints rules that are off' in_shell 'cd repo && "$program" list rules'
expect 0 '^smem-cliff +off +off, changed by base.yaml:5' 'list rules names the line that switches a rule off' "$program" list rules --config full.yaml
expect 0 'max_bytes: 1024' 'explain prints the value of a parameter in the configuration' "$program" explain --config full.yaml register-spill

# ---- documentation
mkdir -p readme/project/.git readme/project/lint/rules
printf 'fail-on: error\n' >readme/team.yaml
printf 'id: mine\nwhen: registers > 1000\nmessage: x\n' >readme/project/lint/rules/mine.yaml
awk '/^    extends: /{on = 1} on && /^[^ ]/{exit} on{sub(/^    /, ""); print}' "$source/src/cli/man/warplint-config.5.md" >readme/project/.warplint.yaml
expect 0 "^    threads: '\\\$1 \* 2' +# \.warplint\.yaml:" 'the example of warplint-config(5) is valid' in_shell 'cd readme/project && "$program" config show'

# ---- long lines: one warning, printed once
awk 'BEGIN { printf "rules:\n  long:\n    title: t\n    severity: note\n    message: m\n    when: \"";
    for (i = 0; i < 3000; i++) printf "registers > 1 and "; printf "regsters > 1 and "; for (i = 0; i < 3000; i++) printf "registers > 1 and "; print "true\"" }' >long.yaml
awk 'BEGIN { printf "rules:\n  long:\n    title: t\n    severity: note\n    message: m\n    when: \"";
    for (i = 0; i < 20; i++) printf "registers > 1 and "; printf "regsters > 1\"\n" }' >short.yaml
expect 2 '^    \.\.\..* regsters > 1' 'a long line is cut around the error' "$program" check --config short.yaml clean.log
expect 2 '' 'the caret is below the error in a cut line' in_shell '"$program" check --config short.yaml clean.log 2>said; s=$?; awk "index(\$0, \"regsters >\") && /^    / { at = index(\$0, \"regsters >\") } /^ *\\^/ { caret = index(\$0, \"^\") } END { exit !(at && at == caret) }" said && exit $s'
expect 2 '' 'no line of the message is longer than 200 bytes' in_shell '"$program" check --config long.yaml clean.log 2>said; s=$?; awk "length(\$0) > 200 { exit 1 }" said && exit $s'
expect 2 '' '--select of a rule with an error does not report it as unknown' in_shell '"$program" check --config short.yaml --select long clean.log 2>said; s=$?; ! grep -q "no rule" said && exit $s'

# ---- explain works without a configuration if the file is broken
mkdir -p broken && printf 'rules:\n  register-spill: {severity: loud}\n' >broken/.warplint.yaml
in_broken() { (cd broken && "$program" "$@"); }
expect 0 '^.warplint.yaml:2:30: warning: ' 'explain with a broken configuration: a warning' in_broken explain register-spill
expect 0 'warning: the configuration is left out' 'explain says that the configuration is ignored' in_broken explain register-spill
expect 0 'max_bytes: 0' 'explain prints the built-in parameter' in_broken explain register-spill
expect 0 '^register-spill ' 'list rules with a broken configuration: status 0' in_broken list rules
expect 2 "nothing is called 'register-spil', did you mean register-spill" 'explain of an unknown rule with a broken configuration: status 2' in_broken explain register-spil
expect 2 '^broken/.warplint.yaml:2:30: error: ' 'explain --config of a broken configuration: status 2' "$program" explain --config broken/.warplint.yaml register-spill
expect 2 '^.warplint.yaml:2:30: error: ' 'check with a broken configuration: status 2' in_broken check "$log"

# ---- a block size above the launch bound
{ echo "warplint info    : PTX 1: entry bound sm_80 maxntid=128,1,1"; record bound sm_80 16 0; record free sm_80 16 0; } >bound.log
expect 0 '^--threads is above the launch bounds of 1 of 2: these are judged at their own bounds$' '--threads above a launch bound: a message' "$program" check --no-config --threads 256 bound.log
holds '--threads above a launch bound: the bound is the block size' in_shell '"$program" report --no-config --format csv --threads 256 bound.log | grep "^bound,.*,128," && "$program" report --no-config --format csv --threads 256 bound.log | grep "^free,.*,256,"'
holds '--threads equal to a launch bound: no message' in_shell '"$program" check --no-config --threads 128 bound.log >said && ! grep "^--threads" said'
printf 'kernels:\n  - {match: bound, threads: 256}\n' >past.yaml
expect 1 'error: .*256 threads per block, as the configuration says, but __launch_bounds__ allows 128: the launch fails \[unlaunchable\]' 'threads: of the configuration above a launch bound: unlaunchable' "$program" check --config past.yaml bound.log
sed -i 's/256/128/' past.yaml
expect 0 '^verdict: passed' 'threads: of the configuration equal to a launch bound: passed' "$program" check --config past.yaml bound.log

# ---- a block size other than the required one
{ echo "warplint info    : PTX 1: entry fixed sm_80 reqntid=128,1,1"; record fixed sm_80 16 0; record free sm_80 16 0; } >fixed.log
for threads in 64 256; do
    expect 0 '^--threads is not used for 1 of 2: they require another block size .`__block_size__`, or Triton.s., at which they are judged$' "--threads $threads is not used for a kernel with __block_size__" "$program" check --no-config --threads $threads fixed.log
    printf 'kernels:\n  - {match: fixed, threads: %s}\n' $threads >fixed.yaml
    expect 0 '^`threads` in .warplint.yaml is not used for 1 of 2: they require another block size' "threads: $threads of the configuration is not used for a kernel with __block_size__" "$program" check --config fixed.yaml fixed.log
done
holds '__block_size__ is the block size' in_shell '"$program" report --no-config --format csv --threads 256 fixed.log | grep "^fixed,.*,128," && "$program" report --no-config --format csv --threads 256 fixed.log | grep "^free,.*,256,"'
expect 0 'warning: --threads is not used for some kernels' 'advise warns that --threads is not used' "$program" advise --no-config --threads 64 fixed fixed.log
holds '--threads equal to __block_size__: no message' in_shell '"$program" check --no-config --threads 128 fixed.log >said && ! grep "not used" said'

# ---- mistakes that would have no effect
record _Z6reducePf sm_90 32 0 >quiet.log
mkdir -p named/.git named/rules
printf 'fail-on: never\n' >named/.warplint.yml
in_named() { (cd named && "$program" "$@"); }
expect 2 '^.warplint.yml: error: a configuration has the name .warplint.yaml: rename this one' 'a configuration named .warplint.yml: status 2' in_named check ../quiet.log
expect 0 '' 'a configuration named .warplint.yml with --no-config: status 0' in_named check --no-config ../quiet.log
printf 'id: a\nwhen: registers > 1000\nmessage: x\n' >named/rules/a.yaml
cp named/rules/a.yaml named/rules/b.yml
expect 0 'rules/b.yml: warning: not read: the names of rules. files end in .yaml' 'a rule file with the suffix .yml: a warning' in_named check --no-config --rules rules ../quiet.log
printf 'kernels:\n  - {source: "src/**/*.cu", max-registers: 100}\n' >sourced.yaml
expect 0 'sourced.yaml:2:5: warning: this entry names a source, and the input does not state the sources of its kernels' 'an entry with a source, the log states none: a warning' "$program" check --config sourced.yaml quiet.log
expect 3 'which --strict does not accept' 'an entry with a source, the log states none: status 3 under --strict' "$program" check --strict --config sourced.yaml quiet.log
{ echo 'nvcc -c src/x/k.cu'; cat quiet.log; } >sourced.log
expect 0 '' 'an entry with a source, the log states it: status 0' "$program" check --strict --config sourced.yaml sourced.log
for value in '300 ms' '50%'; do
    printf 'rules: {register-spill: {params: {max_bytes: %s}}}\n' "$value" >unit.yaml
    expect 2 "'max_bytes' counts .* here, bytes or a number in the rule" "a parameter of bytes in $value: status 2" "$program" check --config unit.yaml quiet.log
done
printf 'rules: {register-spill: {params: {max_bytes: 1KiB}}}\n' >unit.yaml
expect 0 '' 'a parameter of bytes in KiB: status 0' "$program" check --config unit.yaml quiet.log
expect 3 'no kernels: `archs` of the configuration selects none; the log has kernels for sm_90' 'archs: of the configuration selects no kernel: status 3' in_shell 'echo "archs: [sm_75]" >archs.yaml; "$program" check --config archs.yaml quiet.log'

# ---- rules that could not judge
printf 'rules: {own: {when: code_bytes > 1, severity: error, message: m}}\n' >blind.yaml
sed s/error/note/ blind.yaml >note.yaml
for strict in '' --strict; do
    expect 3 'rule own could not judge 1 of 1 kernel x arch: code_bytes is not known' "a custom rule could judge no kernel: status 3: $strict" "$program" check $strict --config blind.yaml quiet.log
    expect 0 '' "a custom note on an unknown metric: status 0: $strict" "$program" check $strict --config note.yaml quiet.log
done
printf 'rules: {own: {when: threads > 256, severity: error, message: m}}\n' >threads.yaml
expect 3 'rule own could not judge 1 of 1 kernel x arch: threads is not known' 'a custom rule on the block size could judge no kernel: status 3' "$program" check --config threads.yaml quiet.log
expect 0 '' 'a custom rule on the block size, which is given: status 0' "$program" check --threads 128 --config threads.yaml quiet.log
expect 3 'rule own could not judge 1 of 1 kernel x arch: threads is not known' 'a custom rule on the block size in diff could judge no kernel: status 3' "$program" diff --config threads.yaml quiet.log quiet.log
printf 'rules: {own: {when: threads > 256, debug-builds: true, severity: error, message: m}}\n' >debug.yaml
printf '%s\n' 'nvcc -G -Xptxas=-v -arch=sm_90 -c a.cu' | cat - quiet.log >debug.log
expect 3 'rule own could not judge 1 of 1 kernel x arch: threads is not known' 'a custom rule that judges debug builds could judge none: status 3' "$program" check --config debug.yaml debug.log
expect 0 'judged: 1 kernel' 'a custom rule that judges debug builds' "$program" check --threads 128 --config debug.yaml debug.log
{ cat quiet.log; printf '%s\n' 'ptxas info    : Function properties for _Z1fi' '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'; } >function.log
expect 0 '' 'a custom rule under --strict, the log has a device function: status 0' in_shell 'sed "s/code_bytes > 1/registers > 250/" blind.yaml >seen.yaml; "$program" check --strict --config seen.yaml function.log'
expect 0 '' 'the custom rule is ignored: status 0 under --strict' "$program" check --strict --config blind.yaml --ignore own quiet.log
{ cat quiet.log; record _Z4gemmPf sm_90 32 0; record _Z4axpyPf sm_90 40 0; } >three.log
own() { printf 'rules: {own: {when: "%s", severity: error, %s}}\n' "$2" "$3" >"$1.yaml"; }
own first "threads > 256 and name =~ 'gemm'" 'message: m'
own last "name =~ 'gemm' and threads > 256" 'message: m'
own numbers 'registers > 35 and threads > 256' 'message: m'
own cases "name =~ 'gemm'" 'cases: [{when: "threads > 256", message: m}]'
own mixed 'registers > 16' 'cases: [{when: "name =~ '"'gemm'"' and threads > 256", message: m}]'
own fallback "name =~ 'gemm'" 'cases: [{when: "threads > 256", message: m}, {message: n}]'
own known "known(threads) and threads > 256 and name =~ 'gemm'" 'message: m'
own off "name =~ 'gemm'" 'cases: [{when: "threads > 256", severity: off, message: m}, {when: "registers > 250", message: n}]'
for how in first last numbers cases mixed; do
    expect 0 '1 kernel x arch not judged by own: threads is not known' "a rule on one kernel without a block size: $how" "$program" check --config "$how.yaml" three.log
    expect 3 'rule own could not judge 1 of 3 kernel x arch: threads is not known.*known[(]threads[)]' "a rule on one kernel without a block size: status 3 under --strict: $how" "$program" check --strict --config "$how.yaml" three.log
    expect 0 '' "a rule on one kernel with a small block size: status 0: $how" "$program" check --strict --threads 128 --config "$how.yaml" three.log
    expect 1 '\[own\]' "a rule on one kernel with a large block size: a finding: $how" "$program" check --strict --threads 512 --config "$how.yaml" three.log
done
expect 1 'n \[own\]' 'the first case is unknown, and the last one has no condition: it fires' "$program" check --strict --config fallback.yaml three.log
for how in known off; do
    expect 0 '' "a rule that needs no block size: status 0 under --strict: $how" "$program" check --strict --config "$how.yaml" three.log
done
printf 'rules: {compile-time: {severity: error}}\n' >time.yaml
for strict in '' --strict; do
    expect 3 'rule compile-time could not judge 1 of 1 kernel x arch: a value that it needs is not known' "a built-in rule turned on could judge no kernel: status 3: $strict" "$program" check $strict --config time.yaml quiet.log
done
printf 'rules: {spill-in-loop: {severity: error}, over-budget: {severity: error}, low-occupancy: {severity: warning}}\n' >stated.yaml
expect 0 '' 'built-in rules that are on by default, unknown metrics: status 0 under --strict' "$program" check --strict --config stated.yaml quiet.log
printf 'rules: {line: {pattern: Used 255, severity: error, message: m}}\n' >line.yaml
"$program" check --no-config --format ndjson quiet.log >quiet.ndjson
expect 0 '' 'a pattern rule of notes on records: status 0 under --strict' in_shell 'sed s/error/note/ line.yaml >line-note.yaml; "$program" check --strict --config line-note.yaml quiet.ndjson'
expect 3 'rules with a pattern saw no lines of some inputs' 'a pattern rule on records: status 3 under --strict' "$program" check --strict --config line.yaml quiet.ndjson
expect 0 '' 'a pattern rule on a log: status 0 under --strict' "$program" check --strict --config line.yaml quiet.log

# ---- a report does not replace what the check reads
mkdir -p spared/.git spared/rules spared/deep && cp quiet.log spared/a.log && cp "$source/rules/register-spill.yaml" spared/rules
echo 'fail-on: note' >spared/team.yaml
echo 'extends: team.yaml' >spared/.warplint.yaml
for file in .warplint.yaml team.yaml rules/register-spill.yaml; do
    expect 2 "^../$file: error: a report would take the place of this input" "a report to $file" in_shell "cd spared/deep && \"\$program\" check --rules ../rules ../a.log -o csv=../$file"
done

# ---- a pattern written from what reports show: templates without the `void` of their readable names
for fits in '^gemm<' '^void gemm<' '^gemm<64>\(float\*\)$'; do
    printf 'allow:\n  - {rule: register-spill, kernel: %s, reason: measured}\n' "'$fits'" >shown.yaml
    expect 1 '^found: 1 error, 0 warnings' "an exception for $fits covers the template" "$program" check --config shown.yaml spill.log
    printf 'kernels:\n  - {match: %s, max-registers: 40}\n' "'$fits'" >shown.yaml
    expect 1 'gemm<64> .sm_80.: .*over-budget' "an entry of kernels for $fits matches the template" "$program" check --config shown.yaml --select over-budget spill.log
    expect 1 '^judged: 1 kernel for' "--kernel $fits selects the template" "$program" check --no-config --kernel "$fits" clean.log
    expect 0 '^gemm<64>$' "advise $fits" "$program" advise --no-config "$fits" clean.log
done
expect 3 'no kernels: --kernel selects none' '--kernel ^oid gemm selects none' "$program" check --no-config --kernel '^oid gemm' clean.log

finish
