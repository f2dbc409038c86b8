#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores that the exported SQL gives in SQLite, against those of `lerp apply`.

    sql_scores.py LERP APPLY_SCORES
"""

import pathlib
import sqlite3
import sys
import tempfile

import apply_cases


def scores_in_sqlite(lerp, folder, rules):
    """All that is derived with its score, and what the view of new facts holds."""
    apply_cases.run(lerp, "export", folder / rules, folder / "data", "--format", "sql", "--out", folder / "rules.sql",
                    "--facts", folder / "facts.sql")
    database = sqlite3.connect(":memory:", isolation_level=None)
    for name in ("facts.sql", "rules.sql"):
        database.executescript((folder / name).read_text())
    rows = database.execute("SELECT subject, relation, object, asked, score FROM score").fetchall()
    new = set(database.execute("SELECT subject, relation, object FROM new_fact"))
    known = set(database.execute("SELECT subject, relation, object FROM fact"))
    assert new == {row[:3] for row in rows} - known, "new_fact is not what is derived and not known"
    groups = database.execute("SELECT count(DISTINCT rule_group) FROM rule WHERE rule_group > 0").fetchone()[0]
    weighed = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'candidate'").fetchone()[0]
    return {tuple(row[:4]): row[4] for row in rows}, groups, weighed


def both_questions(scores):
    return {(*key[:3], asked): score for key, score in scores.items() for asked in ("object", "subject")}


def main() -> int:
    lerp, apply_scores = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        apply_cases.make(lerp, folder, people=120, rules=30)
        for rules, aggregation in (("list", "list"), ("hand", "sum")):
            ours = apply_cases.applied(apply_scores, folder, rules, aggregation)
            theirs, groups, weighed = scores_in_sqlite(lerp, folder, rules)
            if rules == "list":  # what no path leads to is no candidate
                assert groups > 0 and weighed, "the list tests neither groups nor pair rules"
                ours = {key: score for key, score in ours.items() if key in theirs}
            else:
                theirs = both_questions(theirs)
            different = apply_cases.differences(ours, theirs)
            print(f"{rules}: {len(theirs)} facts scored, {len(different)} scores differ")
            for one in different[:10]:
                print("  ", *one)
            wrong += len(different) + (not theirs)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
