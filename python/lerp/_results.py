# SPDX-License-Identifier: Apache-2.0
"""Answers, explanations and the report, as objects that a notebook shows."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from . import _core, _html
from ._frames import frame
from ._records import Record, record


class Prediction:
    """The best answers to one question, the most likely first.

    >>> run = lerp.open("family-run")
    >>> best = run.predict(run.dataset.entities[0], "sister", None)[0]
    >>> best.rank >= 1
    True
    """

    __slots__ = ("_answers", "_core")

    def __init__(self, core: _core.Prediction) -> None:
        self._core = core
        self._answers: list[_core.Answer] | None = None

    @property
    def answers(self) -> list[_core.Answer]:
        """Each with name, label, score, rank, probability, known (the split that has it) and objection."""
        if self._answers is None:
            self._answers = self._core.answers()
        return self._answers

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, place: int) -> _core.Answer:
        return self.answers[place]

    def __iter__(self) -> Iterator[_core.Answer]:
        return iter(self.answers)

    def frame(self) -> Any:
        """A table of the answers."""
        return frame(self._core.table())

    def to_dict(self) -> Record:
        """The JSON of `lerp predict`."""
        return record(self._core.json())

    def __str__(self) -> str:
        return self._core.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        told = self.to_dict()
        rows = [
            [f"{each.rank:g}", escape(each.label), f"{each.probability:.3f}" if each.probability is not None else "", each.known or ""]
            for each in told.answers
        ]
        return _html.table(["rank", "answer", "probability", "known"], rows)


class Explanation:
    """Why an answer has its score: the keys of `lerp explain --json` are attributes.

    >>> run = lerp.open("family-run")
    >>> proof = run.explain(*run.dataset.triples("test")[0])
    >>> len(proof.reasons) > 0, proof.svg.startswith("<svg")
    (True, True)
    """

    def __init__(self, core: _core.Explained) -> None:
        self._core = core
        self._record: Record | None = None

    def to_dict(self) -> Record:
        if self._record is None:
            self._record = record(self._core.json())
        return self._record

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.to_dict(), name)

    @property
    def text(self) -> str:
        return self._core.text()

    @property
    def svg(self) -> str:
        """The proofs as a picture, for light and dark paper."""
        return self._core.svg()

    @property
    def html(self) -> str:
        return _html.picture(self.svg, self.fact.text) + _html.text(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<lerp.Explanation of {self.fact.text}: score {self.score:.2f}, {len(self.reasons)} reasons>"

    def _repr_html_(self) -> str:
        return self.html


class Report:
    """The page of a run: `path`, `html` and its figures as attributes."""

    def __init__(self, path: Path, html: str, figures: Record) -> None:
        self.path = path
        self.html = html
        self.figures = figures

    def __repr__(self) -> str:
        return f"<lerp.Report {self.path}>"

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'
