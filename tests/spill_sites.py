#!/usr/bin/env python3
"""usage: spill_sites.py PROGRAM ORACLE FILE.cubin...

For each cubin, with FILE.log beside it, checks warplint's numbers of local memory against invariants, and against an
independent reader (ORACLE, a script; "-": none). Prints one line per error and one with totals.
"""
import collections, json, os, re, subprocess, sys


def records(program, *inputs):
    command = [program, "report", "--no-config", "--format", "ndjson", *inputs]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [r for r in map(json.loads, lines) if r["type"] == "kernel"]


# Kernels of spills.cu that access local memory and do not spill.
STACK_ONLY = ("by_address", "prints", "array_alone", "callee_alone", "alloca_alone")


def site_table(sites):
    """{(places from the innermost outwards, depth): [stores, loads, store bytes, load bytes]}"""
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    for site in sites or []:
        places = tuple(f"{os.path.abspath(p['file'])}:{p['line']}" for p in site["inlined"])
        for at, key in enumerate(("stores", "loads", "store_bytes", "load_bytes")):
            table[places, site["depth"]][at] += site[key]
    return dict(table)


def without_depth(table):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (places, _), counts in table.items():
        sums[places, -1] = [a + b for a, b in zip(sums[places, -1], counts)]
    return dict(sums)


def laws(record):
    """The errors in a record that has both ptxas's numbers and code."""
    stores, loads = record["spill_store_bytes"], record["spill_load_bytes"]
    sites = record.get("spill_sites")
    if stores + loads == 0:
        return "sites without spills" if sites else None
    if record["spill_depth"] is None:
        return "not located" if record["kind"] == "entry" else None
    if sum(s["store_bytes"] for s in sites) != stores or sum(s["load_bytes"] for s in sites) != loads:
        return "the sites do not add up to ptxas's numbers"
    in_loops = sum(s["store_bytes"] + s["load_bytes"] for s in sites if s["depth"])
    if in_loops != record["spill_bytes_in_loops"] or max(s["depth"] for s in sites) != record["spill_depth"]:
        return "the depth of the sites is not that of the record"
    nest = re.search(r"nestedILi(\d)ELi(\d+)E", record["mangled"])  # of so many loops around so many values
    if nest and record["spill_depth"] not in ((int(nest[1]),) if int(nest[2]) > 128 else (0, int(nest[1]))):
        return f"depth {record['spill_depth']}, its innermost spills are in {nest[1]} loops"
    order = [(-s["depth"], -s["store_bytes"] - s["load_bytes"]) for s in sites]
    if order != sorted(order):
        return "the worst site is not the first"
    return None


def key(record):
    """A function that is copied into several kernels has a record for each, with its own numbers."""
    return tuple(record[at] for at in ("mangled", "kind", "spill_store_bytes", "spill_load_bytes"))


# The oracle takes every call for a call of a subroutine. For sm_80 and sm_86 ptxas also writes a conditional branch as
# `@P0 CALL.REL.NOINC`, whose target has no function symbol. The oracle does not handle loops with several entries: if
# there is one, all depths are -1 here.
ORACLE = '''
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
import sass
known = sass.cfg
def cfg(instructions, indirect, entries):
    for i in instructions:
        if i.kind == "C" and i.tgt is not None and i.tgt not in entries:
            i.kind = "B"
    return known(instructions, indirect, entries)
sass.cfg = cfg
natural = sass.loops
def loops(blocks, successors, roots):
    found, depth, several_entries, unreached = natural(blocks, successors, roots)
    return found, [-1] * len(depth) if several_entries else depth, several_entries, unreached
sass.loops = loops
import spills
spills.main(sys.argv[2], sys.argv[2].replace(".cubin", ".log"))
'''


def chain(site):
    return [{"file": p.rsplit(":", 1)[0], "line": int(p.rsplit(":", 1)[1])} for p in site["chain"]]


