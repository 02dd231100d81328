"""usage: source_trees.py PROGRAM COUNT [SEED]

Makes COUNT pairs of random source trees, as logs of their builds. The second tree is the first one after one to three
changes (a namespace, a kernel, a type or a file gets another name; parameters or template arguments are added, removed
or changed; kernels are added, removed or moved). Some of its kernels are worse: more registers or spills. PROGRAM
compares them, and its status must follow from this: 1 if a kernel is worse, otherwise 0, or 3 if a source of the first
tree is not compiled or no kernel keeps its name. After a status of 0, `baseline update` and `baseline prune` must
succeed, and the second tree must pass with what they wrote. COUNT: the pairs made; pairs whose truth is not decided
(see is_decided) are not compared.
"""

import copy
import random
import subprocess
import sys

TYPES = {"float": "f", "double": "d", "int": "i", "Foo": "3Foo", "Bar": "3Bar"}
BETTER = {24: 24, 32: 24, 40: 32, 64: 40, 80: 64}  # registers without a finding of their own
ARCHS = ["sm_80", "sm_90"]
RULES = ("new-spill,spill-regression,occupancy-regression,register-regression,successor-regression,stack-regression,"
         "spill-moved-into-loop")


def named(name):
    return f"{len(name)}{name}"


class Kernel:
    """A kernel as one file compiles it; home: the file that defines it, a header for a kernel of several files."""

    def __init__(self, home, file, scopes, name, arguments, parameters, registers):
        self.home, self.file, self.scopes, self.name = home, file, list(scopes), name
        self.arguments, self.parameters = list(arguments), list(parameters)
        self.registers, self.spill, self.is_new = registers, 0, False
        self.origin = self.mangled(), file
        self.was, self.worse_on = registers, ARCHS

    def mangled(self):
        arguments = "".join(TYPES.get(a, a if a.startswith("L") else named(a)) for a in self.arguments)
        name = named(self.name) + (f"I{arguments}E" if arguments else "")
        scoped = "N" + "".join(map(named, self.scopes)) + name + "E" if self.scopes else name
        return "_Z" + scoped + ("v" if arguments else "") + ("".join(self.parameters) or "v")

    def log(self, arch):
        registers, spill = (self.registers, self.spill) if arch in self.worse_on else (self.was, 0)
        return (f"ptxas info    : Compiling entry function '{self.mangled()}' for '{arch}'\n"
                f"ptxas info    : Function properties for {self.mangled()}\n"
                f"    {spill} bytes stack frame, {spill} bytes spill stores, {spill} bytes spill loads\n"
                f"ptxas info    : Used {registers} registers, used 0 barriers, 380 bytes cmem[0]\n")


def make_template(rng, home, files):
    """A kernel of a random name, or some instances of a template; each is compiled in some of the files."""
    scopes = rng.choice([[], ["v1"], ["lib", "detail"], ["w"]])
    name = rng.choice(["scan", "reduce", "gemm", "copy", "k"])
    parameters = rng.choice([["Pf"], ["Pf", "i"], ["Pf", "Pf", "i"], ["i"]])
    kinds = rng.choice(["", "n", "t", "tn", "nb"])  # of template arguments: number, type, bool
    for _ in range(rng.randint(1, 4) if kinds else 1):
        choices = {"n": [f"Li{number}E" for number in (4, 8, 16, 32)], "t": list(TYPES), "b": ["Lb0E", "Lb1E"]}
        arguments = [rng.choice(choices[kind]) for kind in kinds]
        registers = rng.choice(list(BETTER))
        for file in rng.sample(files, rng.randint(1, len(files))):
            yield Kernel(home, file, scopes, name, arguments, parameters, registers)


def make_tree(rng):
    files = rng.sample(["a.cu", "b.cu", "c.cu", "sub/d.cu"], rng.randint(1, 3))
    homes = {file: [file] for file in files} | {header: files for header in rng.choice([[], ["h.cuh"]])}
    kernels, home_of = {}, {}
    for home, users in homes.items():
        for _ in range(rng.randint(1, 3)):
            for kernel in make_template(rng, home, users):
                if home_of.setdefault(kernel.mangled(), home) == home:
                    kernels.setdefault((kernel.file, kernel.mangled()), kernel)
    return list(kernels.values())


def change(rng, kernels):
    """Changes the tree in one way; returns the name of the way."""
    kernel = rng.choice(kernels)
    way = rng.choice(["scope", "name", "parameter", "add", "remove", "argument", "type", "move", "file", "gone", "new",
                      "left out", "new file"])
    same = [k for k in kernels if (k.scopes, k.name) == (kernel.scopes, kernel.name)]
    template = [k for k in same if k.home == kernel.home]
    if way == "scope" and kernel.scopes:
        old = kernel.scopes[0]
        for k in kernels:
            k.scopes = [old + "x" if scope == old else scope for scope in k.scopes]
    elif way == "name":
        for k in same:
            k.name = kernel.name + "2" if k is not kernel else k.name
        kernel.name += "2"
    elif way == "parameter":
        for k in template:
            k.parameters.append("i")
    elif way == "add":
        for k in template:
            k.arguments.append("Lb1E")
    elif way == "remove" and len({(k.file, *k.arguments[:-1]) for k in template}) == len(template):
        for k in template:
            k.arguments = k.arguments[:-1]
    elif way == "argument":
        numbers = [at for at, argument in enumerate(kernel.arguments) if argument.startswith("Li")]
        for at in numbers[:1]:
            kernel.arguments[at] = "Li64E"
    elif way == "type":
        for k in kernels:
            k.arguments = ["FooNew" if argument == "Foo" else argument for argument in k.arguments]
    elif way == "move" and kernel.home == kernel.file:
        file = rng.choice(["a.cu", "b.cu", "e.cu"])
        for k in template:
            k.home = k.file = file
    elif way == "file":
        file = kernel.file
        for k in kernels:
            k.file = "renamed_" + file.replace("/", "_") if k.file == file else k.file
            k.home = "renamed_" + file.replace("/", "_") if k.home == file else k.home
    elif way == "gone" and len(kernels) > 2:
        kernels.remove(kernel)
    elif way == "left out" and len({k.file for k in kernels}) > 1:
        kernels[:] = [k for k in kernels if k.file != kernel.file]
    elif way == "new file":
        kernels.append(Kernel("n.cu", "n.cu", [], "another", [], ["Pd"], 24))
        kernels[-1].is_new = True
        for k in {k.mangled(): k for k in kernels if k.home == "h.cuh"}.values():
            kernels.append(copy.copy(k))
            kernels[-1].file, kernels[-1].is_new = "n.cu", True
    elif way == "new":
        kernels.append(Kernel(kernel.file, kernel.file, kernel.scopes, "fresh", [], ["Pd"], 24))
        kernels[-1].is_new = True
    return way


