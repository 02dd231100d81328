#!/bin/sh
# usage: test_init.sh PROGRAM SOURCE_DIR
#
# init: `config show` accepts the file that it writes, unchanged and without its comments; its patterns match the
# kernels of the log; its baseline equals that of `baseline write`; it overwrites nothing; its blocks for CI systems
# work.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
export program SOURCE_DATE_EPOCH=1767225600 # 2026: the exceptions of the example hold

enter() # a folder that is a checkout of its own
{
    rm -rf "${work:?}/checkout"
    mkdir -p "$work/checkout/.git"
    cd "$work/checkout" || exit 1
}
uncomment() { sed -e '/^#* *##/d' -e 's/^# //' .warplint.yaml >all && mv all .warplint.yaml; }

# ---- without a log
enter
expect 0 '^wrote .warplint.yaml' 'init without a log writes a configuration' "$program" init
expect 0 '' 'init without a log writes nothing else' in_shell 'ls -A | grep -v "^.git$" | xargs test .warplint.yaml ='
"$program" config show | sed 's/ *#.*//' | grep . >as-written
"$program" config show --no-config | sed 's/ *#.*//' | grep . >built-in
expect 0 '' 'the configuration leaves all built-in values' cmp as-written built-in
expect 1 '' 'the configuration has at most 80 columns' grep -E '^.{81}' .warplint.yaml
mkdir -p lint/rules && cp "$source/rules/debug-build.yaml" lint/rules/ && "$program" baseline write warplint-baseline.json "$source/fixtures/clean/log.txt" >/dev/null
echo 'fail-on: error' >../team.yaml
uncomment
expect 0 '^baseline: .*# .warplint.yaml:' 'the configuration with all comments removed is valid' "$program" config show
for key in archs fail-on sms threads dynamic-smem min-blocks min-occupancy launch-bounds max-registers max-smem max-spill \
    max-stack max-barriers ilp grid source until; do
    expect 0 '' "with comments removed, $key is set" in_shell "\"\$program\" config show | grep -Eq '^[- ]*$key:( .*# .warplint.yaml:[0-9]*)?\$'"
done
"$program" config show | sed 's/ *#.*//' | sed -n '/^rules:/,/^[a-q]/p' >rules.now
"$program" config show --no-config | sed 's/ *#.*//' | sed -n '/^rules:/,$p' | sed 's/^kernels:$//' >rules.built-in
expect 0 '' 'with comments removed, the rules are the built-in ones' in_shell 'grep "^ " rules.built-in | while IFS= read -r line; do
    grep -qxF -- "$line" rules.now || exit 1; done'

# ---- with logs
for name in demo templates local-names renamed-before driver-jit windows; do
    enter
    cp "$source/fixtures/$name/log.txt" build.log
    expect 0 'known and accepted$' "$name: the baseline is written" "$program" init build.log
    mv "$work/out" "$work/wrote"
    judged=$("$program" check build.log 2>&1 | sed -n 's/^judged: \(.*\); [0-9]* lines* read$/\1/p')
    expect 0 '' "$name: init counts the same kernels as check" grep -qxF "wrote warplint-baseline.json: $judged, known and accepted" "$work/wrote"
    expect 0 '' "$name: check passes" "$program" check build.log
    "$program" baseline write --no-config other.json build.log >/dev/null
    expect 0 '' "$name: the baseline equals that of \`baseline write\`" cmp warplint-baseline.json other.json
    mkdir -p lint/rules && cp "$source/rules/debug-build.yaml" lint/rules/ && echo 'fail-on: error' >../team.yaml
    sed -n '/^# archs/p' .warplint.yaml >archs
    sed -e '/^#   - match: .flash/,/^#         until/d' .warplint.yaml >kept && mv kept .warplint.yaml
    uncomment
    expect 0 '' "$name: each kernel has an entry with a block size" in_shell '"$program" report --format ndjson build.log >now.ndjson &&
        grep -q "\"kind\":\"entry\"" now.ndjson &&
        ! grep "\"kind\":\"entry\"" now.ndjson | grep -v "\"threads_from\":\"config\"" | grep .'
    # Binaries for other architectures may be missing; each that exists is named.
    for arch in $("$program" report --no-config --format ndjson build.log | grep -o '"arch":"sm_[0-9a-z]*"' | sort -u |
        cut -d'"' -f4); do
        expect 0 '' "$name: archs names $arch" grep -q "$arch[],]" archs
    done
done
enter
python3 "$source/tests/hostile.py" log >hostile.log 2>/dev/null &&
    expect 0 '' 'kernel names with special characters: status 0' "$program" init --force hostile.log &&
    expect 0 '' 'the configuration with these names is valid' "$program" config show
