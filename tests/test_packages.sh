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

# ---- complete packages
kernels kernels.so kernels.cubin >expected || bad 'the binaries alone'
holds 'the binaries have at least 20 kernels' [ "$(wc -l <expected)" -ge 20 ]
for file in good.* stored.zip; do
    kernels "$file" >found
    holds "$file has the kernels of its binaries" cmp expected found
done
cp kernels.so again.so && kernels kernels.so again.so >expected
kernels library.whl >found
holds 'a wheel with a static library has its kernels' cmp expected found
expect 0 'good.whl.pkg/lib/kernels.so.' 'each member is an input of its own' "$warplint" report --no-config good.whl --format csv
expect 0 'for sm_90' '--summary of good.conda' "$warplint" report --no-config --summary --arch sm_90 good.conda
expect 3 'no kernels: --arch selects none' '--arch selects no kernel of a wheel: status 3' judge --arch sm_100 good.whl
expect 3 "kernels.so.: warning: spills" "doctor of a wheel names the member" "$warplint" doctor good.whl

mkdir objects
cp good.whl objects/
cp "$source/tests/data/binaries/cubin.log" .
expect 0 'objects/good.whl.pkg/lib/kernels.so.' '--objects reads packages in a folder' \
    "$warplint" report --no-config --objects objects cubin.log --format csv
cp checksum.whl objects/
expect 0 'objects/checksum.whl: warning: not judged: 1 member of this package' '--objects reports members that cannot be read' \
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
    'a package with PTX only: status 3' "$warplint" report --no-config --summary ptx.whl

# ---- hostile
expect 0 'verdict: passed' 'members with paths outside the folder are judged' judge names.zip
expect 0 '' 'members with paths outside the folder are reported' "$warplint" report --no-config --all names.zip -o text=made/text -o json=made/json
holds 'JSON has the name of a member unchanged' grep -q 'names.zip(käthe.so)' made/json
expect 0 '^sm_90a +14 .*names.zip\(/root/.x1b.31m' '--summary escapes the name of a member' "$warplint" report --no-config --summary names.zip
holds 'text and JSON have no control characters and no annotations' in_shell "! grep -q '$(printf '\033')' made/text made/json && ! grep -q '^::error' made/text"
expect 0 'verdict: passed' 'links in an archive are not followed' judge links.tar
holds 'the one regular file beside links is judged' in_shell "'$warplint' report --no-config links.tar --format csv | grep -c 'links.tar(up/kernels.so)'"
expect 3 'packages are in packages more than 4 deep' 'packages nested more than 4 deep: status 3' judge deep.zip
for file in bomb.tar.gz ${WARPLINT_TEST_QUICK:-bomb.so.tar.gz}; do
    [ ! -e "$file" ] || expect 3 'unpacks to more than 64 times its size and 512 MiB' "$file unpacks to too many bytes: status 3" judge "$file"
done
holds 'no temporary file is left' in_shell '[ -z "$(ls -A tmp)" ]'
holds 'nothing is written outside the temporary folder' in_shell '[ ! -e ../etc ] && [ ! -e up ]'

# ---- damaged
expect 0 'checksum.whl.pkg/kernels.cubin.: warning: .*not judged: .*CRC' 'a wrong checksum: a warning' judge checksum.whl
expect 3 'members of a package cannot be read: --strict' 'a wrong checksum: status 3 under --strict' judge --strict checksum.whl
"$warplint" report --no-config checksum.whl -o ndjson=made/checksum.ndjson 2>made/said
expect 0 'checksum.whl: warning: not judged: 1 member of this package' 'records of a package with a wrong checksum: a warning' \
    judge made/checksum.ndjson
expect 0 '^1 member of a package not judged' 'records of a package with a wrong checksum: the report counts the member' judge made/checksum.ndjson
expect 3 'members of a package cannot be read: --strict' 'records of a package with a wrong checksum: status 3 under --strict' \
    judge --strict made/checksum.ndjson
sed 's/,"unread_members":1//' made/checksum.ndjson >made/older.ndjson
expect 0 'verdict: passed' 'records without unread_members, as of an older version: passed' judge --strict made/older.ndjson
expect 0 '"unread_members":1' 'JSON counts unread members' judge --format json checksum.whl
expect 0 'encrypted.whl.pkg/kernels.cubin.: warning: .*it is encrypted' 'an encrypted member: a warning' judge encrypted.whl
expect 0 'not judged: 1 member of this package' 'an encrypted member is counted' judge encrypted.whl
expect 3 ': --strict does not accept' 'an encrypted member: status 3 under --strict' judge --strict encrypted.whl
expect 0 'broken.whl.broken.so.: warning: .*its headers state bytes beyond its end' 'a broken binary: a warning' judge broken.whl
expect 3 ': --strict does not accept' 'a broken binary: status 3 under --strict' judge --strict broken.whl
expect 3 'cut short: the list of its members is not there' 'a truncated wheel: status 3' judge cut.whl
expect 3 'cannot be read to its end' 'a truncated compressed archive: status 3' judge cut.tar.gz
head -c 50000 good.tar >half.tar
expect 3 'cannot be read to its end' 'a truncated tar archive: status 3' judge half.tar
expect 3 'no member of the package holds GPU code' 'a wheel without binaries: status 3' judge plain.whl
expect 3 'unpack a log first' 'a log in a zip archive: status 3' judge log.zip
gzip -c "$source/fixtures/demo/log.txt" >log.gz
expect 3 'is compressed: give the output of .gzip -dc.' 'a compressed log: status 3' judge log.gz
expect 3 'cannot be read|no temporary file can be written' 'no temporary folder: status 3' env TMPDIR=/no-such-folder "$warplint" check good.whl
finish
