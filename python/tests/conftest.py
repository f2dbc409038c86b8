# SPDX-License-Identifier: Apache-2.0
"""A small family graph and a run of it, learned once, in a folder that the tests work in."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import lerp
from lerp import _core

ROOT = Path(__file__).resolve().parents[2]
WAR = {"id": "war", "events": [["a", "Attack"], ["d", "Die"], ["j", "Arrest"]], "entities": [["p", "PER"]],
       "arguments": [["a", "Attacker", "p"], ["j", "Detainee", "p"]], "order": [["a", "d"], ["a", "j"]]}
SALE = {"id": "sale", "events": [["m", "Meet"], ["p", "Pay"]], "order": [["m", "p"]]}
QUICK = dict(rules={"length": 2}, train={"epochs": 2}, seed=1, threads=1)


@pytest.fixture(scope="session")
def workshop(tmp_path_factory):
    """The folder with `families`, a dataset, `family-run`, and `stories`, event graphs."""
    folder = tmp_path_factory.mktemp("workshop")
    lerp.set_progress(False)
    _core.generate_family(str(folder / "families"), [("people", "150")])
    (folder / "stories").mkdir()
    for split in ("train", "dev", "test"):
        lines = [json.dumps(story) + "\n" for story in [WAR, SALE] * 20]
        (folder / "stories" / f"{split}.jsonl").write_text("".join(lines))
    before = Path.cwd()
    os.chdir(folder)
    lerp.train("families", out="family-run", **QUICK)
    yield folder
    os.chdir(before)


@pytest.fixture(scope="session")
def data(workshop):
    return lerp.load("families")


@pytest.fixture(scope="session")
def run(workshop):
    return lerp.open("family-run")


@pytest.fixture(autouse=True)
def usual_frames():
    yield
    lerp.set_frames(None)


@pytest.fixture(scope="session")
def command():
    """Runs the command line; its JSON is the result."""
    binary = Path(os.environ.get("LERP_BINARY", ROOT / "build" / "lerp"))
    if not binary.exists():
        pytest.skip(f"there is no {binary}: ./dev build makes it")

    def call(*arguments: str, json: str = "out.json") -> lerp.Record:
        subprocess.run([binary, *arguments, "--quiet", "--json", json], check=True)
        from lerp._records import record

        return record(Path(json).read_text())

    return call
