#!/bin/sh
# usage: test_package.sh PROGRAM SOURCE_DIR
#
# The ways to bring the program to another machine: a static program that runs in an empty chroot, a wheel with it, and
# a .deb. The wheel and the .deb are installed in a clean Debian made by debootstrap. There the program must judge a
# log; the .deb's manual page must render and shells must complete. The chroots need root, the Debian also a network and
# debootstrap (ci/setup --packages); if they are missing, the parts are skipped with a message. Takes minutes: left out
# with WARPLINT_TEST_QUICK=1.
set -u
source=$2
if [ -n "${WARPLINT_TEST_QUICK:-}" ]; then
    echo 'skipped: packages, WARPLINT_TEST_QUICK is set'
    exit 0
fi
. "$source/tests/cases.sh"

make() # folder, options...
{
    folder=$1
    shift
    cmake -S "$source" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DWARPLINT_TESTS=OFF "$@" &&
        cmake --build "$folder" -j "$(nproc)"
}
log=$source/fixtures/demo/log.txt

# ---- static
expect 0 '' 'the build with WARPLINT_STATIC=FULL succeeds' make static -DWARPLINT_STATIC=FULL
expect 1 'not a dynamic executable|statically linked' 'the static program needs no shared library' sh -c 'ldd static/warplint; exit 1'
mkdir empty && cp static/warplint "$log" empty
if [ "$(id -u)" = 0 ]; then
    expect 1 '^verdict: FAILED, 8 errors and 6 warnings' 'the static program judges a log in an empty chroot' chroot empty /warplint check log.txt
    expect 0 '' 'the static program writes reports in an empty chroot' chroot empty /warplint report -o html=page.html -o json=all.json log.txt
    expect 0 '' 'the report of the chroot equals one from outside' sh -c 'cp empty/log.txt . && static/warplint report --no-config -o json=here.json log.txt &&
        cmp here.json empty/all.json'
    expect 0 'all 64 warps are active' 'the static program computes occupancy in an empty chroot' chroot empty /warplint occupancy --arch sm_90 --threads 256 --registers 32
    expect 127 'no-such-compiler' 'a missing compiler in an empty chroot: status 127' chroot empty /warplint wrap -- /no-such-compiler -c a.cu
else
    echo 'skipped: the empty chroot, not root'
fi

if has python3 && [ -e /usr/share/doc/libc6-dev/copyright ]; then
    expect 0 '^\./warplint-[0-9.]*-py3-none-manylinux_2_17_x86_64\.whl$' 'ci/wheel makes a wheel for manylinux 2.17' \
        "$source/ci/wheel" --program static/warplint
else
    skip 'the wheel, no python3 or no licences of libraries'
fi

# ---- the .deb
if ! command -v dpkg-deb >/dev/null || ! command -v dpkg-shlibdeps >/dev/null; then
    echo 'skipped: the .deb, no dpkg'
    finish
fi
expect 0 '' 'the build with WARPLINT_STATIC=OFF succeeds' make plain -DWARPLINT_STATIC=OFF
expect 0 'warplint_.*deb generated' 'cpack makes a .deb' sh -c 'cd plain && cpack -G DEB'
deb=$(ls plain/*.deb)
expect 0 'Depends: .*libc6 .*libpcre2-8-0 .*libyaml-0-2' 'the .deb depends on the libraries of the program' dpkg-deb --info "$deb"
expect 0 '/usr/share/zsh/vendor-completions/_warplint' 'the .deb has completions for zsh' dpkg-deb --contents "$deb"

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo 'skipped: installing it, not root or no debootstrap'
    finish
fi
# A root file system is made once; every test unpacks a fresh copy.
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
kept=$source/build-tools/root-$suite.tar
if [ ! -f "$kept" ]; then
    if ! debootstrap --variant=minbase --include=man-db,bash-completion,fish,zsh "$suite" root \
        http://deb.debian.org/debian >debootstrap.log 2>&1; then
        echo "skipped: installing it, debootstrap: $(tail -n 1 debootstrap.log)"
        finish
    fi
    mkdir -p "$source/build-tools"
    tar -cf "$kept.$$" -C root . && mv "$kept.$$" "$kept"
    rm -rf root
fi
mkdir root && tar -xf "$kept" -C root
cp "$deb" root/warplint.deb
cp "$log" root/build.log
cp /etc/resolv.conf root/etc/ 2>/dev/null
inside() { chroot root env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root TERM=dumb "$@"; }
if ! inside apt-get -qq update >apt.log 2>&1; then
    echo "skipped: installing it, apt-get: $(tail -n 1 apt.log)"
    finish
fi
expect 0 '' 'the .deb installs in a clean Debian' inside env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y --no-install-recommends install /warplint.deb
expect 1 '^verdict: FAILED, 8 errors and 6 warnings' 'the installed program judges a log' inside warplint check build.log
expect 0 'WARPLINT\(1\)' 'man renders the manual page' inside sh -c 'man warplint | cat'
expect 0 '^ *warplint check ' 'the manual page has the synopsis of check' inside sh -c 'man warplint | cat'
expect 0 '^check$' 'bash completes a command' inside bash -c '
    . /usr/share/bash-completion/bash_completion; _completion_loader warplint
    COMP_WORDS=(warplint ch); COMP_CWORD=1; _warplint; printf "%s\n" "${COMPREPLY[@]}"'
expect 0 '^sarif' 'fish completes a format' inside fish -c 'complete -C "warplint check --format sa"'
expect 0 '^_warplint$' 'zsh has the completion' inside zsh -f -c 'autoload -Uz compinit; compinit -u -D; print $_comps[warplint]'
expect 0 '' 'apt removes the .deb' inside env DEBIAN_FRONTEND=noninteractive apt-get -qq -y remove warplint
if [ -e warplint-*.whl ] && inside env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -y --no-install-recommends install python3-venv python3-pytest >apt.log 2>&1; then
    cp warplint-*.whl root/
    expect 0 '' 'a virtual environment in the clean Debian' inside python3 -m venv --system-site-packages /env
    expect 0 '' 'pip installs the wheel without a network' inside sh -c 'unshare -n /env/bin/pip install --no-index /warplint-*.whl'
    expect 0 '^warplint [0-9]' 'python -m warplint runs in the clean Debian' inside /env/bin/python -m warplint --version
    echo 'import warplint
def test_demo(): assert not warplint.check("/build.log").findings' >root/test_demo.py
    expect 1 'spills 864 B' 'pytest prints a finding in the clean Debian' inside /env/bin/python -m pytest -q /test_demo.py
else
    skip 'the wheel in a clean Debian'
fi
expect 1 '' 'removal of the .deb leaves no file' sh -c 'find root/usr -name "*warplint*" | grep .'
finish
