#!/bin/sh
# usage: test_install.sh PROGRAM SOURCE_DIR
#
# What `cmake --install` brings: a program that works from there, a man page without a fault, completions that shells
# find, the CMake package.
set -u
program=$1 source=$2
build=$(dirname "$program")
. "$source/tests/cases.sh"

expect 0 '' 'it installs' cmake --install "$build" --prefix "$work/root"
for file in bin/warplint share/man/man1/warplint.1 share/bash-completion/completions/warplint \
    share/fish/vendor_completions.d/warplint.fish share/zsh/site-functions/_warplint \
    share/cmake/warplint/warplint-config.cmake; do
    expect 0 '' "$file" test -s "root/$file"
done
expect 0 '' 'and nothing for packages of Debian' test ! -e root/share/zsh/vendor-completions
expect 1 '^verdict: FAILED, 14' 'the program judges' root/bin/warplint check --no-config "$source/fixtures/demo/log.txt"

# ---- the man page
page=root/share/man/man1/warplint.1
if command -v mandoc >/dev/null; then
    # Of style only the length of the lines of its source is left.
    mandoc -T lint -W style "$page" 2>&1 | grep -v 'input text line longer than 80 bytes\|outdated mandoc.db\|referenced manual not found' |
        grep . >lint
    expect 1 '' 'mandoc finds nothing' grep . lint
    mandoc -T ascii "$page" | sed 's/.\x08//g' >page.txt
    expect 0 '' 'it renders' grep -q '^EXIT STATUS' page.txt
    expect 1 '' 'in 80 columns, examples apart' sh -c 'sed "/^EXAMPLES/,\$d" page.txt | grep -E "^.{81}"'
    : >lacking
    for command in $("$program" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
        expect 0 '' "it has the command $command" grep -qE "^     warplint $command( |\$)" page.txt
        for option in $("$program" "$command" --help | grep -o '^ *\(-[a-z], \)*--[a-z-]*' | sed 's/.*--//' | sort -u); do
            [ "$option" = help ] || grep -q -e "--$option" page.txt || echo "$command --$option" >>lacking
        done
    done
    expect 1 '' 'and every option' grep . lacking
else
    echo 'skipped: mandoc is not installed'
fi

finish
