#!/bin/sh
# The calculator on the command line. $1: warplint, $2: the source tree.
program=$1
source=$2
failures=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT INT TERM
out=$folder/out
err=$folder/err

# run STATUS ARGUMENTS...: runs the calculator and compares the exit status.
run()
{
    wanted=$1
    shift
    label=$*
    "$program" occupancy "$@" >"$out" 2>"$err"
    status=$?
    check "status $wanted: $label" test "$status" -eq "$wanted"
}

check()
{
    name=$1
    shift
    if "$@"; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        sed 's/^/  out: /;30q' "$out"
        sed 's/^/  err: /;30q' "$err"
        failures=$((failures + 1))
    fi
}

says() { check "$label says: $1" grep -qF -- "$1" "$out"; }
complains() { check "$label reports: $1" grep -qF -- "$1" "$err"; }
quiet() { check "$label is quiet on standard error" test ! -s "$err"; }
silent() { check "$label prints no answer" test ! -s "$out"; }
is_line() { check "$label has the line: $1" grep -qxF -- "$1" "$out"; }
narrow() { check "$label fits 80 columns" sh -c '! grep -q "^.\{81,\}" "$1"' sh "$out"; }

# One launch.
run 0 --arch sm_80 --threads 256 --registers 41
quiet
narrow
is_line '5 blocks per SM, 40 of 64 warps, 62.5 %'
says '1 register fewer (40) gives 6 blocks, 75.0 %'
says 'up to 7 more registers are free'
says '49 registers give 4 blocks, 50.0 %'
is_line 'registers             12288         65536         5  <- limits'
check 'exactly one limiter is marked' test "$(grep -c '<- limits' "$out")" -eq 1

run 0 --arch=sm_20 --threads=128 --registers=63 --smem=11KiB
is_line '4 blocks per SM, 16 of 48 warps, 33.3 %'
says 'registers and shared memory limit together: relaxing one of them gains nothing'
check 'both limiters are marked' test "$(grep -c '<- limits' "$out")" -eq 2

run 0 --arch sm_80 --threads 1024 --registers 32
says 'all 64 warps are active: nothing is to be gained'

run 0 --arch sm_90 --threads 32 --registers 32 --smem 12K --barriers 1
is_line '17 blocks per SM, 17 of 64 warps, 26.6 %'
says '384 B less (11904 B) give 18 blocks'
says 'up to 384 B more are free'

run 0 --arch sm_120 --threads 128 --registers 32 --barriers 16
is_line '1 block per SM, 4 of 48 warps, 8.3 %'
says 'inferred, not documented'

run 0 --arch sm_90a --threads 384 --registers 168 --smem 1024 --dynamic-smem 200KiB --carveout 50 --barriers 3
narrow
says 'cudaFuncAttributeMaxDynamicSharedMemorySize'

# A launch that is impossible gets an answer, not an error.
run 0 --arch sm_80 --threads 1024 --registers 65
quiet
says 'cannot launch'
says '1024 threads take 73728 registers, more than the 65536 that one block may hold'
says '(896 threads can launch with 65 registers, 64 registers in blocks of 1024)'
run 0 --arch sm_80 --threads 1025 --registers 16
says 'a block may have 1024 threads, not 1025'
run 0 --arch sm_80 --threads 32 --registers 256
says 'a thread may use 255 registers, not 256'
run 0 --arch sm_80 --threads 32 --registers 16 --dynamic-smem 166913
says '166913 B of shared memory are more than the 166912 B that one block may have'
run 0 --arch sm_60 --threads 288 --registers 200
says 'rounded up to a'
narrow

# Without a block size.
run 0 --arch sm_80 --registers 41
narrow
is_line 'at best 40 of 64 warps, 62.5 %'
is_line 'block sizes that reach it: 64 128 160 256 320 640'
says '1 register fewer (40) gives at best 75.0 %'
run 0 --arch sm_80 --registers 128
says 'blocks of up to 512 threads can launch with these registers'

# Waves.
run 0 --arch sm_80 --threads 256 --registers 40 --sms 108 --grid 1000
says 'a wave is 648 blocks: 6 on each of 108 SMs'
says '1000 blocks are 1.54 waves, the last 54.3 % full; efficiency 77.2 %'
says 'with blocks that all take the same time achieved occupancy is 57.9 %'
run 0 --arch sm_30 --threads 512 --registers 32 --sms 15 --grid 45
says 'at most 3 blocks on an SM: achieved occupancy is at most 75.0 %'
run 0 --arch sm_86 --sms 80 --threads 9 --registers 16 --grid 1
says '1 block is 0.00 waves; efficiency 0.1 %'
says 'at most 1 block on an SM: achieved occupancy is at most 2.1 %'
run 0 --arch sm_86 --sms 80 --threads 9 --registers 16 --grid 1 --format json
says '"achieved_occupancy_at_most_percent":2.083,"achieved_occupancy_of_equal_blocks_percent":2.083'

