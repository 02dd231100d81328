#!/bin/sh
# usage: test_rule_page.sh PROGRAM SOURCE_DIR
#
# rules/README.md agrees with the rules, and ci/rule-page notices when it does not.
set -u
program=$1 root=$2
failed=0
sh "$root/ci/rule-page" "$program" --check || failed=1

# A copy of the two folders with an outdated page.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/ci" "$tree/rules"
cp "$root/ci/rule-page" "$tree/ci/"
sed 's/(error;/(warning;/' "$root/rules/README.md" >"$tree/rules/README.md"
if sh "$tree/ci/rule-page" "$program" --check >"$tree/said"; then
    echo "FAIL a stale page passes"
    failed=1
fi
grep -q 'is stale' "$tree/said" || failed=1
sh "$tree/ci/rule-page" "$program" && cmp "$tree/rules/README.md" "$root/rules/README.md" || failed=1

# The commands of the page run, and the rule that they write judges a log.
mkdir "$tree/clone" "$tree/clone/.git"
cp -r "$root/rules" "$tree/clone/"
cp "$root/fixtures/demo/log.txt" "$tree/clone/build.log"
sed -n '/^## A rule of your own/,/^## The built-in/s/^    //p' "$root/rules/README.md" >"$tree/commands"
sed -i 's/^warplint check.*/& --select slow-kernel/' "$tree/commands"
(cd "$tree/clone" && PATH=$(dirname "$program"):$PATH sh -e "$tree/commands") >"$tree/said" 2>&1 &&
    grep -q '^slow-kernel .*fires on `bad`, is silent on `good`' "$tree/said" && grep -q '^verdict: passed' "$tree/said" || {
    echo "FAIL the commands of rules/README.md"
    cat "$tree/said"
    failed=1
}

# Every rule has a section.
for file in "$root"/rules/*.yaml; do
    id=$(basename "$file" .yaml)
    grep -qx "## $id" "$root/rules/README.md" || {
        echo "FAIL no section of $id"
        failed=1
    }
done
[ "$failed" = 0 ] && echo "ok   rules/README.md is that of the rules"
exit $failed
