# SPDX-License-Identifier: Apache-2.0
"""Graphs: from files, tables, lists, and the graphs of other libraries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _core
from ._errors import LerpError
from ._progress import Progress, shown
from ._records import Record, record
from ._settings import settings

_SPLITS = ("facts", "train", "valid", "test")
_NAMES = [
    {"subject", "head", "s", "h", "source", "from"},
    {"relation", "predicate", "r", "p", "label", "edge", "type"},
    {"object", "tail", "o", "t", "target", "to"},
]


class Dataset:
    """A graph with its splits and names. Made by `lerp.load`.

    >>> data = lerp.load("families")
    >>> data.facts("test").shape[1]
    3
    """

    def __init__(self, core: _core.Data, choices: dict[str, Any] | None = None) -> None:
        self._core = core
        self._choices = choices

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def entities(self) -> list[str]:
        """Names, by number."""
        return list(self._core.entities())

    @property
    def relations(self) -> list[str]:
        """Names, by number."""
        return list(self._core.relations())

    @property
    def notes(self) -> list[str]:
        """What the reader left out or decided, a sentence each."""
        return list(self._core.notes)

    def __len__(self) -> int:
        """Facts of all splits."""
        return sum(self._core.count(split) for split in _SPLITS)

    def facts(self, split: str = "train") -> Any:
        """Facts of a split as numbers: a NumPy view with a row of subject, relation and object for each."""
        return self._core.facts(split)

    def triples(self, split: str = "train") -> list[tuple[str, str, str]]:
        """Facts of a split by name."""
        entities, relations = self.entities, self.relations
        return [(entities[s], relations[r], entities[o]) for s, r, o in self.facts(split).tolist()]

    def stats(self, threads: int = 0) -> Record:
        """What is worth knowing before one learns from it, its defects above all: the JSON of `lerp stats`."""
        return record(self._core.stats(threads))

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes a dataset folder that `lerp.load` reads."""
        self._core.write(Path(folder))

    def _held_out(self, share: float, seed: int = 1) -> Dataset:
        """With facts for validation, where it has no splits. What was read is read again, as a run will do."""
        if share == 0 or self._core.count("valid") or self._core.count("test"):
            return self
        if self._choices is not None:
            return load(self._core.path, **{**self._choices, "holdout": share, "holdout_seed": seed}, progress=False)
        return Dataset(self._core.hold_out(share, seed))

    def __repr__(self) -> str:
        return f"<lerp.Dataset {self._core.headline()}>"


