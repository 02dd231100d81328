"""usage: load.py PROGRAM SHIM WORK_DIR [PART]

The wrapper under load: a thousand compiles, sixteen at once, on a stand-in for nvcc, while some are killed, the disk is
full, the folder is read-only, the clock jumps, or rename behaves as on a network file system. After each part every
record is complete or absent, every exit status is right, and no object is left that did not pass. Prints totals.

SHIM is libfault_shim.so (fault_board.h); without it, an empty word, the parts that need it are skipped.
WARPLINT_TEST_QUICK makes it 160 compiles.
"""
import errno
import glob
import json
import os
import random
import signal
import struct
import subprocess
import sys
import time

PROGRAM, SHIM, WORK = os.path.realpath(sys.argv[1]), sys.argv[2], sys.argv[3]
QUICK = bool(os.environ.get("WARPLINT_TEST_QUICK"))
COMPILES, AT_ONCE = (160 if QUICK else 1000), 16
BOARD = struct.Struct("iil16slllll48si")
FAULT = {"named": 7, "done": 8, "full": 9, "clock": 10}
RECORD = ".warplint.ndjson"
failures = 0

NVCC = """#!/bin/sh
previous=
for word; do
    [ "$previous" != -o ] || output=$word
    previous=$word
done
[ -z "${SLOW:-}" ] || sleep "$SLOW"
cat "${FAKE_SAY:-clean.txt}" >&2
[ "${FAKE_STATUS:-0}" != 0 ] || echo object >"$output"
exit "${FAKE_STATUS:-0}"
"""


def kernels(spills, count):
    return "ptxas info    : 0 bytes gmem\n" + "".join(
        "ptxas info    : Compiling entry function '_Z6k%05dPf' for 'sm_90'\n"
        "ptxas info    : Function properties for _Z6k%05dPf\n"
        "    8 bytes stack frame, %d bytes spill stores, %d bytes spill loads\n"
        "ptxas info    : Used 20 registers, used 0 barriers\n" % (n, n, spills, spills) for n in range(count))


def check(good, what):
    global failures
    failures += not good
    if not good and failures <= 20:
        print("FAIL", what[:300])
    return good


def environment(**variables):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("FAKE_", "FAULT_", "LD_"))}
    return dict(plain, XDG_CACHE_HOME=os.path.join(WORK, "cache"), **variables)


def start(name, options=(), **variables):
    words = [PROGRAM, "wrap", "--no-config", *options, "--", "./nvcc", "-c", "k.cu", "-o", name]
    return subprocess.Popen(words, env=environment(**variables), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=open(os.path.join(WORK, "err"), "wb"))


def said():
    with open(os.path.join(WORK, "err"), "rb") as file:
        return file.read().decode("utf-8", "replace")


def is_whole(path):
    """True if every line is JSON, the first is `run`, and the last is `end` with the right counts."""
    with open(path, "rb") as file:
        text = file.read()
    try:
        rows = [json.loads(line) for line in text.decode().split("\n")[:-1]]
    except ValueError:
        return False
    return (text.endswith(b"\n") and rows[0]["type"] == "run" and rows[-1]["type"] == "end" and
            rows[-1]["kernels"] == sum(row["type"] == "kernel" for row in rows))


def count_records(pattern, what):
    whole = torn = 0
    for path in glob.glob(pattern + RECORD):
        good = is_whole(path)
        whole += good
        torn += not good
    check(torn == 0, "%s: %d records are torn" % (what, torn))
    return whole


def shim(kind, error=0, at=0, name=b""):
    """The environment variables for the fault, with a board of its own."""
    path = os.path.join(WORK, "board")
    with open(path, "wb") as file:
        file.write(BOARD.pack(FAULT[kind], error, at, name, 0, 0, 0, 0, 0, b"", 0))
    return {"LD_PRELOAD": SHIM, "FAULT_BOARD": path, "FAULT_PROGRAM": PROGRAM}


def hits():
    with open(os.path.join(WORK, "board"), "rb") as file:
        return BOARD.unpack(file.read())[7]


def clear():
    for path in glob.glob("*.o*"):
        os.chmod(path, 0o644)
        os.remove(path)


# ---- the parts ------------------------------------------------------------------------------------------------------


