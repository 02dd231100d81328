#!/bin/sh
# usage: test_hooks.sh PROGRAM SOURCE_DIR
#
# The hooks for pre-commit: pre-commit's schema (ci/tools), the scripts alone, and pre-commit itself in a repository
# that uses them. Tools that are not installed are skipped.
set -u
program=$1 root=$2
. "$root/tests/cases.sh"
mkdir "$work/bin"
ln -s "$program" "$work/bin/warplint"
PATH=$work/bin:$PATH
check=$root/ci/pre-commit/check

gives() # what, expected status, text in what is said, command...
{
    what=$1 expected=$2 text=$3
    shift 3
    "$@" >"$work/said" 2>&1
    status=$?
    if [ $status = "$expected" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/said"; }; then ok "$what"; else
        failed=$((failed + 1))
        echo "FAIL $what: status $status, expected $expected and '$text'"
        head -n 12 "$work/said"
    fi
}

cd "$work" || exit 1
echo 'fail-on: error' >.warplint.yaml
echo 'fail-on: fatal' >wrong.warplint.yaml
cp "$root/tests/data/baseline.json" warplint-baseline.json
{ echo '<<<<<<< ours' && cat warplint-baseline.json; } >warplint-baseline-merged.json
gives 'a valid configuration' 0 '' sh "$check" config .warplint.yaml
gives 'an invalid configuration' 1 "wrong.warplint.yaml:1:10: error: 'fail-on' is 'fatal'" sh "$check" config .warplint.yaml wrong.warplint.yaml
gives 'a valid baseline' 0 '' sh "$check" baseline warplint-baseline.json
gives 'a baseline with merge conflicts' 1 'warplint-baseline-merged.json:1:1: error:' sh "$check" baseline warplint-baseline-merged.json
gives 'an unknown kind' 2 'usage: check config|baseline FILE' sh "$check" nothing file
gives 'warplint is not in PATH' 2 'warplint is not on the PATH; install it, or leave the hook `warplint-config` out of' \
    env PATH=/usr/bin:/bin sh "$check" config .warplint.yaml

export NODE_PATH="$root/build-tools/node_modules"
if command -v node >/dev/null 2>&1 && [ -d "$NODE_PATH/schemastore" ]; then
    gives 'the schema accepts the hooks' 0 '' node "$root/tests/tools/lint_template.mjs" hooks "$root/.pre-commit-hooks.yaml"
    sed 's/language: script/langage: script/' "$root/.pre-commit-hooks.yaml" >spoilt.yaml
    gives 'the schema refuses damaged hooks' 1 'spoilt.yaml' node "$root/tests/tools/lint_template.mjs" hooks spoilt.yaml
else
    echo "skipped: no node, or not what tests/tools/package.json names (ci/tools): the schema"
fi

if ! command -v pre-commit >/dev/null 2>&1 || ! command -v git >/dev/null 2>&1; then
    echo "skipped: no pre-commit (ci/setup --recipes)"
    finish
fi
export PRE_COMMIT_HOME="$work/home" HOME="$work" GIT_CONFIG_NOSYSTEM=1
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git config --global user.name nobody
git config --global user.email nobody@localhost
git config --global init.defaultBranch main
mkdir -p hooks/ci ours
cp -r "$root/.pre-commit-hooks.yaml" hooks
cp -r "$root/ci/pre-commit" hooks/ci
(cd hooks && git init -q && git add -A && git commit -qm hooks && git tag v1)
cd ours && git init -q
cat >.pre-commit-config.yaml <<YAML
repos:
  - repo: $work/hooks
    rev: v1
    hooks:
      - id: warplint-config
      - id: warplint-baseline
YAML
cp ../.warplint.yaml ../warplint-baseline.json .
git add -A
gives 'pre-commit: both hooks pass' 0 'warplint baseline........' pre-commit run
cp ../wrong.warplint.yaml .warplint.yaml
mv ../warplint-baseline-merged.json warplint-baseline.json
git add -A
gives 'pre-commit: the hook of the configuration fails' 1 ".warplint.yaml:1:10: error: 'fail-on' is 'fatal'" pre-commit run
gives 'pre-commit: the hook of the baseline fails' 1 'warplint-baseline.json:1:1: error:' pre-commit run

# The program from a wheel, in an environment that pre-commit creates.
if ! "$root/ci/wheel" --program "$program" "$work" >"$work/wheel" 2>&1; then
    skip "pre-commit with a wheel: $(cat "$work/wheel")"
    finish
fi
cat >.pre-commit-config.yaml <<YAML
repos:
  - repo: local
    hooks:
      - id: warplint-config
        name: warplint configuration
        language: python
        additional_dependencies: [$(cat "$work/wheel")]
        entry: warplint config check --config
        files: '(^|/)\.warplint\.ya?ml$'
YAML
rm -rf "$work/bin" # the environment has its own
export PIP_NO_INDEX=1
cp ../.warplint.yaml .warplint.yaml
git add -A
gives 'pre-commit with a wheel: the hook passes' 0 'warplint configuration.......' pre-commit run
cp ../wrong.warplint.yaml .warplint.yaml
git add -A
gives 'pre-commit with a wheel: the hook fails' 1 ".warplint.yaml:1:10: error: 'fail-on' is 'fatal'" pre-commit run
finish
