"""usage: coverage.py BUILD [FOLDER]

Prints how many lines and branches the tests ran in each folder, from the .gcda files below BUILD; with FOLDER, the
lines and branches there that they did not run. Used by ci/coverage.
"""
import collections
import glob
import json
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir))
MOST_UNTOLD = 5  # lines of a function that may be untested without a reason in ci/coverage.txt
ASKED = dict.fromkeys(("src/log", "src/gpu", "src/rules", "src/baseline", "src/config", "src/lint"), (95, 85))  # percent of lines, of branches


def read(build):
    """lines[file][line] = times run; branches[file][line] = [times taken]; both summed over all programs."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(dict)
    functions = collections.defaultdict(dict)
    data = glob.glob(os.path.join(build, "**", "*.gcda"), recursive=True)
    for at in range(0, len(data), 20):
        made = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *map(os.path.abspath, data[at:at + 20])],
                              cwd=build, capture_output=True, check=True).stdout
        for text in made.decode().splitlines():
            document = json.loads(text)
            for file in document["files"]:
                path = os.path.relpath(os.path.join(document["current_working_directory"], file["file"]), ROOT)
                if not path.startswith("src/"):
                    continue
                for function in file["functions"]:
                    functions[path][function["start_line"]] = (function["end_line"], function["name"])
                for line in file["lines"]:
                    number = line["line_number"]
                    lines[path][number] += line["count"]
                    taken = [branch["count"] for branch in line["branches"] if not branch["throw"]]
                    known = branches[path].setdefault(number, [])
                    if len(known) < len(taken):
                        known.extend([0] * (len(taken) - len(known)))
                    for number_of_branch, count in enumerate(taken):
                        known[number_of_branch] += count
    return lines, branches, functions


def justified():
    """function -> reason, of ci/coverage.txt."""
    with open(os.path.join(ROOT, "ci", "coverage.txt"), encoding="utf-8") as file:
        rows = [line.split(None, 2) for line in file if line.strip() and not line.startswith("#")]
    return {(row[0], row[1]): row[2] for row in rows}


def function_of(functions, line):
    name = ""
    for start in sorted(functions):
        end, found = functions[start]
        if start <= line <= end:
            name = found
    return name


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def show(path, lines, branches, functions):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        source = file.read().splitlines()
    for number in sorted(lines):
        untaken = [at for at, count in enumerate(branches.get(number, [])) if not count]
        if not lines[number] or untaken:
            what = "never runs" if not lines[number] else "branches %s of %d not taken" % (untaken, len(branches[number]))
            print("%s:%d: %s: %s: %s" % (path, number, function_of(functions, number), what, source[number - 1].strip()))


def main():
    lines, branches, functions = read(sys.argv[1])
    folders = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path in sorted(lines):
        total = folders[os.path.dirname(path)]
        total[0] += sum(count > 0 for count in lines[path].values())
        total[1] += len(lines[path])
        total[2] += sum(count > 0 for taken in branches[path].values() for count in taken)
        total[3] += sum(len(taken) for taken in branches[path].values())
        if len(sys.argv) > 2 and path.startswith(sys.argv[2]):
            show(path, lines[path], branches[path], functions[path])
    status = 0
    print("%-12s %16s %8s %18s %8s" % ("folder", "lines", "", "branches", ""))
    for folder in sorted(folders):
        ran, all_lines, taken, all_branches = folders[folder]
        print("%-12s %7d of %5d %6.1f %% %8d of %6d %6.1f %%" % (
            folder, ran, all_lines, percent(ran, all_lines), taken, all_branches, percent(taken, all_branches)))
        least = ASKED.get(folder, (0, 0))
        if percent(ran, all_lines) < least[0] or percent(taken, all_branches) < least[1]:
            print("%s: below %d %% of lines or %d %% of branches" % (folder, *least))
            status = 1
    left, reasons = collections.Counter(), justified()
    for path in lines:
        if os.path.dirname(path) in ASKED:
            for number, count in lines[path].items():
                left[(path, function_of(functions[path], number))] += not count
    for key in sorted(key for key, count in left.items() if count and key not in reasons):
        print("%s: %s: no test runs %d of its lines, and ci/coverage.txt gives no reason" % (*key, left[key]))
        status = status or left[key] > MOST_UNTOLD
    for key in sorted(key for key in reasons if not left[key]):
        print("%s: %s: has a reason in ci/coverage.txt, but all of it runs" % key)
    sys.exit(status)


main()
