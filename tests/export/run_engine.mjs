// SPDX-License-Identifier: Apache-2.0
// run_engine.mjs ENGINE FOLDER_OF_PACKAGES FACTS RULES: prints the derived facts as JSON rows
// [rule, subject, relation, object]; exits with 77 where the engine is not installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [engine, packages, facts, rules] = process.argv.slice(2);
const require = createRequire(resolve(packages, "package.json"));
const text = (path) => readFileSync(path, "utf8");

function load(name) {
  try {
    return require(name);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    process.exit(77);
  }
}

async function duckdb() {
  const { DuckDBInstance } = load("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(text(facts));
  await connection.run(text(rules));
  const reader = await connection.runAndReadAll("SELECT rule, subject, relation, object FROM derived");
  return reader.getRows();
}

async function ladybug() {
  const { Connection, Database } = load("@ladybugdb/core");
  const connection = new Connection(new Database(":memory:"));
  await connection.query(text(facts));
  const results = await connection.query(text(rules));
  const rows = [];
  for (const result of [results].flat()) {
    for (const row of await result.getAll()) {
      rows.push([Number(row.rule), row.subject, row.relation, row.object]);
    }
  }
  return rows;
}

/// <urn:lerp:NAME> back to NAME; any other IRI is a name as it stands.
function name(term) {
  const own = "urn:lerp:";
  return term.value.startsWith(own) ? decodeURIComponent(term.value.slice(own.length)) : term.value;
}

async function oxigraph() {
  const { Store } = load("oxigraph");
  const store = new Store();
  store.load(text(facts), { format: "application/n-triples" });
  return store
    .query(text(rules))
    .map((row) => [
      Number(row.get("rule").value),
      name(row.get("subject")),
      name(row.get("relation")),
      name(row.get("object")),
    ]);
}

const rows = await { duckdb, ladybug, oxigraph }[engine]();
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
