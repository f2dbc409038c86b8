# SPDX-License-Identifier: Apache-2.0
"""Progress of long calls, by tqdm where it is installed."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable
from typing import Any, Union

Told = Callable[[str, int, int, str, str], None]
Progress = Union[bool, Told, None]

_default: Progress = None


def set_progress(progress: Progress) -> None:
    """Whether long calls show a bar: True, False, None (in terminals and notebooks), or a callable of one's own.

    The callable is given stage, units done, units in all (0 where that is not known), the unit and a note.

    >>> stages = []
    >>> lerp.set_progress(lambda stage, done, total, unit, note: stages.append(stage))
    >>> lerp.set_progress(False)
    """
    global _default
    _default = progress


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    ipython = shell.get_ipython() if shell is not None else None
    return ipython is not None and "IPKernelApp" in ipython.config and importlib.util.find_spec("ipywidgets") is not None


class Bars:
    """One bar at a time, for the stage that the library is in."""

    def __init__(self, make: Any) -> None:
        self._make = make
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: int, total: int, unit: str, note: str) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._make(desc=stage, total=total or None, unit=" " + unit if unit else "it", leave=False)
        if self._bar.total != (total or None):
            self._bar.total = total or None
        if note:
            self._bar.set_postfix_str(note, refresh=False)
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class shown:
    """What the compiled module is given, for the time of one call."""

    def __init__(self, progress: Progress) -> None:
        self._progress = _default if progress is None else progress
        self._bars: Bars | None = None

    def __enter__(self) -> Told | None:
        wanted = self._progress
        if callable(wanted):
            return wanted
        if wanted is None:
            wanted = sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())
        if not wanted or importlib.util.find_spec("tqdm") is None:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
        self._bars = Bars(tqdm)
        return self._bars

    def __exit__(self, *raised: object) -> None:
        if self._bars is not None:
            self._bars.close()
