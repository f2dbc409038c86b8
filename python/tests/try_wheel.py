# SPDX-License-Identifier: Apache-2.0
"""Learns, ranks and explains with nothing but the wheel and NumPy."""

import tempfile

import lerp
from lerp import _core

with tempfile.TemporaryDirectory() as folder:
    _core.generate_family(folder + "/families", [("people", "60")])
    run = lerp.train(folder + "/families", rules={"length": 2}, train={"epochs": 2}, seed=1, out=folder + "/run")
    fact = run.dataset.triples("test")[0]
    rules = run.rules(top=3)
    assert isinstance(rules, list) and len(rules) == 3, rules
    assert run.explain(*fact).rank >= 1
    print(f"lerp {lerp.__version__}: MRR {run.evaluate().both.realistic.mrr:.3f}, {rules[0]['rule']}")
