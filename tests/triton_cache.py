#!/usr/bin/env python3
"""usage: triton_cache.py DATA FOLDER [--hashes TEXT] [--worse] [--moved] [--without-ptx]

Makes a cache in Triton's layout with 200 entries: 25 configurations of each of 8 kernels. Their code is that of
tests/data/triton with the kernel's name replaced by another of the same length. --hashes: the folders have other names,
and so another order; --worse: the code of one configuration has more registers; --moved: the source has more lines above
the kernels. FOLDER/ptxas prints what the real ptxas printed for this code.
"""
import argparse
import hashlib
import json
import os

NAME = b"matmul_kernel"
KERNELS = ["matmul_kernel", "softmax_inner", "attn_forwards", "attn_backward", "cross_entropy", "add_rms_norms",
           "rotary_embeds", "group_matmuls"]
# num_warps, num_stages, maxnreg, shared memory, code: 25 rows; the first two are one configuration.
CONFIGURATIONS = [(4, 3, None, 16384, "small"), (4, 3, None, 16384, "large"), (4, 3, 24, 16384, "capped")]
CONFIGURATIONS += [(warps, stages, None, 8192 * stages, code) for warps in (1, 2, 4, 8) for stages, code in
                   ((2, "small"), (4, "small"), (5, "large"), (6, "large"))]
CONFIGURATIONS += [(warps, stages, 24, 8192 * stages, "capped") for warps in (2, 8) for stages in (2, 4, 5)]
# An object as ptxas writes it; a cache has it in NAME.ptx, from which ptxas makes NAME.cubin.
PTXAS = """#!/bin/sh
for last in "$@"; do :; done
name=$(sed -n 's/^.visible .entry \\(.*\\)($/\\1/p' "$last")
exec sed "s/matmul_kernel/$name/g" "$(dirname "$0")/ptxas.log"
"""


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def add_entry(options, kernel, number):
    warps, stages, maxnreg, shared, code = CONFIGURATIONS[number]
    if options.worse and kernel == "attn_forwards" and (warps, stages, maxnreg) == (8, 4, None):
        code = "large"
    name = hashlib.sha256(f"{options.hashes}{kernel}{number}".encode()).hexdigest()
    folder = os.path.join(options.folder, name)
    os.makedirs(folder)
    stem = os.path.join(folder, kernel)
    source = "moved" if options.moved and code == "capped" else code
    with open(os.path.join(options.data, source + ".cubin"), "rb") as file:
        write(stem + ".cubin", file.read().replace(NAME, kernel.encode()))
    metadata = {"hash": name, "target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": warps,
                "num_ctas": 1, "num_stages": stages, "maxnreg": maxnreg, "cluster_dims": [1, 1, 1],
                "backend_name": "cuda", "shared": shared, "name": kernel}
    write(stem + ".json", json.dumps(metadata).encode())
    write(stem + ".ttir", b"")
    write(os.path.join(folder, f"__grp__{kernel}.json"), b'{"child_paths": {}}')
    if not options.without_ptx:
        write(stem + ".ptx", f".version 9.0\n.target sm_90\n.visible .entry {kernel}(\n)\n".encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("folder")
    parser.add_argument("--hashes", default="")
    for option in ("--worse", "--moved", "--without-ptx"):
        parser.add_argument(option, action="store_true")
    options = parser.parse_args()
    for kernel in KERNELS:
        assert len(kernel) == len(NAME)
        for number in range(len(CONFIGURATIONS)):
            add_entry(options, kernel, number)
    with open(os.path.join(options.data, "capped.log"), "rb") as file:
        write(os.path.join(options.folder, "ptxas.log"), file.read())
    write(os.path.join(options.folder, "ptxas"), PTXAS.encode())
    os.chmod(os.path.join(options.folder, "ptxas"), 0o755)


main()