def load(
    source: Any,
    *,
    columns: str | Iterable[str] | None = None,
    no_header: bool = False,
    literals: bool = False,
    holdout: float = 0,
    holdout_seed: int = 1,
    names: str | os.PathLike[str] = "",
    name: str = "graph",
    relation: str | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Dataset:
    """Reads a graph.

    `source` is a dataset folder or a file of any format that lerp reads; a pandas, polars or Arrow table; a list of
    triples; an rdflib graph; a networkx graph; a PyKEEN dataset or triples factory; or a dictionary of splits ("facts",
    "train", "valid", "test") of any of these.

    `columns` says which columns are subject, relation and object: for a file in one text, as "s,r,o" or "-,s,o,r", for a
    table the three names. `holdout` is the share of the facts for validation where there are no splits. `names` is a file
    of human texts for names. `relation` is the attribute of networkx edges that names their relation.

    >>> lerp.load([("anna", "mother", "ben"), ("ben", "brother", "cleo")]).relations
    ['mother', 'brother']
    >>> lerp.load("families").name
    'families'
    """
    if isinstance(source, Dataset):
        return source._held_out(holdout, holdout_seed)
    if isinstance(source, (str, os.PathLike)):
        if columns is not None and not isinstance(columns, str):
            columns = ",".join(columns)
        choices = dict(columns=columns, no_header=no_header, literals=literals, holdout=holdout, holdout_seed=holdout_seed)
        with shown(progress) as told:
            core = _core.load(Path(source), settings(choices), threads, os.fspath(names), told)
        return Dataset(core, {**choices, "threads": threads, "names": names})
    builder = _core.Builder(name)
    splits = source if isinstance(source, Mapping) else _splits_of(source)
    _number(builder, splits)
    chosen = columns.split(",") if isinstance(columns, str) else list(columns) if columns is not None else None
    for split, part in splits.items():
        _add(builder, split, part, chosen, relation, literals)
    return Dataset(builder.finish())._held_out(holdout, holdout_seed)


def generate(folder: str | os.PathLike[str], **options: Any) -> Dataset:
    """Makes a family graph whose true rules are known, and writes it: `lerp generate family`, with its options.

    >>> lerp.generate("neighbours", people=60, seed=5)
    <lerp.Dataset neighbours: 60 entities, 12 relations, ...>
    """
    _core.generate_family(Path(folder), settings(options))
    return load(folder, progress=False)


def _splits_of(source: Any) -> dict[str, Any]:
    """Of a PyKEEN dataset, or all facts to learn from."""
    if hasattr(source, "training") and hasattr(source.training, "mapped_triples"):
        parts = {"train": source.training, "valid": source.validation, "test": source.testing}
        return {split: part for split, part in parts.items() if part is not None}
    return {"train": source}


def _number(builder: _core.Builder, splits: Mapping[str, Any]) -> None:
    """Entities keep the numbers that they have in PyKEEN, so that columns of scores are theirs."""
    factory = next((part for part in splits.values() if hasattr(part, "mapped_triples")), None)
    if factory is not None:
        builder.number(_by_number(factory.entity_to_id), _by_number(factory.relation_to_id))


def _by_number(ids: Mapping[Any, int]) -> list[str]:
    return [str(name) for name, _ in sorted(ids.items(), key=lambda item: item[1])]


def _add(
    builder: _core.Builder, split: str, part: Any, columns: list[str] | None, relation: str | None, literals: bool
) -> None:
    if hasattr(part, "mapped_triples"):
        builder.add_ids(split, part.mapped_triples.cpu().numpy())
    elif hasattr(part, "namespaces") and hasattr(part, "triples"):
        _add_rdf(builder, split, part, literals)
    elif hasattr(part, "is_multigraph"):
        builder.add_lists(split, *_lists(_edges(part, relation)))
    elif hasattr(part, "__arrow_c_stream__") or hasattr(part, "columns") or hasattr(part, "column_names"):
        _add_table(builder, split, part, columns)
    else:
        builder.add_lists(split, *_lists(part))


def _lists(triples: Iterable[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    subjects: list[Any] = []
    relations: list[Any] = []
    objects: list[Any] = []
    for number, triple in enumerate(triples, 1):
        try:
            subject, relation, object_ = triple
        except (TypeError, ValueError):
            raise LerpError(f"fact {number} is no triple: give subject, relation and object") from None
        subjects.append(subject)
        relations.append(relation)
        objects.append(object_)
    return subjects, relations, objects


def _add_rdf(builder: _core.Builder, split: str, graph: Any, literals: bool) -> None:
    for prefix, iri in graph.namespaces():
        if prefix:
            builder.add_prefix(str(prefix), str(iri))
    kept = (triple for triple in graph if literals or not hasattr(triple[2], "datatype"))
    # A set has no order of its own: the same graph gives the same numbers.
    builder.add_lists(split, *_lists(sorted((str(s), str(p), str(o)) for s, p, o in kept)))


def _edges(graph: Any, relation: str | None) -> Iterable[tuple[Any, Any, Any]]:
    names = [relation] if relation is not None else ["relation", "label", "type", "predicate"]
    keys = {"keys": True} if graph.is_multigraph() else {}
    for edge in graph.edges(data=True, **keys):
        found = next((edge[-1][name] for name in names if name in edge[-1]), None)
        if found is None and keys and isinstance(edge[2], str):
            found = edge[2]
        if found is None:
            raise LerpError(f"the edge from {edge[0]} to {edge[1]} has no {names[0]}: name its attribute with relation=")
        yield edge[0], found, edge[1]


def column_names(table: Any, columns: list[str] | None) -> list[str]:
    """Those of subject, relation and object: as named, by their usual names, or the only three that there are."""
    names = [str(name) for name in (table.column_names if hasattr(table, "column_names") else table.columns)]
    if columns is not None:
        missing = [name for name in columns if name not in names]
        if missing or len(columns) != 3:
            raise LerpError(f"the table has no columns {', '.join(columns)}: it has {', '.join(names)}")
        return columns
    usual = [next((name for name in names if name.lower() in known), None) for known in _NAMES]
    if all(usual):
        return [name for name in usual if name is not None]
    if len(names) == 3:
        return names
    raise LerpError(f"which columns are subject, relation and object is not clear from {', '.join(names)}: name them with columns=")


def _add_table(builder: _core.Builder, split: str, table: Any, columns: list[str] | None) -> None:
    chosen = column_names(table, columns)
    # Columns of Python's own objects are read as they are: Arrow would copy them first.
    objects = any(str(getattr(table[name], "dtype", "")) == "object" for name in chosen)
    if hasattr(table, "__arrow_c_stream__") and not objects:
        part = table.select(chosen) if hasattr(table, "select") else table[chosen]
        try:
            stream = part.__arrow_c_stream__()
        except (ImportError, ValueError, TypeError):  # pandas without pyarrow
            pass
        else:
            builder.add_stream(split, stream, chosen)
            return
    builder.add_lists(split, *table_lists(table, chosen))


def table_lists(table: Any, columns: list[str]) -> tuple[list[Any], list[Any], list[Any]]:
    lists = [_column(table[name]) for name in columns]
    return lists[0], lists[1], lists[2]


def _column(column: Any) -> list[Any]:
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(column, method):
            found: list[Any] = getattr(column, method)()
            return found
    return list(column)
