"""usage: same_findings.py FORMAT REPORT RDJSONL

The parser of a format (tests/parsers/FORMAT.py) finds the same places, severities, rules and messages in a report as
the report's JSON has, in the same order. A format may lack columns, and may cut a message."""
import importlib
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "parsers"))


def stated(line):
    entry = json.loads(line)
    start = entry["location"].get("range", {}).get("start", {})
    return (entry["location"]["path"], start.get("line", 0), start.get("column", 0), entry["severity"],
            entry["code"]["value"], entry["message"])


def same(found, expected):
    if found[2] is None:
        expected = (*expected[:2], None, *expected[3:])
    if found[5].endswith("...") and expected[5].startswith(found[5][:-3]):
        expected = (*expected[:5], found[5])
    return found == expected


with open(sys.argv[2], encoding="utf-8") as file:
    found = importlib.import_module(sys.argv[1]).findings(file.read())
with open(sys.argv[3], encoding="utf-8") as file:
    expected = [stated(line) for line in file]
if len(found) != len(expected) or not all(map(same, found, expected)):
    sys.exit("found %s\nexpected %s" % (found, expected))
print("%d findings" % len(found))
