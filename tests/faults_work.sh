#!/bin/sh
# usage: faults_work.sh PROGRAM SOURCE_DIR
#
# Makes, in the working directory, the input files of the commands in test_faults.c. NAME.before holds the contents of
# NAME before a command runs.
set -eu
warplint=$1 source=$2

cp "$source/fixtures/register-spill/log.txt" log.txt
cp "$source/fixtures/changed-before/log.txt" before.txt
cp "$source/fixtures/changed-after/log.txt" after.txt
cp "$source/tests/fake-nvcc" nvcc
cp "$source/tests/data/binaries/family.fatbin" code.fatbin
cp "$source/tests/data/binaries/zstd.elf" "$source/tests/data/binaries/kernels.ptx" .
cp "$source/tests/data/profiles/nsys-trace.csv" profile.csv
mkdir -p team rules tree cache tmp said
head -n 40 before.txt >small.txt
"$warplint" report --no-config -o ndjson=before.ndjson before.txt >/dev/null
"$warplint" report --no-config -o ndjson=after.ndjson after.txt >/dev/null
cp before.ndjson tree/a.o.warplint.ndjson
"$warplint" baseline write --no-config base.json before.txt >/dev/null 2>&1
cp base.json update.json.before
sed 's/^id: .*/id: of-our-own/' "$source/rules/register-ceiling.yaml" >rules/of-our-own.yaml
cat >team/base.yaml <<'YAML'
archs: [sm_80, sm_90]
rules:
  register-spill: {severity: warning, params: {max_bytes: 16}}
YAML
cat >config.yaml <<'YAML'
extends: team/base.yaml
fail-on: error
rules-dir: rules
kernels:
  - match: '(spills|registers)'
    threads: {sm_80: 128, sm_90: 256}
    max-registers: 128
    allow:
      - {rule: register-ceiling, reason: measured}
YAML
printf 'arch,threads,registers,smem_bytes,dynamic_smem_bytes,barriers\nsm_80,256,41,0,0,0\nsm_90,128,168,0,0,1\n' >batch.csv

# ---- the stand-in compiler
cat >spill.txt <<'SAY'
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3badPf' for 'sm_90'
ptxas info    : Function properties for _Z3badPf
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
SAY
cat >compiler.sh <<'SH'
cap=0 trial=
for word; do
    case $word in
    -fatbin) trial=yes ;;
    -maxrregcount=*) cap=${word#*=} ;;
    --keep-dir=*) cp k.cu "${word#*=}/k.cpp1.ii" ;;
    esac
done
[ -z "$trial" ] || FAKE_SAY=said/$([ -f "said/$cap" ] && echo "$cap" || echo 64)
case " $* " in *" --dryrun "* | *" --version "*) ;; *) echo ran >>ran ;; esac
SH
for pair in 0:96 80:80 64:64; do
    printf "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used %s registers, used 0 barriers\n" "${pair#*:}" >"said/${pair%:*}"
done
echo '__global__ void k(float *p) { *p = 1; }' >k.cu
cp k.cu b.cu
printf -- '-O3\n' >flags.opt
