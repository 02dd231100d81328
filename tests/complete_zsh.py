#!/usr/bin/env python3
"""usage: complete_zsh.py FOLDER LINE

A real zsh on a terminal of its own, with the completion in FOLDER (a file called _warplint): types LINE and a tab, and
prints the resulting line, and below it the shell's list.
"""
import os, pty, select, sys, tempfile, time

folder, typed = sys.argv[1:]
work = tempfile.mkdtemp()
answer = os.path.join(work, "answer")
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", HOME=work, ZDOTDIR=work, COLUMNS="200", LINES="60")
    os.execvp("zsh", ["zsh", "-f", "-i"])

said = b""


def until(mark, seconds=20):
    """Reads up to the mark; with None until no more output comes."""
    global said
    end = time.time() + seconds
    start = len(said)
    while time.time() < end:
        ready = select.select([terminal], [], [], 0.3)[0]
        if ready:
            try:
                said += os.read(terminal, 65536)
            except OSError:
                return
        elif mark is None and len(said) > start:
            return
        if mark is not None and mark in said[start:]:
            return


def send(text):
    os.write(terminal, text.encode())


send(f"PS1='> ' LISTMAX=0; unsetopt zle_bracketed_paste; stty cols 200 rows 60\n")
send(f"fpath=({folder} $fpath); autoload -Uz compinit && compinit -u -d {work}/dump; unsetopt auto_menu; bindkey -e\n")
send(f"tell() {{ print -r -- \"$BUFFER\" >{answer} }}; zle -N tell; bindkey '^X' tell; echo rea''dy\n")
until(b"ready")
listed = len(said)
send(typed + "\t")
until(None, 10)
send("\x18")
for _ in range(100):
    if os.path.exists(answer) and os.path.getsize(answer):
        break
    time.sleep(0.1)
print(open(answer).read().rstrip("\n") if os.path.exists(answer) else "")
print(said[listed:].decode(errors="replace").replace("\r", ""))
send("\x03exit\n")
os.close(terminal)
os.waitpid(pid, 0)
for name in os.listdir(work):
    os.unlink(os.path.join(work, name))
os.rmdir(work)
