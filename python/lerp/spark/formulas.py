# SPDX-License-Identifier: Apache-2.0
"""What rules ask of one variable, as numbered formulas without negation at their root."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Optional


class Literal(NamedTuple):
    """A formula or what it is not. Formula 0 is true of everything."""

    formula: int
    negative: bool = False

    def flipped(self) -> "Literal":
        return Literal(self.formula, not self.negative)


TRUE = Literal(0)
FALSE = Literal(0, True)


class Operators:
    """Relations with a direction, numbered as they are met: 2 r along relation r and 2 r + 1 against it."""

    def __init__(self) -> None:
        self.relations: dict[str, int] = {}

    def relation(self, name: str) -> int:
        return self.relations.setdefault(name, len(self.relations))

    def leaving(self, fact: dict[str, Any], variable: str) -> tuple[int, dict[str, Any]]:
        """The operator with which a fact leaves the variable, and the term that it leads to."""
        relation = self.relation(fact["relation"])
        if fact["subject"].get("variable") == variable:
            return 2 * relation, fact["object"]
        if fact["object"].get("variable") == variable:
            return 2 * relation + 1, fact["subject"]
        raise ValueError(f"a fact of {fact['relation']} does not speak of {variable}: give JSON as lerp export writes it")


class Formulas:
    """Each formula once. Those that a formula consists of have smaller numbers."""

    def __init__(self, operators: Operators) -> None:
        self.operators = operators
        self.all: list[tuple[Any, ...]] = [("true",)]
        self._numbers: dict[tuple[Any, ...], int] = {}

    def conjunction(self, conditions: Iterable[dict[str, Any]], about: str) -> Literal:
        return self._all(self.literal(one, about) for one in conditions)

    def literal(self, condition: dict[str, Any], about: str) -> Literal:
        if "no" in condition:
            return self.literal(condition["no"], about).flipped()
        if "all" in condition:
            return self.conjunction(condition["all"], about)
        if "any" in condition:
            return self._any(self.literal(one, about) for one in condition["any"])
        op, other = self.operators.leaving(condition["fact"], about)
        if "some" not in condition:
            return self._number(("fact", op, other["entity"]))
        inner = self.conjunction(condition["conditions"], condition["some"])
        return FALSE if inner == FALSE else self._number(("some", op, inner))

    def has(self, op: int, entity: str) -> Literal:
        """That the operator leads to the entity."""
        return self._number(("fact", op, entity))

    def both(self, *literals: Literal) -> Literal:
        return self._all(literals)

    def bare(self, literal: Literal) -> Optional[int]:
        """The operator of an `∃` that asks for nothing more."""
        formula = self.all[literal.formula]
        return formula[1] if not literal.negative and formula[0] == "some" and formula[2] == TRUE else None

    def _number(self, formula: tuple[Any, ...]) -> Literal:
        if formula not in self._numbers:
            self._numbers[formula] = len(self.all)
            self.all.append(formula)
        return Literal(self._numbers[formula])

    def _all(self, literals: Iterable[Literal]) -> Literal:
        parts = sorted({one for one in literals if one != TRUE})
        if any(one.flipped() in parts for one in parts) or FALSE in parts:
            return FALSE
        if len(parts) < 2:
            return parts[0] if parts else TRUE
        if all(one.negative for one in parts):
            return self._any(one.flipped() for one in parts).flipped()
        return self._number(("all", tuple(parts)))

    def _any(self, literals: Iterable[Literal]) -> Literal:
        parts = sorted({one for one in literals if one != FALSE})
        if any(one.flipped() in parts for one in parts) or TRUE in parts:
            return TRUE
        if len(parts) < 2:
            return parts[0] if parts else FALSE
        if any(one.negative for one in parts):
            return self._all(one.flipped() for one in parts).flipped()
        return self._number(("any", tuple(parts)))


def about(condition: dict[str, Any]) -> Optional[str]:
    """The variable that a condition speaks of; none where it says the same of all."""
    if "no" in condition:
        return about(condition["no"])
    for joined in ("all", "any"):
        if joined in condition:
            return next((one for one in map(about, condition[joined]) if one is not None), None)
    found = condition.get("some")
    terms = (condition["fact"]["subject"], condition["fact"]["object"])
    variable: str = next(one["variable"] for one in terms if one.get("variable") not in (None, found))
    return variable
