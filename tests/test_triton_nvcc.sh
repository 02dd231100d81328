#!/bin/sh
# usage: test_triton_nvcc.sh PROGRAM SOURCE_DIR
#
# Folders in Triton's layout: cubins and PTX of our own kernel, made by nvcc and ptxas, with metadata in the documented
# form. They are read, judged, and compared after every hash changed. Also entries that are incomplete, of an unknown
# version or for AMD, and symbolic links. Skipped without nvcc.
set -u
export program="$1"
source=$2
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc"
    exit 0
fi
. "$source/tests/cases.sh"
unset TRITON_PTXAS_PATH

compile() # name, tile, options of ptxas...
{
    name=$1 tile=$2
    shift 2
    nvcc -lineinfo -arch=compute_90 -DTILE="$tile" -ptx -o "$name.ptx" "$source/tests/data/triton/kernel.cu" &&
        ptxas -arch=sm_90 -lineinfo "$@" -o "$name.cubin" "$name.ptx" || echo "FAIL $name does not compile"
}

entry() # folder, code, warps, stages, maxnreg, shared memory
{
    mkdir -p "$1"
    cp "$2.cubin" "$1/matmul_kernel.cubin"
    cp "$2.ptx" "$1/matmul_kernel.ptx"
    : >"$1/matmul_kernel.ttir"
    echo '{"child_paths": {}}' >"$1/__grp__matmul_kernel.json"
    cat >"$1/matmul_kernel.json" <<END
{"hash": "$(basename "$1")", "target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": $3,
 "num_ctas": 1, "num_stages": $4, "maxnreg": $5, "cluster_dims": [1, 1, 1], "ptx_version": null, "debug": null,
 "extern_libs": [["libdevice", "libdevice.10.bc"]], "backend_name": "cuda", "shared": $6, "name": "matmul_kernel"}
END
}

# Shows the cache without its hashes.
cache() # folder, letter that its hashes begin with, code of the last entry
{
    entry "$1/${2}111" small 4 3 null 16384
    entry "$1/${2}222" large 4 3 null 16384
    entry "$1/${2}333" capped 4 3 40 16384
    entry "$1/${2}444" "$3" 8 2 null 65536
}

compile small 8
compile large 32
compile capped 48 -maxrregcount 40
cache cache A small
find cache -type f -exec cksum {} + | sort >before

report() { "$program" report --no-config --format ndjson "$@"; }
expect 0 '^    8       2        -  65536    40          0/0       3   37.5%  shared_memory$' 'each configuration is a row' \
    "$program" report --no-config cache
report cache >cache.ndjson
expect 0 '^4$' 'the cache has four kernels' grep -c '"type":"kernel"' cache.ndjson
expect 0 '^3$' 'block size and shared memory are those of the metadata' \
    grep -c '"threads":128,"threads_from":"triton".*"dynamic_smem_bytes":16384' cache.ndjson
expect 0 '^3$' 'code that does not access local memory: 0 bytes of spills' grep -c '"spill_store_bytes":0,.*"spills_from":"code"' cache.ndjson
expect 0 '"spill_store_bytes":[1-9].*"spills_from":"ptxas"' 'code that accesses local memory: ptxas states its spills' \
    grep 'maxnreg=40' cache.ndjson
expect 0 '"file":"[^"]*matmul.py","line":1[0-9]' 'source lines are those of the Python file' grep 'maxnreg=40' cache.ndjson
expect 0 '' 'records are read and written unchanged' in_shell \
    '"$program" report --no-config --format ndjson cache.ndjson | cmp - cache.ndjson'
expect 1 '^matmul.py:1[0-9]: error: matmul_kernel \[num_warps=4, num_stages=3, maxnreg=40\] \(sm_90\): spills' 'check reports a spill at its Python line' \
    "$program" check --no-config cache
export TRITON_PTXAS_PATH=/bin/false
expect 0 '"spill_store_bytes":null' 'without ptxas spills are null' in_shell \
    '"$program" report --no-config --format ndjson cache | grep maxnreg=40'
expect 0 '"spill_store_bytes":[1-9]' '--ptxas takes precedence over TRITON_PTXAS_PATH' in_shell \
    '"$program" report --no-config --ptxas "$(command -v ptxas)" --format ndjson cache | grep maxnreg=40'
unset TRITON_PTXAS_PATH
expect 2 "ptxas.*/nowhere/ptxas" '--ptxas of a missing file: status 2' "$program" report --no-config --ptxas /nowhere/ptxas cache
find cache -type f -exec cksum {} + | sort >after
holds 'the cache is unchanged' cmp before after

