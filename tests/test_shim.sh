#!/bin/sh
# usage: test_shim.sh PROGRAM SOURCE_DIR
#
# The folder of `wrap --install-shim`: builds that find nvcc by its path, as make, CMake and setuptools do, find the
# compiler, its version, headers and libraries there. With a stand-in for the toolkit, and with the real one.
set -u
warplint=$1 source=$2
. "$source/tests/cases.sh"
XDG_CACHE_HOME=$work/cache
export warplint work XDG_CACHE_HOME
unset CUDA_HOME CUDA_PATH CUDACXX

# ---- a toolkit of scripts
mkdir -p cuda-9.9/bin cuda-9.9/include cuda-9.9/lib64 cuda-9.9/nvvm/bin
cp "$source/tests/fake-nvcc" cuda-9.9/bin/nvcc
printf '#!/bin/sh\necho from the toolkit\n' >cuda-9.9/bin/cuobjdump
chmod +x cuda-9.9/bin/cuobjdump
echo '#define CUDA_VERSION 9090' >cuda-9.9/include/cuda.h
: >cuda-9.9/bin/nvcc.profile
ln -s cuda-9.9 cuda
cat >spill.txt <<'SAY'
ptxas info    : Compiling entry function '_Z3badPf' for 'sm_90'
ptxas info    : Function properties for _Z3badPf
    8 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers
