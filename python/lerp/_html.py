# SPDX-License-Identifier: Apache-2.0
"""What notebooks show."""

from __future__ import annotations

import base64
from html import escape
from typing import Any


def picture(svg: str, alt: str, style: str = "max-width:100%") -> str:
    """A picture that brings its own colours for light and dark paper."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{escape(alt)}" style="{style}" src="data:image/svg+xml;base64,{data}">'


def table(head: list[str], rows: list[list[str]]) -> str:
    """Cells are HTML already."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "".join("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{lines}</tbody></table>"


def rules(core: Any, most: int = 20) -> str:
    """Each rule as a diagram, in words, and with its figures."""
    from ._records import record

    read = record(core.json()).rules
    rows = [
        [
            picture(core.svg(place), rule.rule, "max-height:6em"),
            f"{escape(rule.rule)}<br><small>{escape(rule.english)}</small>",
            f"{100 * rule.share:.1f} %",
            f"{rule.support:,}",
            f"{rule.confidence:.2f}",
        ]
        for place, rule in enumerate(read[:most])
    ]
    more = f"<p>and {len(read) - most} more</p>" if len(read) > most else ""
    return table(["", "rule", "share", "support", "confidence"], rows) + more


def text(shown: str) -> str:
    return f"<pre>{escape(shown)}</pre>"
