# SPDX-License-Identifier: Apache-2.0
"""Results with the keys of the command line's JSON, as dictionaries and as attributes."""

from __future__ import annotations

import json
from typing import Any


class Record(dict[str, Any]):
    """A dictionary whose keys are attributes too.

    >>> lerp.Record(both=lerp.Record(mrr=0.5)).both.mrr
    0.5
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}': it has {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


def record(text: str) -> Record:
    """Reads a result of the library: every figure as it is."""
    read: Record = json.loads(text, object_hook=Record)
    return read
