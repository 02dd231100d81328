#!/usr/bin/env python3
"""usage: record_keys.py PAGE NDJSON
       record_keys.py --named PAGE... <JSON

Every key of the records has an entry in the page, below the heading of its type, which also names the keys of nested
objects. The page has no other entries for a kernel, and all seven types of records occur. --named: every key of a
document is named in one of the pages."""
import json
import re
import sys

MAPS = ("not_judged", "cmem_bytes")  # their keys are rules and banks
TYPES = {"run", "log", "kernel", "event", "allow", "finding", "end"}


def entries(page):
    """By heading: the names of its items, and all words in code."""
    names, words, section = {}, {}, ""
    with open(page, encoding="utf-8") as file:
        for line in file:
            if line.startswith("## "):
                section = line[3:].strip()
            found = re.match(r"- `(\w+)`:", line)
            if found:
                names.setdefault(section, set()).add(found[1])
            words.setdefault(section, set()).update(re.findall(r"`(\w+)`", line))
    return names, words


def inner_keys(value):
    if isinstance(value, list):
        return {key for item in value for key in inner_keys(item)}
    if isinstance(value, dict):
        return set(value) | {key for name, item in value.items() if name not in MAPS for key in inner_keys(item)}
    return set()


def named(pages):
    words = set().union(*(found for page in pages for found in entries(page)[1].values()))
    missing = sorted(inner_keys(json.load(sys.stdin)) - words)
    print("\n".join(f"FAIL not named: {key}" for key in missing) or f"ok: {pages[0]} names the keys of its JSON")
    return 1 if missing else 0


def main():
    if sys.argv[1] == "--named":
        return named(sys.argv[2:])
    names, words = entries(sys.argv[1])
    keys, inner = {}, {}
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            kind = record["type"]
            keys.setdefault(kind, set()).update(record)
            for key, value in record.items():
                if key not in MAPS:
                    inner.setdefault(kind, set()).update(inner_keys(value))
    wrong = [f"no record of type {kind}" for kind in sorted(TYPES - set(keys))]
    for kind, found in sorted(keys.items()):
        wrong += [f"no entry: {kind}: {key}" for key in sorted(found - names.get(kind, set()))]
        wrong += [f"not named: {kind}: {key}" for key in sorted(inner[kind] - words.get(kind, set()))]
    sites = {"file", "line", "inlined", "function", "depth", "stores", "loads", "store_bytes", "load_bytes"}
    wrong += [f"no such key: kernel: {key}" for key in sorted(names["kernel"] - keys["kernel"] - sites - {"launches"})]
    print("\n".join(f"FAIL {text}" for text in wrong) or f"ok: {sum(map(len, keys.values()))} keys of records have entries")
    return 1 if wrong else 0


sys.exit(main())