sed "s/_Z[A-Za-z0-9_]*/it's##1/" "$source/fixtures/clean/log.txt" >quoted.log
expect 0 '' 'a kernel name with a quote: status 0' "$program" init --force quoted.log
expect 0 "^#   - match: '\^it''s[#\\\\]+1\\$'$" 'the quote is doubled in YAML' cat .warplint.yaml
enter
for at in $(seq 300); do
    printf "ptxas info    : Compiling entry function 'k%d' for 'sm_80'\n" "$at"
    printf 'ptxas info    : Function properties for k%d\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n' "$at"
    printf 'ptxas info    : Used 8 registers, used 0 barriers\n'
done >build.log
expect 0 '' '300 kernels: status 0' "$program" init build.log
expect 0 '100 more templates' 'the kernels that are not listed are counted' cat .warplint.yaml
expect 0 '' '--baseline gives the baseline another name' "$program" init --force --baseline known.json build.log
expect 0 '^baseline: known.json$' 'the configuration has that name' cat .warplint.yaml

# ---- commands of the build tool
enter
echo 'all:' >Makefile
expect 0 '^make -B NVCC="[$]PWD/shim/bin/nvcc"' 'make: init names the nvcc of the shim' "$program" init
expect 0 '^ +run: make -B NVCC="nvcc -Xptxas=-v" 2>&1 . tee build.log$' 'make: the CI block runs make' "$program" init --ci github
expect 1 '' 'make: the CI block does not run CMake' in_shell '"$program" init --ci github | grep -q cmake'
echo 'project(p)' >CMakeLists.txt
expect 0 '^ +run: cmake --build build 2>&1 . tee build.log$' 'CMake: the CI block runs CMake' "$program" init --ci github
expect 1 '' 'CMake: the CI block does not run make' in_shell '"$program" init --ci github | grep -q "NVCC="'

# ---- nothing is overwritten
enter
echo 'fail-on: error' >.warplint.yaml
cp .warplint.yaml before
expect 2 '^.warplint.yaml: error: is there already; --force writes it again$' 'an existing configuration: status 2' "$program" init
expect 0 '' 'the existing configuration is unchanged' cmp .warplint.yaml before
expect 0 '^GitHub.*:$' '--ci with an existing configuration: the block is printed' "$program" init --ci github
expect 0 '' '--ci leaves the configuration unchanged' cmp .warplint.yaml before
expect 2 'error: is there already' 'no block is asked for' "$program" init --ci none
expect 0 '' '--force with an existing configuration: status 0' "$program" init --force
expect 1 '' '--force replaces the configuration' cmp -s .warplint.yaml before
rm .warplint.yaml && echo '{}' >warplint-baseline.json
expect 2 'warplint-baseline.json: error: is there already' 'an existing baseline: status 2' "$program" init "$source/fixtures/demo/log.txt"
expect 0 '' 'an existing baseline: no configuration is written' test ! -e .warplint.yaml
rm warplint-baseline.json
for path in .warplint.yaml ./.warplint.yaml "$PWD/.warplint.yaml"; do
    expect 2 'the baseline would be written to .*, as is the configuration' "--baseline is the path of the configuration: status 2: $path" "$program" init --force --baseline "$path" "$source/fixtures/demo/log.txt"
    expect 0 '' "--baseline is the path of the configuration: nothing is written: $path" test ! -e .warplint.yaml
