# SPDX-License-Identifier: Apache-2.0
"""Graphs from other libraries are the graphs that files hold."""

from pathlib import Path

import numpy
import pytest
from conftest import QUICK

import lerp

SPLITS = ("facts", "train", "valid", "test")


@pytest.fixture(scope="module")
def triples(workshop):
    data = lerp.load("families")
    return {split: data.triples(split) for split in SPLITS}


def check(data, triples):
    assert {split: data.triples(split) for split in SPLITS} == triples
    assert len(data) == sum(len(part) for part in triples.values())


def test_lists(triples):
    check(lerp.load(triples), triples)
    assert lerp.load(triples["train"]).triples() == triples["train"]


@pytest.mark.parametrize("names", [("subject", "relation", "object"), ("h", "r", "t"), ("a", "b", "c")])
def test_pandas(triples, names):
    pandas = pytest.importorskip("pandas")
    check(lerp.load({split: pandas.DataFrame(part, columns=names) for split, part in triples.items()}), triples)


def test_pandas_with_more_columns_and_other_types(triples):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(triples["train"], columns=["x", "y", "z"]).assign(extra=1.5)
    with pytest.raises(lerp.LerpError, match="not clear from x, y, z, extra: name them with columns="):
        lerp.load(table)
    assert lerp.load(table, columns=["x", "y", "z"]).triples() == triples["train"]
    assert lerp.load(table.astype({"y": "category"}), columns="x,y,z").triples() == triples["train"]
    assert lerp.load(table.astype(object), columns="x,y,z").triples() == triples["train"]
    numbers = pandas.DataFrame({"s": [1, 2, -3], "p": ["r", "r", "q"], "o": [2, 3, 1]})
    assert lerp.load(numbers).triples() == [("1", "r", "2"), ("2", "r", "3"), ("-3", "q", "1")]


def test_polars_and_arrow(triples):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    long = [(name + "-" * 20, relation, other) for name, relation, other in triples["train"]]
    for rows in (triples["train"], long):
        frame = polars.DataFrame(rows, schema=["s", "p", "o"], orient="row")
        assert lerp.load(frame).triples() == rows
        assert lerp.load(frame.with_columns(polars.col("p").cast(polars.Categorical))).triples() == rows
        table = frame.to_arrow()
        assert lerp.load(table).triples() == rows
        assert lerp.load(table.slice(7, 50)).triples() == rows[7:57]
        chunks = pyarrow.concat_tables([table.slice(0, 10), table.slice(10)])
        assert lerp.load(chunks).triples() == rows
        assert lerp.load(table.set_column(1, "p", table["p"].dictionary_encode())).triples() == rows


def test_what_is_missing_is_named(triples):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"s": ["a", "b", None], "p": ["r"] * 3, "o": ["x", "y", "z"]})
    with pytest.raises(lerp.LerpError, match=r"a value is missing \(table, column s, row 3\)"):
        lerp.load(table)
    with pytest.raises(lerp.LerpError, match=r"a value is missing \(table, column object, row 2\)"):
        lerp.load([("a", "r", "b"), ("a", "r", None)])
    with pytest.raises(lerp.LerpError, match="fact 2 is no triple"):
        lerp.load([("a", "r", "b"), ("a", "r")])
    with pytest.raises(lerp.LerpError, match="there are no facts"):
        lerp.load([])
    with pytest.raises(lerp.LerpError, match="no split 'tests'"):
        lerp.load({"tests": [("a", "r", "b")]})
    with pytest.raises(lerp.LerpError, match="is of Arrow type 'g'"):
        lerp.load(pyarrow.table({"s": [1.5], "p": ["r"], "o": ["x"]}))