# Block sizes and GPU models.
run 0 --arch sm_80 --registers 41 --best
quiet
narrow
is_line 'the highest occupancy is 40 of 64 warps, 62.5 %'
check 'six block sizes reach it' test "$(grep -c '62.5 %' "$out")" -eq 7
is_line '       64       20      40      62.5 %  <- the smallest'
is_line "      640        2      40      62.5 %  <- NVIDIA's choice"
run 0 --arch sm_80 --registers 41 --best --threads 1024
is_line '     1024        1      32      50.0 %  <- yours'
run 0 --arch sm_80 --registers 41 --best --threads 256
is_line '      256        5      40      62.5 %  <- yours'
run 0 --arch sm_80 --registers 255 --best --threads 1024
is_line '     1024        0       0       0.0 %  <- yours: cannot launch'
run 0 --gpu a100 --registers 41 --best
says 'with a grid of 216 blocks on 108 SMs'
run 0 --arch sm_80 --registers 300 --best
says 'cannot launch'
run 0 --arch sm_80 --registers 41 --best --format json
says '"best_block_sizes":{"warps_per_sm":40,"max_warps_per_sm":64,"smallest_threads":64,"nvidia_threads":640,'
run 0 --arch sm_80 --registers 255 --smem 100000 --best --format json
says '"smallest_threads":256,"nvidia_threads":256,"nvidia_blocks_per_sm":1,"sizes":[{"threads":256,"blocks_per_sm":1}]'
run 0 --gpu 'NVIDIA A100' --threads 256 --registers 40 --grid 1000
says '1000 blocks are 1.54 waves, the last 54.3 % full; efficiency 77.2 %'
run 0 --gpu 'Tesla V100' --threads 256 --registers 40
says 'sm_70 (GV100)'
run 2 --gpu 'V10O' --registers 40
complains "'V10O' is not a known GPU, did you mean V100"
run 2 --gpu H100 --registers 40
complains "'H100' is not a known GPU, did you mean H100 NVL, H100 PCIe or H100 SXM;"
run 2 --gpu K20 --registers 40
complains "'K20' is not a known GPU, did you mean K20X;"
run 2 --gpu a100 --arch sm_90 --registers 40
complains 'A100 is sm_80, and --arch says sm_90'
run 2 --gpu a100 --sms 100 --registers 40
complains '--gpu says how many SMs there are'
run 2 --arch sm_80 --registers 40 --best --sweep threads
complains '--best is about every block size, found --sweep'

# Curves.
run 0 --arch sm_70 --threads 128 --registers 37 --sweep registers
is_line 'registers_from,registers_to,blocks_per_sm,warps_per_sm,max_warps_per_sm,percent,present'
is_line '1,32,16,64,64,100.0,0'
is_line '33,40,12,48,64,75.0,1'
is_line '169,255,2,8,64,12.5,0'
run 0 --arch sm_70 --registers 37 --sweep threads
is_line '1,32,32,32,64,50.0,0'
is_line '97,128,12,48,64,75.0,0'
check 'the curve over threads has 32 rows' test "$(wc -l <"$out")" -eq 33
run 0 --arch sm_90 --threads 32 --registers 32 --smem 12KiB --sweep smem
is_line '11905,12672,17,17,64,26.6,1'
check 'the curve ends at the limit of a block' sh -c 'tail -n 1 "$1" | grep -q ",232448,1,"' sh "$out"

# The same as a chart: at most 80 columns, every step of the CSV, the current one marked.
run 0 --arch sm_80 --threads 256 --registers 41 --sweep registers --format text
is_line '    41 ..     48       5     40     62.5 % |############### <- 41'
is_line '     1 ..     32       8     64    100.0 % |########################'
for axis in threads registers smem; do
    for arch in sm_20 sm_70 sm_90 sm_120; do
        run 0 --arch $arch --threads 64 --registers 50 --smem 12KiB --sweep $axis --format csv
        tail -n +2 "$out" | cut -d, -f1-4 >"$out.csv"
        run 0 --arch $arch --threads 64 --registers 50 --smem 12KiB --sweep $axis --format text
        narrow
        tail -n +5 "$out" | awk '{ print $1 "," $3 "," $4 "," $5 }' >"$out.text"
        check "$arch: the chart of $axis has the numbers of the CSV" cmp "$out.csv" "$out.text"
    done
done

