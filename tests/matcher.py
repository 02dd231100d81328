"""usage: matcher.py MATCHER TEXT RDJSONL

GitHub's problem matcher finds the same places, severities, rules and messages in the text of a report as the report's
JSON has, in the same order. A matcher is a JavaScript regular expression; ours mean the same in Python.
"""
import json
import re
import sys

WORDS = {"error": "ERROR", "warning": "WARNING", "notice": "INFO"}


def matched(owners, line):
    for owner in owners:
        pattern = owner["pattern"][0]
        match = re.search(pattern["regexp"], line)
        if match:
            severity = match[pattern["severity"]] if "severity" in pattern else owner["severity"]
            return (match[pattern["file"]], int(match[pattern["line"]]), int(match[pattern["column"]] or 0),
                    WORDS[severity], match[pattern["code"]], match[pattern["message"]])
    return None


def stated(line):
    entry = json.loads(line)
    start = entry["location"]["range"]["start"]
    return (entry["location"]["path"], start["line"], start.get("column", 0), entry["severity"],
            entry["code"]["value"], re.sub(r" \(worst of .*\)$", "", entry["message"]))


with open(sys.argv[1], encoding="utf-8") as file:
    owners = json.load(file)["problemMatcher"]
with open(sys.argv[2], encoding="utf-8") as file:
    found = [match for match in (matched(owners, line) for line in file.read().splitlines()) if match]
with open(sys.argv[3], encoding="utf-8") as file:
    expected = [stated(line) for line in file]
if not expected or found != expected:
    sys.exit("found %s\nexpected %s" % (found, expected))
