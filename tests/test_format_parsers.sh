#!/bin/sh
# usage: test_format_parsers.sh PROGRAM SOURCE_DIR
#
# Reports as their consumers read them: XML and JSON against schemas, SARIF by the validator that has GitHub's ingestion
# rules. Each schema must also refuse a damaged report. Tools that are not installed (ci/setup, ci/tools) are skipped
# with a message. Hostile text is in test_hostile.sh.
set -eu
program=$1 root=$2
modules=$root/build-tools/node_modules
multitool=$modules/@microsoft/sarif-multitool-linux
. "$root/tests/cases.sh"

# ---- the problem matcher ----

if has python3; then
    for name in placed hostile; do
        holds "the problem matcher reads $name.text" python3 "$root/tests/matcher.py" \
            "$root/ci/github/problem-matcher.json" "$root/tests/golden/$name.text" "$root/tests/golden/$name.rdjsonl"
    done
fi

# ---- workflow commands of CI systems agree with JSON, also if names contain their syntax ----

sed 's/"esc[^"]*"/"a%3B;c,::d]e'"'"'|[f %25\\u00e9\\ud83d\\ude00"/g' "$root/tests/golden/hostile.ndjson" >"$work/signs.ndjson"
grep -q 'a%3B' "$work/signs.ndjson"

for parser in "$root"/tests/parsers/*.py; do
    has python3 || break
    format=$(basename "$parser" .py)
    "$program" check --no-config --fail-on never -o "rdjsonl=$work/signs.rdjsonl" -o "$format=$work/signs.$format" \
        "$work/signs.ndjson" >/dev/null
    for file in "$root"/tests/golden/*."$format" "$work/signs.$format"; do
        holds "a parser reads ${file##*/}" python3 "$root/tests/same_findings.py" "$format" "$file" \
            "${file%.*}.rdjsonl"
    done
    sed 's/spills/spoils/' "$root/tests/golden/bad.$format" >"$work/spoilt.$format"
    holds "a damaged $format is refused" refuses python3 "$root/tests/same_findings.py" "$format" \
        "$work/spoilt.$format" "$root/tests/golden/bad.rdjsonl"
done

# ---- CSV agrees with NDJSON ----

cat >"$work/same_cells.py" <<'PYTHON'
import csv, json, sys
def cell(value):
    if value is None: return ""
    if isinstance(value, bool): return str(value).lower()
    if isinstance(value, list): return " ".join(value)
    if isinstance(value, dict): return " ".join("%s:%d" % item for item in value.items())
    return value if isinstance(value, str) else "%.3f" % value if isinstance(value, float) else str(value)
records = [json.loads(line) for line in open(sys.argv[2]) if line.startswith('{"type":"kernel"')]
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert rows and len(rows) == len(records), (len(rows), len(records))
for row, record in zip(rows, records):
    for key, text in row.items():
        assert text == cell(record[key]), (key, text, record[key])
print(len(rows), "rows;", sum(" " in row["limiters"] for row in rows), "with two limiters")
PYTHON

same_cells() # log
{
    "$program" report --no-config --threads 256 --format csv "$1" >"$work/cells.csv"
    "$program" report --no-config --threads 256 --format ndjson "$1" >"$work/cells.ndjson"
    python3 "$work/same_cells.py" "$work/cells.csv" "$work/cells.ndjson"
}

if has python3; then
    for name in demo rdc-two-archs textures; do
        holds "CSV of $name has the values of NDJSON" same_cells "$root/fixtures/$name/log.txt"
    done
fi

# ---- limits, and the inputs of a fingerprint ----

spilling() # how many kernels
{
    awk -v count="$1" 'BEGIN {
        for (at = 1; at <= count; at++) {
            printf "ptxas info    : Compiling entry function '"'kernel%d'"' for '"'sm_80'"'\n", at
            printf "ptxas info    : Function properties for kernel%d\n", at
            printf "    16 bytes stack frame, %d bytes spill stores, 16 bytes spill loads\n", at
            printf "ptxas info    : Used 32 registers, used 0 barriers, 360 bytes cmem[0]\n"
        }
    }'
}

