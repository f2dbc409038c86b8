# SPDX-License-Identifier: Apache-2.0
"""Walks of all rules at once, hop by hop, with the number of ways from each start to each end.

A table of level k has one row for each node of the program at k hops, start and end: `node, start, at, n`. Beside them
`met`, the entities on the way, where a rule wants variables to differ; or `first`, which orders what a hop has reached
in the way `lerp apply` does, where a list has a frontier.
"""

from __future__ import annotations

from typing import Any, Optional

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from .graph import Graph
from .literals import Literals
from .program import Program

MOST_GROUNDINGS = 65_535
_MOST_LONG, _MOST_DECIMAL = 2**63, 10**38


class Walks:
    def __init__(self, graph: Graph, program: Program, literals: Literals, ids: dict[str, int]) -> None:
        self._graph, self._program, self._literals, self._ids = graph, program, literals, ids
        self._distinct = program.distinct
        self._ordered = program.frontier is not None and not self._distinct and program.depth >= 2
        self._order_type = self._type_of_order() if self._ordered else "bigint"

    def levels(self) -> list[DataFrame]:
        """One table for each number of hops, all of them checkpointed."""
        tables: list[DataFrame] = []
        for level in range(self._program.depth + 1):
            if level == 0:
                reached: Optional[DataFrame] = self._starts()
            elif level == 1:
                reached = self._first_hop()
            else:
                reached = self._hop(tables[-1], level)
            tables.append(self._graph.store.save(f"walks-{level}", reached))
        return tables

    def _type_of_order(self) -> str:
        """Of numbers that order all walks but the last two hops of the longest."""
        most = max(self._graph.entities, 2) ** max(self._program.depth - 2, 1)
        if most < _MOST_LONG:
            return "bigint"
        if most < _MOST_DECIMAL:
            return "decimal(38,0)"
        raise ValueError("the rules are too long for a frontier on a graph of so many entities: give frontier=0, for none")

    def _starts(self) -> DataFrame:
        """Every entity, for rules without hops alone: all others begin with the edges."""
        ends = {rule.node for rule in self._program.rules}
        roots = [node for node, level in enumerate(self._program.levels) if level == 0 and node in ends]
        start = self._graph.names.select(F.col("id").alias("start"))
        numbers = F.array(*map(F.lit, roots)) if roots else F.array().cast("array<int>")
        every = start.withColumn("node", F.explode(numbers)).withColumn("at", F.col("start"))
        return self._row(self._admit(every.join(self._nodes(0), "node"), "start"), F.lit(1), F.lit(0), F.array("start"))

    def _first_hop(self) -> DataFrame:
        program = self._program
        rows = [(number, step.op, *self._what_is_asked(step.node))
                for number, step in enumerate(program.steps) if number > 0 and program.levels[step.node] == 0]
        steps = self._table(rows, "step int, op int, literal int, negative boolean, unlike array<long>, differs array<int>")
        left = self._graph.edges.join(steps, "op").select(
            F.col("from").alias("start"), F.col("to").alias("at"), "step", "literal", "negative", "unlike")
        begun = self._admit(left, "start").drop("literal", "negative", "unlike")
        return self._arrive(begun, 1, F.lit(1), F.lit(0), F.array("start"))

    def _hop(self, before: DataFrame, level: int) -> DataFrame:
        program = self._program
        steps = self._table([(step.node, number, step.op) for number, step in enumerate(program.steps)
                             if number > 0 and program.levels[step.node] == level - 1], "node int, step int, op int")
        leaving = self._within_frontier(before, level - 1).join(steps, "node").drop("node")
        if self._distinct:
            onward = self._graph.follow(leaving).drop("at", "op").withColumnRenamed("to", "at")
            return self._arrive(onward, level, F.lit(1), F.lit(0), F.col("met"))
        place: Column = F.lit(0)
        if self._ordered and level < program.depth:
            place = F.col("first") * F.lit(self._graph.entities).cast(self._order_type) + F.col("at")
        leaving = leaving.withColumn("place", place.cast(self._order_type)).drop("first")
        reached = self._graph.follow(leaving).groupBy("step", "start", "to").agg(
            F.sum("n").alias("n"), F.min("place").alias("place"))
        counted = F.least(F.col("n"), F.lit(MOST_GROUNDINGS))
        return self._arrive(reached.withColumnRenamed("to", "at"), level, counted, F.col("place"), F.array("start"))

    def _arrive(self, rows: DataFrame, level: int, n: Column, first: Column, met: Column) -> DataFrame:
        """Steps become the nodes behind them, where what is asked there holds."""
        at_nodes = self._admit(rows.join(self._nodes(level), "step"), "at")
        if self._distinct:
            at_nodes = at_nodes.filter(~F.exists("differs", lambda place: F.get(met, place) == F.col("at")))
            met = F.concat(met, F.array("at"))
        return self._row(at_nodes, n, first, met)

    def _row(self, rows: DataFrame, n: Column, first: Column, met: Column) -> DataFrame:
        columns = [F.col("node"), F.col("start"), F.col("at"), n.cast("long").alias("n")]
        if self._distinct:
            columns.append(met.alias("met"))
        elif self._ordered:
            columns.append(first.cast(self._order_type).alias("first"))
        return rows.select(*columns)

    def _admit(self, rows: DataFrame, entity: str) -> DataFrame:
        rows = self._literals.holds(rows, "literal", "negative", entity)
        if any(node.unlike for node in self._program.nodes):
            rows = rows.filter(~F.array_contains("unlike", F.col(entity)))
        return rows

    def _within_frontier(self, walks: DataFrame, level: int) -> DataFrame:
        """Where more is reached than the frontier admits, that many of it, evenly spread over the order."""
        frontier = self._program.frontier
        if frontier is None:
            return walks
        leaving = self._table([(node,) for node in sorted({step.node for step in self._program.steps[1:]})], "node int")
        sizes = walks.join(leaving, "node").groupBy("node", "start").agg(F.count("*").alias("size"))
        wide = self._graph.store.save(f"wide-{level}", sizes.filter(F.col("size") > frontier))
        if wide.isEmpty():
            return walks
        narrow = walks.join(wide, ["node", "start"], "left_anti")
        in_order = Window.partitionBy("node", "start").orderBy("first", "at")
        placed = walks.join(wide, ["node", "start"]).withColumn("place", F.row_number().over(in_order).cast("long") - 1)
        # Of place i * size / frontier, rounded down, for each i.
        chosen = F.expr(f"((place * {frontier} + size - 1) div size) * size div {frontier} = place"
                        f" AND (place * {frontier} + size - 1) div size < {frontier}")
        return narrow.unionByName(placed.filter(chosen).select(*walks.columns))

    def _what_is_asked(self, number: int) -> tuple[Any, ...]:
        node = self._program.nodes[number]
        literal = node.literal.formula or None  # formula 0 is true of everything
        return literal, node.literal.negative, [self._ids[name] for name in node.unlike], list(node.differs)

    def _nodes(self, level: int) -> DataFrame:
        rows = [(number, node.step, *self._what_is_asked(number)) for number, node in enumerate(self._program.nodes)
                if self._program.levels[number] == level]
        return self._table(
            rows, "node int, step int, literal int, negative boolean, unlike array<long>, differs array<int>")

    def _table(self, rows: list[Any], schema: str) -> DataFrame:
        return F.broadcast(self._graph.store.small(rows, schema))
