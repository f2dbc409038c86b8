# SPDX-License-Identifier: Apache-2.0
"""Event graphs: what the command line says of them, from Python."""

import pytest

import lerp

TRAINING = dict(epochs=5, seed=3)


@pytest.fixture(scope="module")
def run(workshop):
    return lerp.events.train("stories", out="told-run", **TRAINING)


def test_the_figures_are_those_of_the_command_line(run, command):
    command("events", "train", "stories", "--out", "told-again", "--set", "epochs=5", "--seed", "3")
    assert run.evaluate("valid") == command("events", "eval", "told-again", "--split", "valid")
    assert run.metrics.test == lerp.events.open("told-again").metrics.test


def test_reasons_add_up_to_the_score(run):
    endings = run.explain(top=1000)
    assert len(endings) == 40
    for ending in endings:
        assert sum(reason.part for reason in ending.reasons) == pytest.approx(ending.score, abs=1e-4)


def test_a_baseline_counts(command):
    frequent = lerp.events.baseline("stories", "frequency")
    assert frequent == command("events", "baseline", "stories", "--model", "frequency")
    assert frequent.raw.hits_at_1 == 0.5


def test_a_finished_run_is_ranked_again(run):
    assert lerp.events.resume(run.folder).evaluate() == run.evaluate()


def test_equations_have_a_page(workshop):
    found = lerp.events.induce("stories", epochs=1, support=5, shuffles=2, remove=1)
    assert str(found) == found.text
    assert "<html" in found.html and found.equations


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lerp.events.train("stories", out="no-run", epoch=1), "did you mean epochs?"),
        (lambda: lerp.events.train("tales", out="no-run"), "(tales): check the path"),
        (lambda: lerp.events.baseline("stories", "schema"), "name a file of them"),
        (lambda: lerp.events.open("stories"), "this is no run folder (stories)"),
        (lambda: lerp.events.open("told-run").evaluate("dev"), "give train, valid or test"),
    ],
)
def test_mistakes_are_told_in_a_sentence(run, call, sentence):
    with pytest.raises(lerp.LerpError, match=".") as raised:
        call()
    assert sentence in str(raised.value)
