#!/usr/bin/env python3
"""Data flows one way, and so do the includes: a folder may include only those before it."""

import pathlib
import re
import sys

ALLOWED = {
    "base": [],
    "mpi": ["base"],
    "kg": ["base"],
    "logic": ["base", "kg"],
    "eval": ["base", "kg"],
    "model": ["base", "kg", "logic", "eval"],
    "train": ["base", "kg", "logic", "eval", "model"],
    "explain": ["base", "kg", "logic", "eval", "model", "train"],
    "events": ["base", "kg", "logic", "eval", "model", "train"],
    "bench": ["base", "kg", "logic", "eval", "model", "train", "explain", "events"],
    "cli": ["base", "kg", "logic", "eval", "model", "train", "explain", "events", "bench"],
}
INCLUDE = re.compile(r'#include [<"](?:lerp/)?(\w+)/\w+\.hpp[>"]')


def main() -> int:
    wrong = 0
    for root in ("include/lerp", "src"):
        for path in sorted(pathlib.Path(root).rglob("*.[ch]pp")):
            layer = path.relative_to(root).parts[0]
            if layer.endswith(".hpp"):
                continue  # the umbrella header
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = INCLUDE.match(line)
                if found and found[1] in ALLOWED and found[1] not in ALLOWED[layer] + [layer]:
                    print(f"{path}:{number}: {layer} must not include {found[1]}", file=sys.stderr)
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
