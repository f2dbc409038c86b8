# SPDX-License-Identifier: Apache-2.0
"""Learn rules from a knowledge graph, and read them.

>>> import lerp
>>> run = lerp.train("families", rules={"length": 2}, train={"epochs": 2}, seed=1, out="first-run")
>>> run.evaluate().both.realistic.mrr > 0.3
True
>>> prediction = run.predict(run.dataset.entities[0], "sister", None, top=3)
>>> len(prediction)
3
"""

# What needs the compiled module is imported when it is first asked for: lerp.spark works without.
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from ._errors import Interrupted, LerpError

if TYPE_CHECKING:
    from . import events as events
    from ._data import Dataset, generate, load
    from ._frames import set_frames
    from ._progress import set_progress
    from ._ranking import apply, rank
    from ._records import Record
    from ._results import Explanation, Prediction, Report
    from ._run import RuleList, Run
    from ._training import Sweep, embed, open, options, resume, sweep, train

    __version__: str

_HOMES = {
    "Dataset": "_data",
    "generate": "_data",
    "load": "_data",
    "set_frames": "_frames",
    "set_progress": "_progress",
    "apply": "_ranking",
    "rank": "_ranking",
    "Record": "_records",
    "Explanation": "_results",
    "Prediction": "_results",
    "Report": "_results",
    "RuleList": "_run",
    "Run": "_run",
    "Sweep": "_training",
    "embed": "_training",
    "open": "_training",
    "options": "_training",
    "resume": "_training",
    "sweep": "_training",
    "train": "_training",
}

__all__ = [
    "Dataset",
    "Explanation",
    "Interrupted",
    "LerpError",
    "Prediction",
    "Record",
    "Report",
    "RuleList",
    "Run",
    "Sweep",
    "apply",
    "embed",
    "events",
    "generate",
    "load",
    "open",
    "options",
    "rank",
    "resume",
    "set_frames",
    "set_progress",
    "sweep",
    "train",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return importlib.import_module("lerp._core").version
    if name == "events":
        return importlib.import_module("lerp.events")
    if name in _HOMES:
        return getattr(importlib.import_module("lerp." + _HOMES[name]), name)
    raise AttributeError(f"module 'lerp' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
