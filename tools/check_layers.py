#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Data flows one way, and so do the includes: a folder may include only those before it, and of another's
private headers only those of `base` and of the folders that it is listed with below."""

import pathlib
import re
import sys

# A folder may include all before it, or less where that is said.
FLOW = ["base", "mpi", "kg", "logic", "eval", "model", "embed", "train", "read", "distill", "explain", "curate", "report",
        "run", "events", "sweep", "bench", "paper", "server", "cli"]
ALLOWED = {layer: FLOW[:place] for place, layer in enumerate(FLOW)}
ALLOWED["mpi"] = ["base"]
ALLOWED["eval"] = ["base", "kg"]
ALLOWED["explain"] = ["base", "kg", "logic", "eval", "model", "train", "read"]
ALLOWED["curate"] = ALLOWED["explain"] + ["explain"]
ALLOWED["events"] = ["base", "kg", "logic", "eval", "model", "train"]
ALLOWED["sweep"] = ["base", "kg", "logic", "eval", "model", "train"]

# Whose private headers, beside those of base, a folder uses. The list is to shrink.
PRIVATE = {
    "logic": ["kg"],
    "embed": ["model"],
    "train": ["model", "embed"],
    "read": ["kg", "logic", "model"],
    "distill": ["logic", "model", "read"],
    "explain": ["kg", "model", "read"],
    "curate": ["explain"],
    "report": ["read"],
    "events": ["kg", "model"],
    "bench": ["model", "train", "events"],
    "paper": ["report"],
}

INCLUDE = re.compile(r'#include (?:<lerp/(\w+)/\w+\.hpp>|"(\w+)/\w+\.hpp")')


def complaint(layer: str, public: str, private: str, root: str) -> str:
    """What is wrong with an include of a folder; empty where nothing is."""
    other = public or private
    if other == layer or other not in ALLOWED:
        return ""
    if other not in ALLOWED[layer]:
        return f"{layer} must not include {other}"
    if private and other != "base" and (root != "src" or other not in PRIVATE.get(layer, [])):
        return f"{layer} must not include private headers of {other}"
    return ""


def main() -> int:
    wrong = 0
    used = set()
    for root in ("include/lerp", "src"):
        for path in sorted(pathlib.Path(root).rglob("*.[ch]pp")):
            layer = path.relative_to(root).parts[0]
            if layer == "lerp.hpp":  # includes everything
                continue
            if layer not in ALLOWED:
                print(f"{path}: {layer} is no folder of the map", file=sys.stderr)
                wrong += 1
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if not found:
                    continue
                used.add((layer, found[2]))
                text = complaint(layer, found[1], found[2], root)
                if text:
                    print(f"{path}:{number}: {text}", file=sys.stderr)
                    wrong += 1
    for layer, others in PRIVATE.items():
        for other in others:
            if (layer, other) not in used:
                print(f"{__file__}: {layer} no longer uses private headers of {other}: take it off the list",
                      file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
