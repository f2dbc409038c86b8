# SPDX-License-Identifier: Apache-2.0
"""What a run answers."""

import numpy
import pytest

import lerp


def test_prediction_is_a_sequence(run, data):
    name = data.entities[0]
    found = run.predict(name, "sister", None, top=5)
    assert len(found) == 5 and len(list(found)) == 5
    assert found[0].name == found.to_dict().answers[0].name
    assert found[0].probability == found.to_dict().answers[0].probability
    assert list(found.frame()["tail"]) == [answer.name for answer in found]
    assert "<table>" in found._repr_html_() and found[0].name in str(found)


def test_many_questions_are_answered_as_single_ones(run, data):
    names = data.entities[:10]
    questions = [(name, "aunt", None) for name in names] + [(None, "aunt", name) for name in names]
    found = run.predict_all(questions, top=3)
    assert len(found) == 60
    for place, (head, relation, tail) in enumerate(questions):
        single = run.predict(head, relation, tail, top=3).frame()
        part = found.iloc[3 * place : 3 * place + 3].reset_index(drop=True)
        assert list(part["probability"]) == list(single["probability"])
        assert list(part["head"]) == list(single["head"]) and list(part["tail"]) == list(single["tail"])


def test_explanation(run, data):
    proof = run.explain(*data.triples("test")[0])
    assert proof.fact.text in proof.text and proof.svg.startswith("<svg")
    assert proof.fact.text in proof.html and "data:image/svg+xml;base64," in proof._repr_html_()
    told = sum(reason.share for reason in proof.reasons) + proof.others.share + proof.further_walks.share
    assert told == pytest.approx(proof.score, abs=1e-3)
    with pytest.raises(AttributeError, match="there is no 'nothing'"):
        proof.nothing


def test_functions_of_entities(run, data):
    values = run.entity_functions()
    assert values.shape == (len(data.entities), run.options["functions.width"])
    assert values.dtype == numpy.float32 and 0 <= values.min() and values.max() <= 1
    # What reads as a formula agrees with who it holds of.
    functions = run.functions()
    best = functions.iloc[functions["correlation"].argmax()]
    column = values[:, int(best["function"]) - 1]
    assert best["correlation"] > 0.5 and column.std() > 0


def test_parameters_are_views(run):
    parameters = run.parameters
    first = parameters["alpha.1"]
    assert not first.flags.writeable and first.dtype == numpy.float32
    assert numpy.shares_memory(first, run.parameters["alpha.1"])
    assert sum(tensor.size for tensor in parameters.values()) == run.metrics.parameters
    del run, parameters
    assert numpy.isfinite(first).all()


def test_another_graph(run, data):
    other = run.on(lerp.load({"train": data.triples("train")[::2], "test": data.triples("test")}))
    ranks = other.evaluate()
    assert ranks.both.queries == 2 * len(data.facts("test"))
    assert ranks.both.realistic.mrr < run.evaluate().both.realistic.mrr


def test_export_distil_report(run, tmp_path):
    program = run.export("prolog", out=tmp_path / "rules.pl", facts=tmp_path / "facts.pl", top=5)
    assert (tmp_path / "rules.pl").read_text() == program and ":-" in program
    assert (tmp_path / "facts.pl").stat().st_size > 0
    small = run.distill(rules=2, candidates=20, queries=50, epochs=1, out=tmp_path / "list.txt")
    # 2 rules for each of 12 relations, each with a line for either end that it answers.
    assert 0 < len(small) <= 2 * 12 * 2 and small.path == tmp_path / "list.txt"
    assert small.fidelity("valid").list.both.realistic.mrr > 0
    assert len(small.rules(top=3)) == 3 and "SELECT" in small.export("sql")
    report = run.report(tmp_path / "page.html", diagrams=1)
    assert report.path.read_text() == report.html and "<svg" in report.html
    assert "srcdoc" in report._repr_html_()


def test_options_are_checked_before_data_is_read():
    with pytest.raises(lerp.LerpError, match="there is no option 'rules.lenght'.*rules.length"):
        lerp.train("nowhere", rules={"lenght": 3})
    with pytest.raises(lerp.LerpError, match="no preset 'papers'"):
        lerp.train("nowhere", preset="papers")


def test_choices_are_checked(run, data):
    with pytest.raises(lerp.LerpError, match="'train' is no split that can be ranked: give valid or test"):
        run.evaluate("train")
    with pytest.raises(lerp.LerpError, match="'tests' is no split"):
        lerp.rank(data, lambda heads, relations: None, split="tests")
    with pytest.raises(lerp.LerpError, match="not read from 'lists'"):
        run.rules(source="lists")
    with pytest.raises(lerp.LerpError, match="known is 'some'"):
        run.predict(data.entities[0], "aunt", None, known="some")
    with pytest.raises(lerp.LerpError, match="top"):
        run.complete(top=0)


def test_frames(run):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    pandas = run.rules(top=4)
    assert "data:image/svg+xml" in pandas._repr_html_()
    assert "svg+xml" not in pandas.head(2)._repr_html_()
    lerp.set_frames("polars")
    frame = run.rules(top=4)
    assert isinstance(frame, polars.DataFrame) and frame["rule"].to_list() == list(pandas["rule"])
    assert "data:image/svg+xml" in frame._repr_html_()
    lerp.set_frames("arrow")
    table = run.rules(top=4)
    assert isinstance(table, pyarrow.Table) and table["share"].to_pylist() == list(pandas["share"])
    assert run.complete(top=5)["fits"].type == pyarrow.bool_()
    lerp.set_frames("dicts")
    rows = run.rules(top=4)
    assert [row["weight"] for row in rows] == list(pandas["weight"]) and "svg+xml" in rows._repr_html_()
    with pytest.raises(lerp.LerpError, match="no tables of 'sheets'"):
        lerp.set_frames("sheets")


def test_numbers_of_tables_are_not_copied(run):
    pyarrow = pytest.importorskip("pyarrow")
    core = run._core.complete([("top", "50")], None).table()
    table = pyarrow.table(core)
    column = table["probability"].chunk(0)
    assert column.buffers()[1].address == core.column("probability").__array_interface__["data"][0]
    assert table["probability"].to_pylist() == core.column("probability").tolist()
