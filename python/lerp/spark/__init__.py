# SPDX-License-Identifier: Apache-2.0
"""Rules on graphs that no machine holds: rule lists as joins and sums of Apache Spark.

    import lerp.spark
    scored = lerp.spark.apply("run/rules.txt", facts, top=10)

See docs/spark.md.
"""

from __future__ import annotations

from typing import Iterable, Mapping, Optional

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .graph import Graph, checked_facts
from .literals import Literals
from .lowering import RuleSource, lower, names_in, read_rules
from .program import Confidence, Program, compile_rules
from .scores import Scores
from .store import Store
from .walk import Walks

__all__ = ["apply"]


def apply(rules: RuleSource, facts: DataFrame, *, relations: Optional[Iterable[str]] = None, top: Optional[int] = None,
          aggregation: Optional[str] = None, entities: Optional[DataFrame] = None, frontier: Optional[int] = None,
          new_only: bool = True, checkpoint: Optional[str] = None, hub: int = 100_000, unseen: float = 5,
          open_weight: float = 0.01, zero_weight: float = 0.1) -> DataFrame:
    """Applies a list of rules to known facts and returns the scored new facts with the rules behind each.

    Args:
        rules: a file of rules (distilled, by hand, or AnyBURL's), which the program `lerp` reads (on the PATH, or named
            in LERP_BINARY); or what `lerp export RULES DATA --format json` writes, as a file or a dictionary.
        facts: the known facts, with columns subject, relation and object.
        relations: only new facts of these relations; of all that rules derive where left out.
        top: so many answers of each question r(s,?) and r(?,o); all where left out.
        aggregation: list, max, noisy-or or sum, as in `lerp apply`; a distilled list has its own, all others max.
        entities: entities in a column name: those without a fact too, if rules with a negation or without a body
            should speak of them. A column place gives their order, on which a frontier and ties depend; else by name.
        frontier: from how many entities that a hop has reached a list walks on, 0 for all; as the list says where left out.
        new_only: leave out what is known.
        checkpoint: a folder that all workers see; that of spark.sparkContext.setCheckpointDir where left out.
        hub: the edges of one entity that one task follows; those of entities with more are spread over several.
        unseen, open_weight, zero_weight: how AnyBURL's figures become confidences; see `lerp apply`.

    Returns:
        A DataFrame of subject, relation, object, asked (which end the score answers for: object, subject, or both), score,
        and rules, an array of (rule, text, share, groundings) with the largest share first. It lies in the checkpoint
        folder, so that reading it computes nothing.
    """
    if top is not None and top < 1:
        raise ValueError(f"top is {top}: give a number from 1 on, or leave it out")
    if hub < 1:
        raise ValueError(f"hub is {hub}: give a number from 1 on")
    if frontier is not None and frontier < 0:
        raise ValueError(f"frontier is {frontier}: give a number from 1 on, or 0 for none")
    known = checked_facts(facts)
    source = read_rules(rules)
    store = Store(facts.sparkSession, checkpoint)
    try:
        graph = Graph(store, known, entities, hub)
        if isinstance(source, str):
            used = {row["relation"] for row in known.select("relation").distinct().collect()}
            assert not isinstance(rules, Mapping)
            source = lower(rules, used, [name for name, place in graph.ids(names_in(source)).items() if place >= 0])
        program = compile_rules(source, relations, aggregation, Confidence(unseen, open_weight, zero_weight))
        if frontier is not None and program.frontier is not None:
            program.frontier = frontier or None
        ids = graph.ids(program.constants())
        graph.build(program)
        literals = Literals(graph, program.formulas, ids)
        levels = Walks(graph, program, literals, ids).levels()
        scored = Scores(graph, program, literals, ids).table(levels, new_only, top)
        result = store.save("scored", _named(graph, program, scored))
        store.keep_only("scored")
        return result
    except BaseException:
        store.clear()
        raise


def _named(graph: Graph, program: Program, scored: DataFrame) -> DataFrame:
    """Names for numbers, and what each rule says."""
    relations = F.broadcast(graph.store.small(
        [(number, name) for name, number in program.operators.relations.items()], "relation int, called string"))
    all_rules = [*program.rules, *(pair.rule for pair in program.pairs)]
    texts = F.array(*(F.lit(text) for text in _by_number({rule.number: rule.text for rule in all_rules})))

    def told(one: Column) -> Column:
        return F.struct(one["rule"].alias("rule"), F.element_at(texts, one["rule"]).alias("text"),
                        one["share"].alias("share"), one["groundings"].alias("groundings"))

    def later(left: Column, right: Column) -> Column:
        sooner = (left["share"] > right["share"]) | ((left["share"] == right["share"]) & (left["rule"] < right["rule"]))
        return F.when(sooner, -1).otherwise(1)

    def names(side: str) -> DataFrame:
        return graph.names.select(F.col("name").alias(f"{side}_name"), F.col("id").alias(side))

    named = scored.join(relations, "relation").join(names("subject"), "subject").join(names("object"), "object")
    rules = F.array_sort(F.transform("rules", told), later)
    return named.select(F.col("subject_name").alias("subject"), F.col("called").alias("relation"),
                        F.col("object_name").alias("object"), "asked", "score", rules.alias("rules"))


def _by_number(texts: dict[int, str]) -> list[str]:
    return [texts.get(number, "") for number in range(1, max(texts, default=1) + 1)]
