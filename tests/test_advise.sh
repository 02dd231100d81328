#!/bin/sh
# usage: test_advise.sh PROGRAM SOURCE_DIR
#
# warplint advise: with one kernel, several, and none; the tuning table, and its values given back as a configuration.
set -u
program=$1 root=$2
data=$root/tests/data
. "$root/tests/cases.sh"
out=$work/out err=$work/err

# run STATUS TITLE ARGUMENTS...
run()
{
    wanted=$1 title=$2
    shift 2
    "$program" "$@" >"$out" 2>"$err"
    status=$?
    if [ "$status" = "$wanted" ]; then ok "$title: status $wanted"; else bad "$title: status $status, expected $wanted"; fi
}

says() { if grep -qF -- "$1" "$out"; then ok "$title says: $1"; else bad "$title does not say: $1"; fi; }
complains() { if grep -qF -- "$1" "$err"; then ok "$title reports: $1"; else bad "$title does not report: $1"; fi; }
silent() { if [ -s "$out" ]; then bad "$title prints"; else ok "$title prints nothing"; fi; }
narrow() { if grep -q '^.\{81,\}' "$out"; then bad "$title is wider than 80 columns"; else ok "$title fits 80 columns"; fi; }
same() { if cmp -s "$1" "$out"; then ok "$title is as in $(basename "$1")"; else diff "$1" "$out" | head -20; bad "$title differs from $(basename "$1")"; fi; }

log=templates.log
cp "$root/fixtures/templates/log.txt" "$log"
kernel=$("$program" report --no-config --format ndjson "$log" | sed -n 's/.*"mangled":"\([^"]*\)".*/\1/p' | head -1)

# One kernel.
run 0 'a kernel by its mangled name' advise --no-config --threads 128 --ilp 2 --sms 108 --grid 1000 "$kernel" "$log"
narrow
same "$data/advise/kernel.txt"
run 0 'a kernel without a block size' advise --no-config "$kernel" "$log"
narrow
same "$data/advise/unknown-size.txt"
run 0 'a kernel as JSON' advise --no-config --format json --threads 128 --ilp 2 --sms 108 --grid 1000 "$kernel" "$log"
same "$data/advise/kernel.json"
if python3 -m json.tool <"$out" >/dev/null 2>"$err"; then ok 'the JSON is valid'; else bad 'it is not JSON'; fi
run 0 'two reports at once' advise --no-config -o json=a.json -o text=a.txt "$kernel" "$log"
silent
if cmp -s a.txt "$data/advise/unknown-size.txt"; then ok 'the report in the file equals the text'; else bad 'the file is another'; fi
run 0 '--gpu a100' advise --no-config --gpu a100 --threads 128 --grid 1000 "$kernel" "$log"
says 'sm_80 (GA100)'
says 'on each of 108 SMs'
if grep -q sm_90 "$out"; then bad '--gpu a100 selects one architecture'; else ok '--gpu a100 selects one architecture'; fi

# The one-line summary: 96 registers at 256 threads.
printf '%s\n' "ptxas info    : Compiling entry function 'k' for 'sm_80'" 'ptxas info    : Function properties for k' \
    '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' 'ptxas info    : Used 96 registers, 352 bytes cmem[0]' >k.log
run 0 'registers for one block more' advise --no-config --threads 256 k k.log
tr -s '\n ' ' ' <"$out" >flat && mv flat "$out"
says '3 blocks of 256 threads have 80 registers per thread; this kernel uses 96 and would have to give up 16'

run 0 'the HTML report' report --no-config --threads 256 -o html=page.html k.log
cp page.html "$out"
says '3 blocks of 256 threads have 80 registers per thread; this kernel uses 96 and would have to give up 16'

# Records of one name and one architecture: their files tell them apart.
{ printf 'nvcc -c a.cu -o a.o\n' && cat k.log && printf 'nvcc -c b.cu -o b.o\n' && cat k.log; } >two.log
run 0 'two kernels of one name' advise --no-config k two.log
says 'a.cu (two.log:2)'
says 'b.cu (two.log:7)'
run 0 'where with two kernels of one name' where k two.log
says 'b.cu (two.log:7)'
run 0 'a single kernel' advise --no-config k k.log
if grep -q 'k.log' "$out"; then bad 'a single kernel has no line of the log'; else ok 'a single kernel has no line of the log'; fi

