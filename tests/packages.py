"""usage: packages.py BINARIES: makes the packages of test_packages.sh in the working directory, from tests/data/binaries."""

import io
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

binaries = sys.argv[1]


def read(name):
    with open(f"{binaries}/{name}", "rb") as file:
        return file.read()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(members, mode=""):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:" + mode) as archive:
        for name, data in members:
            entry = tarfile.TarInfo(name)
            if isinstance(data, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, data
                archive.addfile(entry)
            else:
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def static_library(members):
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
    return out


program, cubin = read("zstd.elf"), read("cubin.elf")
files = [("pkg/__init__.py", b"x = 1\n"), ("pkg/lib/kernels.so", program), ("pkg/kernels.cubin", cubin)]

# ---- of each kind
write("good.whl", zipped(files))
write("stored.zip", zipped(files, zipfile.ZIP_STORED))
write("good.tar", tarred(files))
for mode in ("gz", "bz2", "xz"):
    write("good.tar." + mode, tarred(files, mode))
inner = tarred(files)
write("inner.tar", inner)
for suffix, command in (("zst", ["zstd", "-qc"]), ("lz4", ["lz4", "-qc"])):
    try:
        packed = subprocess.run([*command, "inner.tar"], stdout=subprocess.PIPE, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        continue
    write("good.tar." + suffix, packed)
    if suffix == "zst":
        write("good.conda", zipped([("metadata.json", b"{}"), ("pkg-good.tar.zst", packed)], zipfile.ZIP_STORED))
write("good.deb", static_library([("debian-binary", b"2.0\n"), ("control.tar.gz", tarred([("control", b"")], "gz")),
                                  ("data.tar.xz", tarred(files, "xz"))]))
write("library.whl", zipped([("libkernels.a", static_library([("a.o/", program), ("b.o/", program)]))]))

# ---- hostile, and damaged
write("names.zip", zipped([("../../../etc/kernels.so", program), ("/root/\x1b[31m\n::error::.cubin", cubin),
                           ("käthe.so", program)]))
write("links.tar", tarred([("kernels.so", "/etc/passwd"), ("up", "../../.."), ("up/kernels.so", program)]))
damaged = bytearray(zipped(files, zipfile.ZIP_STORED))
damaged[damaged.index(cubin) + 200] ^= 1  # the checksum differs
write("checksum.whl", damaged)
locked = bytearray(zipped(files))
for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # one member of three says that it is encrypted
    at = locked.index(mark, locked.index(mark, locked.index(mark) + 1) + 1)
    locked[at + flags] |= 1
write("encrypted.whl", locked)
broken = bytearray(program)
broken[0x28:0x30] = struct.pack("<Q", 1 << 40)  # section headers beyond the end
write("broken.whl", zipped([("broken.so", bytes(broken)), ("kernels.cubin", cubin)]))
write("cut.whl", zipped(files)[:-200])
write("cut.tar.gz", tarred(files, "gz")[:-4000])
write("plain.whl", zipped(files[:1]))
write("log.zip", zipped([("build.log", b"ptxas info    : 0 bytes gmem\n")]))
nest = zipped(files)
for _ in range(6):
    nest = zipped([("inner.zip", nest)], zipfile.ZIP_STORED)
write("deep.zip", nest)

# ---- bombs: a megabyte of zeros, packed on its own, as often as wanted
packer = zlib.compressobj(9, zlib.DEFLATED, -15)
mebibyte = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
def bomb(begin, mebibytes):
    start = zlib.compressobj(9, zlib.DEFLATED, -15)
    return start.compress(begin) + start.flush(zlib.Z_FULL_FLUSH) + mebibyte * mebibytes + b"\x03\x00"

header = tarfile.TarInfo("zeros.bin")
header.size = 600 << 20
write("bomb.tar.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + bomb(header.tobuf(), 600) + bytes(8))
header.name, header.size = "zeros.so", (600 << 20) + 64
write("bomb.so.tar.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + bomb(header.tobuf() + program[:64], 600) + bytes(8))
