# SPDX-License-Identifier: Apache-2.0
"""Asks a run one question a call, on one thread: every entity about every relation at most once, in random order.

    python python/benchmarks/predict_calls.py demo/run --calls 20000
"""

import argparse
import itertools
import random
import time

import lerp

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("run")
parser.add_argument("--calls", type=int, default=20000)
parser.add_argument("--top", type=int, default=10)
given = parser.parse_args()

run = lerp.open(given.run, threads=1)
questions = list(itertools.product(run.dataset.entities, run.dataset.relations))
random.Random(1).shuffle(questions)
questions = questions[: given.calls]
run.predict(*questions[0], None, top=given.top)  # reads the data

begin, begin_processor = time.perf_counter(), time.process_time()
answers = sum(len(run.predict(entity, relation, None, top=given.top).answers) for entity, relation in questions)
seconds, processor = time.perf_counter() - begin, time.process_time() - begin_processor
print(f"{len(questions):,} calls, {answers:,} answers: {len(questions) / seconds:,.0f} calls a second, "
      f"{1e6 * processor / len(questions):.0f} µs of one processor each")