# The kernel has to be named if there are several; advise never guesses.
run 2 'a name that fits several kernels' advise --no-config 'attention::forward' "$log"
silent
complains 'fits 20 kernels; give one of these names'
run 2 'a pattern and a missing log' advise --no-config . "$log" missing.log
complains 'fits 20 kernels; give one of these names'
complains '  attention::forward<double, 256, 1'
run 2 'an unknown kernel' advise --no-config nothing "$log"
complains "no kernel is called 'nothing', the input has 20:"
run 2 'an unknown kernel that is no valid pattern' advise --no-config 'no(' "$log"
complains 'missing closing parenthesis'
run 0 'a name that another name begins with' advise --no-config bounded "$data/binaries/cubin.log" "$data/binaries/cubin.elf"
says 'declared: blocks of up to 256'
long=_ZN5outer5inner60a_kernel_whose_name_is_longer_than_what_a_table_has_room_forEPf
sed "s/'k'/'$long'/; s/for k\$/for $long/" k.log >long.log
label=$("$program" report --no-config long.log | sed -n '2s/ .*//p')
case $label in
*...*) ok 'reports shorten a long label' ;;
*) bad "not a label that is cut: $label" ;;
esac
run 0 'a kernel by its shortened label' advise --no-config "$label" long.log
says "$label"
run 2 'no kernel' advise --no-config
complains 'no kernel was given, expected `warplint advise KERNEL [LOG]`'
run 2 'a log without a kernel' advise --no-config k.log
complains "'k.log' is an input, expected a kernel: \`warplint advise KERNEL k.log\`"
run 2 'the log before the kernel' advise --no-config k.log k
complains "'k.log' is an input, expected the kernel first: \`warplint advise k k.log\`"
run 3 'an empty log' advise --no-config k /dev/null
run 2 'a format of findings' advise --no-config --format sarif k k.log
complains "text or json, found format 'sarif'"
run 2 '--arch other than that of --gpu' advise --no-config --gpu a100 --arch sm_90 k k.log
complains 'A100 is sm_80, and --arch says sm_90'
run 2 '--sms beside --gpu' advise --no-config --gpu a100 --sms 3 k k.log
run 2 'a part of the name of a GPU' advise --no-config --gpu h100 k k.log
complains 'H100 NVL, H100 PCIe or H100 SXM'
run 0 'list gpus' list gpus
narrow
says 'H100 SXM'

# Launch bounds of the source, from PTX.
run 0 'a kernel with launch bounds in PTX' advise --no-config _Z7boundedPfi "$data/binaries/cubin.log" "$data/binaries/kernels.ptx"
says '  declared: blocks of up to 256, 3 or more per SM'

# The tuning table, and its values given back as a configuration.
run 0 '--tuning with a candidate above the launch bound' \
    advise --no-config --tuning --candidates 256,1024 "$data/binaries/cubin.log" "$data/binaries/kernels.ptx"
awk 'take { print } { take = index($0, "^bounded\\(") }' "$out" >bounded.yaml && cp bounded.yaml "$out"
says '    threads: {sm_90a: 256}'
run 2 '--tuning without candidates' advise --no-config --tuning "$log"
complains '--launches FILE (a profile) or --candidates'
run 2 '--candidates without --tuning' advise --no-config --candidates 64 k k.log
run 2 'a candidate that is no number' advise --no-config --tuning --candidates 64,x "$log"
complains "found 'x'"
run 0 '--tuning with candidates' advise --no-config --tuning --candidates 256,64,128 "$log"
same "$data/advise/candidates.yaml"
"$program" advise --no-config --tuning --candidates 64,128,256 "$log" >other.yaml 2>"$err"
if cmp -s "$out" other.yaml; then ok 'the order of candidates does not matter'; else bad 'the order of candidates matters'; fi
run 0 '--tuning with a profile' advise --no-config --tuning --launches "$data/profiles/ncu-details.csv" "$data/binaries/cubin.log"
same "$data/advise/profile.yaml"
run 0 '--tuning with a profile and candidates' advise --no-config --tuning --candidates 64 \
    --launches "$data/profiles/ncu-details.csv" "$data/binaries/cubin.log"
