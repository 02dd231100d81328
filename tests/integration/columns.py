#!/usr/bin/env python3
"""usage: columns.py CSV

Prints the records of `report --format csv` without the parts that differ from build to build: the mangled name (that of
a static function contains a hash of the path), the name of the object, ptxas's time, and the form of the source's path.
Sorted, because records come in the order of their objects."""
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
