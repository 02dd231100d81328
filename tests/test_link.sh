#!/bin/sh
# usage: test_link.sh PROGRAM SOURCE_DIR
#
# The program is linked as ci/link.cmake says, and it is hardened. Needs these variables from CMake: WARPLINT_LINK_MODE,
# WARPLINT_SHARED, WARPLINT_BUILD_TYPE, WARPLINT_SANITIZE.
set -u
program=$1 root=$2
failed=0
cases=0
ok()
{
    cases=$((cases + 1))
    echo "ok   $1"
}
bad()
{
    cases=$((cases + 1))
    failed=$((failed + 1))
    echo "FAIL $1"
}
check() # name, command...
{
    name=$1
    shift
    if "$@"; then ok "$name"; else bad "$name"; fi
}
command -v readelf >/dev/null 2>&1 || {
    echo "skipped: readelf (binutils) is not there"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${WARPLINT_SANITIZE:-OFF} in
ON | TRUE | YES | 1) sanitized=yes ;;
*) sanitized= ;;
esac

# ---- libraries
readelf -d "$program" | sed -n 's/.*(NEEDED).*\[lib\([^]]*\)\.so[^]]*\]/\1/p' | sed 's/^yaml-0$/yaml/' | sort -u >"$work/needed"
grep -vxE 'c|m|ld-linux.*' "$work/needed" >"$work/other"
[ -z "$sanitized" ] || grep -vxE 'asan|ubsan|clang_rt\..*|stdc\+\+|gcc_s|dl|rt|pthread|resolv' "$work/other" >"$work/left"
[ -z "$sanitized" ] || mv "$work/left" "$work/other"
echo "${WARPLINT_SHARED-not given}" | tr ' ;' '\n\n' | grep -v '^$' | sort -u >"$work/expected"
check "the shared libraries are those that CMake names: $(tr '\n' ' ' <"$work/expected")" cmp "$work/expected" "$work/other"
case $WARPLINT_LINK_MODE in
OFF) check "at least six libraries are shared" [ "$(wc -l <"$work/other")" -ge 6 ] ;;
FULL) check "libc is linked statically" [ ! -s "$work/needed" ] ;;
ON) check "all other libraries are linked statically" [ ! -s "$work/other" ] ;;
esac

# ---- hardening
readelf -hW "$program" >"$work/header"
readelf -lW "$program" >"$work/segments"
readelf -dW "$program" >"$work/dynamic"
readelf -sW "$program" >"$work/symbols"
if [ -z "$sanitized" ]; then
    check "the program is position-independent" grep -q 'Flags:.*PIE' "$work/dynamic"
    check "the program is an ELF file of type DYN" grep -q 'Type: *DYN' "$work/header"
    check "relocations are read-only" grep -q GNU_RELRO "$work/segments"
    check "relocations are made before the program starts" grep -q 'BIND_NOW\|Flags: NOW' "$work/dynamic"
    check "code is not relocated at run time" [ "$(grep -c TEXTREL "$work/dynamic")" = 0 ]
    check "the stack is not executable" grep -qE 'GNU_STACK.* RW +0x' "$work/segments"
    check "no segment is writable and executable" [ "$(grep -cE ' RWE ' "$work/segments")" = 0 ]
    check "the stack has canaries" grep -q '__stack_chk_fail' "$work/symbols"
    [ "$WARPLINT_BUILD_TYPE" != Release ] ||
        check "calls of libc are fortified" grep -q '__vsnprintf_chk\|__memcpy_chk' "$work/symbols"
fi

# ---- the messages of CMake
if [ -n "${WARPLINT_TEST_QUICK:-}" ] || [ -n "$sanitized" ]; then
    echo "skipped: the ways of linking, once is enough"
else
    configure() # name, pattern, argument...
    {
        name=$1 pattern=$2
        shift 2
        cmake -S "$root" -B "$work/build" -DWARPLINT_TESTS=OFF "$@" >"$work/said" 2>&1
        tr -s '\n ' '  ' <"$work/said" >"$work/line"
        if grep -q "$pattern" "$work/line"; then
            ok "$name"
        else
            bad "$name: expected $pattern"
            tail -n 5 "$work/said"
        fi
    }
    configure 'an archive that cannot be linked leaves its library shared' 'shared: yaml (WARPLINT_STATIC=AUTO)' \
        -DCAN_LINK_ARCHIVES_OF_YAML=OFF
    configure 'all are wanted, one cannot be had' 'no archive (lib\*.a) of yaml-0.1' -DWARPLINT_STATIC=ON
    configure 'OFF' 'linked into warplint: none; shared: pcre2-8 yaml jansson elf zstd lz4 archive' -DWARPLINT_STATIC=off
    configure 'a word that means nothing' "WARPLINT_STATIC is 'some', expected AUTO, ON, OFF or FULL" -DWARPLINT_STATIC=some
    configure 'FULL and a sanitizer' 'the sanitizers need a shared libc' -DWARPLINT_STATIC=FULL -DWARPLINT_SANITIZE=ON
fi
echo "$cases cases, $failed failed"
[ "$failed" = 0 ]
