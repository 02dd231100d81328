#!/bin/sh
# usage: test_templates.sh PROGRAM SOURCE_DIR
#
# The templates of ci/ for GitHub, GitLab, Jenkins and Azure: checked by the linter or schema of their system, which
# must also refuse a damaged template, and their shell code, which is really run (tests/tools/run_template.mjs): every
# promised file exists and is within its limits, and missing input is named with the line to change. With nvcc the
# builds in them run too (tests/integration/project), otherwise a stand-in made the records.
set -u
program=$1 root=$2
PATH=$PATH:/usr/local/cuda/bin
modules=$root/build-tools/node_modules
. "$root/tests/cases.sh"
export NODE_PATH="$modules" XDG_CACHE_HOME="$work/cache" RUNNER_TEMP="$work/temp"
unset CMAKE_CUDA_COMPILER_LAUNCHER CMAKE_GENERATOR
if ! command -v node >/dev/null 2>&1 || ! command -v jq >/dev/null 2>&1 || [ ! -d "$modules/schemastore" ]; then
    echo "skipped: no node, no jq, or not what tests/tools/package.json names (ci/setup --recipes, ci/tools)"
    exit 0
fi

# ---- linters and schemas ----

lint() { node "$root/tests/tools/lint_template.mjs" "$@"; }

refuses() # kind, file, substitution that spoils it
{
    sed "$3" "$2" >spoilt.yml
    if cmp -s "$2" spoilt.yml; then bad "$1: the template is not damaged: $3"; elif lint "$1" spoilt.yml >said 2>&1; then
        bad "$1: the damaged template is accepted: $3"
    else
        ok "$1: the damaged template is refused: $3"
    fi
}

workflow=$root/ci/github/workflow.yml action=$root/ci/github/action.yml
gitlab=$root/ci/gitlab/warplint.gitlab-ci.yml azure=$root/ci/azure/azure-pipelines.yml jenkins=$root/ci/jenkins/Jenkinsfile
holds 'workflow: actionlint and the schema accept it' lint workflow "$workflow"
holds 'action: the schema accepts it' lint action "$action"
holds 'gitlab: the schema accepts it' lint gitlab "$gitlab"
holds 'azure: the schema accepts it' lint azure "$azure"
refuses workflow "$workflow" 's/runs-on:/run-on:/'
refuses workflow "$workflow" 's/steps.warplint.outputs.sarif/steps.nothing.outputs.sarif/'
refuses action "$action" 's/using: composite/using: nothing/'
refuses gitlab "$gitlab" 's/when: always/when: sometimes/'
refuses gitlab "$gitlab" 's/codequality: warp/code-quality: warp/'
refuses azure "$azure" 's/- script: /- scrip: /'

# Groovy's own parser, if installed; only Jenkins knows the keywords of a declarative pipeline.
if command -v groovy >/dev/null 2>&1 && command -v java >/dev/null 2>&1; then
    JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
    export JAVA_HOME
    parse() { groovy -e 'new GroovyShell().parse(new File(args[0]))' "$1"; }
    holds 'jenkins: Groovy parses it' parse "$jenkins"
    sed '$d' "$jenkins" >spoilt
    if parse spoilt >said 2>&1; then bad 'jenkins: the damaged template is refused'; else ok 'jenkins: the damaged template is refused'; fi
else
    echo "skipped: no groovy (ci/setup --recipes): the syntax of the Jenkinsfile"
