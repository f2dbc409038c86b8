# SPDX-License-Identifier: Apache-2.0
"""Rules as tables: one tree of all their bodies, so that a hop of all rules is one join."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, NamedTuple, Optional

from .formulas import FALSE, TRUE, Formulas, Literal, Operators, about

AGGREGATIONS = ("list", "max", "noisy-or", "sum")


class Confidence(NamedTuple):
    """What AnyBURL and PyClause make of the figures of a rule; see docs/apply.md."""

    unseen: float = 5
    open_weight: float = 0.01
    zero_weight: float = 0.1


class Node(NamedTuple):
    """A variable of a body, reached by a step and fulfilling what is asked of it."""

    step: int
    literal: Literal
    differs: tuple[int, ...]  # places in the walk, 0 for x, at which other entities stand
    unlike: tuple[str, ...]  # entities that it is not


class Step(NamedTuple):
    node: int
    op: int


@dataclass
class Rule:
    """A rule as it scores. Where a side of the head is an entity, its name stands here."""

    number: int
    text: str
    weight: float
    more: float
    group: int
    relation: int
    asked: tuple[str, ...]
    from_subject: bool  # a walk starts at the subject
    same: bool  # the head has one variable at both of its ends
    subject: Optional[str]
    object: Optional[str]
    node: int = -1  # where its body ends; none of pair rules


@dataclass
class PairRule:
    """A rule that says something of the two ends and nothing between them."""

    rule: Rule
    subject: Literal
    object: Literal
    counted: Optional[int]  # where one z of an `∃z op(y,z)` is a grounding


@dataclass
class Program:
    """Node n stands at `levels[n]` hops from the start; step 0 leads to x."""

    aggregation: str
    frontier: Optional[int]
    operators: Operators
    formulas: Formulas
    nodes: list[Node] = field(default_factory=list)
    steps: list[Step] = field(default_factory=lambda: [Step(-1, -1)])
    levels: list[int] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    pairs: list[PairRule] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return max(self.levels, default=0)

    @property
    def distinct(self) -> bool:
        """Whether some rule wants variables to differ, so that walks keep the entities that they have met."""
        return any(node.differs for node in self.nodes)

    def constants(self) -> set[str]:
        names = {name for node in self.nodes for name in node.unlike}
        names |= {one[2] for one in self.formulas.all if one[0] == "fact"}
        return names | {side for rule in self.rules for side in (rule.subject, rule.object) if side is not None}


def compile_rules(lowered: dict[str, Any], relations: Optional[Iterable[str]], aggregation: Optional[str],
                  confidence: Confidence) -> Program:
    """The program of what `lerp export --format json` writes, of some head relations alone or of all."""
    aggregation = aggregation or lowered.get("aggregation", "max")
    if aggregation not in AGGREGATIONS:
        raise ValueError(f"unknown aggregation {aggregation!r}: choose one of {', '.join(AGGREGATIONS)}")
    rules = lowered["rules"]
    if relations is not None:
        wanted = {relations} if isinstance(relations, str) else set(relations)
        unknown = sorted(wanted - {rule["head"]["relation"] for rule in rules})
        if unknown:
            raise ValueError(f"no rule has the head relation {unknown[0]!r}: ask for relations that the rules speak of")
        rules = [rule for rule in rules if rule["head"]["relation"] in wanted]
    if aggregation == "list" and any("predicted" in rule for rule in rules):
        raise ValueError("AnyBURL's rules are no distilled list: choose aggregation max, noisy-or or sum")
    operators = Operators()
    frontier = lowered.get("frontier", 1000) if aggregation == "list" else None
    return _Compiler(Program(aggregation, frontier, operators, Formulas(operators)), rules, confidence).program


class _Compiler:
    def __init__(self, program: Program, rules: list[dict[str, Any]], confidence: Confidence) -> None:
        self.program = program
        self.confidence = confidence
        self.listed = program.aggregation == "list"
        self._node_numbers: dict[Node, int] = {}
        self._step_numbers: dict[Step, int] = {}
        directed = {rule["head"]["relation"] for rule in rules if rule.get("directed")}
        for rule in rules:
            self._add(rule, rule["head"]["relation"] in directed)

    def _add(self, lowered: dict[str, Any], some_directed: bool) -> None:
        rule = self._rule(lowered, some_directed)
        if self.program.aggregation in ("max", "noisy-or") and not rule.weight > 0:
            return
        asked_of = self._conditions(lowered)
        if FALSE in asked_of.values():
            return
        if not lowered["facts"] and len(lowered["any_entity"]) == 2:
            self._add_pair(rule, lowered, asked_of)
        else:
            rule.node = self._body(lowered, asked_of)
            if rule.node >= 0:
                self.program.rules.append(rule)

    def _rule(self, lowered: dict[str, Any], some_directed: bool) -> Rule:
        head = lowered["head"]
        subject, object_ = head["subject"], head["object"]
        forwards = lowered["answers"]
        asked: tuple[str, ...] = ("object", "subject") if some_directed else ("both",)
        if self.listed or lowered.get("directed"):
            asked = (forwards,)
        return Rule(lowered["rule"], lowered["text"], self._weight(lowered), lowered["more"], lowered["group"] or 0,
                    self.program.operators.relation(head["relation"]), asked, forwards == "object",
                    "variable" in subject and subject == object_, subject.get("entity"), object_.get("entity"))

    def _weight(self, lowered: dict[str, Any]) -> float:
        if "predicted" not in lowered:
            return float(lowered["weight"])
        predicted = lowered["predicted"] + self.confidence.unseen
        share = float(lowered["correct"]) / predicted if predicted > 0 else 0.0
        if not lowered["facts"]:
            return self.confidence.zero_weight * share
        ends = "entity" in lowered["facts"][-1]["subject"] or "entity" in lowered["facts"][-1]["object"]
        names_answer = "entity" in lowered["head"]["subject"] or "entity" in lowered["head"]["object"]
        return self.confidence.open_weight * share if names_answer and not ends else share

    def _conditions(self, lowered: dict[str, Any]) -> dict[str, Literal]:
        formulas = self.program.formulas
        asked_of: dict[str, Literal] = {}
        for condition in lowered["conditions"]:
            if "differ" in condition:
                continue
            variable = about(condition) or "x"
            asked_of[variable] = formulas.both(asked_of.get(variable, TRUE), formulas.literal(condition, variable))
        return asked_of

    def _add_pair(self, rule: Rule, lowered: dict[str, Any], asked_of: dict[str, Literal]) -> None:
        head = lowered["head"]
        subject, object_ = (asked_of.get(head[side]["variable"], TRUE) for side in ("subject", "object"))
        counted = self.program.formulas.bare(asked_of.get("y", TRUE)) if self.listed else None
        self.program.pairs.append(PairRule(rule, subject, object_, counted))

    def _body(self, lowered: dict[str, Any], asked_of: dict[str, Literal]) -> int:
        """The node where the chain from x ends, and -1 where it can end nowhere."""
        operators, formulas = self.program.operators, self.program.formulas
        walk, hops = ["x"], []
        for fact in lowered["facts"]:
            op, term = operators.leaving(fact, walk[-1])
            if "entity" in term:
                asked_of[walk[-1]] = formulas.both(asked_of.get(walk[-1], TRUE), formulas.has(op, term["entity"]))
            else:
                walk.append(term["variable"])
                hops.append(op)
        differs: list[set[int]] = [set() for _ in walk]
        unlike: list[set[str]] = [set() for _ in walk]
        for condition in lowered["conditions"]:
            if "differ" not in condition:
                continue
            terms = condition["differ"]
            places = sorted(walk.index(term["variable"]) for term in terms if "variable" in term)
            if len(places) == 2:
                differs[places[1]].add(places[0])
            else:
                unlike[places[0]] |= {term["entity"] for term in terms if "entity" in term}
        node, step = -1, 0
        for place, variable in enumerate(walk):
            literal = asked_of.get(variable, TRUE)
            if literal == FALSE:
                return -1
            node = self._node(Node(step, literal, tuple(sorted(differs[place])), tuple(sorted(unlike[place]))), place)
            if place < len(hops):
                step = self._step(Step(node, hops[place]))
        return node

    def _node(self, node: Node, level: int) -> int:
        if node not in self._node_numbers:
            self._node_numbers[node] = len(self.program.nodes)
            self.program.nodes.append(node)
            self.program.levels.append(level)
        return self._node_numbers[node]

    def _step(self, step: Step) -> int:
        if step not in self._step_numbers:
            self._step_numbers[step] = len(self.program.steps)
            self.program.steps.append(step)
        return self._step_numbers[step]
