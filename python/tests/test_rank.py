# SPDX-License-Identifier: Apache-2.0
"""Ranks of any model, against ranks counted one by one."""

import numpy
import pytest

import lerp


def oracle(data, tails, heads, split):
    """Ranks by their definition: everything that is known and asked for is left out but the answer."""
    known = {tuple(fact) for part in ("facts", "train", "valid", "test") for fact in data.facts(part).tolist()}
    count = len(data.entities)
    ranks = {"tail": [], "head": []}
    for s, r, o in data.facts(split).tolist():
        for side, scores, answer in (("tail", tails(s, r), o), ("head", heads(o, r), s)):
            greater = equal = 0
            mine = scores[answer]
            for other in range(count):
                fact = (s, r, other) if side == "tail" else (other, r, o)
                if other == answer or fact in known:
                    continue
                if numpy.isnan(mine):
                    greater += not numpy.isnan(scores[other])
                    equal += bool(numpy.isnan(scores[other]))
                else:
                    greater += bool(scores[other] > mine)
                    equal += bool(scores[other] == mine)
            ranks[side].append((greater, equal))
    return ranks


def measures(ranks, protocol):
    place = {"optimistic": lambda g, e: g + 1, "realistic": lambda g, e: g + 1 + e / 2, "pessimistic": lambda g, e: g + 1 + e}
    ranks = numpy.array([place[protocol](*rank) for rank in ranks], dtype=float)
    return {"mrr": (1 / ranks).mean(), "hits_at_1": (ranks <= 1).mean(), "hits_at_10": (ranks <= 10).mean(),
            "mean_rank": ranks.mean()}


@pytest.fixture(scope="module")
def small(workshop):
    from lerp import _core

    _core.generate_family("small", [("people", "40")])
    return lerp.load("small")


def scores_of(data, kind, seed=7):
    draw = numpy.random.default_rng(seed)
    size = (2, len(data.relations), len(data.entities), len(data.entities))
    if kind == "ties":
        return draw.integers(0, 5, size).astype(numpy.float32)
    scores = draw.normal(size=size)
    if kind == "close":  # told apart by 64 bits alone
        scores = 1 + draw.integers(0, 40, size) * 1e-12
    if kind == "no numbers":
        scores[draw.random(size) < 0.3] = numpy.nan
        scores[draw.random(size) < 0.1] = numpy.inf
        scores[draw.random(size) < 0.1] = -0.0
    return scores if kind == "close" or kind == "double" else scores.astype(numpy.float32)


@pytest.mark.parametrize("kind", ["ties", "float", "double", "close", "no numbers"])
@pytest.mark.parametrize("threads", [1, 3])
def test_against_ranks_counted_one_by_one(small, kind, threads):
    scores = scores_of(small, kind)
    report = lerp.rank(small, lambda h, r: scores[0][r, h], heads=lambda t, r: scores[1][r, t], threads=threads, batch=7)
    expected = oracle(small, lambda s, r: scores[0][r, s], lambda o, r: scores[1][r, o], "test")
    for protocol in ("optimistic", "realistic", "pessimistic"):
        for side, ranks in (*expected.items(), ("both", expected["tail"] + expected["head"])):
            for key, value in measures(ranks, protocol).items():
                assert report[side][protocol][key] == pytest.approx(value, abs=1e-12)
    tied = [equal > 0 for ranks in expected.values() for _, equal in ranks]
    assert report.both.tied == pytest.approx(numpy.mean(tied))
    facts = small.facts("test")
    for name, relation in report.relations.items():
        number = small.relations.index(name)
        of_relation = [rank for rank, fact in zip(expected["tail"], facts) if fact[1] == number]
        assert relation.tail.realistic.mrr == pytest.approx(measures(of_relation, "realistic")["mrr"], abs=1e-12)


def test_inverse_relations(small):
    scores = scores_of(small, "float")
    both = numpy.concatenate([scores[0], scores[1]])
    separate = lerp.rank(small, lambda h, r: scores[0][r, h], heads=lambda t, r: scores[1][r, t], split="valid")
    together = lerp.rank(small, lambda h, r: both[r, h], inverse=True, split="valid")
    assert {**separate, "seconds": 0} == {**together, "seconds": 0}


def test_tails_alone(small):
    scores = scores_of(small, "float")
    both = lerp.rank(small, lambda h, r: scores[0][r, h], heads=lambda t, r: scores[1][r, t])
    tails = lerp.rank(small, lambda h, r: scores[0][r, h])
    assert tails.both is None and tails.head is None and tails.tail == both.tail
    assert all(part.both is None and part.tail == both.relations[name].tail for name, part in tails.relations.items())


def test_our_own_model_ranks_the_same(run, data):
    """The scores of a model, asked for one question at a time, rank as the model does."""
    place = {name: number for number, name in enumerate(data.entities)}

    asked = run.soft()

    def scores(head):
        def answer(starts, relations):
            matrix = numpy.zeros((len(starts), len(data.entities)), dtype=numpy.float64)
            for row, start, relation in zip(matrix, starts, relations):
                given = data.entities_[start]
                question = (None, data.relations_[relation], given) if head else (given, data.relations_[relation], None)
                for found in asked.predict(*question, top=len(data.entities)):
                    row[place[found.name]] = found.score
            return matrix

        return answer

    data.entities_, data.relations_ = data.entities, data.relations
    report = lerp.rank(data, scores(False), heads=scores(True), facts=40)
    expected = asked.evaluate(facts=40)
    assert report.both.queries == expected.both.queries == 80
    assert report.both.realistic == expected.both.realistic


def test_what_goes_wrong(small):
    count = len(small.entities)
    with pytest.raises(lerp.LerpError, match=rf"the scores are \d+ rows of 3 .*one column an entity"):
        lerp.rank(small, lambda h, r: numpy.zeros((len(h), 3), dtype=numpy.float32))

    def fail(heads, relations):
        raise ZeroDivisionError("in the model")

    with pytest.raises(ZeroDivisionError, match="in the model"):
        lerp.rank(small, fail)
    with pytest.raises((TypeError, RuntimeError)):
        lerp.rank(small, lambda h, r: numpy.zeros(count, dtype=numpy.float32))


def test_other_kinds_of_numbers(small):
    scores = scores_of(small, "ties")
    expected = lerp.rank(small, lambda h, r: scores[0][r, h])
    for kind in (numpy.int64, numpy.float16, numpy.uint8):
        found = lerp.rank(small, lambda h, r: scores[0][r, h].astype(kind))
        assert found.tail == expected.tail


def test_pytorch(small):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    scores = torch.tensor(scores_of(small, "ties"))
    found = lerp.rank(small, lambda h, r: scores[0][r, h].requires_grad_())
    assert found.tail == lerp.rank(small, lambda h, r: scores[0].numpy()[r, h]).tail
