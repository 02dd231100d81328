#!/bin/sh
# usage: test_next.sh PROGRAM SOURCE_DIR
#
# The next action of a finding (`next`): which rules have one, that it is one line, and that its numbers equal those of
# the occupancy calculator. Prints one line per case.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
mkdir .git

# record NAME ARCH REGISTERS KEYS: a kernel's record as wrap writes it, with further JSON keys
record()
{
    echo '{"type":"run","schema":1}'
    echo '{"type":"log","log":"build.log","lines":7,"unknown_lines":0,"verbose":true}'
    printf '{"type":"kernel","mangled":"%s","kind":"entry","arch_inferred":"%s","producer":"ptxas","arch":"%s",' "$1" "$2" "$2"
    printf '"log":"build.log","log_line":3,"registers":%s,"barriers":0,"used_line":true%s' "$3" "${4:+,$4}"
    for key in stack_bytes spill_store_bytes spill_load_bytes; do
        case $4 in
        *"\"$key\""*) ;;
        *) printf ',"%s":0' $key ;;
        esac
    done
    printf '}\n{"type":"end","records":2}\n'
}

# next_of RULE: that of the first finding of the rule in out.json
next_of()
{
    python3 - "$1" <<'PYTHON'
import json, sys
found = [f["next"] for f in json.load(open("out.json"))["findings"] if f["rule"] == sys.argv[1]]
print(found[0] if found else "no finding")
PYTHON
}

# says RULE EXPECTED OPTION...: compares it for the record in the file input
says()
{
    rule=$1 expected=$2
    shift 2
    "$program" check --no-config --format json "$@" input >out.json 2>"$work/err"
    next_of "$rule" >"$work/said" 2>&1
    if [ "$(cat "$work/said")" = "$expected" ]; then ok "$rule: $expected"; else bad "$rule: expected $expected"; fi
}

# occupancy PERCENT REGISTERS BLOCKS ARCH THREADS OPTION...: the calculator agrees
occupancy()
{
    percent=$1 registers=$2 blocks=$3 arch=$4 threads=$5
    shift 5
    "$program" occupancy --arch "$arch" --threads "$threads" --registers "$registers" "$@" --format json >answer.json
    holds "$arch, $threads threads, $registers registers: $blocks blocks, $percent %" python3 - "$percent" "$blocks" <<'PYTHON'
import json, sys
answer = json.load(open("answer.json"))
got = answer["blocks_per_sm"], round(100 * answer["warps_per_sm"] / answer["max_warps_per_sm"], 1)
sys.exit(got != (int(sys.argv[2]), float(sys.argv[1])) and f"the calculator says {got}")
PYTHON
}

spills='"spill_store_bytes":40,"spill_load_bytes":40'
tune='measure it: warplint tune --kernel k -- nvcc ...'
still() { echo "and may still spill; higher caps: $1; measure: warplint tune --kernel k -- nvcc ..."; }
bounds() # threads, blocks, cap
{
    printf '%s,"bound_threads":%s,"bound_from":"launch-bounds","min_blocks":%s,' "$spills" "$1" "$2"
    printf '"register_cap":%s,"register_cap_from":"__launch_bounds__"' "$3"
}

# ---- a cap from launch bounds: one block fewer, a smaller block
record k sm_80 32 "$(bounds 256 8 32)" >input
says register-spill \
    "__launch_bounds__(256, 6) would lift the cap from 32 to 40 registers at 75 % occupancy $(still '48 with (256, 5), 64 with (256, 4), 80 with (256, 3), 128 with (256, 2), 255 with (256, 1)')"
occupancy 75 40 6 sm_80 256
occupancy 62.5 48 5 sm_80 256
occupancy 50 64 4 sm_80 256
occupancy 37.5 80 3 sm_80 256
occupancy 25 128 2 sm_80 256
occupancy 12.5 255 1 sm_80 256
record k sm_90 64 "$(bounds 1024 0 64)" >input
says register-spill \
    "__launch_bounds__(896, 1), for blocks of at most 896 threads, would lift the cap from 64 to 72 registers at 43.8 % occupancy $(still '80 with (768, 1), 96 with (640, 1), 128 with (512, 1), 168 with (384, 1), 255 with (256, 1)')"