# JSON.
run 0 --arch sm_80 --threads 256 --registers 41 --format json --sms 108 --grid 1000
quiet
for part in '"arch":"sm_80"' '"barriers":null' '"blocks_per_sm":5' '"warps_per_sm":40' '"max_warps_per_sm":64' \
    '"limiters":["registers"]' '"limits":{"warps":8,"registers":5,"shared_memory":164,"blocks":32,"barriers":null}' \
    '"registers_to_next_block":1' '"register_slack":7' '"registers_at_cliff":49' '"smem_bytes_to_next_block":null' \
    '"full_waves":1' '"max_threads_launchable":1024'; do
    says "$part"
done
run 0 --arch sm_80 --registers 41 --format=json
says '"threads":null'
says '"best_warps_per_sm":40'
says '"best_threads_largest":640'
run 0 --arch sm_80 --threads 32 --registers 300 --format json
says '"blocks_per_sm":0'
run 2 --arch sm_80 --threads 32 --registers 32 --format xml
complains "--format takes text, json or csv, found 'xml'"
run 2 --arch sm_80 --registers 32 --sweep threads --format json
complains "a curve has the formats text and csv, a single answer text and json"

# Errors on the command line say what was found and what was expected.
run 2 --arhc sm_80
complains "unknown option '--arhc', did you mean --arch"
silent
run 2 -q
complains "unknown option '-q'"
run 2 --arch
complains "option '--arch' needs a value"
run 2 --arch sm_81 --threads 32 --registers 32
complains "architecture 'sm_81' is not known"
run 2 --arch volta --threads 32 --registers 32
complains "'volta' is not an architecture"
run 2 --threads 32 --registers 32
complains 'no --arch given'
run 2 --arch sm_80 --threads 32
complains 'registers N is missing'
run 2 --arch sm_80 --threads 0 --registers 32
complains "--threads is '0', expected a whole number from 1"
run 2 --arch sm_80 --threads 32 --registers -1
complains "--registers is '-1'"
run 2 --arch sm_80 --threads 99999999999999999999 --registers 32
complains "--threads is '99999999999999999999'"
run 2 --arch sm_80 --threads 32 --registers 32 --smem 48KB
complains "--smem is '48KB', expected bytes"
run 0 --arch sm_80 --threads 256 --registers 32 --smem 9000 --carveout 0
says '9000 B static + 0 B dynamic shared memory, carveout 0 %'
run 0 --arch sm_80 --threads 256 --registers 32 --smem 9000 --carveout 50%
says '9000 B static + 0 B dynamic shared memory, carveout 50 %'
for wrong in % 101% 50%% 0.5; do
    run 2 --arch sm_80 --threads 32 --registers 32 --carveout $wrong
    complains "--carveout is '$wrong'"
done
run 2 --arch sm_80 --threads 32 --registers 32 --barriers 5%
complains "--barriers is '5%'"
run 2 --arch sm_80 --threads 32 --registers 32 --carveout 101
complains "--carveout is '101'"
run 2 --arch sm_80 --threads 32 --registers 32 --grid 7
complains 'waves need --sms and --grid'
run 2 --arch sm_80 --threads 32 --registers 32 --sweep blocks
complains "--sweep takes threads, registers or smem, found 'blocks'"
run 2 --arch sm_80 --registers 32 256
complains "unexpected argument '256'"
run 2 --csv "$folder/none.csv" --arch sm_80
run 0 --help
says 'usage: warplint occupancy'
narrow

# Batches.
printf 'arch,threads,registers,smem\nsm_80,100,21,139862\n' >"$folder/smem.csv"
run 0 --csv "$folder/smem.csv"
is_line 'sm_80,100,21,139862,1,4,64,shared_memory'
cat >"$folder/good.csv" <<'END'
registers,kernel,arch,threads,smem_bytes,dynamic_smem_bytes,barriers,carveout
41,"f<int, ""a"">(int*)",sm_80,256,0,0,1,-1
63,g,sm_20,128,11KiB,,,
32,h,sm_120a,128,0,0,16,
20,i,2.0,192,6144,0,0,0
65,j,sm_80,1024,0,0,1,
300,k,sm_80,2048,0,0,1,
END
run 0 --csv "$folder/good.csv"
quiet
is_line 'registers,kernel,arch,threads,smem_bytes,dynamic_smem_bytes,barriers,carveout,blocks_per_sm,warps_per_sm,max_warps_per_sm,limiters'
is_line '41,"f<int, ""a"">(int*)",sm_80,256,0,0,1,-1,5,40,64,registers'
is_line '63,g,sm_20,128,11KiB,,,,4,16,48,registers|shared_memory'
is_line '32,h,sm_120a,128,0,0,16,,1,4,48,barriers'
is_line '20,i,2.0,192,6144,0,0,0,2,12,48,shared_memory'
is_line '65,j,sm_80,1024,0,0,1,,0,0,64,registers'
is_line '300,k,sm_80,2048,0,0,1,,0,0,64,warps|registers'
cp "$out" "$folder/expected"

