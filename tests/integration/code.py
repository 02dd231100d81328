#!/usr/bin/env python3
"""usage: code.py OBJECT...

A digest of what runs: of every section of every cubin in each object, but for the note in which ptxas writes down its
options, and of the host's machine code (.text; not of a linked program: how long those notes are moves addresses in
it). The objects must be compiled with --no-compress."""
import hashlib
import struct
import sys


def sections(elf):
    """Name and bytes of each section of an ELF file of 64 bits that begins at the start of `elf`."""
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", elf, table + at * size) for at in range(count)]
    for name, kind, _, _, offset, length in heads:
        start = heads[names][4] + name
        text = elf[start:elf.index(b"\0", start)].decode()
        yield text, b"" if kind == 8 else elf[offset:offset + length]


def cubins(data):
    """What of `data` is an ELF file for a GPU (machine 190)."""
    at = data.find(b"\x7fELF")
    while at >= 0:
        if data[at + 18:at + 20] == b"\xbe\0":
            yield data[at:]
        at = data.find(b"\x7fELF", at + 4)


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        data = file.read()
    digest, count = hashlib.sha256(), 0
    relocatable = data[16] == 1
    for name, text in sections(data):
        if name.startswith(".text") and relocatable:
            digest.update(name.encode() + text)
    for cubin in cubins(data):
        count += 1
        for name, text in sections(cubin):
            if name != ".note.nv.tkinfo":
                digest.update(name.encode() + text)
    print(path.rsplit("/", 1)[-1], count, "cubins", digest.hexdigest())
