# SPDX-License-Identifier: Apache-2.0
"""Ranks one model of PyKEEN with lerp.rank and with PyKEEN's own evaluator: the same scores, one after the other.

    python python/benchmarks/rank_pykeen.py data/fb15k-237 --facts 2000
"""

import argparse
import time

import numpy
import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import DistMult
from pykeen.triples import TriplesFactory

import lerp

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("data")
parser.add_argument("--facts", type=int, default=2000, help="test facts that are ranked, the first")
parser.add_argument("--dim", type=int, default=8)
parser.add_argument("--times", type=int, default=3)
given = parser.parse_args()

data = lerp.load(given.data)
entities = {name: number for number, name in enumerate(data.entities)}
relations = {name: number for number, name in enumerate(data.relations)}


def factory(split: str, most: int | None = None) -> TriplesFactory:
    facts = torch.from_numpy(data.facts(split)[:most].astype(numpy.int64))
    return TriplesFactory(facts, entity_to_id=entities, relation_to_id=relations)


train, valid, test = factory("train"), factory("valid"), factory("test", given.facts)
model = DistMult(triples_factory=train, embedding_dim=given.dim, random_seed=1)
graph = lerp.load({"train": train, "valid": valid, "test": test})
known = [train.mapped_triples, valid.mapped_triples]
for _ in range(given.times):
    begin = time.perf_counter()
    ours = lerp.rank(graph, model)
    middle = time.perf_counter()
    theirs = RankBasedEvaluator().evaluate(
        model, test.mapped_triples, additional_filter_triples=known, batch_size=256, use_tqdm=False)
    end = time.perf_counter()
    print(f"lerp {middle - begin:.2f} s, PyKEEN {end - middle:.2f} s, {(end - middle) / (middle - begin):.1f} times as long; "
          f"MRR {ours.both.realistic.mrr:.9f} and {theirs.get_metric('both.realistic.inverse_harmonic_mean_rank'):.9f}")