occupancy 43.8 72 1 sm_90 896
occupancy 37.5 80 1 sm_90 768
occupancy 31.2 96 1 sm_90 640
# without a minimum of blocks ptxas uses fewer registers than bounds allow: CUDA 13.0 used 32 here, and 128 with (448,
# 1)
record k sm_90 32 "$(bounds 448 0 128)" >input
says register-spill \
    "__launch_bounds__(448, 1) would let ptxas use up to 128 registers instead of 32 at 21.9 % occupancy $(still 'for smaller blocks 168 with (384, 1), 255 with (256, 1)')"
occupancy 21.9 128 1 sm_90 448
# the same for bounds that set no cap
open_bounds="$spills,\"bound_threads\":256,\"bound_from\":\"launch-bounds\",\"min_blocks\""
record k sm_90 32 "$open_bounds:0" >input
says register-spill \
    "__launch_bounds__(256, 1) would let ptxas use up to 255 registers instead of 32 at 12.5 % occupancy and may still spill; measure: warplint tune --kernel k -- nvcc ..."
check_note() { "$program" check --no-config --notes input; }
expect 1 'spills 80 B per thread at 32 registers, its launch bound of 256 threads allows 255 \[spill-below-cap\]' 'spill-below-cap is a note' check_note
record k sm_90 32 "$open_bounds:1" >input
says register-spill None
record k sm_90a 168 "$spills,\"bound_threads\":384,\"bound_from\":\"launch-bounds\",\"min_blocks\":0,\"register_cap_from\":\"setmaxnreg\"" >input
says spill-below-cap 'no finding'
# ---- shared memory that does not hold registers of each thread
ceiling='"bound_threads":256,"bound_from":"launch-bounds","min_blocks":1,"smem_bytes"'
record k sm_90 255 "$ceiling:176" >input
says smem-spilling 'no finding' --notes
record k sm_90 255 "$ceiling:1024" >input
says smem-spilling None --notes
record k sm_90 32 "$(bounds 448 1 128)" >input
says register-spill \
    "__launch_bounds__(384, 1), for blocks of at most 384 threads, would lift the cap from 128 to 168 registers at 18.8 % occupancy $(still '255 with (256, 1)')"
record k sm_90 64 "$(bounds 1024 1 64 | sed 's/_bytes":40/_bytes":0/g')" >input
says register-ceiling \
    "__launch_bounds__(896, 1), for blocks of at most 896 threads, would lift the cap from 64 to 72 registers at 43.8 % occupancy; $tune"
record k sm_90 40 "$(bounds 256 6 40),\"spill_bytes_in_loops\":80,\"spill_depth\":1,\"array_bytes\":0" >input
says spill-in-loop \
    "__launch_bounds__(256, 5) would lift the cap from 40 to 48 registers at 62.5 % occupancy $(still '64 with (256, 4), 80 with (256, 3), 128 with (256, 2), 255 with (256, 1)')"
occupancy 62.5 48 5 sm_90 256

# the bounds with the highest cap of those that cost the same blocks: shared memory, and blocks smaller than the bounds
record k sm_90 40 "$(bounds 256 6 40),\"smem_bytes\":65536" >input
says register-spill \
    "__launch_bounds__(256, 3) would lift the cap from 40 to 80 registers at 37.5 % occupancy $(still '128 with (256, 2), 255 with (256, 1)')"
occupancy 37.5 40 3 sm_90 256 --smem 65536
occupancy 37.5 80 3 sm_90 256 --smem 65536
occupancy 25 81 2 sm_90 256 --smem 65536
record k sm_90 64 "$(bounds 1024 1 64)" >input
says register-spill \
    "__launch_bounds__(320, 2) would lift the cap from 64 to 96 registers at 31.2 % occupancy $(still '168 with (320, 1)')" \
    --threads 320
record k sm_90 32 "$(bounds 1024 2 32)" >input
says register-spill \
    "__launch_bounds__(768, 2) would lift the cap from 32 to 40 registers at 75 % occupancy $(still '80 with (768, 1)')" \
    --threads 768
