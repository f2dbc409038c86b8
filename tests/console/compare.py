# SPDX-License-Identifier: Apache-2.0
"""Compares shown output with printed output, line by line.

Lines must be equal, except that

- `…` stands for any text, and a line of `…` alone for any lines;
- times, rates and memory (`3.0 s`, `4,501 queries/s`, `0:09 left`, `63 MiB`) may be any number: they depend on the machine;
- with a tolerance, numbers with a decimal point may differ by that much, or by that share of themselves above 1. Whole numbers
  of four digits or more, such as `12,345`, may differ by that share; smaller ones are equal;
- with lines that may differ, so many lines of either side may have no counterpart.
"""

import dataclasses
import functools
import re


@dataclasses.dataclass(frozen=True)
class Slack:
    tolerance: float = 0.0
    lines: int = 0


NUMBER = r"(?<![\w.])[+-]?(?:\d+(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w.]*\w)"
MEASURED = r" (?:ms|µs|s|MiB|GiB|[a-z]+/s)\b"
TOKEN = re.compile(rf"(?P<clock>\d+:\d\d(?= left))|(?P<measured>{NUMBER}(?={MEASURED}))|(?P<number>{NUMBER})|(?P<any>…)")


def pattern(expected: str, tolerance: float) -> tuple[re.Pattern, list[str]]:
    """What a line must look like, and the numbers in it that are compared with a tolerance."""
    parts, numbers, end = [], [], 0
    for token in TOKEN.finditer(expected):
        text = expected[end:token.start()]
        near = token["number"] and tolerance and re.search(r"\.|^[+-]?\d{4}|,", token["number"])
        if token["measured"] or token["clock"] or near:
            # Numbers stand in columns, so their width moves the blanks before them.
            stem = text.rstrip(" ")
            parts.append(re.escape(stem) + (" *" if stem != text or not stem else ""))
        else:
            parts.append(re.escape(text))
        if token["any"]:
            parts.append(".*")
        elif token["clock"]:
            parts.append(r"\d+:\d\d")
        elif token["measured"]:
            parts.append(NUMBER)
        elif near:
            parts.append(f"({NUMBER})")
            numbers.append(token["number"])
        else:
            parts.append(re.escape(token["number"]))
        end = token.end()
    parts.append(re.escape(expected[end:]))
    return re.compile("".join(parts)), numbers


def close(expected: str, printed: str, tolerance: float) -> bool:
    a, b = (float(text.replace(",", "")) for text in (expected, printed))
    return abs(a - b) <= tolerance * max(1.0, abs(a)) + 1e-12


def line_matches(expected: str, printed: str, tolerance: float = 0.0) -> bool:
    """Whether a printed line fits a shown one."""
    shape, numbers = pattern(expected.rstrip(), tolerance)
    found = shape.fullmatch(printed.rstrip())
    return found is not None and all(close(a, b, tolerance) for a, b in zip(numbers, found.groups()))


def matches(expected: list[str], printed: list[str], slack: Slack = Slack()) -> bool:
    """Whether the printed lines fit the shown ones."""

    @functools.cache
    def fits(i: int, j: int) -> bool:
        return line_matches(expected[i], printed[j], slack.tolerance)

    # All (lines left out above, lines left out below) that lead to a place; few, since their number is bounded.
    reached = {(0, 0): {(0, 0)}}
    for i in range(len(expected) + 1):
        for j in range(len(printed) + 1):
            for missing, extra in reached.get((i, j), ()):
                steps = []
                if i < len(expected) and expected[i].strip() == "…":
                    steps.append((i + 1, j, missing, extra))
                    if j < len(printed):
                        steps.append((i, j + 1, missing, extra))
                elif i < len(expected):
                    if j < len(printed) and fits(i, j):
                        steps.append((i + 1, j + 1, missing, extra))
                    if missing < slack.lines:
                        steps.append((i + 1, j, missing + 1, extra))
                if j < len(printed) and extra < slack.lines:
                    steps.append((i, j + 1, missing, extra + 1))
                for to_i, to_j, gone, more in steps:
                    reached.setdefault((to_i, to_j), set()).add((gone, more))
    return bool(reached.get((len(expected), len(printed))))
