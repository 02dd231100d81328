"""Logging commands as the agent of Azure Pipelines reads them: a command can be anywhere in a line, its properties end
at the first "]" and are separated by ";". Escapes of single characters are undone before the one of "%"."""
import re

COMMAND = "##vso["
KEYS = {"type", "sourcepath", "linenumber", "columnnumber", "code"}
NOTE = re.compile(r"(.+?)(?::(\d+))?(?::(\d+))?: note: (.*) \[([a-z0-9-]+)\]")


def is_command(line):
    return line.startswith(COMMAND + "task.logissue type=")


def unescaped(text):
    assert re.fullmatch(r"(?:[^%]|%(?:AZP25|3B|5D|0A|0D))*", text), text
    for code, char in (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%AZP25", "%")):
        text = text.replace(code, char)
    return text


def command(line):
    assert line.startswith(COMMAND) and line.count(COMMAND) == 1, line
    head, message = line[len(COMMAND):].split("]", 1)
    name, properties = head.split(" ", 1)
    assert name == "task.logissue", line
    pairs = [item.split("=", 1) for item in properties.split(";")]
    values = {key: unescaped(value) for key, value in pairs}
    assert len(values) == len(pairs) and set(values) <= KEYS and all(values.values()), line
    assert values["type"] in ("error", "warning"), line
    return values, unescaped(message)


def findings(text):
    """(path, line, column, severity, rule, message) of each; 0: unknown."""
    found = []
    for line in text.split("\n"):
        if COMMAND in line:
            values, message = command(line)
            if "code" in values:
                found.append((values["sourcepath"], int(values.get("linenumber", 0)),
                              int(values.get("columnnumber", 0)), values["type"].upper(), values["code"], message))
            else:
                assert message.startswith("a part of the build was not judged"), line
        elif NOTE.fullmatch(line):
            path, number, column, message, rule = NOTE.fullmatch(line).groups()
            found.append((path, int(number or 0), int(column or 0), "INFO", rule, message))
    return found
