#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs exported rules in a real engine and compares what they derive with our own evaluation, fact by fact.

    run_engine.py ENGINE CASES_PROGRAM FOLDER_OF_PACKAGES

ENGINE is swipl, gringo, sqlite3, rdflib, oxigraph, duckdb or ladybug. Exits with 77 where it is not installed.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).parent
ABSENT = 77


def run(command, **more):
    """Standard output as it is: text mode would change line ends."""
    return subprocess.run(command, check=True, capture_output=True, **more).stdout.decode()


def swipl(facts, rules):
    goal = ("use_module(library(http/json)), set_stream(user_output, encoding(utf8)),"
            "forall(distinct(derived(N,R,S,O)), (json_write(user_output, [N,S,R,O], [width(0)]), nl))")
    return [json.loads(line) for line in run(["swipl", "-q", "-g", goal, "-t", "halt", facts, rules]).splitlines()]


def gringo(facts, rules):
    text = run(["gringo", "--text", facts, rules])
    string = r'"((?:[^"\\]|\\.)*)"'
    plain = lambda spelled: re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], spelled)
    rows = []
    for number, relation, subject, obj in re.findall(rf"^derived\((\d+),{string},{string},{string}\)\.$", text, re.M):
        rows.append([int(number), plain(subject), plain(relation), plain(obj)])
    return rows


def sqlite3(facts, rules):
    import sqlite3 as engine

    database = engine.connect(":memory:", isolation_level=None)
    for path in (facts, rules):
        database.executescript(path.read_bytes().decode())
    return [list(row) for row in database.execute("SELECT rule, subject, relation, object FROM derived")]


def rdflib(facts, rules):
    import rdflib as engine

    def name(term):
        own = "urn:lerp:"
        return urllib.parse.unquote(str(term)[len(own):]) if str(term).startswith(own) else str(term)

    graph = engine.Graph()
    graph.parse(str(facts), format="nt")
    found = graph.query(rules.read_bytes().decode())
    return [[int(row.rule), name(row.subject), name(row.relation), name(row.object)] for row in found]


def in_node(engine, packages):
    return lambda facts, rules: json.loads(
        run(["node", str(HERE / "run_engine.mjs"), engine, packages, str(facts), str(rules)]))


FORMATS = {"swipl": "prolog", "gringo": "asp", "sqlite3": "sql", "rdflib": "sparql", "oxigraph": "sparql",
           "duckdb": "sql", "ladybug": "cypher"}
LOCAL = {"swipl": swipl, "gringo": gringo, "sqlite3": sqlite3, "rdflib": rdflib}


def with_rdflib() -> bool:
    """Starts again under the distribution's Python where only that one has rdflib."""
    try:
        import rdflib  # noqa: F401
        return True
    except ImportError:
        system = "/usr/bin/python3"
        if sys.executable != system and shutil.which(system):
            sys.exit(subprocess.run([system, *sys.argv]).returncode)
        return False


def main() -> int:
    engine, cases, packages = sys.argv[1:]
    program = engine if engine in ("swipl", "gringo") else None if engine in LOCAL else "node"
    if (program and not shutil.which(program)) or (engine == "rdflib" and not with_rdflib()):
        print(f"skipped: {engine} is not installed (./dev test installs it)")
        return ABSENT
    derive = LOCAL.get(engine) or in_node(engine, packages)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        run([cases, folder])
        for case in sorted(pathlib.Path(folder).iterdir()):
            expected = {tuple(row) for row in json.loads((case / "expected.json").read_text(encoding="utf-8"))}
            try:
                rows = derive(case / f"facts.{FORMATS[engine]}", case / f"rules.{FORMATS[engine]}")
            except subprocess.CalledProcessError as failed:
                if failed.returncode == ABSENT:
                    print(f"skipped: {engine} is not installed (./dev test installs it)")
                    return ABSENT
                print(f"{engine}, {case.name}: exit {failed.returncode}\n{failed.stderr.decode()[-2000:]}")
                return 1
            derived = {tuple(row) for row in rows}
            print(f"{engine}, {case.name}: {len(derived)} facts derived, {len(expected)} expected")
            if len(rows) != len(derived):
                print(f"{len(rows) - len(derived)} facts came more than once")
                wrong += 1
            for kind, facts in (("missing", expected - derived), ("not expected", derived - expected)):
                for fact in sorted(facts)[:10]:
                    print(f"  {kind}: {fact}")
                wrong += len(facts)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