occupancy 75 32 2 sm_90 768
occupancy 75 40 2 sm_90 768
record k sm_90 64 "$(bounds 512 2 64)" >input
says register-spill \
    "__launch_bounds__(256, 3) would lift the cap from 64 to 80 registers at 37.5 % occupancy $(still '128 with (256, 2), 255 with (256, 1)')" \
    --threads 256
occupancy 50 64 4 sm_90 256
occupancy 37.5 80 3 sm_90 256
occupancy 31.2 96 2 sm_90 320
occupancy 15.6 97 1 sm_90 320

# ---- a cap from the build: known and unknown block size
capped=$spills',"register_cap":24,"register_cap_from":"-maxrregcount"'
record k sm_90 24 "$capped" >input
says register-spill \
    "a cap of 32 registers instead of 24 by -maxrregcount allows 8 blocks of 256 threads per SM, 100 % occupancy $(still '40, 48, 64, 80, 128, 255')" \
    --threads 256
occupancy 100 32 8 sm_90 256
record k sm_90 32 "$(echo "$capped" | sed 's/cap":24/cap":32/')" >input
says register-spill \
    "a cap of 40 registers instead of 32 by -maxrregcount allows 6 blocks of 256 threads per SM, 75 % occupancy $(still '48, 64, 80, 128, 255')" \
    --threads 256
occupancy 75 40 6 sm_90 256
record k sm_90 32 "$(echo "$capped" | sed 's/cap":24/cap":32/')" >input
says register-spill \
    "a cap of 40 registers instead of 32 by -maxrregcount allows at most 75 % occupancy $(still '48, 56, 64, 72 (blocks of at most 896), 80 (blocks of at most 768), 96 (blocks of at most 640), 128 (blocks of at most 512), 168 (blocks of at most 384), 255 (blocks of at most 256)')"

launchable() # registers, threads: the largest block that starts
{
    expect 0 '"blocks_per_sm": *[1-9]' "$1 registers: a block of $2 threads can be launched" \
        "$program" occupancy --arch sm_90 --registers "$1" --threads "$2" --format json
    expect 0 '"blocks_per_sm": *0' "$1 registers: a block of $(($2 + 32)) threads cannot be launched" \
        "$program" occupancy --arch sm_90 --registers "$1" --threads $(($2 + 32)) --format json
}
launchable 72 896
launchable 128 512
launchable 255 256
record k sm_90 128 "$(echo "$capped" | sed 's/cap":24/cap":128/')" >input
says register-spill \
    'blocks of 512 threads cannot be launched with a higher cap: fewer values per thread, as with a smaller tile or less unrolling' \
    --threads 512

# ---- no cap, or a cap whose origin the log does not name
record k sm_90 255 "$spills" >input
says register-spill \
    'already at 255 registers, the most that sm_90 gives a thread: a smaller tile or less unrolling leaves fewer values per thread'
record k sm_30 63 '' >input
says register-ceiling \
    'already at 63 registers, the most that sm_30 gives a thread: a smaller tile or less unrolling leaves fewer values per thread'
record k sm_90 128 "$spills" >input
says register-spill \
    "128 registers looks like a cap of __launch_bounds__ or -maxrregcount; with a higher one it may spill less; $tune"
record k sm_90 77 "$spills" >input
says register-spill None
record '`reboot`' sm_90 128 "$spills" >input
says register-spill \
    '128 registers looks like a cap of __launch_bounds__ or -maxrregcount; with a higher one it may spill less; measure it: warplint tune -- nvcc ...'
record _ZN2te46_GLOBAL__N__c485f5e9_8_ident_cu_91eb16f2_249751kEPf sm_90 128 "$spills" >input
says register-spill \
    "128 registers looks like a cap of __launch_bounds__ or -maxrregcount; with a higher one it may spill less; measure it: warplint tune --kernel 'te::\\(anonymous namespace\\)::k' -- nvcc ..."
record _ZN3cub17CUB_300001_SM_8001kEPf sm_90 128 "$spills" >input
says register-spill \
    "128 registers looks like a cap of __launch_bounds__ or -maxrregcount; with a higher one it may spill less; measure it: warplint tune --kernel 'cub::CUB_\\w+::k' -- nvcc ..."