def is_decided(ways, old, new):
    """False if the second tree does not show which kernels of the first one it has: a kernel may have got another name
    or namespace together with other parameters or another file, or other template arguments together with other
    parameters, or one of several with other template arguments was removed, or has the name that another one had."""
    arguments = {"add", "remove", "argument", "type"}
    names = {(k.mangled(), k.file): k.origin[0] for k in old}
    swapped = any(names.get((k.mangled(), k.origin[1]), k.origin[0]) != k.origin[0] for k in new)
    left = {k.origin[1] for k in new if not k.is_new}
    lost = {k.mangled() for k in old} - {k.mangled() for k in old if k.file in left}
    swapped = swapped or any(k.is_new and k.mangled() in lost for k in new)
    return not (ways & {"name", "scope"} and ways & {"parameter", "move", "file"} or
                ways & {"gone", "parameter"} and ways & arguments or {"remove", "argument"} <= ways or
                {"left out", "move"} <= ways or {"left out", "file"} <= ways and ways & arguments or
                "new file" in ways and ways - {"new file", "left out", "gone", "new"} or swapped or len({(k.file, k.mangled()) for k in new}) < len(new))


def make_worse(rng, kernels):
    """Makes up to two kernels worse, mostly in all files that compile them, and some others better. Returns how many
    are worse."""
    old = [k for k in kernels if not k.is_new]
    worse = rng.sample(old, min(rng.choice([0, 0, 1, 1, 2]), len(old)))
    if rng.random() < 0.8:
        names = {k.mangled() for k in worse}
        worse = [k for k in old if k.mangled() in names]
    for k in worse:
        if rng.random() < 0.5:
            k.registers = 168
        else:
            k.spill = 64
        k.worse_on = rng.choice([ARCHS, ARCHS, ARCHS[:1]])
    for k in old if rng.random() < 0.3 else []:
        k.registers = BETTER.get(k.registers, k.registers) if k not in worse and rng.random() < 0.3 else k.registers
    return len(worse)


def write_log(kernels, files, archs, path):
    with open(path, "w", encoding="ascii") as out:
        for file in files:
            out.write(f"nvcc -Xptxas=-v -c {file} -o {file}.o\n")
            out.writelines(k.log(arch) for arch in archs for k in kernels if k.file == file)


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expected(old, new, worse):
    """The statuses that follow from the truth."""
    if {k.file for k in old} - {k.origin[1] for k in new if not k.is_new} - {k.file for k in new} and not worse:
        return {3}  # a file was left out
    sources_gone = {k.file for k in old} - {k.file for k in new}
    names_kept = {k.mangled() for k in old} & {k.mangled() for k in new}
    return ({1} if worse else {0}) | ({3} if sources_gone or not names_kept else set())


def compare(program, seed):
    """Returns None if the pair was not compared, otherwise what is wrong with it; empty: nothing."""
    rng = random.Random(seed)
    old = make_tree(rng)
    new = copy.deepcopy(old)
    ways = {change(rng, new) for _ in range(rng.randint(1, 3))}
    worse = make_worse(rng, new)
    if not is_decided(ways, old, new):
        return None
    archs = ARCHS[:rng.choice([1, 1, 2])]
    old_files, new_files = ([*dict.fromkeys(k.file for k in tree)] for tree in (old, new))
    if rng.random() < 0.3:
        rng.shuffle(new_files)
    write_log(old, old_files, archs, "old.log")
    write_log(new, new_files, archs, "new.log")
    judge = ("check", "--no-config", "--select", RULES, "--baseline")
    found = [("baseline write", *run(program, "baseline", "write", "--no-config", "trees.json", "old.log"))]
    status, text = run(program, *judge, "trees.json", "new.log")
    wrong = [("check", status, text)] if status not in expected(old, new, worse) else []
    for command in ("update", "prune") if status == 0 else ():
        found.append((command, *run(program, "baseline", command, "--no-config", "trees.json", "new.log")))
        found.append((f"check after {command}", *run(program, *judge, "trees.json", "new.log")))
    wrong += [step for step in found if step[1] != 0]
    return "".join(f"pair {seed} ({', '.join(sorted(ways))}; {worse} worse): {step}: status {status}\n{text}"
                   for step, status, text in wrong)


def main():
    program, count, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    results = [compare(program, seed) for seed in range(first, first + count)]
    wrong = [result for result in results if result]
    print("".join(wrong), end="")
    print(f"{len(results) - results.count(None)} pairs compared, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
