# SPDX-License-Identifier: Apache-2.0
"""Where the formulas of a program hold: a table `truth(formula, entity)`, made from the innermost outwards."""

from __future__ import annotations

from functools import reduce
from typing import Any, Optional

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .formulas import TRUE, Formulas
from .graph import Graph

_RULED_OUT = -1_000_000  # outweighs any number of parts that hold


class Literals:
    def __init__(self, graph: Graph, formulas: Formulas, ids: dict[str, int]) -> None:
        self._graph, self._formulas, self._ids = graph, formulas, ids
        self._edges = graph.edges.select("op", "from", "to")
        self.truth: Optional[DataFrame] = None
        rounds: dict[int, list[int]] = {}
        depths: list[int] = []
        for number, formula in enumerate(formulas.all):
            depths.append(1 + max((depths[part] for part in _parts(formula)), default=-1))
            if number > 0:
                rounds.setdefault(depths[number], []).append(number)
        for depth in sorted(rounds):
            found = graph.store.save(f"truth-{depth}", reduce(DataFrame.unionByName, self._round(rounds[depth])))
            self.truth = found if self.truth is None else self.truth.unionByName(found)

    def holds(self, rows: DataFrame, literal: str, negative: str, entity: str) -> DataFrame:
        """The rows whose literal holds of their entity; those without a literal (null) stay."""
        if self.truth is None:
            return rows
        truth = self.truth.select(F.col("formula").alias("_formula"), F.col("entity").alias("_entity"))
        # No null as a key: one task would get all of them.
        keyed = rows.withColumn("_literal", F.coalesce(literal, F.lit(-1)))
        joined = keyed.join(truth, (F.col("_literal") == F.col("_formula")) & (F.col(entity) == F.col("_entity")), "left")
        kept = F.col(literal).isNull() | (F.col("_formula").isNotNull() != F.col(negative))
        return joined.filter(kept).drop("_literal", "_formula", "_entity")

    def _table(self, rows: list[Any], schema: str) -> DataFrame:
        return F.broadcast(self._graph.store.small(rows, schema))

    def _round(self, numbers: list[int]) -> list[DataFrame]:
        """What holds of each formula; of those of one kind together."""
        by_kind: dict[str, list[tuple[Any, ...]]] = {}
        for number in numbers:
            kind, *rest = self._formulas.all[number]
            if kind == "fact":
                by_kind.setdefault("fact", []).append((number, rest[0], self._ids[rest[1]]))
            elif kind == "some":
                inner = rest[1]
                name = "some" if inner == TRUE else "some not" if inner.negative else "some that"
                by_kind.setdefault(name, []).append((number, rest[0], inner.formula))
            elif kind == "all":
                wanted = sum(not part.negative for part in rest[0])
                rows = [(number, part.formula, _RULED_OUT if part.negative else 1, wanted) for part in rest[0]]
                by_kind.setdefault("all", []).extend(rows)
            else:
                by_kind.setdefault("any", []).extend((number, part.formula) for part in rest[0])
        return [getattr(self, "_" + kind.replace(" ", "_"))(rows) for kind, rows in by_kind.items()]

    def _fact(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        wanted = self._table(rows, "formula int, op int, to long")
        return self._edges.join(wanted, ["op", "to"]).select("formula", F.col("from").alias("entity"))

    def _leaving(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        wanted = self._table(rows, "result int, op int, inner int")
        return self._edges.join(wanted, "op").select("result", "inner", "from", "to")

    def _found(self) -> DataFrame:
        """What was found in earlier rounds, on which formulas that have parts are built."""
        assert self.truth is not None
        return self.truth

    def _inner(self) -> tuple[DataFrame, list[Column]]:
        truth = self._found().select(F.col("formula").alias("_formula"), F.col("entity").alias("_entity"))
        return truth, [F.col("inner") == F.col("_formula"), F.col("to") == F.col("_entity")]

    def _some(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        return _holds(self._leaving(rows))

    def _some_that(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        return _holds(self._leaving(rows).join(*self._inner(), "left_semi"))

    def _some_not(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        return _holds(self._leaving(rows).join(*self._inner(), "left_anti"))

    def _all(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        parts = self._table(rows, "result int, formula int, worth int, wanted int")
        sums = self._found().join(parts, "formula").groupBy("result", "entity").agg(
            F.sum("worth").alias("worth"), F.max("wanted").alias("wanted"))
        return sums.filter(F.col("worth") == F.col("wanted")).select(F.col("result").alias("formula"), "entity")

    def _any(self, rows: list[tuple[Any, ...]]) -> DataFrame:
        parts = self._table(rows, "result int, formula int")
        return self._found().join(parts, "formula").select(F.col("result").alias("formula"), "entity").distinct()


def _holds(rows: DataFrame) -> DataFrame:
    return rows.select(F.col("result").alias("formula"), F.col("from").alias("entity")).distinct()


def _parts(formula: tuple[Any, ...]) -> list[int]:
    if formula[0] == "some":
        return [formula[2].formula]
    return [part.formula for part in formula[1]] if formula[0] in ("all", "any") else []