# ---- more registers than in the baseline
record k sm_90 32 '"smem_bytes":1024' >then.ndjson
"$program" baseline write --no-config base.json then.ndjson >/dev/null 2>"$work/err"
record k sm_90 40 '"smem_bytes":1024' >input
says register-regression \
    'a cap of 32 registers restores 100 % occupancy and may spill; measure: warplint tune --kernel k -- nvcc ...' \
    --threads 256 --baseline base.json
occupancy 100 32 8 sm_90 256 --smem 1024
record k sm_90 18 '"smem_bytes":1024' >then.ndjson
"$program" baseline write --no-config low.json then.ndjson >/dev/null 2>"$work/err"
record k sm_90 40 '"smem_bytes":1024' >input
says register-regression \
    'a cap of 32 registers restores 100 % occupancy and may spill; measure: warplint tune --kernel k -- nvcc ...' \
    --threads 256 --baseline low.json
says register-regression \
    'a cap of 32 registers restores 100 % occupancy and may spill; measure: warplint tune --kernel k -- nvcc ...' \
    --baseline low.json
record k sm_90 40 '"smem_bytes":33280' >input
says register-regression None --threads 256 --baseline base.json
record k sm_90 32 '"spill_store_bytes":400,"spill_load_bytes":500' >then.ndjson
"$program" baseline write --no-config spills.json then.ndjson >/dev/null 2>"$work/err"
for spills in 'spills less:16' 'no longer spills:0'; do
    record k sm_90 40 "\"spill_store_bytes\":${spills#*:},\"spill_load_bytes\":${spills#*:}" >input
    says register-regression \
        "it ${spills%:*} (400 B stores and 500 B loads in the baseline), at the price of occupancy: measure which is faster, and accept the kernel if it is this one" \
        --threads 256 --baseline spills.json
done

# ---- cliffs
record k sm_80 50 '' >input
says occupancy-cliff \
    'at most 48 registers, __launch_bounds__(256, 5), or blocks of 224 threads (54.7 %); measure both' --threads 256
occupancy 50 50 4 sm_80 256
occupancy 62.5 48 5 sm_80 256
occupancy 54.7 50 5 sm_80 224
record k sm_80 50 '"smem_bytes":1024' >input
says occupancy-cliff \
    'at most 48 registers, __launch_bounds__(256, 5); measure it' --threads 256
record k sm_80 50 '' >input
says occupancy-cliff \
    'at most 48 registers, or state the block size (--threads N) to see the steps at that size'
record k sm_80 40 '"smem_bytes":0' >input
says occupancy-cliff \
    'only for later changes: __launch_bounds__(96, 16) keeps them from using 41 registers, which would lower the blocks per SM from 16 to 13' \
    --threads 96
occupancy 75 40 16 sm_80 96
occupancy 60.9 41 13 sm_80 96
record k sm_80 40 '"spill_store_bytes":8,"spill_load_bytes":8,"smem_bytes":0' >input
says occupancy-cliff \
    'a higher register cap may remove spills, but lowers the blocks per SM from 16 to 13; measure both' \
    --threads 96
record k sm_120 32 '"smem_bytes":33280' >input
says occupancy-cliff '256 B less shared memory per block; measure it' --threads 256
occupancy 33.3 32 2 sm_120 256 --smem 33280
occupancy 50 32 3 sm_120 256 --smem 33024
printf 'kernels:\n  - match: k\n    threads: 128\n    carveout: 25 %%\n' >carveout.yaml
record k sm_80 32 '"smem_bytes":11264' >in.ndjson
"$program" check --config carveout.yaml --format json in.ndjson >out.json 2>"$work/err"
next_of smem-cliff >next
holds 'smem-cliff: the next step names less shared memory and a larger carveout' grep -Eq '^[0-9]+ B less shared memory per block, or a carveout of [0-9]+ %; measure both$' next
less=$(sed 's/ B less.*//' next) carveout=$(sed 's/.*carveout of \([0-9]*\) .*/\1/' next)
blocks() # shared memory, carveout
{
    "$program" occupancy --arch sm_80 --threads 128 --registers 32 --smem "$1" --carveout "$2" --format json |
        grep -o '"blocks_per_sm":[0-9]*' | sed '1!d; s/.*://'
}
holds '  that much less shared memory gives more blocks' test "$(blocks $((11264 - less)) 25)" -gt "$(blocks 11264 25)"
holds '  one byte more of shared memory gives no more blocks' test "$(blocks $((11265 - less)) 25)" = "$(blocks 11264 25)"
holds '  that carveout gives more blocks' test "$(blocks 11264 "$carveout")" -gt "$(blocks 11264 25)"
holds '  a carveout one percent smaller gives no more blocks' test "$(blocks 11264 $((carveout - 1)))" = "$(blocks 11264 25)"

