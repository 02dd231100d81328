#!/bin/sh
# usage: test_groups.sh PROGRAM SOURCE_DIR
#
# Rules over many kernels: groups, counts, and findings that other rules cover, in generated logs.
program=$1 source=$2
. "$source/tests/cases.sh"

cat >rules.yaml <<'YAML'
rules:
  compile-time: {severity: warning, params: {max_ms: 1 ms}}
  late-in-the-log: {severity: note, title: late, when: log_line > 100, message: 'at {log_line}', worst: log_line}
  wide: {severity: note, title: wide, when: registers > 40, message: '{registers}', left-to: [late-in-the-log, register-ceiling, register-spill, new-spill, spill-regression]}
  spills-late: {severity: error, title: s, when: spill_store_bytes > 8, message: s, left-to: [late-in-the-log, register-spill, new-spill, spill-regression]}
  of-one-source: {severity: warning, title: one, when: source == "f7.cu", message: 'of {source}'}
YAML
# record NAME ARCH REGISTERS SPILLS MS
cat >log.awk <<'AWK'
function record(name, arch, registers, spills, ms) {
    print "ptxas info    : 0 bytes gmem"
    kernel(name, arch, registers, spills, ms)
}
function kernel(name, arch, registers, spills, ms) {
    print "ptxas info    : Compiling entry function '" name "' for '" arch "'"
    print "ptxas info    : Function properties for " name
    print "    " spills " bytes stack frame, " spills " bytes spill stores, " spills " bytes spill loads"
    print "ptxas info    : Used " registers " registers, used 0 barriers, 360 bytes cmem[0]"
    print "ptxas info    : Compile time = " ms ".000 ms"
}
function source(n) {
    print "nvcc -Xptxas=-v -arch=sm_80 -c f" n ".cu -o f" n ".o"
    print "ptxas info    : 0 bytes gmem"
}
AWK
log() # FILE PROGRAM
{
    awk "$(cat log.awk) BEGIN { $2 }" >"$1"
}
log one.log 'for (i = 0; i < 300; i++) record("_Z1kILi" i % 50 "EEvPf", "sm_80", 20, 0, 10 + i * 37 % 1000)'
log sources.log 'for (i = 0; i < 200; i++) { source(i % 150); for (j = 0; j < 5; j++)
    kernel("_ZN3cub1kILi" j "EEEvPf", "sm_80", 32 + (i + j) % 224, (i * j) % 3 * 8, i + j) }'
log many.log 'for (i = 0; i < 4000; i++) record("_ZN2ns6kernelILi" i % 900 "EEEvPf" i % 7, i % 2 ? "sm_80" : "sm_90",
    i % 256, i % 5 * 16, i % 13)'
expect 1 'k<[0-9]*> .*worst of 300 findings, 50 kernels' 'a template with 300 findings is one group' "$program" check --config rules.yaml one.log
expect 1 '^found: 0 errors, 15 warnings, 3329 notes ' 'left-to: 15 of 3344 findings are not reported' \
    "$program" check --config rules.yaml --select wide,register-ceiling many.log
expect 1 'of f7\.cu \[of-one-source\] in f7.cu .one of 10 findings, 5 kernels' 'a message with the source is one group for each source' \
    "$program" check --config rules.yaml --select of-one-source sources.log

# Functions that spill into the frame of their kernel, on one architecture only.
callee=$source/fixtures/callee-spills/log.txt
sed -n 's/sm_90/sm_80/; 1,6p' "$callee" | cat - "$callee" >callee.log
expect 1 'heavy .sm_80.: stack frame of 384 B per thread without spills' 'callees do not spill on sm_80' \
    "$program" check --no-config --all callee.log
expect 1 'heavy .sm_90.: stack frame of 384 B per thread, with arrays and spills of functions' 'callees spill on sm_90' \
    "$program" check --no-config --all callee.log

finish
