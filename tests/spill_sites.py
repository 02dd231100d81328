#!/usr/bin/env python3
"""usage: spill_sites.py PROGRAM ORACLE FILE.cubin...

For each cubin, with FILE.log beside it, what warplint says of local memory against the laws that hold, and against an
independent reader (ORACLE, a script; "-": there is none). Prints a line for each thing that is wrong and one with counts.
"""
import collections, json, os, subprocess, sys


def records(program, *inputs):
    command = [program, "report", "--no-config", "--format", "ndjson", *inputs]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [r for r in map(json.loads, lines) if r["type"] == "kernel"]


def site_table(sites):
    """{(places from the innermost outwards, depth): [stores, loads, store bytes, load bytes]}"""
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for site in sites or []:
        places = tuple(f"{os.path.abspath(p['file'])}:{p['line']}" for p in site["inlined"])
        for at, key in enumerate(("stores", "loads", "store_bytes", "load_bytes")):
            table[places, site["depth"]][at] += site[key]
    return dict(table)


def laws(record):
    """What is wrong with a record that has both ptxas's numbers and code."""
    stores, loads = record["spill_store_bytes"], record["spill_load_bytes"]
    sites = record.get("spill_sites")
    if stores + loads == 0:
        return "sites without spills" if sites else None
    if record["spill_depth"] is None:
        return "not located"
    if sum(s["store_bytes"] for s in sites) != stores or sum(s["load_bytes"] for s in sites) != loads:
        return "the sites do not add up to ptxas's numbers"
    in_loops = sum(s["store_bytes"] + s["load_bytes"] for s in sites if s["depth"])
    if in_loops != record["spill_bytes_in_loops"] or max(s["depth"] for s in sites) != record["spill_depth"]:
        return "the depth of the sites is not that of the record"
    order = [(-s["depth"], -s["store_bytes"] - s["load_bytes"]) for s in sites]
    if order != sorted(order):
        return "the worst site is not the first"
    return None


def against_oracle(oracle, cubin, found):
    wrong, compared = [], 0
    lines = subprocess.run([sys.executable, oracle, cubin], capture_output=True, text=True).stdout.splitlines()
    for said in map(json.loads, lines):
        kind = "entry" if said["function"] == said["kernel"] else "function"
        record = found.get((said["function"], kind))
        if not record or said["area"] is None:  # the oracle does not try alloca's base
            continue
        expected = site_table([{**s, "inlined": [{"file": p.rsplit(":", 1)[0], "line": int(p.rsplit(":", 1)[1])} for p in s["chain"]]} for s in said["sites"]])
        compared += len(expected)
        if site_table(record.get("spill_sites")) != expected:
            wrong.append(f"{cubin}: {said['function']}: other sites than the oracle's")
        if record["array_bytes"] != max(0, said["area"]):
            wrong.append(f"{cubin}: {said['function']}: arrays of {record['array_bytes']} bytes, the oracle says {said['area']}")
    return wrong, compared


def main(program, oracle, *cubins):
    wrong, spilling, compared = [], 0, 0
    for cubin in cubins:
        log = cubin.replace(".cubin", ".log")
        beside_log = [r for r in records(program, log, cubin) if r["producer"] == "ptxas"]
        for record in beside_log:
            if record["local_store_bytes"] is None or record["spill_store_bytes"] is None:
                continue
            fault = laws(record)
            spilling += record["spill_store_bytes"] > 0
            if fault:
                wrong.append(f"{cubin}: {record['mangled']}: {fault}")
        # From code alone nothing is a spill; and a kernel that ptxas says spills is never said to spill nothing.
        stated = {r["mangled"]: r for r in beside_log if r["kind"] == "entry"}
        for record in records(program, cubin):
            if record["spill_store_bytes"] not in (None, 0) or record.get("spill_sites"):
                wrong.append(f"{cubin}: {record['mangled']}: spills from code alone")
            if record["spill_store_bytes"] == 0 and record["mangled"] in stated and stated[record["mangled"]]["spill_store_bytes"]:
                wrong.append(f"{cubin}: {record['mangled']}: said to spill nothing")
        if oracle != "-":
            more, sites = against_oracle(oracle, cubin, {(r["mangled"], r["kind"]): r for r in beside_log})
            wrong += more
            compared += sites
    print("\n".join(wrong + [f"{spilling} records that spill, {compared} sites compared, {len(wrong)} wrong"]))
    return bool(wrong) or not spilling


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
