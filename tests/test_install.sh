#!/bin/sh
# usage: test_install.sh PROGRAM SOURCE_DIR
#
# The result of `cmake --install`: a program that works from there, manual pages without errors, completions that shells
# find, and the CMake package.
set -u
program=$1 source=$2
build=$(dirname "$program")
. "$source/tests/cases.sh"

expect 0 '' 'cmake --install succeeds' cmake --install "$build" --prefix "$work/root"
for file in bin/warplint share/man/man1/warplint.1 share/man/man1/warplint-check.1 \
    share/man/man5/warplint-config.5 share/man/man7/warplint-security.7 share/bash-completion/completions/warplint \
    share/fish/vendor_completions.d/warplint.fish share/zsh/site-functions/_warplint \
    share/cmake/warplint/warplint-config.cmake; do
    expect 0 '' "$file is installed" test -s "root/$file"
done
expect 0 '' 'no completion for Debian packages is installed' test ! -e root/share/zsh/vendor-completions
expect 1 '^verdict: FAILED, 8 errors and 6 warnings' 'the installed program judges a log' root/bin/warplint check --no-config "$source/fixtures/demo/log.txt"

# ---- the manual pages
for command in $("$program" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
    expect 0 '' "the page of $command is installed" test -s "root/share/man/man1/warplint-$command.1"
done
if command -v mandoc >/dev/null; then
    for page in root/share/man/man[157]/*; do
        # Of the style warnings only the one about long source lines is allowed.
        mandoc -T lint -W style "$page" 2>&1 |
            grep -v 'input text line longer than 80 bytes\|outdated mandoc.db\|referenced manual not found'
    done >lint
    expect 1 '' 'mandoc reports nothing' grep . lint
    mandoc -T ascii root/share/man/man1/warplint-check.1 | sed 's/.\x08//g' >page.txt
    expect 0 '' 'man renders a page' grep -q '^EXIT STATUS' page.txt
    expect 0 '' 'the page has the options of its command' grep -q '^     --allow-missing' page.txt
else
    echo 'skipped: mandoc is not installed'
fi

finish