def many():
    """Clean, spilling and broken sources in turn, for 40 objects, so that several compiles write one record at once."""
    wanted = [("clean.txt", 0, 0), ("spill.txt", 0, 1), ("clean.txt", 7, 7)]
    running, statuses, number = [], {}, 0
    while number < COMPILES or running:
        while number < COMPILES and len(running) < AT_ONCE:
            say, status, expected = wanted[number % 3]
            running.append((start("m%d.o" % (number % 40), FAKE_SAY=say, FAKE_STATUS=str(status)), expected))
            number += 1
        process, expected = running.pop(0)
        process.wait()
        statuses[process.returncode] = statuses.get(process.returncode, 0) + 1
        check(process.returncode == expected, "status %d instead of %d" % (process.returncode, expected))
    whole = count_records("m*.o", "many")
    check(not glob.glob(".warplint-*"), "temporary files are left: %s" % glob.glob(".warplint-*"))
    print("%d compiles, %d at once: statuses %s, %d records, all whole" %
          (COMPILES, AT_ONCE, dict(sorted(statuses.items())), whole))


def killed():
    """Killed at random times by random signals; a killed compile is not judged, and leaves no file."""
    chance = random.Random(9)
    ended = survived = 0
    for _ in range(COMPILES // AT_ONCE // (2 if QUICK else 1)):
        group = [start("k%d.o" % (n % 7), FAKE_SAY="many.txt", SLOW="0.0%d" % chance.randrange(10))
                 for n in range(AT_ONCE)]
        for process in chance.sample(group, AT_ONCE):
            time.sleep(chance.random() / 100)
            process.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)))
        for process in group:
            process.wait()
            ended += process.returncode < 0 or process.returncode > 128
            survived += process.returncode == 0
            check(process.returncode <= 0 or process.returncode > 128, "killed: status %d" % process.returncode)
        count_records("k*.o", "killed")
    time.sleep(0.3)
    for n in range(7):
        process = start("k%d.o" % n, FAKE_SAY="many.txt")
        check(process.wait() == 0 and is_whole("k%d.o%s" % (n, RECORD)), "after the kills: %s" % said())
    check(not glob.glob(".warplint-*"), "temporary files are left: %s" % glob.glob(".warplint-*"))
    print("%d compiles, %d at once: %d killed, %d survived, no torn record, nothing left behind" %
          (ended + survived, AT_ONCE, ended, survived))


