#!/usr/bin/env python3
"""usage: docs.py MARKDOWN START WORK

Runs the code blocks of a page. START is copied for each `## ` section, and its blocks run in its folder
`project`, in their order, as shell code. A block in another language, or one that cannot run, has an HTML comment before it:

    <!-- not run: WHY -->           counted and named
    <!-- run; status 0 8; needs meson ninja; first COMMAND -->
    <!-- file: PATH; then: COMMAND -->  the block becomes that file (append: PATH at its end)
    <!-- output: COMMAND -->        the command's output has the block's lines, in this order; ... is anything

A line must exit with 0, or 1 if it calls warplint, unless `status` lists others. A block that begins with `$ ` is a
command with its output below it. Commands are skipped with a message if a program that the block needs is missing."""
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DIRECTIVE = re.compile(r"^<!-- (not run|run|file|append|output)\b:? ?(.*?) ?-->$")


class Block:
    def __init__(self, section, line, text, language, comment):
        self.section, self.line, self.text, self.language = section, line, text, language
        self.kind, self.target, self.options = "run", "", {}
        found = DIRECTIVE.match(comment)
        if found:
            self.kind = found[1]
            first, *rest = [found[2]] if self.kind in ("not run", "output") else found[2].split("; ")
            self.target = first
            for word in rest if self.kind in ("file", "append") else (first, *rest):
                key, _, value = word.partition(" ")
                self.options[key.rstrip(":")] = value


def blocks(lines):
    """Fenced blocks, and blocks that are indented by four after an empty line."""
    section, comment, at = "", "", 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("## "):
            section = line[3:]
        start = at
        if line.startswith("```"):
            end = at + 1
            while not lines[end].startswith("```"):
                end += 1
            yield Block(section, start + 1, lines[at + 1:end], line[3:].strip(), comment)
            at, comment = end, ""
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            yield Block(section, start + 1, [text[4:] for text in lines[at:end]], "", comment)
            at, comment = end - 1, ""
        elif line.strip():
            comment = line
        at += 1


def commands(lines):
    """One command per line; a backslash at the end continues it."""
    joined = ""
    for line in lines:
        joined += line + "\n"
        if not line.endswith("\\"):
            if joined.strip() and not joined.lstrip().startswith("#"):
                yield joined
            joined = ""


def script(lines, allowed):
    """A shell script that stops at the first command with an unexpected exit status."""
    text = ""
    for command in commands(lines):
        meant = allowed or ("0 1" if "warplint" in command else "0")
        first = command.splitlines()[0].replace("'", "'\\''")
        text += f"{command}__status=$?\n"
        text += f"case ' {meant} ' in *\" $__status \"*) ;; *) echo '{first}:' status $__status, expected {meant}; exit 99 ;; esac\n"
    return text


def shell(text, folder):
    run = subprocess.run(["sh", "-c", text], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False)
    return run.returncode, run.stdout.decode(errors="replace")


def stands_in(lines, said):
    """The first line that the text does not have in this order, or None. Ignores blanks at line ends."""
    rest = [line.strip() for line in said.splitlines()]
    for line in (line.strip() for line in lines if line.strip() and line.strip() != "..."):
        if line not in rest:
            return line
        del rest[:rest.index(line) + 1]
    return None


def complaint(block, folder):
    """The error in the block, or None."""
    if block.kind in ("file", "append"):
        path = os.path.join(folder, block.target)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a" if block.kind == "append" else "w", encoding="utf-8") as file:
            file.write("\n".join(block.text) + "\n")
        lines = [block.options["then"]] if "then" in block.options else []
    elif block.kind == "output":
        status, said = shell(block.target, folder)
        missing = stands_in(block.text, said)
        return missing and f"not in what `{block.target}` says (status {status}): {missing}"
    elif block.language not in ("", "sh"):
        return f"a block in {block.language} has to say what is done with it"
    elif block.text[0].startswith("$ "):
        status, said = shell(block.text[0][2:], folder)
        missing = stands_in(block.text[1:], said)
        if status > 1:
            return f"status {status}: {said[-600:]}"
        return missing and f"not in what the command says: {missing}"
    else:
        lines = [block.options["first"]] if "first" in block.options else []
        lines += block.text
    status, said = shell(script(lines, block.options.get("status", "")), folder)
    return None if status == 0 else said[-1500:]


def main():
    page, start, work = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    folder, section, counts = None, None, {"ok": 0, "FAIL": 0, "skipped": 0, "not run": 0}
    for number, block in enumerate(blocks(lines)):
        if block.section != section:
            section, folder = block.section, os.path.join(work, str(number), "project")
            shutil.copytree(start, os.path.dirname(folder), symlinks=True)
        name = f"{os.path.relpath(page, ROOT)}:{block.line}: {block.text[0].strip()[:60]}"
        absent = [tool for tool in block.options.get("needs", "").split() if shell(f"{tool} --version", folder)[0]]
        if block.kind == "not run":
            verdict, why = "not run", block.target
        elif absent:
            verdict, why = "skipped", "no " + ", no ".join(absent)
        else:
            why = complaint(block, folder)
            verdict = "FAIL" if why else "ok"
        counts[verdict] += 1
        print(f"{verdict}: {name}" + (f": {why}" if why else ""), flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if not counts["ok"]:
        print(f"FAIL: {os.path.relpath(page, ROOT)}: no example was run")
    return 1 if counts["FAIL"] or not counts["ok"] else 0


sys.exit(main())
