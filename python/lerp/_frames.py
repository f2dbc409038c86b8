# SPDX-License-Identifier: Apache-2.0
"""Tables as pandas, polars or Arrow, whichever is installed."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

from . import _core
from ._errors import LerpError

_KINDS = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}
_chosen: str | None = None

Html = Callable[[], str]


def set_frames(kind: str | None) -> None:
    """What tables are: "pandas", "polars", "arrow" or "dicts"; None for the first of these that is installed.

    >>> lerp.set_frames("dicts")
    >>> lerp.open("family-run").rules(top=1)[0]["share"] > 0
    True
    >>> lerp.set_frames(None)
    """
    global _chosen
    if kind not in (None, "dicts", *_KINDS):
        raise LerpError(f"there are no tables of '{kind}': give pandas, polars, arrow or dicts")
    if kind in _KINDS and importlib.util.find_spec(_KINDS[kind]) is None:
        raise LerpError(f"{_KINDS[kind]} is not installed: pip install {_KINDS[kind]}")
    _chosen = kind


class Records(list[dict[str, Any]]):
    """Rows, where no library of tables is installed."""

    _html: Html | None = None

    def _repr_html_(self) -> str | None:
        return self._html() if self._html is not None else None


@functools.cache
def _with_html(base: type[Any]) -> type[Any]:
    """A data frame that a notebook shows in our way. What is made of it is a plain one."""

    class Frame(base):  # type: ignore[misc]
        def _repr_html_(self) -> Any:
            html: Html | None = self.__dict__.get("_lerp_html")
            return html() if html is not None else super()._repr_html_()

    Frame.__name__ = Frame.__qualname__ = base.__name__
    return Frame


def frame(table: _core.Table, html: Html | None = None) -> Any:
    """Hands the columns over by Arrow's C interface; those of numbers are not copied."""
    kind = _chosen
    if kind is None:
        kind = next((each for each, module in _KINDS.items() if importlib.util.find_spec(module)), "dicts")
    if kind == "arrow":
        return importlib.import_module("pyarrow").table(table)
    made: Any
    if kind == "polars":
        made = _with_html(importlib.import_module("polars").DataFrame)(table)
    elif kind == "pandas":
        columns = {name: table.column(name) for name in table.names}
        made = _with_html(importlib.import_module("pandas").DataFrame)(columns, copy=False)
    else:
        names = table.names
        columns = {name: _listed(table.column(name)) for name in names}
        rows = Records(dict(zip(names, row)) for row in zip(*columns.values()))
        rows._html = html
        return rows
    if html is not None:
        object.__setattr__(made, "_lerp_html", html)
    return made


def _listed(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)