def full_disk():
    """The disk is full after every 997th byte of the record; and a real file system is full."""
    start("f.o", FAKE_SAY="many.txt").wait()
    size, tries = os.path.getsize("f.o" + RECORD), 0
    for at in range(0, size, max(997, size // (8 if QUICK else 300))):
        for strict in (False, True):
            clear()
            process = start("f.o", ["--strict"] if strict else [], FAKE_SAY="many.txt",
                            **shim("full", errno.ENOSPC if at % 2 else errno.EDQUOT, at))
            status = process.wait()
            check(status == (3 if strict else 0), "full disk: status %d" % status)
            check(os.path.exists("f.o") != strict, "full disk: the object is%s there" % ("" if strict else " not"))
            check(not glob.glob("f.o.*") + glob.glob(".warplint-*"), "full disk: %s" % glob.glob("f.o.*"))
            check("No space left" in said() or "quota" in said(), "full disk, nothing said: %s" % said())
            tries += 1
    print("%d times a disk that is full after some bytes: no half record, status 0 with a warning, 3 under --strict" % tries)


def mounted():
    """A file system of 128 KiB; the objects fit, the records do not."""
    os.makedirs("small", exist_ok=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", "small"], capture_output=True).returncode:
        print("skipped: a file system of 128 KiB cannot be mounted here")
        return
    try:
        statuses = [start("small/%d.o" % n, FAKE_SAY=("clean.txt", "many.txt")[n % 2]).wait() for n in range(12)]
        check(statuses == [0] * 12, "small file system: %s" % statuses)
        whole = count_records("small/*.o", "small file system")
        check(whole == 6, "small file system: %d records instead of 6" % whole)
        check(not glob.glob("small/.warplint-*"), "small file system: temporary files are left")
        process = subprocess.run([PROGRAM, "report", "--no-config", "-o", "html=small/o.html", "many.txt"],
                                 capture_output=True)
        check(process.returncode == 3 and b"No space left" in process.stderr and not os.path.exists("small/o.html"),
              "small file system: report %d" % process.returncode)
        print("12 compiles into a file system of 128 KiB: 12 objects, %d records, whole; a report is status 3 and no file" %
              whole)
    finally:
        subprocess.run(["umount", "small"])


def read_only():
    """The object can be written, through a symbolic link, but no file can be created beside it."""
    if os.geteuid() == 0:
        # For root no folder is read-only; a file system can be.
        mount = subprocess.run("mkdir -p shut && mount -t tmpfs tmpfs shut", shell=True, capture_output=True)
        if mount.returncode:
            print("skipped: a folder cannot be made read-only for root here")
            return
        undo, lock = "umount shut", "mount -o remount,ro shut"
    else:
        os.makedirs("shut", exist_ok=True)
        undo, lock = "chmod 755 shut", "chmod 555 shut"
    try:
        os.symlink("../open.o", "shut/x.o")
        subprocess.run(lock, shell=True, check=True)
        plain = start("shut/x.o")
        check(plain.wait() == 0 and "cannot be written" in said(), "read-only: %s" % said())
        strict = start("shut/x.o", ["--strict"])
        check(strict.wait() == 3 and "cannot be written" in said(), "read-only, strict: %s" % said())
        gate = start("shut/x.o", FAKE_SAY="spill.txt")
        check(gate.wait() == 1 and ("cannot be removed" in said() or not os.path.exists("shut/x.o")),
              "read-only, gate: %s" % said())
        check(not glob.glob("shut/*" + RECORD + "*"), "read-only: a record")
        print("a read-only folder: 0 with a warning, 3 under --strict, 1 for a spill that says what stays")
    finally:
        subprocess.run(undo, shell=True)


def clock():
    """Clocks that jump by years, and objects from the future."""
    bad = 0
    for n in range(10 if QUICK else 100):
        process = start("c.o", FAKE_SAY=("clean.txt", "spill.txt")[n % 2], **shim("clock"))
        bad += process.wait() != n % 2
    check(bad == 0 and is_whole("c.o" + RECORD), "clock: %d wrong statuses" % bad)
    start("c.o").wait()
    for year in (1970, 2038, 2100):
        stamp = (year - 1970) * 31556952
        os.utime("c.o", (stamp, stamp))
        code = subprocess.run([PROGRAM, "check", "--no-config", "-q", "."], capture_output=True)
        check(b"not of its object" not in code.stderr, "an object of %d: %s" % (year, code.stderr))
    print("%d compiles while clocks jump by a year, objects of 1970, 2038 and 2100: no wrong status" % (10 if QUICK else 100))


def network():
    """rename and related calls as on network file systems. For each error: is the record written?"""
    faults = [("named", b"rename", errno.ESTALE), ("named", b"rename", errno.EXDEV), ("named", b"rename", errno.EBUSY),
              ("done", b"rename", errno.EIO), ("done", b"rename", errno.ENOENT), ("done", b"rename", errno.ESTALE),
              ("named", b"linkat", errno.ESTALE), ("named", b"linkat", errno.EOPNOTSUPP),
              ("named", b"open", errno.ESTALE), ("named", b"close", errno.EDQUOT),
              ("named", b"unlink", errno.ESTALE)]
    tries = 0
    for kind, name, error in faults:
        for old in (False, True):
            for strict in (False, True):
                clear()
                if old:
                    start("n.o", FAKE_SAY="clean.txt").wait()
                process = start("n.o", ["--strict"] if strict else [], FAKE_SAY="many.txt", **shim(kind, error, 0, name))
                status, what = process.wait(), "%s %s %s" % (kind, name.decode(), errno.errorcode[error])
                harmless = name == b"unlink"
                check(status in ((0,) if not strict else (0, 3) if harmless else (3,)), "%s: status %d %s" % (what, status, said()))
                check(not os.path.exists("n.o" + RECORD) or is_whole("n.o" + RECORD), what + ": torn")
                check(harmless or said(), what + ": nothing said")
                check(status != 0 or os.path.exists("n.o"), what + ": no object")
                tries += 1
    print("%d compiles with what network file systems answer (%s): records whole or absent" %
          (tries, ", ".join(sorted({errno.errorcode[error] for _, _, error in faults}))))


os.chdir(WORK)
for file_name, text in (("nvcc", NVCC), ("k.cu", ""), ("clean.txt", kernels(0, 3)), ("spill.txt", kernels(8, 1)), ("many.txt", kernels(0, 400))):
    with open(file_name, "w") as file:
        file.write(text)
os.chmod("nvcc", 0o755)
parts = [many, killed, read_only, mounted] + ([full_disk, clock, network] if SHIM else [])
for part in parts if len(sys.argv) < 5 else [globals()[sys.argv[4]]]:
    part()
    clear()
if not SHIM:
    print("skipped: full disks, clocks that jump, network file systems: no library can stand before this build's libc")
print("%d failures" % failures)
sys.exit(failures > 0)
