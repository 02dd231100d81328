#!/bin/sh
# usage: test_shards.sh PROGRAM SOURCE_DIR
#
# The records of a build that was split over two folders are those of one build: merged they have the same bytes, and
# they get the same verdict. The compiler is tests/fake-nvcc, which prints the log beside each source.
set -u
program=$1 source=$2
. "$source/tests/cases.sh"
export program XDG_CACHE_HOME="$work/cache"
mkdir bin src && cp "$source/tests/fake-nvcc" bin/nvcc && chmod +x bin/nvcc
PATH=$work/bin:$PATH

# ---- six sources, each with the log of a fixture; two contain the same kernel of a header
at=0
for name in register-ceiling clean register-spill templates textures many-archs; do
    at=$((at + 1))
    : >"src/$at.cu"
    cp "$source/fixtures/$name/log.txt" "src/$at.log"
done
cat >>src/1.log <<'SAY'
ptxas info    : Compiling entry function '_Z6sharedPf' for 'sm_90'
ptxas info    : Function properties for _Z6sharedPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
SAY
tail -n 4 src/1.log >>src/4.log

build() # folder, sources...
{
    mkdir -p "$1/obj"
    folder=$1
    shift
    for at; do
        (cd "$folder" && FAKE_SAY=$work/src/$at.log "$program" wrap --no-config --record-only -- \
            nvcc -arch=sm_90 -c "../src/$at.cu" -o "obj/$at.o" >/dev/null 2>&1) || echo "source $at was not compiled"
    done
}
build one 1 2 3 4 5 6
build left 1 3 5
build right 6 4 2
"$program" merge one >one.ndjson
expect 0 '"type":"end","kernels":[1-9]' 'the whole build has kernels' tail -n 1 one.ndjson
expect 0 '' 'two folders merge to the whole build' sh -c '"$program" merge left right | cmp - one.ndjson'
expect 0 '' 'two folders in the other order merge to the whole build' sh -c '"$program" merge right left | cmp - one.ndjson'
expect 0 '' 'two folders below one folder merge to the same' sh -c 'mkdir all && cp -r left right all && "$program" merge all | sed "s/x/x/" >roof &&
    "$program" merge all/right all/left | cmp - roof'
mkdir -p elsewhere/left elsewhere/right elsewhere/one
for folder in left right one; do
    (cd "$folder" && find . -name '*.ndjson' | cpio -pdm --quiet "../elsewhere/$folder" 2>/dev/null) ||
        cp -r "$folder/." "elsewhere/$folder"
done
expect 0 '' 'copied folders merge to the same' sh -c 'cd elsewhere && "$program" merge one >one.ndjson &&
    "$program" merge left right | cmp - one.ndjson'
expect 0 '' 'merged streams of two machines merge to the whole build' sh -c '"$program" merge left >l && "$program" merge right >r &&
    "$program" merge r l | cmp - one.ndjson'
for format in csv json junit; do
    expect 0 '' "the verdict is the same: $format" sh -c '"$program" check --no-config --fail-on never --format '$format' one.ndjson >a
        "$program" merge left right | "$program" check --no-config --fail-on never --format '$format' - >b
        sed "s/<stdin>/one.ndjson/g" b | cmp - a'
done
expect 0 '' 'the merged records have as many kernels as the logs' sh -c 'want=$(cat src/*.log | grep -c "Compiling entry function")
    got=$(grep -c "\"kind\":\"entry\"" one.ndjson); [ "$want" = "$got" ] || { echo "$want in the logs, $got records"; exit 1; }'

# A missing shard is noticed.
expect 1 '' 'one of two folders is not the whole build' sh -c '"$program" merge left | cmp -s - one.ndjson'
"$program" baseline write --no-config base.json one >/dev/null
expect 3 'no record' 'a baseline finds that one folder is missing: status 3' "$program" check --no-config --baseline base.json left
expect 0 '' 'a baseline with both folders: status 0' "$program" check --no-config --baseline base.json left right

finish
