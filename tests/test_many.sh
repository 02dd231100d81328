#!/bin/sh
# usage: test_many.sh PROGRAM SOURCE_DIR
#
# The recipe "Many packages, many builds" of ci/README.md: its queries, taken from the text, over generated records
# (many_records.py), in DuckDB (@duckdb/node-api, ci/tools) and in two ClickHouse servers on loopback. Both must give
# the answers that follow from the way the records were generated. Tools that are not installed are skipped.
# WARPLINT_MANY=1000 generates that many packages, which are ten million records with WARPLINT_MANY_KERNELS=260: then
# the test only compares the two, and measures times (WARPLINT_MANY_RECORDS: a folder of records that was generated
# before).
# shellcheck disable=SC2086 # lists of words
set -u
source=$2
. "$source/tests/cases.sh"
export LC_ALL=C
packages=${WARPLINT_MANY:-21} kernels=${WARPLINT_MANY_KERNELS:-40}
modules=$source/build-tools/node_modules
duckdb= clickhouse=
if has node && [ -d "$modules/@duckdb/node-api" ]; then duckdb=yes; else skip 'DuckDB: no node or @duckdb/node-api (ci/tools)'; fi
if has clickhouse-server && has clickhouse-client; then clickhouse=yes; else skip 'ClickHouse: not installed (clickhouse-server)'; fi
if ! has python3 || [ -z "$duckdb$clickhouse" ]; then
    skip 'many packages: no python3, or no engine'
    finish
fi
if [ -n "${WARPLINT_MANY_RECORDS:-}" ]; then
    ln -s "$WARPLINT_MANY_RECORDS" records # made before
else
    python3 "$source/tests/many_records.py" "$packages" "$kernels" records || exit 1
fi

