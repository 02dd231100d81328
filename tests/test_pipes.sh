#!/bin/sh
# usage: test_pipes.sh PROGRAM SOURCE_DIR
#
# Named pipes that no process opens for writing, or for reading: each is an error after ten seconds. The commands wait in
# parallel.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
clean=$source/fixtures/clean/log.txt
export program clean
mkfifo pipe report
for words in '3 check pipe' '2 check --baseline pipe' '2 check --config pipe' '3 check --launches pipe' '3 doctor pipe'; do
    in_shell "timeout -s KILL 20 \"\$program\" ${words#* } \"\$clean\" >/dev/null 2>'waited $words'; echo \$? >>'waited $words'" &
done
in_shell "timeout -s KILL 20 \"\$program\" check -q -o json=report \"\$clean\" 2>unread; echo \$? >>unread" &
wait
for words in '3 check pipe' '2 check --baseline pipe' '2 check --config pipe' '3 check --launches pipe' '3 doctor pipe'; do
    expect 0 "pipe: error: cannot be read: no process has opened this pipe" "a pipe without a writer: status ${words%% *}: ${words#* }" in_shell "cat 'waited $words'; [ \"\$(tail -n 1 'waited $words')\" = ${words%% *} ]"
done
expect 0 'report: error: cannot be written: no process reads it' 'an output to a pipe without a reader: status 3' in_shell 'cat unread; [ "$(tail -n 1 unread)" = 3 ]'

finish
