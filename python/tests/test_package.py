# SPDX-License-Identifier: Apache-2.0
"""The package itself: what it imports, and what it promises."""

import os
import subprocess
import sys
from importlib import metadata, resources

from conftest import ROOT

import lerp


def test_the_module_is_imported_when_it_is_needed():
    """lerp.spark runs where there is no compiled module: the sources alone can be imported."""
    code = """
import lerp, sys
assert "lerp._core" not in sys.modules
assert issubclass(lerp.LerpError, Exception)
try:
    lerp.load([("a", "r", "b")])
except ImportError as error:
    print(error)
"""
    where = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    told = subprocess.run([sys.executable, "-c", code], env=where, cwd="/", capture_output=True, text=True, check=True)
    assert "_core" in told.stdout


def test_all_names_are_there():
    for name in lerp.__all__:
        assert getattr(lerp, name).__doc__, name
    assert set(lerp.__all__) < set(dir(lerp))


def test_versions_agree():
    assert lerp.__version__ == metadata.version("lerp")


def test_types_are_shipped():
    files = resources.files("lerp")
    assert (files / "py.typed").is_file()
    assert "class Run" in (files / "_core.pyi").read_text()


def test_strict_types_of_a_program(tmp_path):
    """mypy knows what a program gets, and refuses what is wrong."""
    program = tmp_path / "program.py"
    program.write_text(
        "import lerp\n"
        "run: lerp.Run = lerp.open('x')\n"
        "name: str = run.predict('a', 'r', None)[0].name\n"
        "run.predict(1, 'r', None)\n"
        "text: int = run.explain('a', 'r', 'b').text\n")
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)], capture_output=True, text=True, cwd=tmp_path, check=False)
    wrong = [line for line in told.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[1] for line in wrong] == ["4", "5"], told.stdout