says 'match: '"'"'^bounded\(float\*, int\)$'"'"
says 'threads: {sm_90a: 96}'
run 3 '--tuning with a profile of other kernels' advise --no-config --tuning --launches "$data/profiles/ncu-details.csv" "$log"
complains 'no kernel got a block size'

# comments_of FILE: "ARCH THREADS BLOCKS" for each row, from the comments of the table, sorted
comments_of() { sed -n 's/^  # \(sm_[0-9a-f]*\): \([0-9]*\) threads, \([0-9]*\) block.*/\1 \2 \3/p' "$1" | sort; }
# records_of CONFIG LOG: the same from a check of the log with the configuration
records_of()
{
    "$program" report --config "$1" --format ndjson "$2" |
        sed -n 's/.*"kind":"entry".*"arch_inferred":"\([^"]*\)".*"threads":\([0-9]*\),"threads_from":"config","min_blocks":\([0-9]*\),.*"blocks_per_sm":\([0-9]*\),.*/\1 \2 \3 \4/p' |
        while read -r arch threads wanted blocks; do
            [ "$wanted" = "$blocks" ] && echo "$arch $threads $blocks"
        done | sort
}
for table in candidates profile; do
    case $table in candidates) of=$log ;; *) of=$data/binaries/cubin.log ;; esac
    comments_of "$data/advise/$table.yaml" >said
    records_of "$data/advise/$table.yaml" "$of" >read 2>"$err"
    if [ -s said ] && cmp -s said read; then
        ok "the configuration of --tuning gives the same launches: $table, $(wc -l <said) records"
    else
        diff said read | head
        bad "the configuration does not read the table of $table back"
    fi
done
run 0 'min-blocks of the configuration: all are reached' check --config "$data/advise/candidates.yaml" --select min-blocks-missed \
    --fail-on note "$log"
sed 's/min-blocks: {sm_80: [0-9]*/min-blocks: {sm_80: 32/' "$data/advise/candidates.yaml" >wish.yaml
run 1 'min-blocks of the configuration: one is not reached' check --config wish.yaml --select min-blocks-missed --fail-on note "$log"
says 'an SM holds 8 blocks of 64 threads, 32 are asked for; limited by registers'

# Names are matched literally, also with characters that are special in patterns, YAML or terminals.
i=0
: >hostile.log
for name in 'a.b' 'it'"'"'s' 'q[*]+?' 'back\slash' 'd$' '{2}' '#x' 'ü'; do
    i=$((i + 1))
    printf '%s\n' "ptxas info    : Compiling entry function '$name' for 'sm_80'" "ptxas info    : Function properties for $name" \
        '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' "ptxas info    : Used $((i * 16)) registers" >>hostile.log
done
run 0 'names with special characters' advise --no-config --tuning --candidates 96,256 hostile.log
cp "$out" hostile.yaml
comments_of hostile.yaml >said
records_of hostile.yaml hostile.log >read 2>"$err"
if [ "$(wc -l <said)" = $i ] && cmp -s said read; then ok "all $i names match in the configuration"; else diff said read; bad 'names do not come back'; fi

# An architecture on which no candidate can launch does not inherit a block size.
for arch in sm_52 sm_53; do
    printf '%s\n' "ptxas info    : Compiling entry function 'wide' for '$arch'" 'ptxas info    : Function properties for wide' \
        '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' 'ptxas info    : Used 60 registers'
done >wide.log
run 0 'no candidate can be launched on one architecture' advise --no-config --tuning --candidates 1024 wide.log
says 'sm_53: none of the block sizes can launch'
says 'arch: [sm_52]'
cp "$out" wide.yaml
run 0 'the configuration of that table' report --config wide.yaml --format ndjson wide.log
says '"arch":"sm_53"'
if grep '"arch":"sm_53"' "$out" | grep -q '"threads":null'; then ok 'the architecture without a candidate has no block size'; else bad 'it inherits'; fi

finish
