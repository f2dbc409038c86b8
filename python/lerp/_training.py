# SPDX-License-Identifier: Apache-2.0
"""Runs: made, gone on with, opened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _core
from ._data import Dataset, load

from ._html import picture
from ._progress import Progress, shown
from ._records import Record, record
from ._run import Run
from ._settings import Settings, settings, text_of

Options = Mapping[str, Any]


def _request(
    preset: str,
    config: str | os.PathLike[str],
    sections: Mapping[str, Options | None],
    more: Options | None,
    seed: int | None,
    threads: int | None,
    time: str | None,
    on_valid: bool,
) -> _core.Request:
    given: Settings = []
    for section, values in sections.items():
        given += settings(values or {}, section + ".")
    given += settings(more or {})
    if time is not None:
        given.append(("train.seconds", f"{_core.duration(time):g}"))
    request = _core.Request(preset, os.fspath(config), given, seed, threads, on_valid)
    _core.check(request)
    return request


def train(
    data: Any,
    *,
    preset: str = "default",
    functions: Options | None = None,
    rules: Options | None = None,
    evidence: Options | None = None,
    train: Options | None = None,
    embedding: Options | None = None,
    valid: Options | None = None,
    settings: Options | None = None,
    config: str | os.PathLike[str] = "",
    seed: int | None = None,
    threads: int | None = None,
    time: str | None = None,
    on_valid: bool = False,
    holdout: float = 0.1,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Run:
    """Learns functions and rules, and leaves a run folder: `lerp train`.

    `data` is whatever `lerp.load` takes. `rules={"length": 4}` is the option `rules.length` of the command line, and so are
    the other sections; `settings={"rules.length": 4}` takes full names. `preset` is "paper", "default" or "best". `time`
    ends learning in time: "90s", "10m". `holdout` is the share of the facts for validation where the data has no splits.
    Data that is in memory is kept in the run folder, below `data`. Ctrl-C raises `lerp.Interrupted`, and
    `lerp.resume(out)` goes on.

    >>> run = lerp.train("families", rules={"length": 2}, train={"epochs": 1}, seed=2, out="second-run")
    >>> run.options["rules.length"]
    2
    """
    sections = dict(functions=functions, rules=rules, evidence=evidence, train=train, embedding=embedding, valid=valid)
    request = _request(preset, config, sections, settings, seed, threads, time, on_valid)
    dataset = data if isinstance(data, Dataset) else load(data, holdout=holdout, threads=threads or 0, progress=progress)
    dataset = dataset._held_out(holdout)
    folder = Path(out) if out is not None else Path(_core.free_run_name(dataset._core))
    if not dataset._core.path and not (folder / "config.toml").exists():
        folder.mkdir(parents=True, exist_ok=True)
        dataset.save(folder / "data")
        dataset = load(folder / "data", progress=False)
    with shown(progress) as told:
        result = record(_core.train(dataset._core, request, folder, told))
    return Run(_core.open(folder, threads or 0).on(dataset._core), result)


def options(
    data: Any,
    *,
    preset: str = "default",
    settings: Options | None = None,
    config: str | os.PathLike[str] = "",
) -> Record:
    """The options that `lerp.train` would learn with, every one of them.

    >>> lerp.options("families", settings={"rules.length": 2})["rules.length"]
    2
    """
    request = _request(preset, config, {}, settings, None, None, None, False)
    return record(_core.options(load(data)._core, request))


def open(folder: str | os.PathLike[str], *, data: Any = None, threads: int = 0) -> Run:
    """Opens a run folder, to be asked about the data that it was learned from, or about other data.

    >>> lerp.open("family-run").dataset.name
    'families'
    """
    run = Run(_core.open(Path(folder), threads))
    return run if data is None else run.on(data)


def resume(folder: str | os.PathLike[str], *, threads: int = 0, progress: Progress = None) -> Run:
    """Goes on with an interrupted run; a finished one is ranked again: `lerp resume`.

    >>> lerp.resume("family-run").folder
    'family-run'
    """
    with shown(progress) as told:
        result = record(_core.resume(Path(folder), told))
    return Run(_core.open(Path(folder), threads), result)


def embed(data: Any, *, out: str | os.PathLike[str], progress: Progress = None, **options: Any) -> Record:
    """Learns vectors by TransE on the same functions, and leaves a run folder: `lerp embed`, with its options.

    >>> lerp.embed("families", out="vectors", epochs=1, dim=8).both.realistic.mrr > 0
    True
    """
    dataset = load(data)
    folder = Path(out)
    if not dataset._core.path and not (folder / "config.toml").exists():
        folder.mkdir(parents=True, exist_ok=True)
        dataset.save(folder / "data")
        dataset = load(folder / "data", progress=False)
    with shown(progress) as told:
        return record(_core.embed(dataset._core, settings(options), folder, told))


class Sweep(Record):
    """A grid of trainings: the JSON of `lerp sweep`, with its text and its picture."""

    text: str
    svg: str

    def table(self) -> Any:
        """One row for each training, as rows of values."""
        return [dict(run) for run in self.runs]

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return picture(self.svg, "sweep")


def sweep(
    data: Any,
    over: Mapping[str, Iterable[Any]],
    *,
    settings: Options | None = None,
    progress: Progress = None,
    **options: Any,
) -> Sweep:
    """Trains a grid of options: `lerp sweep`, with its options (`preset`, `split`, `seeds`, `alone`, `threads`).

    >>> quick = {"train.epochs": 1, "rules.length": 1}
    >>> grid = lerp.sweep("families", {"depth": [1]}, settings=quick, alone=True, preset="default")
    >>> len(grid.runs)
    1
    """
    from ._settings import settings as listed

    axes = [f"{name}={','.join(text_of(value) for value in values)}" for name, values in over.items()]
    with shown(progress) as told:
        json, text, svg = _core.sweep(load(data)._core, axes, listed(settings or {}), listed(options), told)
    grid = Sweep(record(json))
    object.__setattr__(grid, "text", text)
    object.__setattr__(grid, "svg", svg)
    return grid