# ---- neither __block_size__ nor __maxnreg__ can be combined with launch bounds
required='"bound_threads":192,"bound_from":"required"' numbered='"register_cap":42,"register_cap_from":"__maxnreg__"'
record k sm_90 42 "$required" >input
says occupancy-cliff 'at most 40 registers, __maxnreg__(40); measure it'
record k sm_90 42 "$required,$numbered" >input
says occupancy-cliff 'at most 40 registers, __maxnreg__(40); measure it'
record k sm_90 42 "$numbered" >input
says occupancy-cliff 'at most 40 registers, __maxnreg__(40), or blocks of 160 threads (62.5 %); measure both' --threads 192
record k sm_90 42 '' >input
says occupancy-cliff 'at most 40 registers, __launch_bounds__(192, 8), or blocks of 160 threads (62.5 %); measure both' --threads 192
record k sm_90 64 "$(echo "$required" | sed 's/192/256/')" >input
says occupancy-cliff 'only for later changes: __maxnreg__(64) keeps them from using 65 registers, which would lower the blocks per SM from 4 to 3' --notes
record k sm_90 42 '"register_cap":48' >input
says occupancy-cliff 'at most 40 registers, __maxnreg__(40), or blocks of 160 threads (62.5 %); measure both' --threads 192
some='"spill_store_bytes":40,"spill_load_bytes":40'
record k sm_90 128 "$some,\"bound_threads\":512,\"bound_from\":\"required\"" >input
expect 1 'at the 128-register cap of __block_size__' 'register-spill names the cap of __block_size__' "$program" check --no-config input
record k sm_90 48 "$some,$(echo "$required" | sed 's/192/256/'),\"register_cap\":48,\"register_cap_from\":\"__launch_bounds__\"" >input
expect 1 'at the 48-register cap of __maxnreg__' 'register-spill names the cap of __maxnreg__, also in a record of an older version' "$program" check --no-config input

# ---- dynamic shared memory of unknown size: an upper bound
record k sm_80 32 '"smem_bytes":0,"dynamic_smem_used":true,"spill_store_bytes":40,"spill_load_bytes":40,"bound_threads":256,"bound_from":"launch-bounds","min_blocks":8,"register_cap":32,"register_cap_from":"__launch_bounds__"' >input
says register-spill \
    "__launch_bounds__(256, 6) would lift the cap from 32 to 40 registers at no more than 75 % occupancy $(still '48 with (256, 5), 64 with (256, 4), 80 with (256, 3), 128 with (256, 2), 255 with (256, 1)')"

# ---- local arrays
record k sm_90 40 '"stack_bytes":128' >input
says dynamic-indexing \
    'fully unroll the loop that computes the index, so that each index is a constant; if an index depends on data, keep the array in shared memory: 32768 B for a block of 256 threads; measure it' \
    --threads 256
record k sm_90 40 '"stack_bytes":256' >input
says dynamic-indexing \
    'fully unroll the loop that computes the index, so that each index is a constant; if an index depends on data, keep the array in shared memory or select its element by comparisons; measure it' --threads 256
record k sm_90 40 '"stack_bytes":4096' >input
says dynamic-indexing \
    'the 255 registers of a thread do not hold 4096 B: a smaller array, or shared memory for it; measure it' --threads 256
