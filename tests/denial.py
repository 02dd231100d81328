"""usage: denial.py PROGRAM WORK_DIR

Inputs that are made to cost time or memory: for each the command, its limits of CPU seconds and memory, and its exit
status and message. Prints one line per case. WARPLINT_TEST_QUICK makes the large inputs ten times smaller.
"""
import os
import resource
import signal
import struct
import subprocess
import sys

PROGRAM, WORK = os.path.abspath(sys.argv[1]), sys.argv[2]
QUICK = bool(os.environ.get("WARPLINT_TEST_QUICK"))
MILLION = 100_000 if QUICK else 1_000_000
LONG = 10_000_000 if QUICK else 100_000_000  # bytes of a name, a line
ENDLESS = 500 if QUICK else 2000  # pieces of about a megabyte: more than any limit of the program
failed = 0


def plain_build():
    """False in builds with a sanitizer, which needs more memory and time."""
    little = lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))
    return subprocess.run([PROGRAM, "--version"], preexec_fn=little, capture_output=True).returncode == 0


PLAIN = plain_build()


def run(words, piece, pieces, seconds):
    """Exit status, CPU seconds, MiB, end of the output. Writes the piece `pieces` times, while standard input is open."""
    with open("said", "wb") as said, open("err", "wb") as err:
        process = subprocess.Popen([PROGRAM] + words, stdin=subprocess.PIPE if piece else subprocess.DEVNULL, stdout=said,
                                   stderr=err, preexec_fn=lambda: signal.alarm(int(seconds * 20) + 30))
        if piece:
            try:
                for _ in range(pieces):
                    process.stdin.write(piece)
                process.stdin.close()
            except BrokenPipeError:
                pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    with open("err", "rb") as err, open("said", "rb") as said:
        text = said.read(1 << 20) + err.read(1 << 20)
    code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text


def case(title, words, statuses, seconds, mib, says=b"", piece=None, pieces=ENDLESS):
    global failed
    code, took, memory, text = run(words, piece, pieces, seconds)
    slow, large = took > seconds * (1 if PLAIN else 20), PLAIN and memory > mib
    wrong = code not in statuses or says not in text
    failed += slow or large or wrong
    print("%s %-52s status %d  %6.2f s of %-3d  %5.0f MiB of %d" %
          ("FAIL" if slow or large or wrong else "ok  ", title, code, took, seconds, memory, mib), flush=True)
    if wrong:
        print("     expected %s and '%s', said: %s" % (statuses, says.decode(), text[-300:].decode("utf-8", "replace")))


