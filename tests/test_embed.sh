#!/bin/sh
# usage: test_embed.sh PROGRAM SOURCE_DIR
#
# The build tool that embeds the rules reads them as warplint reads users' rules: a broken rule ends the build with the
# same message, and nothing is written.
set -u
program=$1 root=$2
embed=$(dirname "$program")/embed-rules
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
mkdir "$work/rules"
cp "$root/rules/register-spill.yaml" "$root/rules/stack-unknown.yaml" "$work/rules/"

"$embed" "$work/good.c" "$work"/rules/*.yaml && grep -q '"built-in:register-spill.yaml"' "$work/good.c" || {
    echo "FAIL good rules are not embedded"
    failed=1
}

# A mistyped field, an id that differs from the file's name, and a file that is not YAML: each with the message of
# `check --rules`.
refused()
{
    "$embed" "$work/bad.c" "$work"/rules/*.yaml 2>"$work/build"
    status=$?
    "$program" check --no-config --rules "$work/rules" /dev/null >/dev/null 2>"$work/said"
    if [ $status = 0 ] || [ -e "$work/bad.c" ] || ! [ -s "$work/build" ] || ! cmp -s "$work/build" "$work/said"; then
        echo "FAIL $1: status $status"
        cat "$work/build" "$work/said"
        failed=1
    fi
}
sed 's/spill_store_bytes/spil_store_bytes/' "$root/rules/register-spill.yaml" >"$work/rules/register-spill.yaml"
refused "a mistyped field"
grep -q '\^' "$work/build" || failed=1
sed 's/^id: .*/id: other/' "$root/rules/register-spill.yaml" >"$work/rules/register-spill.yaml"
refused "an id that is not the file's"
printf 'id: [\n' >"$work/rules/register-spill.yaml"
refused "no YAML"

[ "$failed" = 0 ] && echo "ok   broken rules do not get into the program"
exit $failed