done
for name in empty debug not-verbose torn; do
    rm -f ./* .warplint.yaml
    expect 3 'nothing is written; without a log' "$name: no baseline, status 3" "$program" init "$source/fixtures/$name/log.txt"
    expect 0 '' "$name: no file is written" in_shell '! ls -A | grep -v "^.git$"'
done
expect 3 'nothing is written' 'a missing log: status 3' "$program" init nowhere.log
mkdir .warplint.yaml
expect 3 '' 'the configuration cannot be written: status 3' "$program" init --force
expect 0 '' 'no other file is left' in_shell '! ls -A | grep -v "^.git$\|^.warplint.yaml$"'
enter
echo 'fail-on: error' >.warplint.yaml && mkdir deep && cd deep
expect 0 '^../.warplint.yaml: warning: is in force here; .*extends: ../.warplint.yaml' 'a configuration in a folder above: a warning' \
    "$program" init

enter
head -n 6 "$source/fixtures/demo/log.txt" >build.log
expect 3 '^\.warplint\.yaml: error: ' 'a full disk: status 3' in_shell 'trap "" XFSZ; ulimit -f 4; "$program" init build.log'
expect 0 '' 'a full disk: no file is left' in_shell 'test "$(ls -A)" = ".git
build.log"'

# ---- records
enter
mkdir build
"$program" wrap --no-config --record-only -- "$source/tests/fake-nvcc" -c a.cu -o build/a.o
expect 0 '^ +warplint check build --format github -o ' 'a folder of records: the CI block checks records' "$program" init --force --ci github build
cp "$work/out" block
expect 0 '^ +run: cmake --build build$' 'a folder of records: the CI block writes no log' cat block
expect 0 'DCMAKE_CUDA_COMPILER_LAUNCHER="warplint;wrap;--record-only;--"$' 'a folder of records: the CI block uses the launcher' cat block
expect 1 '' 'a folder of records: the CI block does not mention -Xptxas=-v' grep -e '-Xptxas=-v\|build.log' block
expect 0 "^ +sh 'warplint check build --format text" 'a folder of records: the block of Jenkins checks records' "$program" init --force --ci jenkins build
ls -A >before
expect 0 '^ +warplint check build --format github -o ' '--ci with an existing configuration: the block checks the given records' "$program" init --ci github build
expect 0 '' '--ci with an existing configuration: no file is written' in_shell 'ls -A | cmp - before'
expect 3 '^nowhere.log: error: ' '--ci with a missing input: status 3' "$program" init --ci github nowhere.log
expect 0 '`warplint init --ci github build` prints its block$' 'the command for a block names the input' "$program" init --force build
echo 'all:' >Makefile
expect 0 '^ +run: make -B NVCC="[$]PWD/shim/bin/nvcc" CUDA_HOME="[$]PWD/shim"$' 'records of make: the CI block uses the shim' "$program" init --force --ci github build
cp "$work/out" block
expect 0 '^ +warplint check [.] ' 'records of make: the CI block checks the whole folder' cat block
expect 0 '^warplint wrap --record-only --install-shim shim$' 'records of make: the CI block makes the shim' cat block

# ---- CI
enter
cp "$source/fixtures/demo/log.txt" build.log
expect 0 '^no CI system is set up here' 'no CI system in the folder: a line says so' "$program" init
for system in github:.github/:warplint.md gitlab:.gitlab-ci.yml:warplint.json jenkins:Jenkinsfile:warplint.xml \
    azure:azure-pipelines.yml:warplint.xml; do
    word=${system%%:*} rest=${system#*:}
    sign=${rest%%:*} made=${rest#*:}
    enter
    cp "$source/fixtures/demo/log.txt" build.log
    case $sign in */) mkdir "$sign" ;; *) : >"$sign" ;; esac
    expect 0 'warplint check build.log' "$word: its block is printed" "$program" init
    cp "$work/out" block
    expect 0 '' "$word: the block sets NVCC_APPEND_FLAGS" grep -q -e 'NVCC_APPEND_FLAGS -Xptxas=-v"$' block
    expect 0 '' "$word: --ci prints the same block" in_shell "\"\$program\" init --force --ci $word | cmp - block"
    line=$(sed -n "s/^ *\(- \|sh '\)*\(warplint check [^']*\).*/\2/p" block)
    expect 1 '' "$word: the command of the block fails on findings" in_shell "$(echo "$line" | sed "s|^warplint|\"\$program\"|")"
    expect 0 '' "$word: the command of the block writes $made" test -s "$made"
    expect 0 '' "$word: --ci none prints no block" in_shell '! "$program" init --force --ci none | grep -q check'
    if [ "$word" != jenkins ] && python3 -c 'import yaml' 2>/dev/null; then
        sed -n 's/^    //p' block >block.yaml
        expect 0 '' "$word: the block is valid YAML" python3 -c 'import yaml; yaml.safe_load(open("block.yaml"))'
    fi
done
printf '#!/bin/sh\ncat "%s"\nexit 1\n' "$source/fixtures/clean/log.txt" >cmake && chmod +x cmake && ln -s "$program" warplint
"$program" init --force --ci azure | sed -n '/bash: |/,/displayName/{//d;p}' >step
expect 1 '' 'azure: a failed build fails the step' in_shell 'PATH=$PWD:$PATH bash --noprofile --norc step'
printf '#!/bin/sh\ncat "%s"\n' "$source/fixtures/clean/log.txt" >cmake
expect 0 'verdict: passed' 'azure: a successful build passes the step' in_shell 'PATH=$PWD:$PATH bash --noprofile --norc step'
expect 2 "error: --ci takes azure, github, gitlab, jenkins or none, found 'travis'" 'an unknown CI system: status 2' "$program" init --ci travis
expect 0 '^usage: warplint init' '--help: status 0' "$program" init --help

finish
