// usage: query.mjs SQL
//
// Replaces `duckdb -c SQL`: runs the statement in a real DuckDB (@duckdb/node-api) and prints a line of names and one
// line per row, with tabs between the values.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const modules = createRequire(new URL('../../build-tools/package.json', import.meta.url));
const { DuckDBInstance } = await import(pathToFileURL(modules.resolve('@duckdb/node-api')));
const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
const reader = await connection.runAndReadAll(process.argv[2]);
console.log(reader.columnNames().join('\t'));
for (const row of reader.getRows())
    console.log(row.join('\t'));
