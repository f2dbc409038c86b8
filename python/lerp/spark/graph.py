# SPDX-License-Identifier: Apache-2.0
"""The known facts with numbers for names, as edges of the operators that the rules use."""

from __future__ import annotations

from typing import Iterable, Optional

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .program import Program
from .store import Store

COLUMNS = ("subject", "relation", "object")


def checked_facts(facts: DataFrame) -> DataFrame:
    missing = [name for name in COLUMNS if name not in facts.columns]
    if missing:
        raise ValueError(f"the facts have no column {missing[0]}: give columns subject, relation and object")
    return facts.select(*(F.col(name).cast("string") for name in COLUMNS)).dropna()


class Graph:
    """`names(name, id)`, `facts(relation, subject, object)`, `edges(op, from, to, salt)`."""

    def __init__(self, store: Store, facts: DataFrame, entities: Optional[DataFrame], hub: int) -> None:
        self.store = store
        self.hub = hub
        self._given = facts
        self.names = self._numbered(entities)
        self.entities = self.names.count()
        self.hubs: Optional[DataFrame] = None

    def _numbered(self, entities: Optional[DataFrame]) -> DataFrame:
        """Entities in the order that is given, then by name, numbered without gaps."""
        ends = self._given.select(F.col("subject").alias("name"))
        names = ends.union(self._given.select("object"))
        place: Column = F.lit(0).cast("long")
        if entities is not None:
            if "name" not in entities.columns:
                raise ValueError("the entities have no column name: give one row for each entity")
            names = names.union(entities.select(F.col("name").cast("string")).dropna())
        names = names.distinct()
        if entities is not None and "place" in entities.columns:
            places = entities.select(F.col("name").cast("string"), F.col("place").cast("long"))
            names = names.join(places.groupBy("name").agg(F.min("place").alias("place")), "name", "left")
            place = F.col("place")
        in_order = names.orderBy(place.asc_nulls_last(), "name").select(
            "name", F.spark_partition_id().alias("part"),
            F.monotonically_increasing_id().bitwiseAND(F.lit((1 << 33) - 1)).alias("row"))
        parts = self.store.save("names-in-order", in_order)
        starts, total = [], 0
        for row in sorted(parts.groupBy("part").count().collect()):
            starts.append((row["part"], total))
            total += row["count"]
        offsets = F.broadcast(self.store.small(starts, "part int, start long"))
        numbered = parts.join(offsets, "part").select("name", (F.col("start") + F.col("row")).alias("id"))
        return self.store.save("names", numbered)

    def ids(self, names: Iterable[str]) -> dict[str, int]:
        wanted = sorted(names)
        if not wanted:
            return {}
        table = F.broadcast(self.store.small([(name,) for name in wanted], "name string"))
        found = {row["name"]: row["id"] for row in self.names.join(table, "name").collect()}
        return {name: found.get(name, -1) for name in wanted}

    def build(self, program: Program) -> None:
        """Facts of the relations that rules name, and edges of the operators that they follow."""
        relations = F.broadcast(self.store.small(
            [(name, number) for name, number in program.operators.relations.items()],
            "relation string, number int"))
        named = self._given.join(relations, "relation").select("number", "subject", "object").distinct()
        subjects = self.names.select(F.col("name").alias("subject"), F.col("id").alias("s"))
        objects = self.names.select(F.col("name").alias("object"), F.col("id").alias("o"))
        numbered = named.join(subjects, "subject").join(objects, "object")
        self.facts = self.store.save("facts", numbered.select(
            F.col("number").alias("relation"), F.col("s").alias("subject"), F.col("o").alias("object")))
        self._make_edges(sorted(_operators(program)))

    def _make_edges(self, operators: list[int]) -> None:
        ways = F.broadcast(self.store.small([(op // 2, op, op % 2 == 1) for op in operators],
                                            "relation int, op int, back boolean"))
        edges = self.facts.join(ways, "relation").select(
            "op", F.when(F.col("back"), F.col("object")).otherwise(F.col("subject")).alias("from"),
            F.when(F.col("back"), F.col("subject")).otherwise(F.col("object")).alias("to"))
        self.degrees = edges.groupBy("op", "from").agg(F.count("*").alias("degree"))
        hubs = self.store.save("hubs", self.degrees.filter(F.col("degree") > self.hub).select(
            "op", "from", F.ceil(F.col("degree") / self.hub).cast("int").alias("salts")))
        if hubs.isEmpty():
            salt = F.lit(0)
        else:
            self.hubs = hubs
            edges = edges.join(F.broadcast(hubs), ["op", "from"], "left")
            salt = F.pmod(F.xxhash64("to"), F.coalesce("salts", F.lit(1)).cast("long")).cast("int")
        self.edges = self.store.save("edges", edges.select("op", "from", "to", salt.alias("salt")))

    def follow(self, walks: DataFrame) -> DataFrame:
        """Joins walks, each with its next `op` and where it is (`at`), with the edges from there (`to`).

        The edges of a hub are spread over several tasks by their salt, and the walks that stand there are copied to each.
        """
        edges = self.edges.withColumnRenamed("from", "at")
        if self.hubs is None:
            return walks.join(edges.drop("salt"), ["op", "at"])
        hubs = F.broadcast(self.hubs.withColumnRenamed("from", "at"))
        last = F.coalesce("salts", F.lit(1)) - 1
        salted = walks.join(hubs, ["op", "at"], "left").withColumn("salt", F.explode(F.sequence(F.lit(0), last)))
        return salted.drop("salts").join(edges, ["op", "at", "salt"]).drop("salt")


def _operators(program: Program) -> set[int]:
    ops = {step.op for step in program.steps[1:]}
    ops |= {formula[1] for formula in program.formulas.all if formula[0] in ("fact", "some")}
    return ops | {pair.counted for pair in program.pairs if pair.counted is not None}
