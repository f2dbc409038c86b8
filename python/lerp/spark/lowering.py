# SPDX-License-Identifier: Apache-2.0
"""From a file of rules to clauses: the program `lerp` reads the rules, so there is one grammar and one set of errors."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Any, Iterable, Mapping, Union

RuleSource = Union[str, "os.PathLike[str]", Mapping[str, Any]]

# A name in quotation marks, or anything bare that could be one.
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[^\s()"∧∨¬∃⇒&|!~=,]+')
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)")
_MOST_NAMES_OF_A_LINE = 10_000


def read_rules(rules: RuleSource) -> Union[dict[str, Any], str]:
    """The lowered rules if that is what was given, else the text of the rule file."""
    if isinstance(rules, Mapping):
        return dict(rules)
    path = pathlib.Path(rules)
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("{"):
        lowered: dict[str, Any] = json.loads(text)
        return lowered
    return text


def names_in(text: str) -> set[str]:
    """Everything in a rule file that may be the name of an entity or a relation, and more that is none."""
    names: set[str] = set()
    for line in text.splitlines():
        if "\t" in line and " <=" in line:
            names |= _names_in_anyburl(line.rsplit("\t", 1)[-1])
        elif not line.startswith("#"):
            names |= {_unquoted(token) for token in _TOKEN.findall(line)}
    return names


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return token
    return _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if len(m[1]) == 3 else m[1], token[1:-1])


def _names_in_anyburl(rule: str) -> set[str]:
    """Nothing is escaped there: all that stands between two of the signs that part names."""
    marks = [place for place, sign in enumerate(rule) if sign in "(,)"]
    pieces = itertools.combinations(marks, 2)
    inner = {rule[first + 1 : last] for first, last in itertools.islice(pieces, _MOST_NAMES_OF_A_LINE)}
    heads = {rule[start:mark] for mark in marks if rule[mark] == "(" for start in _starts(rule, mark)}
    return {name for name in inner | heads if name}


def _starts(rule: str, end: int) -> Iterable[int]:
    yield 0
    for sign in (", ", "<= "):
        place = rule.find(sign)
        while 0 <= place < end:
            yield place + len(sign)
            place = rule.find(sign, place + 1)


def lower(path: Union[str, "os.PathLike[str]"], relations: Iterable[str], entities: Iterable[str]) -> dict[str, Any]:
    """The clauses of a rule file, by `lerp export --format json`, given all names that it may use."""
    binary = os.environ.get("LERP_BINARY") or shutil.which("lerp")
    if binary is None:
        raise FileNotFoundError(
            "the program lerp, which reads rules, was not found: put it on the PATH or name it in LERP_BINARY, "
            "or give what `lerp export RULES DATA --format json` writes"
        )
    relations, entities = sorted(relations), sorted(entities)
    if not relations:
        raise ValueError("there are no facts: give a DataFrame with at least one")
    with tempfile.TemporaryDirectory() as folder:
        # A graph that has these names and means nothing.
        known = pathlib.Path(folder, "names.tsv")
        first = entities[0] if entities else "none"
        lines = [f"{first}\t{relation}\t{first}" for relation in relations]
        lines += [f"{entity}\t{relations[0]}\t{entity}" for entity in entities]
        known.write_text("\n".join(lines) + "\n", encoding="utf-8")
        out = pathlib.Path(folder, "rules.json")
        done = subprocess.run(
            [binary, "export", os.fspath(path), os.fspath(known), "--format", "json", "--out", os.fspath(out)],
            capture_output=True, text=True, check=False,
        )
        if done.returncode != 0:
            raise ValueError(done.stderr.strip().removeprefix("lerp: ") or f"{binary} could not read {path}")
        lowered: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
        return lowered
