# SPDX-License-Identifier: Apache-2.0
"""A run, and what it answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _core, _html
from ._data import Dataset, column_names, load, table_lists
from ._errors import LerpError
from ._frames import frame
from ._progress import Progress, shown
from ._records import Record, record
from ._results import Explanation, Prediction, Report
from ._settings import settings



class RuleList:
    """A short list of discrete rules that ranks by itself, as `run.distill` makes it."""

    def __init__(self, run: Run, core: _core.RuleList, path: Path | None = None) -> None:
        self._run = run
        self._core = core
        self.path = path

    def __len__(self) -> int:
        return len(self._core)

    def rules(self, *, relation: str | None = None, top: int = 20, progress: Progress = None, **options: Any) -> Any:
        """As `Run.rules`."""
        with shown(progress) as told:
            found = self._run._core.list_rules(self._core, settings({"relation": relation, "top": top, **options}), told)
        return frame(found.table(), lambda: _html.rules(found))

    def fidelity(self, split: str = "test", progress: Progress = None) -> Record:
        """The ranks of the model and of the list on a split: `model` and `list`."""
        with shown(progress) as told:
            found: Record = record(self._run._core.fidelity(self._core, [split], told)).splits[split]
            return found

    def export(self, format: str, out: str | os.PathLike[str] | None = None) -> str:
        """The list in the language of another engine, as `Run.export`."""
        return _written(self._run._core.export_list(self._core, format)[0], out)

    def save(self, path: str | os.PathLike[str]) -> None:
        self._run._core.save_list(self._core, os.fspath(path))

    def __repr__(self) -> str:
        return f"<lerp.RuleList of {len(self)} rules>"


class Run:
    """A run folder that was opened. Long questions can be stopped, and show progress (`progress=`).

    >>> run = lerp.open("family-run")
    >>> run
    <lerp.Run family-run>
    """

    def __init__(self, core: _core.Run, result: Record | None = None) -> None:
        self._core = core
        self._result = result

    @property
    def folder(self) -> str:
        return self._core.folder

    @property
    def dataset(self) -> Dataset:
        """What is asked about."""
        return Dataset(self._core.data())

    @property
    def options(self) -> Record:
        """All that it was learned with."""
        return record(self._core.options())

    @property
    def metrics(self) -> Record:
        """Its figures when learning ended: metrics.json."""
        if self._result is None:
            self._result = record((Path(self.folder) / "metrics.json").read_text())
        return self._result

    @property
    def trace(self) -> list[Record]:
        """What each epoch came to."""
        return json.loads(self._core.trace(), object_hook=Record)  # type: ignore[no-any-return]

    def on(self, data: Any) -> Run:
        """The same rules asked about another graph, which has some of the relations by name.

        >>> other = lerp.open("family-run").on("families")
        >>> other.dataset.name
        'families'
        """
        return Run(self._core.on(load(data)._core), self._result)

    def soft(self) -> Run:
        """The model as it was learned, whatever short list of rules was made from it.

        >>> run = lerp.open("family-run")
        >>> run.soft().evaluate().both.realistic.mrr == run.evaluate().both.realistic.mrr
        True
        """
        return Run(self._core.soft(), self._result)

    def rules_only(self) -> Run:
        """Without its embedding."""
        return Run(self._core.rules_only(), self._result)

    def evaluate(self, split: str = "test", *, facts: int = 0, progress: Progress = None) -> Record:
        """Filtered ranks with three protocols for ties, over all and by relation: the figures of `lerp eval`.

        >>> ranks = lerp.open("family-run").evaluate()
        >>> ranks.both.optimistic.mrr >= ranks.both.realistic.mrr
        True
        """
        with shown(progress) as told:
            return record(self._core.evaluate(split, facts, told))

    def rules(
        self, *, relation: str | None = None, top: int = 20, source: str = "model", progress: Progress = None, **options: Any
    ) -> Any:
        """The rules, the strongest first, as a data frame; a notebook shows their diagrams: `lerp rules`, with its options.

        `source` is "model", or "list" for what `distill` has made.

        >>> rules = lerp.open("family-run").rules(relation="brother", top=5)
        >>> list(rules["relation"].unique())
        ['brother']
        """
        found = self._read_rules(relation, top, source, options, progress)
        return frame(found.table(), lambda: _html.rules(found))

    def _read_rules(
        self, relation: str | None, top: int, source: str, options: dict[str, Any], progress: Progress
    ) -> _core.Rules:
        if source not in ("model", "list"):
            raise LerpError(f"rules are not read from '{source}': give model or list")
        with shown(progress) as told:
            given = settings({"relation": relation, "top": top, **options})
            return self._core.rules(given, source == "list", told)

    def diagram(self, rule: str) -> str:
        """A rule as a picture, SVG.

        >>> lerp.open("family-run").diagram("mother(z,x) ∧ son(y,z) ⇒ brother(y,x)").startswith("<svg")
        True
        """
        return self._core.rule_svg(rule)

    def functions(self, *, top: int = 0, progress: Progress = None, **options: Any) -> Any:
        """The logical functions as formulas, the most used first, as a data frame: `lerp functions`.

        >>> "formula" in lerp.open("family-run").functions(top=3)
        True
        """
        with shown(progress) as told:
            return frame(self._core.functions(settings({"top": top, **options}), told).table())

    def entity_functions(self, progress: Progress = None) -> Any:
        """How far each function holds of each entity: an array with a row for each of `dataset.entities`.

        Ready for scikit-learn. As a table with names: `pandas.DataFrame(values, index=run.dataset.entities)`.

        >>> run = lerp.open("family-run")
        >>> values = run.entity_functions()
        >>> len(values) == len(run.dataset.entities)
        True
        """
        with shown(progress) as told:
            return self._core.entity_functions(told)

    @property
    def parameters(self) -> dict[str, Any]:
        """Raw parameters by name: NumPy views that cannot be written to.

        >>> lerp.open("family-run").parameters["alpha.1"].ndim
        2
        """
        return dict(self._core.parameters())

    def predict(
        self, head: str | None, relation: str, tail: str | None, *, top: int = 10, known: str = "show", progress: Progress = None
    ) -> Prediction:
        """Answers `relation(head, tail)` where one end is None (or "?"): `lerp predict`.

        `known="hide"` leaves out what the data has already.

        >>> run = lerp.open("family-run")
        >>> [answer.name for answer in run.predict(None, "sister", run.dataset.entities[0], top=2)] != []
        True
        """
        head = "?" if head is None else head
        tail = "?" if tail is None else tail
        if not self._core.ready:  # what takes long is done once
            with shown(progress) as told:
                self._core.prepare(told)
        return Prediction(self._core.predict(head, relation, tail, top, known, None))

    def predict_all(
        self, questions: Iterable[tuple[str | None, str, str | None]], *, top: int = 10, known: str = "show", progress: Progress = None
    ) -> Any:
        """Many questions at once, on all cores: a data frame with a row for each answer.

        >>> run = lerp.open("family-run")
        >>> names = run.dataset.entities[:3]
        >>> len(run.predict_all([(name, "aunt", None) for name in names], top=2))
        6
        """
        heads, relations, tails = [], [], []
        for head, relation, tail in questions:
            heads.append("?" if head is None else head)
            relations.append(relation)
            tails.append("?" if tail is None else tail)
        with shown(progress) as told:
            return frame(self._core.predict_all(heads, relations, tails, top, known, told))

    def complete(
        self, *, relation: str | None = None, entity: str | None = None, top: int = 100, progress: Progress = None, **options: Any
    ) -> Any:
        """The most likely facts that the data lacks, as a data frame: `lerp complete`, with its options.

        >>> lost = lerp.open("family-run").complete(relation="sister", top=3)
        >>> set(lost["relation"]) == {"sister"}
        True
        """
        with shown(progress) as told:
            given = settings({"relation": relation, "entity": entity, "top": top, **options})
            return frame(self._core.complete(given, told).table())

    def doubt(self, *, relation: str | None = None, top: int = 100, progress: Progress = None) -> Any:
        """The known facts that the rest of the graph makes least likely, as a data frame: `lerp doubt`.

        >>> doubted = lerp.open("family-run").doubt(relation="wife", top=3)
        >>> doubted["probability"].is_monotonic_increasing
        True
        """
        with shown(progress) as told:
            return frame(self._core.doubt(settings({"relation": relation, "top": top}), told).table())

    def score(self, facts: Any, *, columns: list[str] | None = None, progress: Progress = None) -> Any:
        """How likely given facts are, triples or a table, as a data frame in the same order: `lerp score`.

        >>> run = lerp.open("family-run")
        >>> len(run.score(run.dataset.triples("test")[:4]))
        4
        """
        if hasattr(facts, "columns") or hasattr(facts, "column_names"):
            facts = zip(*table_lists(facts, column_names(facts, columns)))
        rows = [tuple(str(name) for name in fact[:3]) + tuple(fact[3:]) for fact in facts]
        with shown(progress) as told:
            return frame(self._core.score(rows, told).table())

    def calibration(self, progress: Progress = None, **options: Any) -> Record:
        """How far probabilities can be trusted, against the test facts: `lerp eval --calibration`."""
        with shown(progress) as told:
            return record(self._core.calibration(settings(options), told).json())

    def explain(self, head: str, relation: str, tail: str, *, progress: Progress = None, **options: Any) -> Explanation:
        """Why `relation(head, tail)` has its score, down to the facts: `lerp explain`, with its options."""
        with shown(progress) as told:
            return Explanation(self._core.explain(head, relation, tail, settings(options), told))

    def distill(
        self, *, rules: int = 100, out: str | os.PathLike[str] | None = None, progress: Progress = None, **options: Any
    ) -> RuleList:
        """A short list of discrete rules that ranks nearly as well, kept in rules.txt of the run: `lerp distill`.

        >>> len(lerp.open("family-run").distill(rules=2, candidates=20, queries=50, epochs=1)) > 0
        True
        """
        with shown(progress) as told:
            core = self._core.distill(settings({"rules": rules, **options}), told)
        path = self._core.save_list(core, os.fspath(out) if out is not None else "")
        return RuleList(self, core, path)

    def rule_list(self) -> RuleList:
        """The list that `distill` has made, as it stands in the run folder."""
        return RuleList(self, self._core.load_list())

    def export(
        self,
        format: str,
        *,
        out: str | os.PathLike[str] | None = None,
        facts: str | os.PathLike[str] | None = None,
        source: str = "model",
        relation: str | None = None,
        top: int = 20,
        progress: Progress = None,
        **options: Any,
    ) -> str:
        """Rules in the language of another engine: text, json, anyburl, prolog, asp, sql, sparql or cypher.

        Returns the program, and writes it to `out`; `facts` is a file for the known facts, laid out as it expects them.

        >>> "SELECT" in lerp.open("family-run").export("sql", top=3)
        True
        """
        if source == "list":
            exported = self._core.export_list(self._core.load_list(), format)
        else:
            exported = self._core.export_rules(self._read_rules(relation, top, source, options, progress), format)
        if facts is not None:
            self._core.export_facts(format, Path(facts))
        return _written(exported[0], out)

    def report(self, out: str | os.PathLike[str] | None = None, *, progress: Progress = None, **options: Any) -> Report:
        """One HTML page of all that the run has learned, report.html of its folder: `lerp report`."""
        with shown(progress) as told:
            path, html, figures = self._core.report(os.fspath(out) if out is not None else "", settings(options), told)
        return Report(path, html, record(figures))

    def __repr__(self) -> str:
        return f"<lerp.Run {self.folder}>"


def _written(text: str, out: str | os.PathLike[str] | None) -> str:
    if out is not None:
        Path(out).write_text(text)
    return text