prints() # log
{
    "$program" check --no-config --format sarif "$1" | grep -o '"warplint/v1":"[^"]*"' | sort
}

in_report() # text, log
{
    "$program" check --no-config --format sarif "$2" | grep -qF -- "$1"
}

is_count() # pattern, count, file: the file has so many lines with the pattern
{
    [ "$(grep -c "$1" "$3")" = "$2" ]
}

spilling 5200 >"$work/many.txt"
"$program" check --no-config --select register-spill --format sarif "$work/many.txt" >"$work/many.sarif" || true
holds 'SARIF has at most 5,000 results' is_count '"ruleId":' 5000 "$work/many.sarif"
holds 'SARIF keeps the worst results' grep -q 'kernel5200 (sm_80): spills 5200 B' "$work/many.sarif"
holds 'SARIF says how many results are left out' grep -q 'the worst 5000 of 5200 results are listed' "$work/many.sarif"

mkdir "$work/elsewhere"
log=$root/fixtures/cmake-ninja/log.txt
{
    echo 'a line more'
    sed 's|image.dir/|image.dir/another/folder/|; s/28 bytes spill/36 bytes spill/' "$log"
} >"$work/elsewhere/log.txt"
prints "$log" >"$work/here"
prints "$work/elsewhere/log.txt" >"$work/there"
holds 'the second report names another file' in_report '"uri":"another/folder/resize.cu"' "$work/elsewhere/log.txt"
holds 'the second report has other values' in_report 'spills 36 B stores' "$work/elsewhere/log.txt"
holds 'fingerprints do not depend on lines, values and folders' cmp "$work/here" "$work/there"
holds 'each report has two fingerprints' is_count . 2 "$work/here"

# Two files of one name, each with a kernel of one name: fingerprints do not depend on the spills or the order.
cat >"$work/known_as.py" <<'PYTHON'
import json, sys
import xml.etree.ElementTree as xml
if sys.argv[1] == "gitlab":
    known = [(e["location"]["path"], e["fingerprint"]) for e in json.load(sys.stdin)]
elif sys.argv[1] == "sarif":
    known = [(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], r["partialFingerprints"]["warplint/v1"])
             for r in json.load(sys.stdin)["runs"][0]["results"]]
else:
    known = [(c.get("file"), c.get("name")) for c in xml.parse(sys.stdin).iter("testcase")]
print(*sorted(known), sep="\n")
PYTHON

twins() # format, folder, spilled bytes, folder, spilled bytes
{
    for file in "$2 $3" "$4 $5"; do
        echo "nvcc -arch=sm_80 -Xptxas=-v -c ${file% *}/main.cu -o ${file% *}/main.o"
        spilling 1 | sed "s/16 bytes/${file#* } bytes/g; s/1 bytes/${file#* } bytes/"
    done >"$work/twins.txt"
    { "$program" check --no-config --select register-spill --format "$1" "$work/twins.txt" || true; } |
        python3 "$work/known_as.py" "$1"
}

for format in gitlab sarif junit; do
    has python3 || break
    twins "$format" a 400 b 16 >"$work/twins"
    holds "$format has two findings for two files of one name" is_count . 2 "$work/twins"
    holds "$format has different fingerprints for them" test "$(cut -d, -f2 "$work/twins" | sort -u | wc -l)" = 2
    for case in 'a 16 b 400' 'b 400 a 16' 'b 16 a 400'; do
        # shellcheck disable=SC2086
        twins "$format" $case >"$work/others"
        holds "$format has the same fingerprints: $case" cmp "$work/twins" "$work/others"
    done
done

# ---- suppressions ----

# Records of a log whose source has an exception in a comment.
(cd "$root/fixtures/cmake-ninja" && "$program" report --no-config --format ndjson log.txt) |
    awk '/"type":"end"/ { match($0, /"records":[0-9]+/)
                          count = substr($0, RSTART + 10, RLENGTH - 10) + 1
                          sub(/"records":[0-9]+/, "\"records\":" count) }
         { print }
         /"type":"log"/ { print "{\"type\":\"allow\",\"kernel\":\"median\",\"rule\":\"dynamic-indexing\"," \
                                "\"reason\":\"seen\",\"until\":null,\"problem\":null,\"file\":\"median.cu\"," \
                                "\"line\":3,\"column\":null,\"log\":\"log.txt\"}" }' >"$work/allows.warplint.ndjson"