def test_rdflib(tmp_path):
    rdflib = pytest.importorskip("rdflib")
    text = """@prefix ex: <http://example.org/> .
    ex:anna ex:mother ex:ben ; ex:age 41 . ex:ben ex:brother ex:cleo ."""
    graph = rdflib.Graph().parse(data=text)
    data = lerp.load(graph)
    (tmp_path / "graph.ttl").write_text(text)
    assert sorted(data.triples()) == sorted(lerp.load(tmp_path / "graph.ttl").triples())
    assert len(lerp.load(graph, literals=True)) == 3


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = networkx.MultiDiGraph()
    graph.add_edge("anna", "ben", relation="mother")
    graph.add_edge("anna", "ben", relation="friend")
    graph.add_edge("ben", "cleo", key="brother")
    expected = {("anna", "mother", "ben"), ("anna", "friend", "ben"), ("ben", "brother", "cleo")}
    assert set(lerp.load(graph).triples()) == expected
    graph.add_edge("cleo", "dan")
    with pytest.raises(lerp.LerpError, match="the edge from cleo to dan has no relation"):
        lerp.load(graph)


class Tensor:
    def __init__(self, rows):
        self.rows = numpy.array(rows, dtype=numpy.int64)

    def cpu(self):
        return self

    def numpy(self):
        return self.rows


class Factory:
    """What lerp reads of a triples factory of PyKEEN."""

    def __init__(self, rows):
        self.mapped_triples = Tensor(rows)
        self.entity_to_id = {"b": 0, "c": 1, "a": 2}
        self.relation_to_id = {"r": 1, "q": 0}


def test_pykeen_factories_keep_their_numbers():
    data = lerp.load({"train": Factory([[2, 1, 0], [0, 0, 1]]), "test": Factory([[1, 1, 2]])})
    assert data.entities == ["b", "c", "a"] and data.relations == ["q", "r"]
    assert data.triples("train") == [("a", "r", "b"), ("b", "q", "c")]
    assert data.facts("test").tolist() == [[1, 1, 2]]
    with pytest.raises(lerp.LerpError, match="numbers are of no named entity or relation"):
        lerp.load(Factory([[0, 2, 1]]))


def test_a_run_from_memory_is_that_from_files(workshop, triples):
    Path("plain").mkdir()
    for split, facts in triples.items():
        Path("plain", split + ".txt").write_text("".join("\t".join(fact) + "\n" for fact in facts))
    assert lerp.load(triples).entities == lerp.load("plain").entities
    files = lerp.train("plain", out="from-files", **QUICK)
    memory = lerp.train(lerp.load(triples), out="from-memory", **QUICK)
    assert Path("from-files/model.safetensors").read_bytes() == Path("from-memory/model.safetensors").read_bytes()
    assert memory.evaluate().both == files.evaluate().both == lerp.open("from-memory").evaluate().both


def test_facts_in_memory_are_held_out_for_validation(workshop, triples):
    alone = lerp.train([fact for part in triples.values() for fact in part], out="held-out", **QUICK)
    assert len(alone.dataset.facts("valid")) > 0 and len(alone.dataset.facts("test")) == 0
    assert lerp.open("held-out").evaluate("valid").both == alone.evaluate("valid").both
    with pytest.raises(lerp.LerpError, match="there is a run"):
        lerp.train(triples["train"], out="held-out", **QUICK)


def test_a_file_without_splits_is_held_out_as_the_command_line_does(workshop, triples):
    Path("all.tsv").write_text("".join("\t".join(fact) + "\n" for fact in triples["train"]))
    loaded = lerp.load("all.tsv")
    assert len(loaded.facts("valid")) == 0
    first = lerp.train(loaded, out="all-loaded", **QUICK)
    second = lerp.train("all.tsv", out="all-path", **QUICK)
    assert first.evaluate("valid").both == second.evaluate("valid").both
    assert Path("all-loaded/model.safetensors").read_bytes() == Path("all-path/model.safetensors").read_bytes()


def test_views_outlive_their_dataset(workshop):
    facts = lerp.load("families").facts("train")
    assert not facts.flags.writeable and facts.dtype == numpy.uint32
    assert facts.sum() == lerp.load("families").facts("train").sum()
