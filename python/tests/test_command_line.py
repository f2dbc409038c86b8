# SPDX-License-Identifier: Apache-2.0
"""Python and the command line say the same, to the last digit."""

import math
from pathlib import Path

import lerp


def timeless(value):
    """Less what differs from call to call."""
    if isinstance(value, dict):
        return {key: timeless(part) for key, part in value.items() if "second" not in key and key != "peak_memory_bytes"}
    return [timeless(part) for part in value] if isinstance(value, list) else value


def test_training_leaves_the_same_bytes(workshop, command):
    command("train", "families", "--out", "by-command", "--seed", "1", "--threads", "1", "--set", "rules.length=2", "--set",
            "train.epochs=2")
    for name in ("model.safetensors", "config.toml"):
        assert Path("by-command", name).read_bytes() == Path("family-run", name).read_bytes()


def test_evaluation(run, command):
    for split in ("test", "valid"):
        assert timeless(run.evaluate(split)) == timeless(command("eval", "family-run", "--split", split))


def test_prediction(run, data, command):
    name = data.entities[3]
    assert timeless(run.predict(name, "aunt", None, top=4).to_dict()) == timeless(
        command("predict", "family-run", name, "aunt", "?", "--top", "4"))
    assert timeless(run.predict(None, "aunt", name, known="hide").to_dict()) == timeless(
        command("predict", "family-run", "?", "aunt", name, "--known", "hide"))


def test_explanation(run, data, command):
    fact = data.triples("test")[5]
    assert timeless(run.explain(*fact, direction="head").to_dict()) == timeless(
        command("explain", "family-run", *fact, "--direction", "head"))


def test_rules_and_curation(run, command):
    by_command = command("rules", "family-run", "--relation", "brother", "--top", "4")
    by_python = run.rules(relation="brother", top=4)
    assert list(by_python["rule"]) == [rule.rule for rule in by_command.rules]
    assert list(by_python["share"]) == [rule.share for rule in by_command.rules]
    for key in ("support", "confidence", "pca_confidence", "head_coverage"):
        assert list(by_python[key]) == [rule[key] for rule in by_command.rules]
    for verb in ("complete", "doubt"):
        facts = command(verb, "family-run", "--top", "9").facts
        found = getattr(run, verb)(top=9)
        for key in ("subject", "relation", "object", "probability", "score", "reason"):
            assert list(found[key]) == [fact[key] for fact in facts]


def test_apply(run, command):
    run.export("anyburl", top=60, confidence=0.5, out="rules-60")
    for aggregation in ("max", "noisy-or"):
        by_command = command("apply", "rules-60", "families", "--aggregation", aggregation)
        assert timeless(lerp.apply("rules-60", "families", aggregation=aggregation)) == timeless(by_command)


def test_score(run, data, command):
    facts = data.triples("test")[:20]
    Path("facts.tsv").write_text("".join("\t".join(fact) + "\n" for fact in facts))
    by_command = command("score", "family-run", "facts.tsv").facts
    found = run.score(facts)
    assert [math.isclose(a, b.probability, rel_tol=0) for a, b in zip(found["probability"], by_command)] == [True] * 20


def test_errors_are_the_same_sentence(run, workshop):
    import subprocess

    from conftest import ROOT

    binary = ROOT / "build" / "lerp"
    for arguments, call in [
        (["predict", "family-run", "nobody", "aunt", "?"], lambda: run.predict("nobody", "aunt", None)),
        (["train", "nowhere", "--out", "x"], lambda: lerp.train("nowhere", out="x")),
        (["train", "families", "--set", "rules.lenght=3"], lambda: lerp.train("families", rules={"lenght": 3})),
        (["eval", "nowhere"], lambda: lerp.open("nowhere")),
    ]:
        try:
            call()
        except lerp.LerpError as error:
            sentence = str(error)
        if binary.exists():
            told = subprocess.run([binary, *arguments], capture_output=True, text=True, check=False)
            assert told.returncode in (1, 2) and told.stderr == f"lerp: {sentence}\n"
        assert error_parts(call)


def error_parts(call):
    try:
        call()
    except lerp.LerpError as error:
        return error.what and error.remedy and error.what in str(error)
    return False
