"""Service messages as TeamCity reads them: one per line, values in apostrophes with "|" before special characters,
here all in ASCII. An inspection names a type that an earlier message described."""
import re

VALUE = r"(?:[ -~](?<![|'\[\]])|\|(?:['|\[\]nr]|0x[0-9a-f]{4}))*"
MESSAGE = re.compile(r"##teamcity\[([A-Za-z]+)((?: [A-Za-z]+='" + VALUE + r"')+)\]")
PAIR = re.compile(r" ([A-Za-z]+)='(" + VALUE + ")'")
KEYS = {"inspectionType": ({"id", "name", "category", "description"}, set()),
        "inspection": ({"typeId", "message", "file", "SEVERITY"}, {"line"}),
        "message": ({"text", "status"}, set())}
LONG = {"description", "message", "file", "text"}


def is_command(line):
    return re.match(r"##teamcity\[(inspectionType|inspection|message) ", line) is not None


def unescaped(key, value):
    units = re.sub(r"\|(0x....|.)", lambda m: chr(int(m[1][2:], 16)) if m[1][1:] else
                   {"n": "\n", "r": "\r"}.get(m[1], m[1]), value)
    assert len(units) <= (4000 if key in LONG else 255), value
    return units.encode("utf-16", "surrogatepass").decode("utf-16")


def findings(text):
    """(path, line, column, severity, rule, message) of each; 0: unknown, None: the format has none."""
    found, types = [], set()
    for line in text.split("\n"):
        if "##teamcity[" not in line:
            continue
        match = MESSAGE.fullmatch(line)
        assert match, line
        values = {key: unescaped(key, value) for key, value in PAIR.findall(match[2])}
        needed, more = KEYS[match[1]]
        assert needed <= set(values) <= needed | more and all(values.values()), line
        if match[1] == "inspectionType":
            assert values["id"] not in types, line
            assert not re.search(r"<(?!br>)", values["description"]), line
            types.add(values["id"])
        elif match[1] == "message":
            assert values["text"].startswith("a part of the build was not judged") and values["status"] == "ERROR", line
        else:
            assert values["typeId"] in types and values["SEVERITY"] in ("ERROR", "WARNING", "INFO"), line
            found.append((values["file"], int(values.get("line", 0)), None, values["SEVERITY"], values["typeId"],
                          values["message"]))
    return found