fi
if command -v shellcheck >/dev/null 2>&1; then
    holds 'shellcheck accepts the shell code of the action' shellcheck "$root"/ci/github/*.sh
fi

# ---- running them ----

mkdir bin
ln -s "$program" bin/warplint
PATH=$work/bin:$PATH
cp -r "$root/tests/integration/project" plain
(cd plain && mkdir .warplint-source && ln -s "$root/ci" "$root/src" .warplint-source)

# A build folder as the wrapper leaves it, for use without nvcc.
mkdir fake
cp "$root/tests/fake-nvcc" fake/nvcc
cat >spill.txt <<'LOG'
ptxas info    : Compiling entry function '_Z5startPf4grid' for 'sm_90'
ptxas info    : Function properties for _Z5startPf4grid
    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
LOG
cp -r plain recorded
(cd recorded && mkdir build &&
    FAKE_SAY=$work/spill.txt warplint wrap --no-config --record-only -- "$work/fake/nvcc" -c solve/solve.cu -o build/solve.o) \
    >said 2>&1 || bad 'the records of the stand-in'

# Runs in a fresh copy of a project; `said` is the runner's output, `run/log` the steps' output.
runs() # expected status, project, kind, file, options of the runner...
{
    expected=$1 project=$2
    shift 2
    rm -rf here run
    cp -r "$project" here
    kind=$1 file=$2
    shift 2
    (cd here && node "$root/tests/tools/run_template.mjs" "$kind" "$file" "$work/run" "$@") >said 2>&1
    status=$?
    if [ $status = "$expected" ]; then ok "$kind: status $status: $*"; else
        bad "$kind: status $status, expected $expected: $*"
        tail -n 20 said run/log | cut -c1-300
    fi
}

says() # what, text in the log of the steps or of the runner
{
    if cat run/log said | grep -qF -- "$2"; then ok "$1"; else
        bad "$1: expected '$2'"
        tail -n 8 run/log | cut -c1-300
    fi
}

silent() # what, text
{
    if cat run/log said | grep -qF -- "$2"; then bad "$1: unexpected '$2'"; else ok "$1"; fi
}

there() # below here/warplint-reports: files that are not empty, and what they are
{
    for file; do
        if [ ! -s "here/warplint-reports/$file" ]; then
            bad "no $file"
            continue
        fi
        case $file in
        *.xml) command -v xmllint >/dev/null 2>&1 || continue && holds "$file is XML" xmllint --noout "here/warplint-reports/$file" ;;
        *.json | *.sarif) holds "$file is JSON" node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "here/warplint-reports/$file" ;;
        *) ok "$file is not empty" ;;
        esac
    done
}

output() # name
{
    node -p 'JSON.parse(require("fs").readFileSync("run/outputs.json"))[process.argv[1]]' "$1"
}

is() # what, expected, found
{
    if [ "$2" = "$3" ]; then ok "$1: $3"; else bad "$1: expected '$2', found '$3'"; fi
}

at_most() # what, bytes, file
{
    bytes=$(wc -c <"$3")
    if [ "$bytes" -gt 0 ] && [ "$bytes" -le "$2" ]; then ok "$1: $bytes bytes"; else bad "$1: $bytes bytes, at most $2"; fi
}

reports='warplint.sarif junit.xml kernels.html kernels.ndjson comment.md'
runs 1 recorded action "$action" paths=build
# shellcheck disable=SC2086 # a list of words
there $reports findings.txt
is 'action: verdict failed' failed "$(output verdict)"
is 'action: status 1' 1 "$(output status)"
is 'action: the number of errors' 1 "$(output errors)"
is 'action: the number of kernels' 1 "$(output kernels)"
is 'action: the marker of the comment' '<!-- warplint -->' "$(output marker)"
says 'action: an annotation' '::error file=solve/solve.cu,line=3,title=register-spill::'
for name in sarif junit html ndjson comment; do
    if [ -s "here/$(output $name)" ]; then ok "the output $name is a file"; else bad "the output $name is no file"; fi
done
runs 0 recorded action "$action" paths=build fail-on=never label=sm_90 'arguments=--threads=256
--select=register-spill' reports=out/put
is 'fail-on: never: verdict passed' passed "$(output verdict)"
is 'fail-on: never: errors are counted' 1 "$(output errors)"
is 'label: the marker has the label' '<!-- warplint:sm_90 -->' "$(head -n 1 here/out/put/comment.md)"
is 'label: SARIF has the label' 1 "$(grep -c '"warplint/sm_90/"' here/out/put/warplint.sarif)"
says 'arguments: --select limits the rules' "found: 1 error, 0 warnings, 0 notes"
runs 0 recorded action "$action" paths=build arguments=-q fail-on=never
is 'arguments: -q: verdict passed' passed "$(output verdict)"
mkdir above
cp -r recorded above/sub
runs 1 above action "$action" paths=build working-directory=sub
if [ -s "here/$(output sarif)" ]; then ok "working-directory: the path of SARIF: $(output sarif)"; else bad "working-directory: the path of SARIF: $(output sarif)"; fi
ln -s "$program" above/judge
runs 1 above action "$action" paths=build working-directory=sub program=./judge

# Names and paths are treated as text, also with blanks and stars.
says 'commands of the runner are stopped while names are printed' "::$(sed -n 's/^::stop-commands::/&/p' run/log | cut -c18-)::"
cp -r recorded odd
mv odd/build 'odd/a * b' && mkdir 'odd/a x b'
runs 1 odd action "$action" 'paths=a * b'
echo "remark: solve/a%3B.cu:3:2: Unable to fully unroll loop as directed by unroll(full) pragma because loop has a runtime trip count." |
    cat - spill.txt | sed 's/4grid/9##vso[a.b]/' >odd/build.log
runs 1 odd azure "$azure" skip=Build WARPLINT_PATHS=build.log
silent 'azure: ## in a kernel name is no command' '9##vso['
says "azure: ## in a kernel name is escaped" "9#\\x23vso[a.b]"
says 'azure: a percent sign in a path is escaped' ';sourcepath=solve/a%AZP253B.cu;linenumber=3;columnnumber=2;code=unroll-failed]'

# An input or a name never becomes an option, a command of the runner or another output.
cp -r recorded attack
mkdir attack/-delete 'attack/('
cp attack/build/* attack/-delete
cp attack/build/* 'attack/('
sed "s/_Z5startPf4grid/k 0 errors/" spill.txt >attack/found
cp attack/found attack/--help
printf 'rules: {register-spill: off, register-ceiling: off}\n' >attack/-q
runs 1 attack action "$action" paths=-delete
is 'paths: -delete is judged as a folder' 1 "$(output errors)"
if [ -s here/-delete/solve.o.warplint.ndjson ]; then ok 'paths: -delete deletes nothing'; else bad 'paths: -delete deletes nothing'; fi
runs 1 attack action "$action" 'paths=('
runs 1 attack action "$action" paths=found
is 'a log named found and a kernel named "0 errors": one error is counted' 1 "$(output errors)"
runs 1 attack action "$action" paths=--help reports=-p label=--help
if [ -s "here/$(output sarif)" ]; then ok "reports: -p is a folder: $(output sarif)"; else bad "reports: -p is a folder: $(output sarif)"; fi
runs 0 attack action "$action" paths=build config=-q
for kind in gitlab azure jenkins; do
    eval "file=\$$kind"
    runs 1 attack $kind "$file" skip=cuda skip=Build WARPLINT_PATHS=--help
done
no_command() # what; no line of a step is a command other than our own complaint
{
    if grep -q '^::set-output\|^##vso\[task\.setvariable' run/log; then bad "$1: a command of the runner"; else ok "$1: no command of the runner"; fi
}
for input in label fail-on paths baseline config program; do
    runs 2 attack action "$action" paths=build "$input=x\\n::set-output name=verdict::passed"
    no_command "$input: a backslash"
    says "$input: a backslash is printed unchanged" 'x\n::set-output name=verdict::passed'
done
for input in label fail-on baseline config program reports; do
    runs 2 attack action "$action" paths=build "$input=x
::set-output name=verdict::passed"
    no_command "$input: a newline"
    says "$input: a control character is refused" "the input '$input' holds a control character"
    is "$input: no further output of the action" '' "$(output verdict | sed 's/undefined//')"
done
tab=$(printf '\t')
runs 2 attack action "$action" "paths=build
a${tab}b"
says 'paths: a control character is refused' "the input 'paths' holds a control character"
runs 2 attack action "$action" paths=build "arguments=--threads=256${tab}"
says 'arguments: a control character is refused' "the input 'arguments' holds a control character"
runs 2 attack action "$action" paths=100%0A
says 'paths: a percent sign is escaped' "names '100%250A'"
for kind in azure jenkins; do
    eval "file=\$$kind"
    runs 2 attack $kind "$file" skip=Build 'WARPLINT_PATHS=x\n##vso[task.setvariable]'
    no_command "$kind: a backslash"
    runs 2 attack $kind "$file" skip=Build 'WARPLINT_PATHS=x
##vso[task.setvariable]'
    [ $kind = jenkins ] || no_command "$kind: a newline"
done

# A finding in the baseline does not fail the build, and a configuration is used.
cp -r recorded known
(cd known && warplint baseline write known.json build && printf 'rules: {register-spill: off, register-ceiling: off}\n' >off.yaml) >said 2>&1
runs 0 known action "$action" paths=build baseline=known.json
runs 0 known action "$action" paths=build config=off.yaml
cp -r recorded worse
(cd worse && warplint baseline write known.json build) >said 2>&1
runs 0 worse action "$action" paths=build baseline=known.json
is 'baseline: known findings are not counted' '0 0' "$(output errors) $(output warnings)"

# No file is written through a symbolic link of the checkout, and a failed write is not a pass.
for name in comment.new comment.md junit.xml; do
    rm -rf link
    cp -r recorded link
    mkdir link/warplint-reports
    ln -s "$work/pwned" "link/warplint-reports/$name"
    runs 1 link action "$action" paths=build
    holds "$name is a link: the linked file is not written" test ! -e "$work/pwned"
done
for reports in warplint-reports warplint-reports/ warplint-reports/below; do
    rm -rf link outside
    cp -r recorded link
    mkdir outside
    ln -s "$work/outside" link/warplint-reports
    runs 2 link action "$action" paths=build "reports=$reports"
    says "$reports: a folder that is a link is refused" "where 'warplint-reports' is a link; expected is a folder"
    is "$reports: nothing is written behind the link" '' "$(ls outside)"
done
for name in findings.txt comment.md warplint.sarif; do
    rm -rf link
    cp -r recorded link
    mkdir -p "link/warplint-reports/$name"
    runs 3 link action "$action" paths=build
    says "$name is a folder: an error names it" "/$name' cannot be written: remove what is there"
    is "$name is a folder: no verdict" none "$(output verdict)"
    is "$name is a folder: commands of the runner are enabled again" 2 "$(grep -c "$(sed -n 's/^::stop-commands:://p' run/log)" run/log)"
done
runs 3 recorded action "$action" paths=build arguments=--help
is 'arguments: --help: no verdict' none "$(output verdict)"
is 'no temporary folder is left' '' "$(find "$RUNNER_TEMP" -name 'warplint-*')"
for kind in gitlab azure jenkins; do
    eval "file=\$$kind"
    runs 0 known $kind "$file" skip=cuda skip=Build WARPLINT_BASELINE=known.json
done

# A log longer than GitHub's limit.
mkdir long
awk -f "$root/tests/bench/make_log" 3000 >long/build.log
runs 1 long action "$action" paths=build.log
at_most 'a long log: the size of the comment' 65536 here/warplint-reports/comment.md
at_most 'a long log: the size of the summary' 1048576 run/summary.md
if [ "$(wc -c <run/summary.md)" -gt 100000 ]; then ok 'a long log: the summary is longer than the comment'; else bad 'a long log: the summary is longer than the comment'; fi
annotations=$(grep -c '^::error \|^::warning ' run/log)
if [ "$annotations" -le 20 ]; then ok "$annotations annotations"; else bad "$annotations annotations, at most 20"; fi

# ---- missing input ----

runs 2 recorded action "$action" paths=
says 'paths is empty: an error' "the input 'paths' is empty; expected is the build folder or the build's log, as in \`paths: build\`"
runs 2 recorded action "$action" paths=nowhere
says 'paths names a missing folder: an error' "the input 'paths' names 'nowhere', which is not there"
says 'paths names a missing folder: the line to correct' 'Correct the line `paths: nowhere`'
runs 2 recorded action "$action" paths=flow
says 'paths names a folder without records: an error' "the input 'paths' names the folder 'flow', which holds no records (*.warplint.ndjson). Build with -DCMAKE_CUDA_COMPILER_LAUNCHER="
says 'paths names a folder without records: a hint for make' 'make NVCC="$PWD/shim/bin/nvcc" CUDA_HOME="$PWD/shim"'
cp -r recorded lenient
echo 'fail-on: never' >lenient/.warplint.yaml
runs 0 lenient action "$action" paths=build
runs 1 lenient action "$action" paths=build fail-on=error
for kind in gitlab azure jenkins; do
    eval "file=\$$kind"
    runs 0 lenient $kind "$file" skip=cuda skip=Build
done
runs 2 recorded action "$action" paths=build fail-on=fatal
says 'fail-on is unknown: an error' "the input 'fail-on' is 'fatal'; expected is \`fail-on: error\`"
runs 2 recorded action "$action" paths=build baseline=known.json
says 'baseline is missing: an error' 'Write it with `warplint baseline write known.json build` and commit it, or leave out the line `baseline: known.json`'
runs 2 recorded action "$action" paths=build config=none.yaml
says 'config is missing: an error' 'Correct the line `config: none.yaml`'
runs 2 recorded action "$action" paths=build 'label=a b'
says 'label has a blank: an error' "as in \`label: sm_90\`"
runs 2 recorded action "$action" paths=build program=/nowhere/warplint
says 'program is missing: an error' 'correct the line `program: /nowhere/warplint`, or leave it out'
runs 2 recorded action "$action" paths=build arguments=--nonsense
says 'arguments has an unknown option: an error' "'--nonsense'"
says 'arguments has an unknown option: nothing was judged' 'status 2: nothing was judged'
runs 2 recorded action "$action" paths=build reports=solve/solve.cu
says 'reports is a file: an error' 'correct the line `reports: solve/solve.cu`'
cp -r recorded again
mkdir again/warplint-reports
echo 'of a run before' | tee again/warplint-reports/warplint.sarif >again/warplint-reports/junit.xml
runs 2 again action "$action" paths=build arguments=--nonsense
says 'reports of an earlier run: nothing was judged' 'status 2: nothing was judged'
echo 'nothing' >recorded/empty.log
runs 3 recorded action "$action" paths=empty.log
is 'a log without kernels: no verdict' none "$(output verdict)"

for kind in gitlab azure jenkins; do
    eval "file=\$$kind"
    runs 2 recorded $kind "$file" skip=cuda skip=Build WARPLINT_PATHS=nowhere
    says "$kind: paths names a missing folder: an error" "'nowhere' is not there: correct the line"
    runs 2 recorded $kind "$file" skip=cuda skip=Build WARPLINT_PATHS=
    says "$kind: paths is empty: an error" "'' is not there: correct the line" # not its standard input
    runs 2 recorded $kind "$file" skip=cuda skip=Build WARPLINT_BASELINE=known.json
    says "$kind: baseline is missing: an error" "'known.json' is not there: write it with 'warplint baseline write known.json build' and commit it"
    runs 2 recorded $kind "$file" skip=cuda skip=Build WARPLINT_FAIL_ON=fatal
    says "$kind: fail-on is unknown: an error" "--fail-on takes error, warning, note or never, found 'fatal'"
    runs 1 recorded $kind "$file" skip=cuda skip=Build
    silent "$kind: every artifact exists" 'no artifact'
    silent "$kind: every report exists" 'no warplint-reports'
    says "$kind: the verdict is printed" 'verdict: FAILED, 1 '
done
for kind in azure jenkins; do # which keep the folder from run to run
    eval "file=\$$kind"
    runs 2 again $kind "$file" skip=Build WARPLINT_PATHS=nowhere
    says "$kind: reports of an earlier run are deleted" 'no warplint-reports/junit.xml'
done
runs 1 recorded gitlab "$gitlab" skip=cuda
there codequality.json junit.xml kernels.html kernels.ndjson
runs 1 recorded jenkins "$jenkins" skip=Build
there checkstyle.xml junit.xml kernels.html kernels.ndjson
runs 1 recorded azure "$azure" skip=Build
there junit.xml summary.md kernels.html kernels.ndjson
says 'azure: an issue has file and line' '##vso[task.logissue type=error;sourcepath=solve/solve.cu;linenumber=3;code=register-spill]start (sm_90): spills'
says 'azure: the summary is uploaded' "##vso[task.uploadsummary]"
at_most 'azure: the size of the summary' 1048576 here/warplint-reports/summary.md

# ---- the comment ----

cat >bin/gh <<'GH'
#!/bin/sh
echo "$*" >>"$GH_LOG"
previous=
for word; do
    case $word in body=@*) cp "${word#body=@}" "$GH_LOG.body" ;; esac
    [ "$previous" != --jq ] || jq -r "$word" "$GH_COMMENTS"
    previous=$word
done
GH
chmod +x bin/gh
export GH_LOG="$work/gh.log" GH_COMMENTS="$work/comments.json" GITHUB_REPOSITORY=a/b
comment() # whether this token posted it, its text, its number
{
    printf '{"body": "%s", "viewerDidAuthor": %s, "url": "https://github.com/a/b/pull/7#issuecomment-%s"}' "$2" "$1" "$3"
}
printf '{"comments": [%s, %s]}' "$(comment false '<!-- warplint -->\nnot ours' 97)" "$(comment true 'something else' 98)" >comments.json
runs 1 recorded workflow "$workflow" skip=Build 'skip=Fetch warplint'
says 'workflow: SARIF is passed to code scanning' 'Code scanning: not run: github/codeql-action/upload-sarif@v3 {"sarif_file":"warplint-reports/warplint.sarif"'
says 'workflow: the reports are uploaded' 'Keep the reports: not run: actions/upload-artifact'
holds 'workflow: the first comment is created' grep -qF 'api --method POST repos/a/b/issues/7/comments --field body=@warplint-reports/comment.md' gh.log
holds 'workflow: the comment is comment.md' cmp gh.log.body here/warplint-reports/comment.md
rm -f gh.log
runs 1 recorded workflow "$workflow" skip=Build 'skip=Fetch warplint' FORK=other/b
holds 'workflow: no comment for a fork' test ! -e gh.log
printf '{"comments": [%s, %s]}' "$(comment false '<!-- warplint -->\nnot ours' 97)" "$(comment true '<!-- warplint -->\nours' 99)" >comments.json
runs 1 recorded workflow "$workflow" skip=Build 'skip=Fetch warplint'
holds 'workflow: a later comment replaces the first' grep -qF 'api --method PATCH repos/a/b/issues/comments/99 --field body=@' gh.log
printf '{"comments": [%s]}' "$(comment true '<!-- warplint -->\nours' 99 | sed 's/#.*"/"/')" >comments.json
if PULL_REQUEST=7 sh "$root/ci/github/comment.sh" here/warplint-reports/comment.md >complaint 2>&1; then bad 'comment.sh: an address without a number'; fi
holds 'comment.sh: an address without a number is refused' grep -qF 'expected is an address that ends with #issuecomment-NUMBER' complaint
for wrong in '' nowhere.md; do
    if sh "$root/ci/github/comment.sh" $wrong >complaint 2>&1; then bad "comment.sh '$wrong'"; fi
    holds "comment.sh '$wrong' prints the line to write" grep -qF 'the line should be `sh comment.sh' complaint
done
printf '" or true)) #\n' >marker.md
for wrong in 'x/../8' '7
::set-output name=a::b'; do
    if PULL_REQUEST=$wrong sh "$root/ci/github/comment.sh" here/warplint-reports/comment.md >complaint 2>&1; then bad 'comment.sh: another number'; fi
    holds 'comment.sh: a wrong PULL_REQUEST is refused' grep -qF 'PULL_REQUEST is' complaint
    holds 'comment.sh: one line is printed' test "$(wc -l <complaint)" = 1
done
if PULL_REQUEST=7 sh "$root/ci/github/comment.sh" marker.md >complaint 2>&1; then bad 'comment.sh: a line for jq'; fi
holds 'comment.sh: a first line that is no marker is refused' grep -qF "'marker.md' does not begin with the line by which its comment is found" complaint
if (unset PULL_REQUEST && sh "$root/ci/github/comment.sh" here/warplint-reports/comment.md) >complaint 2>&1; then bad 'no PULL_REQUEST'; fi
holds 'comment.sh: without PULL_REQUEST it prints the line to add' grep -qF 'add the line `PULL_REQUEST: ${{ github.event.pull_request.number }}` under env:' complaint

# ---- with the real compiler: whole templates, including the build ----

if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc: the builds of the templates"
elif [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo "skipped: WARPLINT_TEST_QUICK is set: the builds of the templates"
else
    cp -r plain whole
    sed -i '/warplint/d' whole/CMakeLists.txt # the templates bring the wrapper themselves
    for kind in workflow gitlab azure jenkins; do
        eval "file=\$$kind"
        runs 1 whole $kind "$file" 'skip=Fetch warplint'
        says "$kind: the build has five kernels" 'judged: 5 kernels for sm_90'
        place='flow/smooth.cu:6: warning: '
        [ $kind != azure ] || place='sourcepath=flow/smooth.cu;linenumber=6;code=register-spill]'
        says "$kind: the finding is at its line" "$place(anonymous namespace)::sweep (sm_90): spills"
    done
    # A build type that is already configured stays; the build optimises less, which takes half the time.
    rm bin/warplint
    cmake -S "$root" -B temp/warplint-build -DCMAKE_C_FLAGS_RELEASE=-O1 -DWARPLINT_TESTS=OFF >said 2>&1 ||
        bad 'the build of the action is configured'
    runs 1 recorded action "$action" paths=build
    says 'the action builds the program' '::group::warplint is built'
fi

finish
