# SPDX-License-Identifier: Apache-2.0
"""Event graphs: how they end, and what holds in them.

>>> run = lerp.events.train("stories", epochs=30, seed=1, out="story-run")
>>> run.evaluate().raw.hits_at_1 >= lerp.events.baseline("stories", "frequency").raw.hits_at_1
True
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from . import _core
from ._progress import Progress, shown
from ._records import Record, record
from ._settings import settings

__all__ = ["Equations", "EventRun", "baseline", "induce", "open", "resume", "train"]

Place = str | os.PathLike[str]


class EventRun:
    """A run folder of `lerp events train`."""

    def __init__(self, folder: Path, model: _core.EventModel, metrics: Record | None = None) -> None:
        self._folder = folder
        self._model = model
        self._metrics = metrics

    @property
    def folder(self) -> str:
        return str(self._folder)

    @property
    def metrics(self) -> Record:
        """What training left: `metrics.json`."""
        if self._metrics is None:
            self._metrics = record((self._folder / "metrics.json").read_text())
        return self._metrics

    def evaluate(self, split: str = "test", *, data: Place = "", threads: int = 0) -> Record:
        """Ranks the ending events that the model predicts: `lerp events eval`.

        >>> lerp.events.open("story-run").evaluate("valid").graphs
        40
        """
        return record(self._model.evaluate(os.fspath(data), split, threads))

    def explain(self, split: str = "test", *, data: Place = "", top: int = 5) -> list[Record]:
        """Why each graph is said to end as it does: formulas and other evidence with their shares.

        >>> ending = lerp.events.open("story-run").explain()[0]
        >>> len(ending.reasons) <= 5 and isinstance(ending.right, bool)
        True
        """
        json, _ = self._model.explain(os.fspath(data), split, top)
        endings: list[Record] = record(json)["endings"]
        return endings

    def __repr__(self) -> str:
        return f"lerp.events.open({self.folder!r})"


class Equations(Record):
    """Equations that hold in event graphs: the JSON of `lerp events induce`, with its text and its page."""

    text: str
    html: str

    def __str__(self) -> str:
        return self.text


def train(
    data: Place,
    *,
    preset: str = "default",
    out: Place | None = None,
    progress: Progress = None,
    **options: Any,
) -> EventRun:
    """Learns to predict how event graphs end, and leaves a run folder: `lerp events train`, with its options.

    `data` is a folder of event graphs, or one file. `preset` is "default", or "paper" for functions and nothing else.

    >>> lerp.events.train("stories", preset="paper", epochs=2, out="paper-stories").metrics.epochs
    2
    """
    path = Path(data)
    folder = Path(out) if out is not None else Path(_core.event_name(path) + "-run")
    with shown(progress) as told:
        result = record(_core.event_train(path, preset, settings(options), folder, told))
    return EventRun(folder, _core.event_open(folder), result)


def resume(folder: Place, *, progress: Progress = None) -> EventRun:
    """Goes on with an interrupted run; a finished one is ranked again: `lerp resume`.

    >>> lerp.events.resume("story-run").folder
    'story-run'
    """
    with shown(progress) as told:
        result = record(_core.event_resume(Path(folder), told))
    return EventRun(Path(folder), _core.event_open(Path(folder)), result)


def open(folder: Place) -> EventRun:
    """Opens a run folder.

    >>> lerp.events.open("story-run")
    lerp.events.open('story-run')
    """
    return EventRun(Path(folder), _core.event_open(Path(folder)))


def baseline(
    data: Place,
    model: str,
    *,
    split: str = "test",
    ending: str = "reached",
    schemas: Place = "",
    threads: int = 0,
) -> Record:
    """Predicts ending events with a trivial model (frequency, ngram, pairwise, prefixspan, schema): `lerp events baseline`.

    >>> lerp.events.baseline("stories", "ngram", split="valid").graphs
    40
    """
    return record(_core.event_baseline(Path(data), model, split, ending, os.fspath(schemas), threads))


def induce(data: Place, *, progress: Progress = None, **options: Any) -> Equations:
    """Finds the logical equations that hold in event graphs: `lerp events induce`, with its options.

    >>> found = lerp.events.induce("stories", epochs=1, support=5, shuffles=2, remove=1)
    >>> len(found.equations) > 0
    True
    """
    with shown(progress) as told:
        json, text, html = _core.event_induce(Path(data), settings(options), told)
    found = Equations(record(json))
    object.__setattr__(found, "text", text)
    object.__setattr__(found, "html", html)
    return found