def against_oracle(oracle, cubin, found):
    wrong, compared, no_depth, expected, copies = [], 0, 0, collections.defaultdict(list), collections.Counter()
    lines = subprocess.run([sys.executable, "-c", ORACLE, oracle, cubin], capture_output=True, text=True).stdout.splitlines()
    for said in map(json.loads, lines):
        kind = "entry" if said["function"] == said["kernel"] else "function"
        copies[said["function"]] += 1
        table = site_table([{**s, "inlined": chain(s)} for s in said["sites"]])
        if said["area"] is not None:  # the oracle does not try alloca's base
            answers = expected[said["function"], kind, said["store_bytes"], said["load_bytes"]]
            answers += [(table, max(0, said["area"]))] * ((table, max(0, said["area"])) not in answers)
    for at, answers in expected.items():
        if at not in found:
            continue
        # If several kernels have a copy of the function, its numbers cannot be assigned, and nothing is reported.
        if copies[at[0]] > 1 and not found[at].get("spill_sites") and found[at]["array_bytes"] is None:
            continue
        table, area = answers[0]
        compared += len(table)
        sites = site_table(found[at].get("spill_sites"))
        if any(depth == -1 for _, depth in table):
            sites, no_depth = without_depth(sites), no_depth + 1
        if sites != table:
            wrong.append(f"{cubin}: {at[0]}: other sites than the oracle's")
        if found[at]["array_bytes"] != area:
            wrong.append(f"{cubin}: {at[0]}: arrays of {found[at]['array_bytes']} bytes, the oracle says {area}")
    return wrong, compared, no_depth


def main(program, oracle, *cubins):
    wrong, spilling, compared, no_depth, stack_only = [], 0, 0, 0, 0
    for cubin in cubins:
        log = cubin.replace(".cubin", ".log")
        beside_log = [r for r in records(program, log, cubin) if r["producer"] == "ptxas"]
        for record in beside_log:
            located = record["local_store_bytes"] is not None or record["kind"] == "entry"
            if not located or record["spill_store_bytes"] is None:
                continue
            fault = laws(record)
            spilling += record["spill_store_bytes"] > 0
            if fault:
                wrong.append(f"{cubin}: {record['mangled']}: {fault}")
        # The code alone shows no spills; and a kernel that spills by ptxas's numbers is never reported as spilling
        # nothing.
        stated = {r["mangled"]: r for r in beside_log if r["kind"] == "entry"}
        for record in records(program, cubin):
            if record["spill_store_bytes"] not in (None, 0) or record.get("spill_sites"):
                wrong.append(f"{cubin}: {record['mangled']}: spills from code alone")
            # With -rdc=true the callee has its own section, and its caller accesses no local memory.
            own = "rdc" not in os.path.basename(cubin) or "callee_alone" not in record["mangled"]
            if own and any(name in record["mangled"] for name in STACK_ONLY):
                stack_only += 1
                if record["spill_store_bytes"] is not None or record["mangled"] not in stated:
                    wrong.append(f"{cubin}: {record['mangled']}: its local memory is not seen")
                elif stated[record["mangled"]]["spill_store_bytes"] or stated[record["mangled"]]["array_bytes"] is None:
                    wrong.append(f"{cubin}: {record['mangled']}: a spill, or unknown with the log")
            if record["spill_store_bytes"] == 0 and record["mangled"] in stated and stated[record["mangled"]]["spill_store_bytes"]:
                wrong.append(f"{cubin}: {record['mangled']}: said to spill nothing")
        if oracle != "-":
            more, sites, others = against_oracle(oracle, cubin, {key(r): r for r in beside_log})
            wrong += more
            compared += sites
            no_depth += others
    counts = f"{spilling} records that spill, {compared} sites compared ({no_depth} records without depth), {stack_only} that use the stack alone"
    print("\n".join(wrong + [f"{counts}, {len(wrong)} wrong"]))
    return bool(wrong) or not spilling or not stack_only


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
