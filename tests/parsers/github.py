"""Workflow commands as GitHub's runner reads them: they begin a line, and escapes of single characters are undone before
the one of "%"."""
import re

SEVERITIES = {"error": "ERROR", "warning": "WARNING", "notice": "INFO"}


def is_command(line):
    return re.match(r"::(error|warning|notice) (file|title)=", line) is not None


def unescaped(text):
    assert re.fullmatch(r"(?:[^%]|%(?:25|0A|0D|3A|2C))*", text), text
    for code, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def findings(text):
    """(path, line, column, severity, rule, message) of each; 0: unknown."""
    found = []
    for line in text.split("\n"):
        if not line.startswith("::"):
            continue
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert match, line
        values = {key: unescaped(value) for key, value in (item.split("=", 1) for item in match[2].split(","))}
        assert set(values) <= {"file", "line", "col", "title"}, line
        if "file" in values:
            found.append((values["file"], int(values.get("line", 0)), int(values.get("col", 0)),
                          SEVERITIES[match[1]], values["title"], unescaped(match[3])))
    return found
