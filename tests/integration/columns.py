#!/usr/bin/env python3
"""usage: columns.py CSV

The records of `report --format csv` without what differs from build to build: the mangled name (a hash of the path is
in that of a static function), the name of the object, ptxas's time, and
whether the compiler was given a full path. Sorted, because records come in the order of their objects."""
import csv
import os
import sys

OWN = {"mangled", "log", "log_line", "compile_ms"}

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    records = list(csv.DictReader(file))
rows = []
for record in records:
    record["source"] = record["source"] and os.path.relpath(record["source"])
    rows.append(",".join(f"{key}={value}" for key, value in record.items() if key not in OWN and value))
print("\n".join(sorted(rows)))
