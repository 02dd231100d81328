#!/usr/bin/env python3
"""usage: code.py [--sections] OBJECT...

Prints a digest of the code: of every section of every cubin in each object, except the note in which ptxas records its
options, and of the host's machine code (.text; not of a linked program, where the length of these notes moves addresses).
--sections: prints one line per section instead, of the object (H) and of each cubin in it (C 1 .. C n), with its type,
flags and a digest of its bytes; for the note (which also has sizes and names of options) its text without `-v`. The
objects must be compiled with --no-compress."""
import hashlib
import re
import struct
import sys


def sections(elf):
    """Name, type, flags and bytes of each section of an ELF file of 64 bits that begins at the start of `elf`."""
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", elf, table + at * size) for at in range(count)]
    for name, kind, flags, _, offset, length in heads:
        start = heads[names][4] + name
        text = elf[start:elf.index(b"\0", start)].decode()
        yield text, kind, flags, b"" if kind == 8 else elf[offset:offset + length]


def cubins(data):
    """The ELF files for a GPU (machine 190) in `data`."""
    at = data.find(b"\x7fELF")
    while at >= 0:
        if data[at + 18:at + 20] == b"\xbe\0":
            yield data[at:]
        at = data.find(b"\x7fELF", at + 4)


def list_sections(owner, elf):
    for name, kind, flags, content in sections(elf):
        if name == ".note.nv.tkinfo":
            print(owner, name, kind, flags, "-v" if b"-v " in content else "no -v")
            words = b" ".join(re.findall(rb"[ -~]{3,}", content)).split()
            content = b" ".join(word for word in words if word != b"-v")
            name += " without -v"
        print(owner, name, kind, flags, len(content), hashlib.sha256(content).hexdigest()[:16])


listed = sys.argv[1] == "--sections"
for path in sys.argv[1 + listed:]:
    with open(path, "rb") as file:
        data = file.read()
    if listed:
        if data[18:20] != b"\xbe\0":
            list_sections("H", data)
        for number, cubin in enumerate(cubins(data), 1):
            list_sections("C %d" % number, cubin)
        continue
    digest, count = hashlib.sha256(), 0
    relocatable = data[16] == 1
    for name, _, _, text in sections(data):
        if name.startswith(".text") and relocatable:
            digest.update(name.encode() + text)
    for cubin in cubins(data):
        count += 1
        for name, _, _, text in sections(cubin):
            if name != ".note.nv.tkinfo":
                digest.update(name.encode() + text)
    print(path.rsplit("/", 1)[-1], count, "cubins", digest.hexdigest())