# The code blocks of the section: a query or a table goes to the file that its first line names, the commands to files
# of their own.
awk '/^## / { on = /^## Many packages/ }
     !on { next }
     /^```/ { language = substr($0, 4); if (language == "sh") file = "commands." ++number; next }
     language == "sql" && /^-- / { file = $2; sub(/:$/, "", file); next }
     language != "" { print >file }' "$source/ci/README.md"
[ "$(ls *.sql commands.* | tr '\n' ' ')" = 'commands.1 commands.2 commands.3 history.sql packages.sql spills.sql tables.sql toolkit.sql ' ] &&
    ok 'the blocks of the recipe' || bad "the blocks of the recipe: $(ls *.sql commands.*)"

timed() # name, command...
{
    name=$1 began=$(date +%s%N)
    shift
    "$@"
    status=$?
    [ -z "${WARPLINT_MANY:-}" ] || echo "$name: $((($(date +%s%N) - began) / 1000000)) ms" >&3
    return $status
}
exec 3>&1
questions='packages spills history toolkit'
mkdir answers.duckdb answers.clickhouse

# ---- DuckDB
if [ -n "$duckdb" ]; then
    mkdir bin
    printf '#!/bin/sh\nexec node "%s/tests/tools/query.mjs" "$2"\n' "$source" >bin/duckdb
    chmod +x bin/duckdb
    PATH=$work/bin:$PATH
    sed '/^duckdb -c "CREATE VIEW/d' commands.2 >load
    timed 'duckdb: load' sh load >out 2>err || bad 'DuckDB reads the records'
    for question in $questions; do
        sed -n '/^duckdb -c "CREATE VIEW/p' commands.2 | sed "s/packages.sql/$question.sql/" >ask
        timed "duckdb: $question" sh ask >out 2>err || bad "DuckDB: $question"
        sed 1d out >answers.duckdb/$question
    done
fi

# ---- ClickHouse: two connected servers
if [ -n "$clickhouse" ]; then
    ports=$(python3 -c '
import socket
sockets = [socket.socket() for _ in range(6)]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in sockets])')
    set -- $ports
    first=$1 second=$2
    for server in "first $1 $3 $5" "second $2 $4 $6"; do
        set -- $server
        mkdir "$1"
        cat >"$1/config.xml" <<XML
<yandex>
  <logger><level>error</level><console>1</console></logger>
  <tcp_port>$2</tcp_port><http_port>$3</http_port><interserver_http_port>$4</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
  <path>$work/$1/data/</path><tmp_path>$work/$1/tmp/</tmp_path><users_config>users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>50</max_concurrent_queries>
  <remote_servers><cluster>
    <shard><replica><host>127.0.0.1</host><port>$first</port></replica></shard>
    <shard><replica><host>127.0.0.1</host><port>$second</port></replica></shard>
  </cluster></remote_servers>
</yandex>
XML
        cat >"$1/users.xml" <<XML
<yandex>
  <profiles><default><insert_distributed_sync>1</insert_distributed_sync></default></profiles>
  <quotas><default></default></quotas>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
</yandex>
XML
        (cd "$1" && exec clickhouse-server --config-file=config.xml >said 2>&1 </dev/null) &
        pids="${pids:-} $!"
    done
    # Stops the servers before the folder is removed.
    trap 'kill $pids; wait $pids; chmod -R u+w "$work"; rm -rf "$work"' EXIT
    client() { clickhouse-client --host 127.0.0.1 "$@"; }
    for port in $first $second; do
        tries=0
        while ! client --port $port --query 'SELECT 1' >/dev/null 2>&1 && [ $tries -lt 150 ]; do
            sleep 0.2
            tries=$((tries + 1))
        done
        client --port $port --multiquery <tables.sql >out 2>err || bad 'ClickHouse: the tables'
    done
    sed "/^clickhouse-client --query/d; s/clickhouse-client/& --host 127.0.0.1 --port $first/" commands.3 >load
    timed 'clickhouse: load' sh load >out 2>err || bad 'ClickHouse takes the records'
    for port in $first $second; do
        [ "$(client --port $port --query 'SELECT count() FROM kernels_here')" -gt 0 ] && ok 'clickhouse: a shard has rows' || bad 'clickhouse: a shard has rows'
    done
    echo "rows: $(client --port $second --query 'SELECT count() FROM kernels')"
    for question in $questions; do # of the other server, which has the same table over both
        sed -n '/^clickhouse-client --query/p' commands.3 |
            sed "s/packages.sql/$question.sql/; s/clickhouse-client/& --host 127.0.0.1 --port $second/" >ask
        timed "clickhouse: $question" sh ask >answers.clickhouse/$question 2>err || bad "ClickHouse: $question"
    done
fi

# ---- the answers
if [ -n "$duckdb$clickhouse" ] && [ -z "${WARPLINT_MANY:-}" ]; then
    mkdir expected
    python3 - "$packages" "$kernels" <<'END'
import collections, glob, gzip, json, sys
rows = []
for path in sorted(glob.glob("records/*/*.gz")):
    rows += [row for row in map(json.loads, gzip.open(path, "rt")) if row["type"] == "kernel"]
def write(question, lines):
    with open("expected/" + question, "w") as file:
        for line in lines:
            print(*line, sep="\t", file=file)
late = collections.defaultdict(set)
for row in rows:
    if row["date"] >= "2026-11-01":
        late[row["project"]].add(row["arch"])
write("packages", [[project] for project in sorted(late) if "sm_120" not in late[project]])
spills = [(-row["spill_store_bytes"] - row["spill_load_bytes"], row["project"], row["release"], row["kernel_id"], row["arch"])
          for row in rows if row["spill_store_bytes"]]
write("spills", [[*row[1:], -row[0]] for row in sorted(spills)[:10]])
write("history", [[row["date"], row["release"], row["registers"]] for row in rows
                  if (row["project"], row["kernel_id"], row["arch"]) == ("package-0003", "_Z7step0007Pff", "sm_90")])
most = collections.defaultdict(lambda: [0, 0])
for row in rows:
    key, number = (row["project"], row["kernel_id"], row["arch"]), row["toolkit"] == "13.0"
    most[key][number] = max(most[key][number], row["registers"])
archs = sorted({key[2] for key in most})
pairs = {arch: [most[key] for key in most if key[2] == arch] for arch in archs}
write("toolkit", [[arch, len(pairs[arch]), sum(b > a for a, b in pairs[arch]), sum(b < a for a, b in pairs[arch]),
                   max(b - a for a, b in pairs[arch])] for arch in archs])
END
    for question in $questions; do
        [ -s expected/$question ] && ok "$question: there is an answer" || bad "$question: there is an answer"
        [ -z "$duckdb" ] || holds "DuckDB: $question" diff expected/$question answers.duckdb/$question
        [ -z "$clickhouse" ] || holds "ClickHouse: $question" diff expected/$question answers.clickhouse/$question
    done
elif [ -n "$duckdb" ] && [ -n "$clickhouse" ]; then
    for question in $questions; do
        holds "both: $question, $(wc -l <answers.duckdb/$question) rows" diff answers.duckdb/$question answers.clickhouse/$question
    done
fi
finish