# The same with a byte order mark, carriage returns, blank lines and no last line end, on standard input.
{
    printf '\357\273\277'
    sed 's/$/\r/' "$folder/good.csv"
    printf '\r\n\n'
} | sed '$d' >"$folder/dos.csv"
label='--csv - with CRLF'
"$program" occupancy --csv - <"$folder/dos.csv" >"$out" 2>"$err"
check 'status 0: a batch from standard input with CRLF' test $? -eq 0
check 'CRLF gives the same answer' cmp -s "$out" "$folder/expected"

# Invalid rows are named with their line; the others get their answer.
cat >"$folder/bad.csv" <<'END'
arch,threads,registers
sm_80,256,41
sm_80,256
sm_81,256,41

sm_80,many,41
sm_80,256,41,7
sm_80,"256,41
sm_80,,41
sm_80,256,40
END
run 2 --csv "$folder/bad.csv"
is_line 'sm_80,256,41,5,40,64,registers'
is_line 'sm_80,256,40,6,48,64,registers'
check 'the header and two valid rows are printed' test "$(wc -l <"$out")" -eq 3
complains "bad.csv:3: error: the row has 2 columns, expected the 3 of the header"
complains "bad.csv:4: error: architecture 'sm_81' is not known"
complains "bad.csv:6: error: threads is 'many'"
complains "bad.csv:7: error: the row has 4 columns"
complains "bad.csv:8: error: a quoted field"
complains "bad.csv:9: error: threads is ''"
check 'six errors' test "$(wc -l <"$err")" -eq 6

# A file of another kind: at most a hundred errors, not one per row.
{ echo 'arch,threads,registers' && yes 'sm_80,256' | head -n 5000; } >"$folder/wrong.csv"
run 2 --csv "$folder/wrong.csv"
complains 'error: 4900 more rows like these'
check 'a hundred errors and the number of the others' test "$(wc -l <"$err")" -eq 101

printf 'arch,threads,registers\nsm_80,256,41' >"$folder/open.csv"
run 0 --csv "$folder/open.csv"
says 'sm_80,256,41,5,40,64'
printf 'arch,threads\nsm_80,256\n' >"$folder/short.csv"
run 2 --csv "$folder/short.csv"
complains "the header has no column 'registers'"
silent
printf 'arch,threads,registers,threads\n' >"$folder/twice.csv"
run 2 --csv "$folder/twice.csv"
complains "column 'threads' is there twice"
: >"$folder/empty.csv"
run 3 --csv "$folder/empty.csv"
complains 'nothing to read'
run 3 --csv "$folder/none.csv"
complains 'cannot be opened'
run 3 --csv "$folder"

# Every launch of the golden sample, with all numbers and limiters.
sed 's/^#.*//;/^$/d' "$source/tests/data/occupancy.tsv" | awk -F '\t' '
    NR == 1 { print "arch,threads,registers,smem_bytes,dynamic_smem_bytes,carveout,barriers"; next }
    { print $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $7 }' >"$folder/golden.csv"
awk -F '\t' '
    BEGIN { split("W R S B N", letter, " "); split("warps registers shared_memory blocks barriers", word, " ") }
    NR > 1 {
        names = ""
        for (at = 1; at <= 5; at++)
            if (index($10, letter[at]))
                names = names (names == "" ? "" : "|") word[at]
        print $8 "," $9 "," names
    }' "$source/tests/data/occupancy.tsv" >"$folder/wanted"
run 0 --csv "$folder/golden.csv"
sed 1d "$out" | awk -F , '{ print $8 "," $9 "," $11 }' >"$folder/got"
check 'all launches of occupancy.tsv have the expected answers' cmp -s "$folder/got" "$folder/wanted"
check 'occupancy.tsv has 620 launches' test "$(wc -l <"$folder/wanted")" -eq 620

# A failed write is never success.
if [ -w /dev/full ]; then
    : >"$out"
    "$program" occupancy --arch sm_80 --threads 256 --registers 41 >/dev/full 2>"$err"
    check 'status 3: a full disk' test $? -eq 3
    "$program" occupancy --csv "$folder/golden.csv" >/dev/full 2>"$err"
    check 'status 3: a full disk under a batch' test $? -eq 3
    label='a full disk'
    complains 'cannot be written'
fi
"$program" occupancy --arch sm_80 --threads 256 --registers 41 >&- 2>"$err"
check 'status 3: closed standard output' test $? -eq 3

if [ "$failures" -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