def times(text, count):
    """Repeats the text, in pieces: memory of this process counts as memory of the processes that it starts."""
    most = max(1, (1 << 20) // len(text))
    while count > 0:
        yield text * min(most, count)
        count -= most


def write(path, *pieces):
    with open(path, "wb") as file:
        for piece in pieces:
            for part in (piece,) if isinstance(piece, (str, bytes)) else piece:
                file.write(part if isinstance(part, bytes) else part.encode())
    return path


def long_kernel(path, start, text, count):
    before, middle, behind = kernel("NAME", 8).split("NAME")
    return write(path, before, start, times(text, count), middle, start, times(text, count), behind)


def kernel(name, spills=0, registers=20):
    return ("ptxas info    : Compiling entry function '%s' for 'sm_90'\n"
            "ptxas info    : Function properties for %s\n"
            "    8 bytes stack frame, %d bytes spill stores, %d bytes spill loads\n"
            "ptxas info    : Used %d registers, used 0 barriers\n" % (name, name, spills, spills, registers))


def many(path, spills):
    with open(path, "w") as file:
        for number in range(MILLION):
            file.write(kernel("_Z11kernel%07dPf" % number, spills))
    return path


SMALL = write(os.path.join(WORK, "small.txt"), kernel("k"))
os.chdir(WORK)
SMALL = "small.txt"
CHECK = ["check", "--no-config"]
RULE = """id: slow
title: a slow pattern
severity: warning
pattern: '%s'
message: 'm'
why: w
hint: h
bad: |
  ptxas info    : %s
good: |
  nothing
"""


def patterns():
    os.makedirs("rules", exist_ok=True)
    write("rules/slow.yaml", RULE % ("ptxas info    : (a|b|ab)*c", "abc"))
    write("slow.txt", kernel("k"), *["ptxas info    : " + "ab" * 10000 + "\n"] * 1000)
    case("a pattern that goes back for ever, 1,000 lines", CHECK + ["--rules", "rules", "slow.txt"], (0, 2, 3), 10, 64)
    case("a pattern on kernels that goes back for ever", CHECK + ["--kernel", "^(a+)+$", write(
        "names.txt", *[kernel("a" * 5000 + "b" + str(n)) for n in range(200)])], (0, 2, 3), 10, 64)
    case("a pattern of a million bytes", CHECK + ["--kernel", "a" * 100_000, SMALL], (2,), 2, 32, b"8192")
    case("a pattern nested 4,000 times", CHECK + ["--kernel", "(" * 4000 + ")" * 4000, SMALL], (2,), 2, 32)


def patterns_together():
    """All patterns of a run share one memory limit; here no source of patterns exceeds it alone."""
    entries = lambda pattern, count: "kernels:\n" + "".join("- {match: '%s', threads: 128}\n" % pattern(n) for n in range(count))
    write("many.yaml", entries(lambda n: "k%d.*" % n, 20_000))
    case("20,000 patterns", ["check", "--config", "many.yaml", SMALL], (0,), 5, 64)
    write("named.yaml", entries(lambda n: "^(?<a>k+)%d(?<b>.*)$" % n, 18_000))
    case("18,000 patterns with named groups", ["check", "--config", "named.yaml", SMALL], (0,), 5, 64)
    large = "(?:ab){2000}"  # 56 kB when compiled
    write("large.yaml", entries(lambda n: large, 25_000))
    case("25,000 patterns of 56 kB", ["check", "--config", "large.yaml", SMALL], (2,), 5, 96, b"more than 16 MiB")
    write("a.yaml", entries(lambda n: large, 110))
    write("b.yaml", "extends: a.yaml\n", entries(lambda n: large, 110))
    os.makedirs("large", exist_ok=True)
    write("large/slow.yaml", RULE.replace("pattern: '%s'", 'when: "%s"') %
          (" or ".join(["name =~ '%s'" % large] * 110), "x"))
    case("220 of them in two configurations", ["check", "--config", "b.yaml", SMALL], (0,), 5, 64)
    case("110 more of them in a rule", ["check", "--config", "b.yaml", "--rules", "large", SMALL], (2,), 5, 64,
         b"large/slow.yaml:4:")


def files_that_people_write():
    laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in range(1, 30):
        laughs += "a%d: &a%d [%s]\n" % (level, level, ", ".join(["*a%d" % (level - 1)] * 9))
    write("laughs.yaml", laughs)
    case("YAML: aliases of aliases, 9 to the 30th", ["check", "--config", "laughs.yaml", SMALL], (2,), 2, 32, b"alias")
    write("deep.yaml", "kernels: ", "[" * 100_000)
    case("YAML: 100,000 levels", ["check", "--config", "deep.yaml", SMALL], (2,), 5, 64)
    write("long.yaml", "rules: {", times("x: off, ", LONG // 8))
    case("YAML: a file of %d MB" % (LONG // 1_000_000), ["check", "--config", "long.yaml", SMALL], (2,), 2, 64, b"bytes")
    write("words.yaml", "archs: [", times("1,", 500_000), "1]\n")
    case("YAML: an error at each of 500,000 words of a line", ["check", "--config", "words.yaml", SMALL], (2,), 5, 96,
         b"too many errors")
    write("empty.yaml", "kernels: [", times("{},", 340_000), "{}]\n")
    case("YAML: 340,000 empty entries", ["check", "--config", "empty.yaml", SMALL], (2,), 5, 256, b"too many errors")
    write("self.yaml", "extends: self.yaml\n")
    case("a configuration that extends itself", ["check", "--config", "self.yaml", SMALL], (2,), 2, 32)
    for number in range(200):
        write("chain%d.yaml" % number, "extends: chain%d.yaml\n" % (number + 1))
    case("a chain of 200 configurations", ["check", "--config", "chain0.yaml", SMALL], (2,), 2, 64)
    os.makedirs("nested", exist_ok=True)
    write("nested/slow.yaml", RULE.replace("pattern: '%s'", "when: '%s'") %
          ("(" * 50_000 + "registers" + ")" * 50_000 + " > 1", "x"))
    case("an expression nested 50,000 times", CHECK + ["--rules", "nested", SMALL], (2,), 2, 32)
    write("deep.json", times("[", 1_000_000))
    case("JSON: a million levels", CHECK + ["--baseline", "deep.json", SMALL], (2,), 2, 64)
    with open("huge.json", "wb") as file:
        file.truncate(4 << 30)
    case("a baseline of 4 GiB", CHECK + ["--baseline", "huge.json", SMALL], (2,), 10, 600)
    write("deep.ndjson", '{"type":"run","schema":1}\n{"type":"kernel","name":', times('{"a":', 1_000_000), "\n")
    case("a record with a million levels", CHECK + ["deep.ndjson"], (3,), 5, 64)


def names_and_lines():
    bomb = "_Z1f4pairIiiE"
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for level in range(35):
        bomb += "S_IS%s_S%s_E" % (digits[level], digits[level])
    write("bomb.txt", kernel(bomb, 8))
    case("a name of 430 bytes that stands for 2 to the 35th", CHECK + ["bomb.txt"], (1,), 2, 32)
    long_kernel("name.txt", "", "k", LONG)
    case("a name of %d MB" % (LONG // 1_000_000), CHECK + ["name.txt"], (1,), 20, 12 * LONG >> 20)
    case("the same in HTML", CHECK + ["-q", "-o", "html=name.html", "name.txt"], (1,), 30, 20 * LONG >> 20)
    long_kernel("mangled.txt", "_Z", "1aI", LONG // 3)
    case("a mangled name of %d MB" % (LONG // 1_000_000), CHECK + ["mangled.txt"], (1,), 20, 12 * LONG >> 20)
    write("wide.csv", "arch,threads,registers\nsm_90,256,", times("1", LONG), "\n")
    case("occupancy --csv: a row of %d MB" % (LONG // 1_000_000), ["occupancy", "--csv", "wide.csv"], (2, 3), 2, 96)
    write("profile.csv", '"Kernel Name","Block Size","Grid Size"\n"', times("k", LONG), '","(1, 1, 1)","(1, 1, 1)"\n')
    case("a profile with a field of %d MB" % (LONG // 1_000_000), CHECK + ["--launches", "profile.csv", SMALL],
         (0, 1, 2, 3), 10, 8 * LONG >> 20)


def endless():
    case("endless lines that say nothing", CHECK, (3,), 60, 32, piece=b"y\n" * (1 << 19))
    case("endless bytes without a line end", CHECK, (3,), 60, 1024, piece=b"y" * (1 << 20))
    case("endless zeros", CHECK, (3,), 60, 1024, piece=bytes(1 << 20))
    case("endless unknown lines of ptxas", CHECK, (3,), 120, 64,
         piece=b"ptxas info    : something new with 12 bytes\n" * 20000)
    case("one kernel endlessly", CHECK, (1,), 60, 1200 * MILLION >> 20,  # each record stays in memory
         piece=kernel("_Z1kPf", 8).encode() * 5000, pieces=MILLION // 5000)
    case("occupancy --csv: an endless row", ["occupancy", "--csv", "-"], (2, 3), 10, 96, piece=b"1" * (1 << 20))


def kernels():
    many("kernels.txt", 0)
    mib = 1200 * MILLION >> 20
    case("%d kernels" % MILLION, CHECK + ["kernels.txt"], (0, 1), 30 * MILLION // 100_000, mib + 64)
    many("findings.txt", 8)
    case("%d findings" % MILLION, CHECK + ["findings.txt"], (1,), 30 * MILLION // 100_000, 2 * mib + 64)
    case("the same as SARIF", CHECK + ["-q", "-o", "sarif=o.sarif", "findings.txt"], (1,), 60 * MILLION // 100_000,
         2 * mib + 256)


def fatbin(entries, length):
    """A container whose entries each claim `length` bytes, in LZ4: zeros compress to 1/255."""
    packed = lz4_zeros(length)
    padded = packed + bytes(-len(packed) % 8)
    body = b""
    for _ in range(entries):
        body += struct.pack("<HHIQIIIIIIQQQ", 2, 0x101, 64, len(padded), len(packed), 0, 0, 90, 0, 0, 0x2000, 0, length)
        body += padded
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def lz4_zeros(length):
    """One literal byte, one match that repeats it, and the five last literal bytes."""
    match = length - 6 - 4
    run = match - 15
    return bytes([0x1F, 0, 1, 0]) + b"\xff" * (run // 255) + bytes([run % 255]) + bytes([0x50]) + bytes(5)


def bombs():
    most = 64 << 20 if QUICK else 512 << 20
    write("bomb.fatbin", fatbin(1, most))
    case("a fat binary that unpacks to %d MiB" % (most >> 20), CHECK + ["bomb.fatbin"], (3,), 10,
         (most >> 20) * 5 // 4 + 64, b"no ELF")
    write("bombs.fatbin", fatbin(400, 1 << 20 if QUICK else 8 << 20))
    case("400 of them", CHECK + ["bombs.fatbin"], (3,), 30, 128, b"no ELF" if QUICK else b"64 times")
    write("claims.fatbin", struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 72) +
          struct.pack("<HHIQIIIIIIQQQ", 2, 0x101, 64, 8, 8, 0, 0, 90, 0, 0, 0x2000, 0, 1 << 40) + bytes(8))
    case("a fat binary that claims a TiB", CHECK + ["claims.fatbin"], (3,), 2, 32, b"512 MiB")


def commands():
    write("self.opt", "-optf self.opt -optf self.opt -DA=1\n")
    write("k.cu", "#include \"k.cu\"\n")
    write("nvcc", "#!/bin/sh\necho object >x.o\n")
    os.chmod("nvcc", 0o755)
    case("an option file that names itself twice", ["wrap", "--no-config", "--", "./nvcc", "-optf", "self.opt", "-c", "k.cu",
                                                   "-o", "x.o"], (0,), 5, 64)
    write("flags.opt", times("-DA=1 ", LONG // 60))
    case("an option file of %d MB" % (LONG // 10_000_000), ["wrap", "--no-config", "--", "./nvcc", "-optf", "flags.opt", "-c",
                                                           "k.cu", "-o", "x.o"], (0,), 20, 20 * LONG // 10 >> 20)
    write("k.cu", "__global__ void k();\n", times("{", LONG // 100), times("/*", 1000))
    case("a source of %d braces" % (LONG // 100), ["wrap", "--no-config", "--", "./nvcc", "-c", "k.cu", "-o", "x.o"], (0,), 5,
         64)
    folder = "tree"
    for _ in range(100):
        folder += "/d"
    os.makedirs(folder, exist_ok=True)
    if not os.path.lexists("tree/loop"):
        os.symlink("..", "tree/loop")
    write("tree/a.o.warplint.ndjson", "")
    case("a folder 100 deep, with a link in a circle", CHECK + ["tree"], (0, 1, 3), 2, 32)


parts = (patterns, patterns_together, files_that_people_write, names_and_lines, endless, bombs, commands, kernels)
for part in parts if len(sys.argv) < 4 else [globals()[sys.argv[3]]]:
    part()
print("%d cases failed%s" % (failed, "" if PLAIN else "; memory was not measured, this build has a sanitizer"))
sys.exit(failed > 0)
