#!/bin/sh
# usage: test_query.sh PROGRAM SOURCE_DIR
#
# The recipes of warplint-records(5), "Querying many builds", taken from the text: DuckDB (@duckdb/node-api, ci/tools)
# and jq over the records of four builds, a million in all (24,000 with WARPLINT_TEST_QUICK=1), with the expected
# answers.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
export LC_ALL=C

# answers TITLE COMMANDS: compares a recipe's output with standard input
answers()
{
    cat >want
    sh "$2" >got 2>err
    if [ -s want ] && cmp -s want got; then ok "$1"; else bad "$1"; fi
}

# The code blocks of the section, one file each: block.1 ...
awk '/^## / { on = /^## Querying many builds/ }
     on && /^    / { if (!inside) number++; inside = 1; sub(/^    /, ""); print >("block." number); next }
     { inside = 0 }' "$source/src/cli/man/warplint-records.5.md"
[ "$(ls block.* | wc -l)" = 4 ] && ok 'the section has four recipes' || bad 'the section has four recipes'
for at in 1 2 3; do
    case $(head -c 6 block.$at) in duckdb) ;; *) bad "recipe $at is one of DuckDB" ;; esac
done

# ---- four builds; in the second half of the week there are some more kernels, and on tuesday one that needs more
# registers
counts='monday:900 tuesday:1000 wednesday:1000 thursday:1100'
[ -n "${WARPLINT_TEST_QUICK:-}" ] || counts='monday:41000 tuesday:41500 wednesday:42000 thursday:42167'
mkdir records
for pair in $counts; do
    awk -f "$source/tests/bench/make_log" "${pair#*:}" >build.log
    "$program" report --no-config -o ndjson="records/${pair%:*}.ndjson" build.log || bad "${pair%:*} has records"
done
rm build.log
sed -i 's/\("kernel_id":"_ZN3ns78kernel_7[^0-9].*"arch":"sm_80".*"registers":\)[0-9]*/\1250/' records/tuesday.ndjson
records=$(cat records/*.ndjson | grep -c '"type":"kernel"')
echo "$records records, $(du -sm records | cut -f1) MiB"

# ---- DuckDB
modules=$source/build-tools/node_modules
if command -v node >/dev/null && [ -d "$modules/@duckdb/node-api" ]; then
    mkdir bin
    printf '#!/bin/sh\nexec node "%s/tests/tools/query.mjs" "$2"\n' "$source" >bin/duckdb
    chmod +x bin/duckdb
    PATH=$work/bin:$PATH
    export PATH
    if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
        answers 'DuckDB: kernels and spills by architecture' block.1 <<'SAID'
arch	kernels	registers	spilling
sm_75	4000	255	1661
sm_80	4000	255	1774
sm_86	4000	255	1621
sm_90	4000	255	1708
sm_100	4000	255	1692
sm_120	4000	255	1628
SAID
    else
        answers 'DuckDB: kernels and spills by architecture, a million records' block.1 <<'SAID'
arch	kernels	registers	spilling
sm_75	166667	255	71769
sm_80	166667	255	71325
sm_86	166667	255	71261
sm_90	166667	255	71198
sm_100	166667	255	71602
sm_120	166667	255	71166
SAID
        [ "$records" -ge 1000000 ] && ok 'it is a million' || bad 'it is a million'
    fi
    answers 'DuckDB: the kernels that spill most' block.2 <<'SAID'
kernel_id	arch	builds	bytes
_ZN3ns010kernel_150ILi128ELi8EdEEvPKT1_PS2_iii	sm_100	4	1024
_ZN3ns010kernel_150ILi128ELi8EdEEvPKT1_PS2_iii	sm_86	4	1024
_ZN3ns010kernel_250ILi64ELi2EiEEvPKT1_PS5_iii	sm_75	4	1024
SAID
    answers 'DuckDB: the kernels that need more registers' block.3 <<'SAID'
kernel_id	arch	before	after
_ZN3ns78kernel_7ILi192ELi6EfEEvPKT1_PS0_iii	sm_80	72	250
SAID
    # Another way to get the same numbers.
    total=$(cat records/*.ndjson | grep '"type":"kernel"' | grep '"arch":"sm_80"' | awk '
        !/"spill_store_bytes":0,"spill_load_bytes":0,/ { spilling++ } END { print NR "\t255\t" spilling }')
    sh block.1 | grep -q "^sm_80	$total\$" && ok 'grep and awk count as many' || bad "grep and awk count $total"
else
    echo 'skipped: DuckDB, no node or no @duckdb/node-api (ci/tools)'
fi

# ---- jq
if command -v jq >/dev/null; then
    [ -n "${WARPLINT_TEST_QUICK:-}" ] || {
        mv records/monday.ndjson . && head -n 20000 monday.ndjson >records/monday.ndjson
    }
    answers 'jq: the kernels that spill most' block.4 <<'SAID'
sm_100	_ZN3ns010kernel_150ILi128ELi8EdEEvPKT1_PS2_iii	512
sm_86	_ZN3ns010kernel_150ILi128ELi8EdEEvPKT1_PS2_iii	512
sm_75	_ZN3ns010kernel_250ILi64ELi2EiEEvPKT1_PS5_iii	512
SAID
else
    echo 'skipped: jq is not installed'
fi

finish
