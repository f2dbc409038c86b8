# SPDX-License-Identifier: Apache-2.0
"""Options as the library reads them: names and texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Settings = list[tuple[str, str]]


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def settings(options: Mapping[str, Any], section: str = "") -> Settings:
    """What is None is left to the library."""
    return [(section + name, text_of(value)) for name, value in options.items() if value is not None]