# Another machine or a cleared cache: other hashes, and so another order.
cache moved B small
mv moved/B111 moved/Z111
expect 0 '4 the same' 'diff after other hashes: all the same' "$program" diff --no-config cache moved
expect 0 '' 'a baseline of the cache' "$program" baseline write base.json --no-config cache
expect 0 'baseline: 4 entries expected, 4 seen; 4 the same' 'check --baseline after other hashes: all the same' \
    "$program" check --no-config --baseline base.json moved
cache worse C large
expect 1 'matmul_kernel \[num_warps=8, num_stages=2\] \(sm_90\): .*register-regression' 'one configuration is worse: register-regression' \
    "$program" check --no-config --baseline base.json worse
expect 1 '^baseline: 4 entries expected, 4 seen; 1 worse .*3 the same' 'one configuration is worse: three are the same' \
    "$program" check --no-config --baseline base.json worse

# Entries that cannot be judged are named and counted.
cp -r cache half
rm half/A111/matmul_kernel.cubin
head -c 900 large.cubin >half/A222/matmul_kernel.cubin
head -c 40 cache/A444/matmul_kernel.json >half/A444/matmul_kernel.json
expect 1 'half/A111/matmul_kernel: warning: not judged: it has no cubin' 'an entry without a cubin: a warning' "$program" check --no-config half
expect 1 'half/A222/matmul_kernel: warning: not judged: its cubin is incomplete or broken' 'a truncated cubin: a warning' \
    "$program" check --no-config half
expect 1 'half/A444/matmul_kernel: warning: not judged: its metadata is incomplete' 'truncated metadata: a warning' \
    "$program" check --no-config half
expect 1 '^3 entries of the Triton cache not judged' 'entries that are not judged are counted' "$program" check --no-config half
"$program" report --no-config half -o ndjson=half.ndjson 2>/dev/null
expect 1 '^3 entries of the Triton cache not judged' 'records count entries that are not judged' "$program" check --no-config half.ndjson
expect 3 'error: .*entries of a Triton cache were not judged' 'records of such a cache: status 3 under --strict' \
    "$program" check --no-config --strict --select low-occupancy half.ndjson
rm -r half/A333
entry half/A555 small 4 3 null 16384
expect 0 'verdict: passed' 'one entry can be judged: passed' "$program" check --no-config --select register-spill half
expect 3 'error: .*entries of a Triton cache were not judged' 'one entry can be judged: status 3 under --strict' \
    "$program" check --no-config --strict --select register-spill half
rm -r half/A555
expect 3 'no entry of this Triton cache can be judged' 'no entry can be judged: status 3' "$program" check --no-config half

cache odd D small
rm odd/D111/matmul_kernel.json
sed -i 's/num_warps/warps/' odd/D222/matmul_kernel.json
sed -i 's/"arch": 90/"arch": 80/' odd/D333/matmul_kernel.json
sed -i 's/"name": "matmul_kernel"/"name": "other_kernel"/' odd/D444/matmul_kernel.json
expect 3 'D111/matmul_kernel: warning: not judged: it has no metadata' 'an entry without metadata: a warning' "$program" check --no-config odd
expect 3 'D222/.*: the version of Triton is not known' 'metadata of an unknown version of Triton: a warning' "$program" check --no-config odd
expect 3 'D333/.*for another architecture than its metadata' 'metadata of another architecture: a warning' "$program" check --no-config odd
expect 3 'D444/.*no kernel of the name' 'metadata of another kernel: a warning' "$program" check --no-config odd

mkdir -p amd/E111
: >amd/E111/k.hsaco
echo '{"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}, "num_warps": 4, "shared": 0, "name": "k"}' \
    >amd/E111/k.json
expect 3 'amd/E111/k: warning: not judged: it is for an AMD GPU' "an entry for an AMD GPU: a warning" "$program" check --no-config amd

# Symbolic links, and folders of other programs.
mkdir -p links/F111 project
cp small.cubin outside.cubin
entry links/F222 small 4 3 null 16384
cp links/F222/matmul_kernel.json links/F222/matmul_kernel.ttir links/F111
ln -s "$work/outside.cubin" links/F111/matmul_kernel.cubin
ln -s "$work/cache" links/F333
expect 0 '^judged: 1 kernel for sm_90' 'links in the cache are not followed' "$program" check --no-config --ignore occupancy-cliff links
echo '{"name": "package", "num_warps": 4, "shared": 0}' >project/package.json
expect 3 'the folder has no records' 'JSON of another program is not a cache: status 3' "$program" check --no-config project
finish
