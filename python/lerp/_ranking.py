# SPDX-License-Identifier: Apache-2.0
"""Honest ranks of any model."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from . import _core
from ._data import load
from ._progress import Progress, shown
from ._records import Record, record
from ._settings import settings

Scorer = Callable[[Any, Any], Any]


def rank(
    data: Any,
    scorer: Any,
    *,
    heads: Scorer | None = None,
    inverse: bool = False,
    split: str = "test",
    batch: int = 256,
    facts: int = 0,
    threads: int = 0,
    progress: Progress = None,
) -> Record:
    """Ranks the facts of a split by the scores of any model, as `lerp eval` ranks its own.

    `scorer(heads, relations)` is given two NumPy arrays of numbers (those of `data.entities` and `data.relations`) and
    returns a matrix: a row for each question, a column for each entity as the tail; NumPy or PyTorch, higher is better.
    Questions for the head are asked of `heads(tails, relations)`, or with `inverse=True` of
    `scorer(tails, relations + R)`, where R is the number of relations; with neither, tails alone are ranked. A PyKEEN
    model is asked in both ways by itself: load its dataset or triples factory, so that numbers agree.

    Other known answers, of any split, are left out; ties are treated in all three ways. `facts` ranks so many of the
    split, spread evenly; 0 is all. The result has the keys of `lerp eval --json`; `both` and `head` are None where heads
    were not asked for.

    >>> import numpy
    >>> data = lerp.load("families")
    >>> report = lerp.rank(data, lambda heads, relations: numpy.zeros((len(heads), len(data.entities))))
    >>> report.tail.optimistic.mrr, report.head
    (1.0, None)
    """
    dataset = load(data)
    count = dataset._core.relation_count()
    if hasattr(scorer, "predict_t") and hasattr(scorer, "predict_h"):
        scorer, heads = _of_pykeen(scorer)
    elif heads is None and inverse:
        inverted: Scorer = scorer

        def heads(tails: Any, relations: Any) -> Any:
            return inverted(tails, relations + count)

    with shown(progress) as told:
        report = record(
            _core.rank(
                dataset._core, _matrix(scorer), _matrix(heads) if heads is not None else None, split, batch, facts, threads, told
            )
        )
    if heads is None:
        for part in (report, *report.relations.values()):
            part["both"] = part["head"] = None
    return report


def apply(
    rules: str | os.PathLike[str],
    data: Any,
    *,
    aggregation: str | None = None,
    split: str = "test",
    with_valid: bool = False,
    threads: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Record:
    """Ranks with a file of rules, AnyBURL's or our own: `lerp apply`, with its options.

    `aggregation` is "max", "noisy-or" or "sum", or "list" for distilled lists as they say themselves.

    >>> lerp.open("family-run").export("anyburl", top=50, confidence=0.5, out="rules-50") != ""
    True
    >>> lerp.apply("rules-50", "families").aggregation
    'max'
    """
    with shown(progress) as told:
        given = settings(options)
        core = load(data)._core
        return record(_core.rank_rules(core, os.fspath(rules), aggregation or "", split, with_valid, given, threads, told))


def _matrix(scorer: Scorer) -> Scorer:
    """Scores as a matrix of 32 or 64 bits in rows, whatever the model returns."""
    import numpy

    def score(starts: Any, relations: Any) -> Any:
        scores = scorer(starts, relations)
        if hasattr(scores, "detach"):  # PyTorch
            scores = scores.detach().cpu()
            scores = (scores if scores.element_size() >= 4 else scores.float()).numpy()
        scores = numpy.asarray(scores)
        if scores.dtype not in (numpy.float32, numpy.float64):
            scores = scores.astype(numpy.float32 if scores.dtype == numpy.float16 else numpy.float64)
        return numpy.ascontiguousarray(scores)

    return score


def _of_pykeen(model: Any) -> tuple[Scorer, Scorer]:
    import torch

    def pairs(left: Any, right: Any) -> Any:
        batch = torch.stack([torch.as_tensor(left), torch.as_tensor(right)], dim=1)
        return batch.to(model.device)

    def tails(heads: Any, relations: Any) -> Any:
        with torch.inference_mode():
            return model.predict_t(pairs(heads, relations))

    def heads(tails: Any, relations: Any) -> Any:
        with torch.inference_mode():
            return model.predict_h(pairs(relations, tails))

    return tails, heads
