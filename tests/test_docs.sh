#!/bin/sh
# usage: test_docs.sh PROGRAM SOURCE_DIR
#
# Every code block of README.md, of the manual pages and of ci/README.md works as written, or says why it cannot be run
# (tests/docs.py). README.md and the pages run with a stand-in for nvcc, the recipes of ci/README.md with the real one
# if it is installed. The manual pages are complete: every command, option, format, key of the configuration, key of
# rules and key of NDJSON has an entry.
set -u
program=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
mkdir -p "$work/home/bin" "$work/bin"
for folder in .rustup:RUSTUP_HOME .cargo:CARGO_HOME; do # cargo's own, which it looks for in the home
    [ ! -d "$HOME/${folder%:*}" ] || export "${folder#*:}=$HOME/${folder%:*}"
done
export HOME="$work/home" XDG_CACHE_HOME="$work/cache" CUDAARCHS=90
unset CMAKE_CUDA_COMPILER_LAUNCHER CMAKE_GENERATOR CUDA_HOME
export CC=cc CXX=c++ # or Meson puts sccache in front where it is installed, which leaves a server behind
cmake --install "$(dirname "$program")" --prefix "$HOME/.local" >"$work/said" 2>&1 || {
    cat "$work/said"
    exit 1
}
PATH=$HOME/.local/bin:$PATH

# ---- the driver itself: blocks that must fail ----

refused() # what, page
{
    mkdir -p "$work/none/project"
    printf '## a\n\n%b\n' "$2" >"$work/page.md"
    rm -rf "$work/try"
    if python3 "$root/tests/docs.py" "$work/page.md" "$work/none" "$work/try" >"$work/said" 2>&1; then
        echo "FAIL the driver lets pass: $1"
        failed=1
    else
        echo "ok: the driver refuses: $1"
    fi
}

refused 'a command that fails' '    true\n    false'
refused 'a status that is not meant' '<!-- run; status 0 -->\n\n```sh\nwarplint occupancy --nonsense\n```'
refused 'a wrong option' '    warplint check --nonsense x'
refused 'a language without a word' '```yaml\na: b\n```'
refused 'output that is not so' '<!-- output: echo one; echo two -->\n\n    two\n    one'
refused 'output below a command that is not so' '    $ echo one\n    two'
refused 'a page without blocks' 'nothing'

# ---- README.md ----

