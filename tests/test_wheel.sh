#!/bin/sh
# usage: test_wheel.sh PROGRAM SOURCE_DIR
#
# The wheel of ci/wheel with the program of this build: its contents, its platform, and that it works after pip
# installed it: as a program, as a module, from Python and in pytest. test_package.sh tests the one with the static
# program in a clean Debian.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"

# The Python that has pytest, if there is one.
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || continue
    [ -n "$python" ] || python=$candidate
    if "$candidate" -c 'import pytest' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ] || ! has readelf; then
    skip 'the wheel: no Python 3.10 with pip and venv (python3-pip, python3-venv), or no readelf'
    finish
fi
if readelf -dW "$program" | grep -q 'NEEDED.*lib\(asan\|ubsan\|clang\)'; then
    expect 1 'needs .*asan.*, expected a program without shared libraries' 'a program with sanitizers: ci/wheel refuses it' \
        "$source/ci/wheel" --program "$program"
    finish
fi
log=$source/fixtures/demo/log.txt

# ---- contents
if ! "$source/ci/wheel" --program "$program" >out 2>err; then
    if grep -q 'no licence of\|needs lib' err; then
        skip "the wheel: $(cat err)"
        finish
    fi
    bad 'ci/wheel builds a wheel'
    finish
fi
wheel=$(cat out)
holds 'the name of the wheel has version and platform' in_shell "echo '$wheel' | grep -qE '^\./warplint-[0-9.]+-py3-none-manylinux_2_[0-9]+_x86_64\.whl$'"
mkdir again
holds 'the same program gives the same bytes' in_shell "sleep 1; '$source/ci/wheel' --program '$program' again && cmp '$wheel' again/*.whl"
holds 'SOURCE_DATE_EPOCH is the time of the files' in_shell "SOURCE_DATE_EPOCH=1750000000 '$source/ci/wheel' --program '$program' again &&
    '$python' -m zipfile -l again/*.whl | grep -q '2025-06-15 15:06:40'"
expect 1 'readelf.*non-zero exit status' 'a text file as the program: ci/wheel refuses it' "$source/ci/wheel" --program "$source/LICENSE"
cat >record.py <<'END'
import base64, csv, hashlib, io, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
(name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/RECORD")]
rows = {path: (digest, size) for path, digest, size in csv.reader(io.StringIO(wheel.read(name).decode()))}
assert sorted(rows) == sorted(wheel.namelist()), set(rows) ^ set(wheel.namelist())
for path, (digest, size) in rows.items():
    data = wheel.read(path)
    if path != name:
        assert int(size) == len(data), path
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), path
licences = [path for path in rows if "/licenses/" in path]
assert len(licences) > 8 and all(wheel.read(path) for path in licences), licences
END
holds 'RECORD has the hash of each file, and the licences are there' "$python" record.py "$wheel"

# ---- installed
holds 'a virtual environment is made' "$python" -m venv --system-site-packages env
holds 'pip installs the wheel' env/bin/pip -q install --no-index --disable-pip-version-check "$wheel"
cp "$log" log.txt
expect 0 "^$("$program" --version)\$" 'the installed command runs' env/bin/warplint --version
expect 0 "^$("$program" --version)\$" 'python -m warplint runs' env/bin/python -m warplint --version
expect 1 '^verdict: FAILED' 'python -m warplint returns the status of the program' env/bin/python -m warplint check log.txt
holds 'the installed program is unchanged' cmp "$program" env/bin/warplint

cat >checked.py <<'END'
import pathlib, warplint
log = pathlib.Path("log.txt")
failed = warplint.check(log)
assert len(failed.findings) == len(failed["findings"]) == 26 and failed["end"]["kernels"] == 19, failed["end"]
assert failed.findings[0]["rule"] == "register-spill", failed.findings[0]
assert warplint.check(log, options=["--fail-on", "never"]).findings == ()
for arguments, status, text in [(["absent.txt"], 3, "absent.txt"), (["--no-such"], 3, "--no-such")]:
    try:
        warplint.check(*arguments)
    except warplint.Error as error:
        assert error.status == status and text in str(error), error
    else:
        raise AssertionError(arguments)
try:
    warplint.check(log, options=["--fail-on", "sometimes"])
except warplint.Error as error:
    assert error.status == 2 and "sometimes" in str(error), error
else:
    raise AssertionError("a wrong option")
END
holds 'warplint.check returns findings, and raises an error if nothing was judged' env/bin/python checked.py
holds 'the installed command writes a baseline' env/bin/warplint baseline write base.json log.txt
sed 's/Used 96 registers/Used 168 registers/' log.txt >worse.txt
cat >compared.py <<'END'
import warplint
assert not warplint.check("log.txt", options=["--baseline", "base.json"]).findings
worse = warplint.check("worse.txt", options=["--baseline", "base.json"]).findings
assert "register-regression" in [finding["rule"] for finding in worse], worse
assert not [finding for finding in worse if finding["rule"] == "register-spill"], worse
END
holds 'warplint.check with a baseline returns new and worse findings' env/bin/python compared.py

if env/bin/python -c 'import pytest' 2>/dev/null; then
    cat >test_kernels.py <<'END'
import warplint

def test_passes():
    assert not warplint.check("log.txt", options=["--baseline", "base.json"]).findings

def test_fails():
    assert not warplint.check("log.txt").findings
END
    expect 1 '1 failed, 1 passed' 'pytest: one test fails, one passes' env/bin/python -m pytest -q -p no:cacheprovider test_kernels.py
    expect 1 'spills 864 B' 'pytest prints the finding' env/bin/python -m pytest -q -p no:cacheprovider test_kernels.py
else
    skip 'pytest (python3-pytest)'
fi
holds 'pip uninstalls the wheel' in_shell 'env/bin/pip -q uninstall -y warplint && ! ls env/bin/warplint 2>/dev/null'
finish