pressed='the kernel spills already, so an array in registers (loops fully unrolled, each index a constant) may add spills; measure it'
record k sm_90 64 '"stack_bytes":288,"spill_store_bytes":24,"spill_load_bytes":28,"array_bytes":256,"spill_bytes_in_loops":0,"spill_depth":0' >input
says dynamic-indexing "keep the array in shared memory: 32768 B for a block of 128 threads; $pressed" --threads 128
says dynamic-indexing "keep the array in shared memory, or make it smaller; $pressed"
record k sm_90 32 '"stack_bytes":80,"array_bytes":80,"local_store_bytes":360,"local_load_bytes":0' >input
says dynamic-indexing \
    'the kernel stores to its stack frame and does not load from it: a function that is not inlined gets the address, such as printf; remove the call, inline the function (__forceinline__) or pass values; measure it'

# ---- launches that fail
record k sm_90 194 '"stack_bytes":0' >input
says unlaunchable 'at most 64 registers, __launch_bounds__(1024, 1), which may spill, or blocks of at most 256 threads' --threads 1024
occupancy 50 64 1 sm_90 1024
occupancy 12.5 194 1 sm_90 256

# ---- registers that functions add at the link: nvlink refuses a cap of the kernel that is below those of a function
functions='where the functions are compiled that raise its 24 registers at the link'
linked() { sed "s/used 118 registers/used $1 registers/" "$source/fixtures/rdc-one-arch/log.txt" >input; }
linked 50
says occupancy-cliff "at most 48 registers, -maxrregcount=48 $functions, or blocks of 224 threads (54.7 %); measure both" --threads 256
says occupancy-cliff "at most 48 registers, -maxrregcount=48 $functions, or state the block size (--threads N) to see the steps at that size"
sed -i 's/Used 24 registers/Used 49 registers/' input
says occupancy-cliff "at most 48 registers, __launch_bounds__(256, 5) and -maxrregcount=48 $(echo "$functions" | sed s/24/49/), or blocks of 224 threads (54.7 %); measure both" --threads 256
linked 48
says occupancy-cliff "only for later changes: -maxrregcount=48 $functions keeps them from using 49 registers, which would lower the blocks per SM from 5 to 4" --threads 256 --notes
linked 118
says unlaunchable "at most 64 registers, -maxrregcount=64 $functions, which may spill, or blocks of at most 512 threads" --threads 1024
says missing-launch-bounds 'its own code needs 24 registers; the functions that it calls raise this to 118 at the link: for larger blocks cap the registers where these functions are compiled (-maxrregcount)' --notes
advise() { "$program" advise --no-config --threads 256 calls_heavy input; }
expect 0 'its own code needs 24 registers, the functions that it calls raise this' 'advise: registers are capped where the called functions are compiled' advise
expect 0 '^       3     37.5 %           -            80       38' 'advise: no launch bounds below the registers of called functions' advise
sed -i 's/Used 24 registers/Used 90 registers/' input
expect 0 '^       3     37.5 %    .256, 3.            80       38' 'advise: launch bounds that cap the code of the kernel itself' advise
grep -v nvlink "$source/fixtures/rdc-one-arch/log.txt" | sed 's/Used 24 registers/Used 50 registers/' >input
says occupancy-cliff 'at most 48 registers, __launch_bounds__(256, 5), or blocks of 224 threads (54.7 %); measure both' --threads 256

# ---- what the blocks need that are asked for
asks() # RULE KEYS EXPECTED: of a kernel with blocks of 256 threads and these keys in the configuration
{
    printf 'kernels:\n  - match: k\n    threads: 256\n%s\n' "$2" >asked.yaml
    "$program" check --notes --config asked.yaml --format json input >out.json 2>"$work/err"
    next_of "$1" >"$work/said" 2>&1
    if [ "$(cat "$work/said")" = "$3" ]; then ok "$1: $3"; else bad "$1: expected $3"; fi
}
record k sm_90 72 '"smem_bytes":36400' >input
asks min-blocks-missed '    min-blocks: 4' '4 blocks of 256 threads need at most 64 registers per thread (__launch_bounds__(256, 4), which may spill); measure it'
occupancy 50 64 4 sm_90 256 --smem 36400
occupancy 37.5 65 3 sm_90 256 --smem 36400
both='8 blocks of 256 threads need at most 32 registers per thread (__launch_bounds__(256, 8), which may spill) and at most 28160 B of shared memory per block; measure it'
asks low-occupancy '    min-occupancy: 90 %' "$both"
occupancy 100 32 8 sm_90 256 --smem 28160
occupancy 75 33 6 sm_90 256 --smem 28160
asks low-occupancy '    min-occupancy: 90 %
    ilp: 2' '4 blocks of 256 threads need at most 64 registers per thread (__launch_bounds__(256, 4), which may spill); measure it'
