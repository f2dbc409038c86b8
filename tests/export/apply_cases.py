# SPDX-License-Identifier: Apache-2.0
"""Rules of every kind on a small family graph, with the scores that `lerp apply` gives: for engines that do the same."""

import pathlib
import subprocess

# By hand: a chain, a chain with constraints, a pair rule, a rule without steps, names as constants are in AnyBURL's.
HAND = """2.31  mother(z,x) ∧ son(y,z) ∧ ¬∃w sister(w,x) ⇒ brother(y,x)
0.70  husband(y,x) ∧ (∃z son(z,x) ∨ ∃z daughter(z,x)) ⇒ father(y,x)
0.45  son(y,x) ⇒ mother(x,y)
-0.25 father(x,z) ∧ brother(z,y) ∧ ∃v (sister(v,y) ∧ ∃w mother(w,v)) ⇒ uncle(y,x)
0.125  x = y ∧ ∃z son(z,x) ⇒ brother(x,y)
0.375  son(x,z) ∧ daughter(w,z) ∧ sister(w,y) ⇒ brother(x,y)
"""

ANYBURL = """80\t60\t0.75\tbrother(X,Y) <= son(X,A), mother(A,Y)
20\t12\t0.6\tbrother(X,Y) <= brother(X,A), brother(A,Y)
33\t11\t0.33\tsister(X,Y) <= sister(Y,A), sister(A,X)
"""

# Rules without steps, one for each question about the same facts: distilling finds them on graphs with loops.
LOOPS = """-2.5 -0.5  x = y ∧ ∃z1 mother(z1,x) ∧ ¬∃z1 (son(z1,x) ∧ ∃z2 aunt(z2,z1)) ⇒ brother(x,y)
1.5 0.25  x = y ∧ ∃z1 mother(z1,x) ∧ ¬∃z1 (son(z1,x) ∧ ∃z2 aunt(z2,z1)) ⇒ brother(y,x)
"""


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True).stdout


def make(lerp: str, folder: pathlib.Path, people: int, rules: int) -> None:
    """The graph, and a distilled list (`list`), rules by hand (`hand`) and AnyBURL's (`anyburl`)."""
    run(lerp, "generate", "family", folder / "data", "--people", people, "--quiet")
    run(lerp, "train", folder / "data", "--out", folder / "run", "--set", "train.epochs=1", "--threads", 1, "--quiet")
    run(lerp, "distill", folder / "run", "--rules", rules, "--threads", 1, "--quiet", "--out", folder / "list")
    with open(folder / "list", "a", encoding="utf-8") as listed:
        listed.write(LOOPS)
    (folder / "hand").write_text(HAND)
    (folder / "anyburl").write_text(ANYBURL)


def applied(scores: str, folder: pathlib.Path, rules: str, aggregation: str) -> dict:
    """What lerp itself gives: (subject, relation, object, asked) to its score."""
    out = folder / f"{rules}-{aggregation}.tsv"
    run(scores, folder / rules, folder / "data", aggregation, out)
    return scores_in(out)


def scores_in(path: pathlib.Path) -> dict:
    return {tuple(key): float(score) for *key, score in (line.split("\t") for line in path.read_text().splitlines())}


def differences(ours: dict, theirs: dict, amounts: dict | None = None) -> list:
    """Where two tables of scores differ by more than 1e-6 of the score; lerp sums in single precision.

    With the amounts that were summed up in each score, of both signs, by more than 1e-6 of these."""
    def size(key):
        return max(1.0, abs(ours.get(key, 0.0)), (amounts or {}).get(key, 0.0))

    return [(key, ours.get(key, 0.0), theirs.get(key, 0.0)) for key in sorted(ours.keys() | theirs.keys())
            if abs(ours.get(key, 0.0) - theirs.get(key, 0.0)) > 1e-6 * size(key)]
