# SPDX-License-Identifier: Apache-2.0
"""The ranks of PyKEEN's own models are those of PyKEEN's own evaluator."""

import numpy
import pytest

import lerp

torch = pytest.importorskip("torch", reason="PyTorch is not installed: ranks are not compared with PyKEEN's")
pytest.importorskip("pykeen", reason="PyKEEN is not installed: ranks are not compared with PyKEEN's")

# PyKEEN takes means of 32-bit numbers: its ranks are compared in 64 bits, and its own means as far as they go.
MEASURES = {
    "mrr": (lambda ranks: (1 / ranks).mean(), "inverse_harmonic_mean_rank"),
    "hits_at_1": (lambda ranks: (ranks <= 1).mean(), "hits_at_1"),
    "hits_at_3": (lambda ranks: (ranks <= 3).mean(), "hits_at_3"),
    "hits_at_10": (lambda ranks: (ranks <= 10).mean(), "hits_at_10"),
    "mean_rank": (lambda ranks: ranks.mean(), "arithmetic_mean_rank"),
}


@pytest.mark.parametrize("name", ["DistMult", "TransE", "ComplEx"])
@pytest.mark.parametrize("ties", [False, True])
def test_ranks_are_those_of_pykeen(name, ties):
    from pykeen.datasets import Nations
    from pykeen.evaluation import RankBasedEvaluator
    from pykeen.models import model_resolver

    dataset = Nations()
    model = model_resolver.make(name, triples_factory=dataset.training, random_seed=3, embedding_dim=4)
    if ties:  # few different numbers, whose sums are exact
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.copy_(torch.round(parameter.real * 2))
    known = [dataset.training.mapped_triples, dataset.validation.mapped_triples]
    evaluator = RankBasedEvaluator(clear_on_finalize=False)
    theirs = evaluator.evaluate(
        model, dataset.testing.mapped_triples, additional_filter_triples=known, use_tqdm=False)
    ours = lerp.rank(lerp.load(dataset), model)
    for protocol in ("optimistic", "realistic", "pessimistic"):
        ranks = {side: numpy.concatenate(evaluator.ranks[side, protocol]).astype(float) for side in ("head", "tail")}
        ranks["both"] = numpy.concatenate(list(ranks.values()))
        for side in ranks:
            for key, (measure, name_there) in MEASURES.items():
                found = ours[side][protocol][key]
                assert found == pytest.approx(measure(ranks[side]), abs=1e-9), (side, protocol, key)
                assert found == pytest.approx(theirs.get_metric(f"{side}.{protocol}.{name_there}"), rel=1e-6)
    if ties:
        assert ours.both.tied > 0