asks min-blocks-missed '    min-blocks: 4
    min-occupancy: 90 %' "$both"
asks min-blocks-missed '    min-blocks: 9' None
record k sm_90 32 '"smem_bytes":36400' >input
asks min-blocks-missed '    min-blocks: 8' '8 blocks of 256 threads need at most 28160 B of shared memory per block; measure it'
occupancy 75 32 6 sm_90 256 --smem 36400
record k sm_90 72 '"smem_bytes":0,"dynamic_smem_used":true' >input
asks min-blocks-missed '    min-blocks: 4' '4 blocks of 256 threads need at most 64 registers per thread (__launch_bounds__(256, 4), which may spill) and at most 57344 B of shared memory per block; measure it'
record k sm_90 72 "$required,$numbered" | sed 's/192/256/' >input
asks min-blocks-missed '    min-blocks: 4' '4 blocks of 256 threads need at most 64 registers per thread (__maxnreg__(64), which may spill); measure it'

# ---- messages
{
    echo "ptxas warning : Value of threads per SM for entry _Z1kPf is out of range. .minnctapersm will be ignored"
    echo "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_120'"
    echo "ptxas info    : Function properties for _Z1kPf"
    echo "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
    echo "ptxas info    : Used 48 registers, used 0 barriers"
} >input
says launch-bounds-ignored \
    'the second argument of __launch_bounds__ asks for more blocks than an SM of sm_120 holds: 1536 threads, and a limit of blocks (warplint explain sm_120)'
sed -i 's/minnctapersm will/minnctapersm and .maxntid will/' input
says launch-bounds-ignored 'a block has at most 1024 threads: declare the largest block that is launched'

# ---- every message of ptxas on wgmma and setmaxnreg is explained
for code in 7504 7505 7506 7507 7508; do
    echo "ptxas info    : (C$code) Potential Performance Loss: 'setmaxnreg' ignored to allow it." >in.log
    "$program" check --no-config --format json in.log >out.json 2>"$work/err"
    next_of setmaxnreg-ignored >next
    holds "C$code has a next step" grep -Eq '[a-z]{3}.*: ' next
done
for code in 7509 7510 7511 7512 7513 7514 7515 7516 7518 7520; do
    echo "ptxas info    : (C$code) Potential Performance Loss: wgmma.mma_async instructions are serialized due to it in the function '_Z1kPf'" >in.log
    "$program" check --no-config --format json in.log >out.json 2>"$work/err"
    next_of wgmma-serialized >next
    holds "C$code has a next step" grep -Eq '[a-z]{3}.*: ' next
done

# ---- over all fixtures: one line, and null where the rule has none
with_next=$(grep -lE '^next(-of)?:' "$source"/rules/*.yaml | sed 's|.*/||; s|\.yaml||')
for log in "$source"/fixtures/*/log.txt; do
    "$program" check --no-config --format ndjson "$log" 2>/dev/null
done >all.ndjson
cat >check.py <<'PYTHON'
import json, sys
rules, bad, seen = set(sys.argv[1:]), 0, set()
for line in open("all.ndjson"):
    record = json.loads(line)
    if record["type"] != "finding":
        continue
    text = record["next"]
    if text is not None and (record["rule"] not in rules or "\n" in text or "?" in text or not text):
        bad += 1
        print(record["rule"], text)
    if text:
        seen.add(record["rule"])
print(len(seen), "rules:", *sorted(seen))
sys.exit(bad > 0 or len(seen) < 7)
PYTHON
# shellcheck disable=SC2086 # several words
holds 'next steps of all fixtures are one line, other rules have none' python3 check.py $with_next
finish
