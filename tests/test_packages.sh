#!/bin/sh
# usage: test_packages.sh PROGRAM SOURCE_DIR
#
# Wheels, zip and tar archives, .conda and .deb files, made by packages.py: complete ones give the kernels of their
# binaries; damaged, encrypted or hostile ones are named and do not pass with --strict. Needs python3.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
has python3 || {
    skip 'packages: no python3'
    finish
}
export TMPDIR="$work/tmp"
mkdir tmp made
python3 "$source/tests/packages.py" "$source/tests/data/binaries" || exit 1
cp "$source/tests/data/binaries/zstd.elf" kernels.so
cp "$source/tests/data/binaries/cubin.elf" kernels.cubin

# The kernels of a report, without the file's name, in an order that does not depend on it.
kernels() # FILE...
{
    "$warplint" report --no-config "$@" -o csv=made/kernels.csv >made/said 2>&1 || { cat made/said; return 1; }
    python3 - made/kernels.csv <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))
for row in rows:
    del row["log"]
print(*sorted(str(row) for row in rows), sep="\n")
END
}
judge() { "$warplint" check --no-config --ignore register-spill,dynamic-indexing "$@"; }

# ---- whole
kernels kernels.so kernels.cubin >expected || bad 'the binaries alone'
holds 'they have kernels' [ "$(wc -l <expected)" -ge 20 ]
for file in good.* stored.zip; do
    kernels "$file" >found
    holds "$file: the same kernels" cmp expected found
done
cp kernels.so again.so && kernels kernels.so again.so >expected
kernels library.whl >found
holds 'a static library in a wheel' cmp expected found
expect 0 'good.whl.pkg/lib/kernels.so.' 'an input for each member' "$warplint" report --no-config good.whl --format csv
expect 0 'for sm_90' 'good.conda: --summary' "$warplint" report --no-config --summary --arch sm_90 good.conda
expect 3 'no kernels: --arch selects none' 'no code for an architecture' judge --arch sm_100 good.whl
expect 3 "kernels.so.: warning: spills" "doctor" "$warplint" doctor good.whl

mkdir objects
cp good.whl objects/
cp "$source/tests/data/binaries/cubin.log" .
expect 0 'objects/good.whl.pkg/lib/kernels.so.' 'packages in a folder of --objects' \
    "$warplint" report --no-config --objects objects cubin.log --format csv
cp checksum.whl objects/
expect 0 'objects/checksum.whl: warning: not judged: 1 member of this package' 'and what of them is not read' \
    judge --objects objects cubin.log

# A fat binary with only PTX: every entry has the kind of PTX.
python3 - "$source/tests/data/binaries/family.fatbin" ptx.whl <<'END'
import struct, sys, zipfile
data = bytearray(open(sys.argv[1], "rb").read())
at = struct.unpack_from("<H", data, 6)[0]
while at < len(data):
    header, payload = struct.unpack_from("<IQ", data, at + 4)
    struct.pack_into("<H", data, at, 1)
    at += header + payload
zipfile.ZipFile(sys.argv[2], "w").writestr("pkg/kernels.fatbin", bytes(data))
END
expect 3 'ptx.whl: error: holds PTX for compute_100f, compute_120, compute_75 and no machine code: ' \
    'a package with PTX alone' "$warplint" report --no-config --summary ptx.whl

# ---- hostile
expect 0 'verdict: passed' 'names that lead away' judge names.zip
expect 0 '' 'they are shown' "$warplint" report --no-config --all names.zip -o text=made/text -o json=made/json
holds 'and are as they were stored' grep -q 'names.zip(käthe.so)' made/json
expect 0 '^sm_90a +14 .*names.zip\(/root/.x1b.31m' 'in the summary too' "$warplint" report --no-config --summary names.zip
holds 'without control characters' in_shell "! grep -q '$(printf '\033')' made/text made/json && ! grep -q '^::error' made/text"
expect 0 'verdict: passed' 'links are not followed' judge links.tar
holds 'one member of three is a file' in_shell "'$warplint' report --no-config links.tar --format csv | grep -c 'links.tar(up/kernels.so)'"
expect 3 'packages are in packages more than 4 deep' 'packages in packages' judge deep.zip
for file in bomb.tar.gz ${WARPLINT_TEST_QUICK:-bomb.so.tar.gz}; do
    [ ! -e "$file" ] || expect 3 'unpacks to more than 64 times its size and 512 MiB' "$file" judge "$file"
done
holds 'nothing is left of what was unpacked' in_shell '[ -z "$(ls -A tmp)" ]'
holds 'nothing was written beside the packages' in_shell '[ ! -e ../etc ] && [ ! -e up ]'

# ---- damaged
expect 0 'checksum.whl.pkg/kernels.cubin.: warning: .*not judged: .*CRC' 'a wrong checksum' judge checksum.whl
expect 3 'members of a package cannot be read: --strict' 'is no pass with --strict' judge --strict checksum.whl
"$warplint" report --no-config checksum.whl -o ndjson=made/checksum.ndjson 2>made/said
expect 0 'checksum.whl: warning: not judged: 1 member of this package' 'records say so, too' \
    judge made/checksum.ndjson
expect 0 '^1 member of a package not judged' 'and the verdict on them' judge made/checksum.ndjson
expect 3 'members of a package cannot be read: --strict' 'which is no pass with --strict' \
    judge --strict made/checksum.ndjson
sed 's/,"unread_members":1//' made/checksum.ndjson >made/older.ndjson
expect 0 'verdict: passed' 'records of an older version' judge --strict made/older.ndjson
expect 0 '"unread_members":1' 'JSON counts them' judge --format json checksum.whl
expect 0 'encrypted.whl.pkg/kernels.cubin.: warning: .*it is encrypted' 'an encrypted member' judge encrypted.whl
expect 0 'not judged: 1 member of this package' 'is counted' judge encrypted.whl
expect 3 ': --strict does not accept' 'and no pass with --strict' judge --strict encrypted.whl
expect 0 'broken.whl.broken.so.: warning: .*its headers state bytes beyond its end' 'a broken binary' judge broken.whl
expect 3 ': --strict does not accept' 'is no pass with --strict' judge --strict broken.whl
expect 3 'cut short: the list of its members is not there' 'a wheel that is cut short' judge cut.whl
expect 3 'cannot be read to its end' 'an archive that is cut short' judge cut.tar.gz
head -c 50000 good.tar >half.tar
expect 3 'cannot be read to its end' 'and one that is not compressed' judge half.tar
expect 3 'no member of the package holds GPU code' 'a wheel without binaries' judge plain.whl
expect 3 'unpack a log first' 'a log in a zip' judge log.zip
gzip -c "$source/fixtures/demo/log.txt" >log.gz
expect 3 'is compressed: give the output of .gzip -dc.' 'a log that is compressed' judge log.gz
expect 3 'cannot be read|no temporary file can be written' 'no folder for what is unpacked' env TMPDIR=/no-such-folder "$warplint" check good.whl
finish
