# SPDX-License-Identifier: Apache-2.0
"""Every example runs: those of docstrings, of docs/python.md, and the notebooks."""

import doctest
import importlib
import re
import shutil

import pytest
from conftest import ROOT

import lerp

MODULES = ["", "._data", "._frames", "._progress", "._ranking", "._records", "._results", "._run", "._training", ".events"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("module", ["lerp" + name for name in MODULES])
def test_docstrings(workshop, module):
    pytest.importorskip("pandas")
    for folder in ("first-run", "second-run", "vectors", "story-run", "paper-stories"):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        found = doctest.testmod(importlib.import_module(module), extraglobs={"lerp": lerp}, optionflags=FLAGS)
    finally:
        lerp.set_progress(False)
    assert found.attempted > 0 and found.failed == 0


def test_guide(workshop, tmp_path, monkeypatch):
    """The blocks of a page are one session."""
    pytest.importorskip("pandas")
    for folder in ("families", "stories"):
        shutil.copytree(workshop / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text()
    session = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/python.md", "docs/python.md", 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.tries > 15 and runner.failures == 0


def test_guide_lists_all_calls():
    page = (ROOT / "docs" / "python.md").read_text()
    public = [name for name in vars(lerp.Run) if not name.startswith("_")]
    missing = [name for name in [f"lerp.{name}" for name in lerp.__all__] + public if f"`{name}" not in page and f"run.{name}" not in page]
    assert not missing


@pytest.mark.parametrize("name", ["quickstart", "biomedical", "comparing"])
def test_notebooks(name, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    examples = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", examples)
    shipped = nbformat.read(examples / f"{name}.ipynb", as_version=4)
    notebook = nbformat.read(examples / f"{name}.ipynb", as_version=4)
    where = {"metadata": {"path": str(examples)}}
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=300, resources=where).execute()
    for cell, before in zip(notebook.cells, shipped.cells):
        if cell.cell_type == "code":
            # What is shown was shown, of the same kinds, and pictures where pictures are promised.
            assert kinds(cell) == kinds(before), cell.source
    assert sum("image/svg+xml" in str(cell.get("outputs")) for cell in shipped.cells) >= 2


def kinds(cell):
    return [sorted(output.get("data", {})) for output in cell.outputs if output.output_type != "stream"]