SAY
touch a.cu
clean=$PATH
expect 0 "^make NVCC='$work/shim/bin/nvcc' CUDA_HOME='$work/shim'\$" '--install-shim prints the make command' "$warplint" wrap --install-shim shim -- "$work/cuda/bin/nvcc"
(eval "$("$warplint" wrap --install-shim "it's" -- "$work/cuda/bin/nvcc" | sed -n 2p)" && echo "$CUDACXX") >line
is_line() { grep -qxF "$work/it's/bin/nvcc" line; }
holds 'a quote in the folder name is quoted in that command' is_line
for path in include/cuda.h lib64 nvvm/bin bin/nvcc.profile bin/cuobjdump bin/../include/cuda.h; do
    holds "the shim has the file of the toolkit: $path" test shim/$path -ef cuda/$path
done
expect 0 'from the toolkit' 'other tools of the shim are those of the toolkit' shim/bin/cuobjdump
FAKE_SAY=spill.txt expect 1 'register-spill' 'nvcc of the shim by its path: a finding fails' shim/bin/nvcc -c a.cu -o x.o
FAKE_SAY=spill.txt expect 1 'register-spill' 'nvcc of the shim first in PATH: a finding fails' env PATH="$work/shim/bin:$clean" nvcc -c a.cu -o x.o
FAKE_SAY=spill.txt expect 1 'register-spill' 'wrap of nvcc of the shim: one finding' "$warplint" wrap -- shim/bin/nvcc -c a.cu -o x.o
FAKE_SAY=spill.txt FAKE_ARGS=args expect 0 '^-Xptxas=-v -c a.cu -o x.o $' 'wrap of nvcc of the shim: options are added once' in_shell '"$warplint" wrap --record-only -- "$work/shim/bin/nvcc" -c a.cu -o x.o && tr "\n" " " <args'
FAKE_STATUS=7 expect 7 '' "the status of the compiler is passed on" shim/bin/nvcc -c a.cu -o x.o
expect 0 '' 'the shim is made again from its own nvcc, with options' env PATH="$work/shim/bin:$clean" "$warplint" wrap --record-only --install-shim=shim --no-config -- nvcc
expect 0 "^--record-only --no-config -- $work/cuda/bin/nvcc \$" 'the shim stores its options and the real nvcc' in_shell 'tr "\n" " " <shim/bin/nvcc.warplint'
FAKE_SAY=spill.txt expect 0 '' 'each compile uses the stored options' in_shell 'shim/bin/nvcc -c a.cu -o x.o && grep -q "^.*_Z3badPf" x.o.warplint.ndjson'
mkdir -p cuda-10/bin
cp cuda-9.9/bin/nvcc cuda-9.9/bin/nvcc.profile cuda-10/bin
expect 0 '' 'the shim is made again for another toolkit' "$warplint" wrap --install-shim shim -- cuda-10/bin/nvcc
holds 'nothing of the earlier toolkit is left in the shim' test ! -e shim/include
FAKE_SAY=spill.txt expect 1 'register-spill' 'nvcc of the shim from another folder: a finding fails' in_shell 'mkdir -p deep && cd deep && touch a.cu && FAKE_SAY=../spill.txt ../shim/bin/nvcc -c a.cu -o x.o'

mkdir -p view/bin view/include && ln -s "$work"/cuda-9.9/bin/* view/bin && : >view/include/cudnn.h
expect 0 '' 'a toolkit of links to files' "$warplint" wrap --install-shim viewed -- view/bin/nvcc
holds 'the shim has the headers of the folder that nvcc looks in' test viewed/include/cudnn.h -ef view/include/cudnn.h
mkdir around && ln -s ../cuda/bin around/bin && mkdir around/include
expect 0 '' 'a toolkit with a link to bin' "$warplint" wrap --install-shim beyond -- around/bin/nvcc
holds 'the shim has the headers of the linked toolkit' test beyond/include/cuda.h -ef cuda/include/cuda.h

mkdir full && echo mine >full/include
expect 3 'full: error: is not empty and was not made by --install-shim' "a folder with other files: status 3" "$warplint" wrap --install-shim full -- cuda/bin/nvcc
expect 0 '^mine$' 'the other files are unchanged' cat full/include
: >file
expect 3 'file: error: cannot be read: Not a directory' 'a file' "$warplint" wrap --install-shim file -- cuda/bin/nvcc
expect 3 'is not empty and was not made by' 'the folder of the toolkit: status 3' "$warplint" wrap --install-shim cuda -- cuda/bin/nvcc
holds 'nothing is written into the toolkit' test ! -e cuda/bin/nvcc.warplint
ln -s /bin/sh nvcc-cache
expect 3 'lies in no CUDA toolkit .*; name' 'a link to another program: status 3' "$warplint" wrap --install-shim none -- "$work/nvcc-cache"
mkdir scripts && printf '#!/bin/sh\nexec %s "$@"\n' "$work/cuda/bin/nvcc" >scripts/nvcc && chmod +x scripts/nvcc
expect 3 'lies in no CUDA toolkit .*; name' 'a script that does not print its toolkit: status 3' "$warplint" wrap --install-shim none -- scripts/nvcc
echo "#\$ _HERE_=$work/cuda/bin" >here.txt
FAKE_SAY=here.txt expect 0 '' 'a script that prints its toolkit: status 0' "$warplint" wrap --install-shim scripted -- scripts/nvcc
holds 'the shim has the files of that toolkit' test scripted/include/cuda.h -ef cuda/include/cuda.h
expect 0 "^-- $work/scripts/nvcc \$" 'the shim runs the script' in_shell 'tr "\n" " " <scripted/bin/nvcc.warplint'
expect 127 "is not in PATH" 'a missing compiler: status 127' "$warplint" wrap --install-shim none -- nvcc-of-nobody
expect 2 'takes one compiler' 'arguments after the compiler: status 2' "$warplint" wrap --install-shim none -- cuda/bin/nvcc -c a.cu
for option in --config --baseline --rules '-o json'; do
    case $option in -o*) given="${option}=x" ;; *) given="$option x" ;; esac
    # shellcheck disable=SC2086 # two words
    expect 2 "'x' is a relative path" "a relative path: status 2: $given" "$warplint" wrap $given --install-shim none -- cuda/bin/nvcc
done
holds 'the refused commands make no folder' test ! -e none
expect 0 '' 'absolute paths: status 0' "$warplint" wrap --config "$work/none.yaml" --install-shim kept -- cuda/bin/nvcc
expect 0 "^--config $work/none.yaml -- " 'absolute paths are stored' in_shell 'tr "\n" " " <kept/bin/nvcc.warplint'
expect 2 "--install-shim takes DIR, found ''" 'an empty folder name: status 2' "$warplint" wrap --install-shim '' -- cuda/bin/nvcc
for words in '--strict' '--strict --' ''; do
    printf '%s\n' $words >kept/bin/nvcc.warplint
    FAKE_SAY=spill.txt expect 2 'kept/bin/nvcc.warplint: error: is not what --install-shim writes' "invalid stored options: status 2: '$words'" kept/bin/nvcc -c a.cu -o x.o
done
rm kept/bin/nvcc.warplint && mkfifo kept/bin/nvcc.warplint
FAKE_SAY=spill.txt expect 2 'kept/bin/nvcc.warplint: error: is not a regular file' 'a pipe in place of the stored options: status 2' timeout 20 kept/bin/nvcc -c a.cu -o x.o

# ---- the real toolkit, used as builds use it
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null 2>&1; then
    echo "skipped: no nvcc: builds with the real toolkit"
    finish
fi
expect 0 '' 'a shim of the real toolkit' "$warplint" wrap --record-only --install-shim real
{
    echo '#include <cuda.h>'
    echo '#include <cuda_runtime.h>'
    echo '__global__ void k(float *p) { p[threadIdx.x] *= 2; }'
} >whole.cu
cat >Makefile <<'MAKE'
CUDA_HOME ?= /usr/local/cuda
NVCC ?= $(CUDA_HOME)/bin/nvcc
VERSION := $(shell which $(NVCC) >/dev/null && $(NVCC) --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
INCLUDE := $(shell dirname $(shell which $(NVCC)))/../include
whole.o: whole.cu
	@test -n "$(VERSION)" && test -f $(INCLUDE)/cuda.h && test -d $(CUDA_HOME)/lib64 && test -f $(CUDA_HOME)/include/cuda.h
	$(NVCC) -I$(INCLUDE) -arch=sm_90 -c $< -o $@
MAKE
expect 0 '' 'nvcc of the shim has the version of nvcc' in_shell 'nvcc --version >v1 && real/bin/nvcc --version >v2 && cmp v1 v2'
record() { grep -q _Z1kPf whole.o.warplint.ndjson; }
if has make; then
    for way in "NVCC=$work/real/bin/nvcc" "CUDA_HOME=$work/real" NVCC=nvcc; do
        rm -f whole.o whole.o.warplint.ndjson
        # shellcheck disable=SC2086 # one word
        holds "make $way" env PATH="$work/real/bin:$PATH" make $way
        holds "make $way: a record" record
    done
fi
if has cmake && has make; then
    mkdir cm && cp whole.cu cm
    printf 'cmake_minimum_required(VERSION 3.22)\nproject(p LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nmessage(STATUS "headers ${CUDAToolkit_INCLUDE_DIRS}")\nadd_library(whole OBJECT whole.cu)\n' >cm/CMakeLists.txt
    holds 'CMake with CUDACXX: configure' env CUDACXX="$work/real/bin/nvcc" cmake -G 'Unix Makefiles' -S cm -B cm/build -DCMAKE_CUDA_ARCHITECTURES=90
    holds 'CMake with CUDACXX: build' cmake --build cm/build
    holds 'CMake with CUDACXX: a record' in_shell 'find cm/build -name "whole*.warplint.ndjson" | grep -q .'
fi
if has python3; then
    cat >ask.py <<'PY'
import os, shutil, subprocess
home = os.environ.get("CUDA_HOME") or os.path.dirname(os.path.dirname(shutil.which("nvcc")))
nvcc = os.path.join(home, "bin", "nvcc")
assert b"release" in subprocess.check_output([nvcc, "-V"])
assert os.path.isfile(os.path.join(home, "include", "cuda.h")) and os.path.isdir(os.path.join(home, "lib64"))
subprocess.check_call([nvcc, "-I" + os.path.join(home, "include"), "-arch=sm_90", "-c", "whole.cu", "-o", "whole.o"])
PY
    for way in "CUDA_HOME=$work/real" "PATH=$work/real/bin:$PATH"; do
        rm -f whole.o whole.o.warplint.ndjson
        holds "setuptools finds the toolkit by ${way%%=*}" env "$way" python3 ask.py
        holds "setuptools finds the toolkit by ${way%%=*}: a record" record
    done
fi
finish
