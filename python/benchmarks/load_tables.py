# SPDX-License-Identifier: Apache-2.0
"""Loads one graph from its files and from tables of pandas, polars and Arrow that hold the same facts.

    python python/benchmarks/load_tables.py data/fb15k-237
"""

import argparse
import time
from collections.abc import Callable

import pandas
import polars

import lerp

SPLITS = ("facts", "train", "valid", "test")
NAMES = ["subject", "relation", "object"]

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("data")
parser.add_argument("--times", type=int, default=7, help="each is loaded so often, in turn; the median counts")
given = parser.parse_args()

data = lerp.load(given.data, progress=False)
triples = {split: data.triples(split) for split in SPLITS if len(data.facts(split))}
frames = {split: polars.DataFrame(rows, schema=NAMES, orient="row") for split, rows in triples.items()}
tables = {
    "pandas (strings)": {split: pandas.DataFrame(rows, columns=NAMES, dtype="string") for split, rows in triples.items()},
    "pandas (Arrow)": {split: frame.to_pandas(use_pyarrow_extension_array=True) for split, frame in frames.items()},
    "pandas (objects)": {split: pandas.DataFrame(rows, columns=NAMES, dtype=object) for split, rows in triples.items()},
    "polars": frames,
    "Arrow": {split: frame.to_arrow() for split, frame in frames.items()},
}
ways: dict[str, Callable[[], lerp.Dataset]] = {"files": lambda: lerp.load(given.data, progress=False)}
ways |= {name: lambda parts=parts: lerp.load(parts) for name, parts in tables.items()}

seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
for _ in range(given.times):
    for name, way in ways.items():
        begin, processor = time.perf_counter(), time.process_time()
        loaded = way()
        seconds[name].append((time.perf_counter() - begin, time.process_time() - processor))
        assert len(loaded) == len(data) and loaded.triples("test") == triples["test"]
for name, runs in seconds.items():
    wall, processor = (sorted(part)[len(runs) // 2] for part in zip(*runs))
    print(f"{name:18} {wall:.3f} s, {processor:.3f} s of processor time")