readme=$work/readme/project
mkdir -p "$readme/build" "$readme/shard1" "$readme/shard2" "$readme/lint/rules"
cp "$root/tests/fake-nvcc" "$work/bin/nvcc"
: >"$work/bin/nvcc.profile"
kernel() # name, architecture, constants
{
    cat <<LOG
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '$1' for '$2'
ptxas info    : Function properties for $1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 96 registers, used 1 barriers$3
LOG
}
{
    cat "$root/fixtures/demo/log.txt"
    kernel _Z9flash_fwdPf sm_80 ', 360 bytes cmem[0]'
    kernel _Z9attentionPf sm_90 ''
} >"$readme/build.log"
export FAKE_SAY="$readme/build.log" GITHUB_STEP_SUMMARY="$work/summary.md"
sed 's/plain(float \*)/flash_fwd(float *)/' "$root/tests/data/profiles/nsys-trace.csv" >"$readme/profile.csv"
echo 'fail-on: warning' >"$work/readme/team.yaml"
cp "$root/rules/register-spill.yaml" "$readme/lint/rules"
cp "$root/fixtures/changed-before/log.txt" "$readme/main.log"
cp "$root/fixtures/changed-after/log.txt" "$readme/branch.log"
cp "$root/tests/data/binaries/cubin.elf" "$readme/app"
echo '__global__ void k(float *p) { *p = 1; }' >"$readme/kernel.cu"
printf 'NVCC = nvcc\nall:\n\t$(NVCC) -Xptxas=-v -c kernel.cu -o build/kernel.o\n' >"$readme/Makefile"
printf 'cmake_minimum_required(VERSION 3.22)\nproject(none LANGUAGES NONE)\n' >"$readme/CMakeLists.txt"
ln -s "$root/fixtures" "$readme/fixtures"
(
    cd "$readme" || exit 1
    warplint report -o ndjson=base.ndjson main.log
    warplint baseline write warplint-baseline.json main.log
    warplint report -o ndjson=head.ndjson branch.log
    warplint report -o ndjson=shard1/a.warplint.ndjson main.log
    warplint report -o ndjson=shard2/b.warplint.ndjson build.log
    FAKE_SAY= warplint wrap --record-only -- "$work/bin/nvcc" -c kernel.cu -o build/kernel.o
) >"$work/said" 2>&1 || {
    cat "$work/said"
    failed=1
}
for page in "$root"/README.md "$root"/src/cli/man/*.md; do
    (PATH=$work/bin:$PATH CUDA_HOME=$work python3 "$root/tests/docs.py" "$page" "$work/readme" \
        "$work/r/$(basename "$page")") || failed=1
done

# ---- README.md stays short, and its links work ----
[ "$(wc -c <"$root/README.md")" -le 12000 ] && [ "$(wc -c <"$root/ci/page.png")" -le 200000 ] || {
    echo 'FAIL README.md has more than 12,000 bytes, or its picture more than 200,000'
    failed=1
}
for page in "$root"/README.md "$root"/*/README.md "$root"/src/cli/man/*.md; do
    for link in $(grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//; s/)$//' | sort -u); do
        [ -e "$(dirname "$page")/$link" ] || {
            echo "FAIL $page: no file '$link'"
            failed=1
        }
    done
done

# ---- the manual pages are complete ----

# describes PAGE KEYS...: the page has an entry for each key
describes()
{
    page=$1
    shift
    for key; do
        grep -q -e "^- .*\`$key[ \`]" "$root/src/cli/man/$page.md" || {
            echo "FAIL $page has no entry of '$key'"
            failed=1
        }
    done
    [ $# -gt 2 ] && echo "ok: $page describes $# keys" || failed=1
}

# The keys in the message about an unknown key: from "expected" to the end of the line.
keys() { sed -n "s/.*$1 has no key .*, expected //p" | head -n 1 | sed 's/,\{0,1\} or / /; s/,//g'; }

cd "$work" || exit 1
for command in $(warplint --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
    warplint help "$command" >page.txt || failed=1
    for option in $(warplint "$command" --help | grep -o '^ *\(-[a-z], \)*--[a-z-]*' | sed 's/.*--//' | sort -u); do
        grep -Eq -e "^  (-[a-z], )?--$option( |$)" page.txt || {
            echo "FAIL warplint-$command(1) has no entry of --$option"
            failed=1
        }
    done
done
printf 'x: 1\nrules: {register-spill: {x: 1}}\nkernels: [{match: a, x: 1}]\nallow: [{x: 1}]\n' >wrong.yaml
warplint config show --config wrong.yaml 2>said
describes warplint-config.5 $(keys 'the configuration' <said) $(keys 'an entry of kernels' <said) \
    $(keys 'an exception' <said)
mkdir wrong && echo 'x: 1' >wrong/x.yaml
warplint config check --no-config --rules wrong 2>said
describes warplint-rules.5 $(keys '.*' <said)
describes warplint-reports.5 $(warplint list formats | sed 's/ .*//')
(
    cd "$readme" && printf '// warplint: allow(register-spill) reason="x"\n__global__ void flash_fwd(float *p) { *p = 1; }\n' >allow.cu &&
        warplint wrap --record-only -- "$work/bin/nvcc" -c allow.cu -o allow.o &&
        warplint check --no-config --format ndjson allow.o.warplint.ndjson >"$work/keys.ndjson"
    warplint check --no-config --baseline "$root/fixtures/changed-before/log.txt" --format ndjson \
        "$root/fixtures/changed-after/log.txt" >>"$work/keys.ndjson"
    warplint report --no-config --launches profile.csv --format ndjson build.log app >>"$work/keys.ndjson"
    warplint report --no-config --format ndjson "$root/tests/data/binaries/located.log" \
        "$root/tests/data/binaries/located.cubin" >>"$work/keys.ndjson"
    for log in clang torn cut unoptimised many-archs templates; do
        warplint check --no-config --format ndjson "$root/fixtures/$log/log.txt" >>"$work/keys.ndjson"
    done
) >said 2>&1
python3 "$root/tests/record_keys.py" "$root/src/cli/man/warplint-records.5.md" keys.ndjson || failed=1
while read -r page command; do
    # shellcheck disable=SC2086 # words
    (cd "$root" && warplint $command --format json 2>"$work/said") >"$work/document.json"
    python3 "$root/tests/record_keys.py" --named "$root/src/cli/man/warplint-$page.1.md" \
        "$root/src/cli/man/warplint-records.5.md" <document.json || failed=1
done <<'COMMANDS'
diff diff --no-config fixtures/changed-before/log.txt fixtures/changed-after/log.txt
report report --no-config tests/data/binaries/located.log tests/data/binaries/located.cubin
advise advise --no-config --threads 256 --grid 1000 --sms 108 gemm_large fixtures/demo/log.txt
where where nested tests/data/binaries/located.log tests/data/binaries/located.cubin
doctor doctor fixtures/not-verbose/log.txt
COMMANDS

unset FAKE_SAY GITHUB_STEP_SUMMARY

# ---- ci/README.md ----

PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc >/dev/null 2>&1 && [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set: the recipes of ci/README.md"
    exit $failed
fi
mkdir "$work/recipes"
cp -r "$root/tests/integration/project" "$work/recipes/project"
ln -s "$work/recipes/project" "$work/flow"
sed -i '/warplint/d' "$work/flow/CMakeLists.txt" # the recipes bring it
sed -i 's/, default_options:.*/)/' "$work/flow/meson.build" # and the build type
sed -e 's,@NVCC@,nvcc,' -e 's,@SOURCE@,.,' -e 's,-L@CUDA@/lib64,,' -e 's,command = $cxx,command = $nvcc,' \
    -e 's,^ldflags.*,ldflags =,' -e 's,^build histogram:,build histogram.out:,' \
    -e 's,^default.*,default histogram.out,' "$root/tests/integration/build.ninja.in" >"$work/flow/build.ninja"
mkdir "$work/flow/src"
printf '[package]\nname = "flow"\nversion = "0.1.0"\nedition = "2018"\nbuild = "build.rs"\n' >"$work/flow/Cargo.toml"
echo 'fn main() {}' >"$work/flow/src/main.rs"
cat >"$work/flow/build.rs" <<'RUST'
fn main() {
    let object = std::env::var("OUT_DIR").unwrap() + "/histogram.o";
    let status = std::process::Command::new("nvcc")
        .args(["-I.", "-arch=sm_90", "-c", "histogram/histogram.cu", "-o", &object])
        .status();
    assert!(status.unwrap().success());
}
RUST
python3 "$root/tests/docs.py" "$root/ci/README.md" "$work/recipes" "$work/c" || failed=1
exit $failed
