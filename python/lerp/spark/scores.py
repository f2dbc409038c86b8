# SPDX-License-Identifier: Apache-2.0
"""From what rules reach to scored facts: `asked, relation, subject, object, score, order, rules`."""

from __future__ import annotations

from functools import reduce
from typing import Any, Optional

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from .graph import Graph
from .literals import Literals
from .program import PairRule, Program, Rule
from .walk import MOST_GROUNDINGS

FACT = ["asked", "relation", "subject", "object"]
_MOST_CONFIDENT = 1 - 1e-12  # as `lerp apply`: a rule that is never wrong leaves room for a second one


class Scores:
    def __init__(self, graph: Graph, program: Program, literals: Literals, ids: dict[str, int]) -> None:
        self._graph, self._program, self._literals, self._ids = graph, program, literals, ids

    def table(self, levels: list[DataFrame], new_only: bool, top: Optional[int]) -> DataFrame:
        found = self._found(levels)
        if new_only:
            found = found.join(self._graph.facts, ["relation", "subject", "object"], "left_anti").select(*found.columns)
        if self._program.pairs:
            found = self._graph.store.save("found", found)
            found = reduce(DataFrame.unionByName, [found, *self._of_pairs(found.select(*FACT).distinct())])
        scored = self._listed(found) if self._program.aggregation == "list" else self._confident(found)
        return scored if top is None else _best(scored, top)

    def _found(self, levels: list[DataFrame]) -> DataFrame:
        """One row for each fact and each rule that derives it, with the number of groundings."""
        of_level = {number: self._program.levels[rule.node] for number, rule in enumerate(self._program.rules)}
        tables = []
        for level, walks in enumerate(levels):
            rules = [rule for number, rule in enumerate(self._program.rules) if of_level[number] == level]
            if not rules and level > 0:
                continue
            schema = ("node int, rule int, asked string, relation int, from_subject boolean, same boolean, "
                      "subject_is long, object_is long")
            ends = self._table([(rule.node, *self._head(rule, asked)) for rule in rules for asked in rule.asked], schema)
            there = F.when(F.col("same"), F.col("start")).otherwise(F.col("at"))
            subject = F.coalesce("subject_is", F.when(F.col("from_subject"), F.col("start")).otherwise(there))
            object_ = F.coalesce("object_is", F.when(F.col("from_subject"), there).otherwise(F.col("start")))
            tables.append(walks.join(ends, "node").select(
                "asked", "relation", subject.alias("subject"), object_.alias("object"), "rule", "n"))
        found = reduce(DataFrame.unionByName, tables)
        return found if self._program.aggregation == "list" else found.dropDuplicates([*FACT, "rule"])

    def _head(self, rule: Rule, asked: str) -> tuple[Any, ...]:
        sides = (None if side is None else self._ids[side] for side in (rule.subject, rule.object))
        return rule.number, asked, rule.relation, rule.from_subject, rule.same, *sides

    def _of_pairs(self, facts: DataFrame) -> list[DataFrame]:
        """What pair rules say of facts that other rules derive. Most speak of one end, and are asked of each end once."""
        sided: dict[str, list[PairRule]] = {"subject": [], "object": [], "both": []}
        for pair in self._program.pairs:
            on_subject, on_object = pair.subject.formula != 0, pair.object.formula != 0
            sided["both" if on_subject == on_object else "subject" if on_subject else "object"].append(pair)
        out = []
        for side in ("subject", "object"):
            if sided[side]:
                ends = facts.select("asked", "relation", side).distinct()
                out.append(facts.join(self._fitting(ends, sided[side], [side]), ["asked", "relation", side]))
        if sided["both"]:
            out.append(self._fitting(facts, sided["both"], ["subject", "object"]))
        return [table.select(*FACT, "rule", "n") for table in out]

    def _fitting(self, rows: DataFrame, pairs: list[PairRule], sides: list[str]) -> DataFrame:
        def literals(pair: PairRule) -> list[Any]:
            return [value for side in sides for value in (getattr(pair, side).formula or None, getattr(pair, side).negative)]

        def counted(pair: PairRule) -> tuple[Any, ...]:
            return pair.counted, "object" if pair.rule.from_subject else "subject"

        schema = "rule int, asked string, relation int, counted int, counted_side string" + "".join(
            f", {side}_literal int, {side}_negative boolean" for side in sides)
        rules = self._table([(pair.rule.number, asked, pair.rule.relation, *counted(pair), *literals(pair))
                             for pair in pairs for asked in pair.rule.asked], schema)
        fitting = rows.join(rules, ["asked", "relation"])
        for side in sides:
            fitting = self._literals.holds(fitting, f"{side}_literal", f"{side}_negative", side)
        if not any(pair.counted is not None for pair in pairs):
            return fitting.withColumn("n", F.lit(1).cast("long"))
        end = reduce(lambda other, side: F.when(F.col("counted_side") == side, F.col(side)).otherwise(other),
                     sides, F.lit(None).cast("long"))
        degrees = self._graph.degrees.select(
            F.col("op").alias("_op"), F.col("from").alias("_from"), F.col("degree").alias("_degree"))
        keyed = fitting.withColumn("_counted", F.coalesce("counted", F.lit(-1))).withColumn("_end", end)
        joined = keyed.join(degrees, (F.col("_counted") == F.col("_op")) & (F.col("_end") == F.col("_from")), "left")
        n = F.least(F.coalesce("_degree", F.lit(1).cast("long")), F.lit(MOST_GROUNDINGS).cast("long"))
        return joined.withColumn("n", n).drop("_counted", "_end", "_op", "_from", "_degree")

    def _listed(self, found: DataFrame) -> DataFrame:
        """weight + more log(1 + n); of a group, weight log(1 + s) with s the sum of more n, shared out as they have it."""
        rules = [*self._program.rules, *(pair.rule for pair in self._program.pairs)]
        weights = self._table([(rule.number, rule.weight, rule.more, rule.group) for rule in rules],
                              "rule int, weight double, more double, group int")
        counted = found.withColumn("n", F.least("n", F.lit(MOST_GROUNDINGS).cast("long"))).join(weights, "rule")
        alone = F.col("group") == 0
        amount = F.when(alone, F.col("weight") + F.col("more") * F.log1p(F.col("n").cast("double"))).otherwise(
            F.col("more") * F.col("n"))
        # All of a fact in one place, so that both sums below need one shuffle.
        parts = counted.withColumn("amount", amount).repartition(*FACT).groupBy(*FACT, "group").agg(
            F.max("weight").alias("weight"), F.sort_array(F.collect_list(F.struct("rule", "amount", "n"))).alias("all"))
        parts = parts.withColumn("sum", _sum("all", "amount"))
        worth = F.when(alone, F.col("sum")).otherwise(F.col("weight") * F.log1p(F.col("sum")))

        def shared(one: Column) -> Column:
            share = F.when(alone, one["amount"]).otherwise(F.col("worth") * one["amount"] / F.col("sum"))
            return F.struct(one["rule"].alias("rule"), share.alias("share"), one["n"].alias("groundings"))

        parts = parts.withColumn("worth", worth)
        parts = parts.withColumn("all", F.transform("all", shared))
        scored = parts.groupBy(*FACT).agg(F.sort_array(F.collect_list(F.struct("group", "worth", "all"))).alias("parts"))
        scored = scored.select(*FACT, _sum("parts", "worth").alias("score"), F.flatten(F.col("parts.all")).alias("rules"))
        return scored.withColumn("order", F.array(F.col("score")))

    def _confident(self, found: DataFrame) -> DataFrame:
        rules = [*self._program.rules, *(pair.rule for pair in self._program.pairs)]
        weights = self._table([(rule.number, rule.weight) for rule in rules], "rule int, weight double")
        weighed = found.join(weights, "rule")
        doubt = -F.log1p(-F.least("weight", F.lit(_MOST_CONFIDENT)))
        one = F.struct("rule", F.col("weight").alias("share"), F.col("n").alias("groundings"), doubt.alias("doubt"))
        scored = weighed.groupBy(*FACT).agg(F.sort_array(F.collect_list(one)).alias("rules"))
        scored = scored.withColumn("sum", _sum("rules", "share")).withColumn("doubt", _sum("rules", "doubt"))
        order = F.sort_array(F.transform("rules", lambda one: one["share"]), asc=False)
        scored = scored.withColumn("order", order)
        scores = {"max": F.col("order")[0], "noisy-or": -F.expm1(-F.col("doubt")), "sum": F.col("sum")}
        scored = scored.withColumn("score", scores[self._program.aggregation])
        if self._program.aggregation != "max":
            # What orders answers: beside 1, doubt tells apart what the score no longer does.
            by = "sum" if self._program.aggregation == "sum" else "doubt"
            scored = scored.withColumn("order", F.array(by))
        return scored.drop("doubt", "sum")

    def _table(self, rows: list[Any], schema: str) -> DataFrame:
        return F.broadcast(self._graph.store.small(rows, schema))


def _sum(parts: str, name: str) -> Column:
    """Of one field of the structs of an array, in their order: the same on every run, to the last bit."""
    return F.aggregate(F.col(f"{parts}.{name}"), F.lit(0.0), lambda all, one: all + one)


def _best(scored: DataFrame, top: int) -> DataFrame:
    """The best answers of each question; ties go to the entity that comes first."""
    both = F.array(F.lit("object"), F.lit("subject"))
    asked = F.when(F.col("asked") == "both", both).otherwise(F.array("asked"))
    questions = scored.withColumn("asked", F.explode(asked))
    start = F.when(F.col("asked") == "object", F.col("subject")).otherwise(F.col("object"))
    answer = F.when(F.col("asked") == "object", F.col("object")).otherwise(F.col("subject"))
    questions = questions.withColumn("_start", start).withColumn("_answer", answer)
    order = Window.partitionBy("asked", "relation", "_start").orderBy(F.col("order").desc(), "_answer")
    kept = questions.withColumn("_place", F.row_number().over(order)).filter(F.col("_place") <= top)
    return kept.drop("_start", "_answer", "_place")
