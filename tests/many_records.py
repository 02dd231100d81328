"""usage: many_records.py PACKAGES KERNELS FOLDER

Makes the records of PACKAGES packages, ten builds of each over a year, with KERNELS kernels for four architectures
(three in each seventh package): FOLDER/PROJECT/DATE.ndjson.gz, as the recipe of ci/README.md writes them.
"""

import datetime
import gzip
import os
import sys

packages, kernels, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for package in range(packages):
    project = f"package-{package:04}"
    os.makedirs(f"{folder}/{project}")
    for build in range(10):
        date = datetime.date(2026, 1, 5) + datetime.timedelta(days=36 * build)
        toolkit = "12.9" if build < 5 else "13.0"
        front = f'{{"project":"{project}","date":"{date}","release":"1.{build}","toolkit":"{toolkit}",'
        lines = [front + '"type":"run","schema":1,"tool":"warplint","version":"0.1.0"}']
        for kernel in range(kernels):
            for number, arch in enumerate(("sm_80", "sm_90", "sm_100", "sm_120")[: 3 if package % 7 == 0 else 4]):
                registers = 24 + (kernel * 37 + package * 11 + number * 5) % 200
                if build >= 5 and (kernel + package + number) % 13 == 0:
                    registers += 8 if kernel % 3 else -8  # what the new toolkit changed
                spill = 4 * (kernel + build) if (kernel * 31 + package * 17 + build * 7) % 997 == 0 else 0
                lines.append(
                    f'{front}"type":"kernel","kernel_id":"_Z7step{kernel:04}Pff","kind":"entry","arch":"{arch}",'
                    f'"registers":{registers},"spill_store_bytes":{spill},"spill_load_bytes":{spill}}}')
        with gzip.GzipFile(f"{folder}/{project}/{date}.ndjson.gz", "wb", compresslevel=1, mtime=0) as out:
            out.write(("\n".join(lines) + "\n").encode())