holds 'SARIF: an exception in a source has the kind inSource' in_report \
    '"suppressions":[{"kind":"inSource","status":"accepted","justification":"seen"}]' "$work/allows.warplint.ndjson"
holds 'SARIF: an exception of the configuration has the kind external' grep -qF '"suppressions":[{"kind":"external","status":"accepted"' \
    "$root/tests/golden/allowed.sarif"

# ---- a user's rule with only the required keys ----

mkdir "$work/rules" "$work/own"
cat >"$work/rules/our-rule.yaml" <<'YAML'
id: our-rule
title: 'a <rule> of [ours](x)'
severity: warning
when: 'kind == "entry" and registers > 8'
message: '{registers} registers'
see: [our page on registers]
YAML
for format in sarif rdjsonl; do
    "$program" check --no-config --rules "$work/rules" --select our-rule --format $format "$root/fixtures/clean/log.txt" \
        >"$work/own/rule.$format" || true
done
holds 'a `see` that is no address is not written as a URL' refuses grep -qE '"(helpUri|url)":' "$work/own/rule.sarif" \
    "$work/own/rule.rdjsonl"
holds 'results of a custom rule are in SARIF' grep -q '"ruleId":"our-rule"' "$work/own/rule.sarif"

# ---- XML ----

if has xmllint; then
    for schema in "$root"/tests/schemas/*.rng; do
        format=$(basename "$schema" .rng)
        for file in "$root"/tests/golden/*."$format" "$work"/own/*."$format"; do
            [ ! -f "$file" ] || holds "${file##*/} is valid" xmllint --noout --relaxng "$schema" "$file"
        done
        sed 's/ line=/ lime=/; s/ classname=/ class=/' "$root/tests/golden/bad.$format" >"$work/spoilt.$format"
        holds "a damaged $format is refused" refuses xmllint --noout --relaxng "$schema" "$work/spoilt.$format"
    done
else
    skip "XML: no xmllint"
fi

# ---- JSON ----

validate() # schema, file...
{
    NODE_PATH=$modules node "$root/tests/tools/validate.js" "$@"
}

reports() # format: the golden ones, and those of a rule of one's own
{
    for file in "$root"/tests/golden/*."$1" "$work"/own/*."$1"; do
        if [ -f "$file" ]; then
            echo "$file"
        fi
    done
}

check_json() # format, schema
{
    # shellcheck disable=SC2046 # no path of ours has a blank
    holds "$1 is valid" validate "$2" $(reports "$1")
    sed 's/"location":/"place":/; s/"message":/"massage":/' "$root/tests/golden/bad.$1" >"$work/spoilt.$1"
    holds "a damaged $1 is refused" refuses validate "$2" "$work/spoilt.$1"
}

if has node && [ -d "$modules/ajv" ]; then
    for schema in "$root"/tests/schemas/*.schema.json; do
        check_json "$(basename "$schema" .schema.json)" "$schema"
    done
    if [ -f "$multitool/sarif-2.1.0.json" ]; then
        check_json sarif "$multitool/sarif-2.1.0.json"
    else
        skip "the schema of SARIF: no $multitool"
    fi
else
    skip "schemas of JSON: no node, or no build-tools (ci/tools)"
fi

# ---- SARIF ----

if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    skip "GitHub's rules for SARIF: WARPLINT_TEST_QUICK"
elif "$multitool/Sarif.Multitool" --version >/dev/null 2>&1; then
    # shellcheck disable=SC2046
    holds "GitHub accepts the SARIF files" no_errors $(reports sarif)
    sed 's/"locations":\[[^]]*\]}\]/"locations":[]/' "$root/tests/golden/bad.sarif" >"$work/spoilt.sarif"
    holds "a SARIF file without locations is refused" refuses no_errors "$work/spoilt.sarif"
else
    skip "GitHub's rules for SARIF: the validator is not installed (ci/tools), or does not run here"
fi

finish
