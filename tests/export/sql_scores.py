#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores that the exported SQL gives in SQLite, against those of `lerp apply`.

    sql_scores.py LERP APPLY_SCORES SHARED

On the benchmark Family too, where SHARED has it.
"""

import pathlib
import sqlite3
import sys
import tempfile

import apply_cases


FAMILY = pathlib.Path(__file__).parent / "family.rules"  # every fifth rule with a body of a list of 1,200


def scores_in_sqlite(lerp, folder, rules, data):
    """All that is derived with its score, and what the view of new facts holds."""
    apply_cases.run(lerp, "export", rules, data, "--format", "sql", "--out", folder / "rules.sql",
                    "--facts", folder / "facts.sql")
    database = sqlite3.connect(":memory:", isolation_level=None)
    for name in ("facts.sql", "rules.sql"):
        database.executescript((folder / name).read_text())
    rows = database.execute("SELECT subject, relation, object, asked, score FROM score").fetchall()
    new = set(database.execute("SELECT subject, relation, object FROM new_fact"))
    known = set(database.execute("SELECT subject, relation, object FROM fact"))
    assert new == {row[:3] for row in rows} - known, "new_fact is not what is derived and not known"
    groups = database.execute("SELECT count(DISTINCT rule_group) FROM rule WHERE rule_group > 0").fetchone()[0]
    weighed = "FROM candidate AS" in (folder / "rules.sql").read_text()
    return {tuple(row[:4]): row[4] for row in rows}, groups, weighed


def both_questions(scores):
    return {(*key[:3], asked): score for key, score in scores.items() for asked in ("object", "subject")}


def report(name, ours, theirs) -> int:
    different = apply_cases.differences(ours, theirs)
    print(f"{name}: {len(theirs)} facts scored, {len(different)} scores differ")
    for one in different[:10]:
        print("  ", *one)
    return len(different) + (not theirs)


def on_family(lerp, apply_scores, folder, data) -> int:
    """The questions of one entity in ten are asked of lerp too."""
    theirs, groups, _ = scores_in_sqlite(lerp, folder, FAMILY, data)
    assert groups > 0
    apply_cases.run(apply_scores, FAMILY, data, "list", folder / "family.tsv", 10)
    ours = apply_cases.scores_in(folder / "family.tsv")
    asked = {start(key) for key in ours}
    return report("Family", ours, {key: score for key, score in theirs.items() if start(key) in asked})


def start(key):
    return (key[0] if key[3] == "object" else key[2]), key[1], key[3]


def main() -> int:
    lerp, apply_scores, shared = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        apply_cases.make(lerp, folder, people=120, rules=30)
        for rules, aggregation in (("list", "list"), ("hand", "sum")):
            ours = apply_cases.applied(apply_scores, folder, rules, aggregation)
            theirs, groups, weighed = scores_in_sqlite(lerp, folder, folder / rules, folder / "data")
            if rules == "list":  # what no path leads to is no candidate
                assert groups > 0 and weighed, "the list tests neither groups nor pair rules"
                ours = {key: score for key, score in ours.items() if key in theirs}
            else:
                theirs = both_questions(theirs)
            wrong += report(rules, ours, theirs)
        data = pathlib.Path(shared, "datasets", "family")
        if data.exists():
            wrong += on_family(lerp, apply_scores, folder, data)
        else:
            print(f"Family: left out, there is no {data}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
