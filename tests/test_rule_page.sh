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
sed 's/(error)$/(warning)/' "$root/rules/README.md" >"$tree/rules/README.md"
if sh "$tree/ci/rule-page" "$program" --check >"$tree/said"; then
    echo "FAIL a stale page passes"
    failed=1
fi
grep -q 'is stale' "$tree/said" || failed=1
sh "$tree/ci/rule-page" "$program" && cmp "$tree/rules/README.md" "$root/rules/README.md" || failed=1

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
