# SPDX-License-Identifier: Apache-2.0
"""`lerp.spark.apply` on a Spark of two workers, against `lerp apply`. Started by `./dev spark`, which builds what is needed:

LERP_BINARY names the program, LERP_APPLY_SCORES the test program that writes the scores behind the ranks of `lerp apply`.
"""

import json
import math
import os
import pathlib
import re
import sys
import types

import pytest

pytest.importorskip("pyspark")

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python/spark_tests"), str(ROOT / "tests/export"), str(ROOT / "examples")]

# Rules on Spark need nothing of the package but themselves, and so no compiled core.
sys.modules.setdefault("lerp", types.ModuleType("lerp")).__path__ = [str(ROOT / "python/lerp")]

import apply_cases  # noqa: E402
import spark_cluster  # noqa: E402
import spark_job  # noqa: E402

import lerp.spark  # noqa: E402
from lerp.spark.store import Store  # noqa: E402

BINARY = os.environ.get("LERP_BINARY", str(ROOT / "build/lerp"))
SCORES = os.environ.get("LERP_APPLY_SCORES", str(ROOT / "build/apply_scores"))
SHARED = ROOT.parent / "shared/datasets"
FACTS = "subject string, relation string, object string"

ANYBURL = """80\t60\t0.75\tbrother(X,Y) <= son(X,A), mother(A,Y)
20\t12\t0.6\tbrother(X,Y) <= brother(X,A), brother(A,Y)
33\t11\t0.33\tsister(X,Y) <= sister(Y,A), sister(A,X)
40\t20\t0.5\tsister(X,{one}) <= brother(A,X), sister(A,{one})
10\t5\t0.5\tsister({one},Y) <= son(Y,A)
12\t5\t0.5\taunt(X,{one}) <= son(X,{two})
12\t7\t0.5\taunt(X,X) <= son(X,A)
9\t8\t0.5\tuncle(X,me_myself_i) <= son(X,A)
20\t9\t0.5\tuncle(X,{two}) <=
20\t8\t0.5\tuncle({one},Y) <=
30\t20\t0.5\tuncle(X,Y) <= nephew(Y,X)
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    os.environ["LERP_BINARY"] = BINARY
    one = spark_cluster.Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield one
    finally:
        one.stop()


@pytest.fixture(scope="module")
def spark(cluster):
    session = cluster.session()
    spark_cluster.wait_for_executors(session, 2)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    folder = tmp_path_factory.mktemp("family")
    apply_cases.make(BINARY, folder, people=120, rules=30)
    people = entities_in_order(folder)
    (folder / "anyburl").write_text(ANYBURL.format(one=people[20], two=people[30]))
    return folder


def entities_in_order(folder, data=None):
    """As lerp numbers them."""
    data = data or folder / "data"
    one = folder / "one.rules"
    relation = (data / "train.txt").read_text().split("\t", 2)[1]
    one.write_text(f"{json.dumps(relation)}(x,y) ⇒ {json.dumps(relation)}(y,x)\n")
    apply_cases.run(BINARY, "export", one, data, "--format", "prolog", "--out", folder / "one.pl",
                    "--facts", folder / "facts.pl")
    found = re.findall(r"^entity\((.*)\)\.$", (folder / "facts.pl").read_text(), re.M)
    return [name[1:-1] if name.startswith("'") else name for name in found]


def read(spark, folder):
    files = [str(folder / f"{name}.txt") for name in ("facts", "train") if (folder / f"{name}.txt").exists()]
    return spark.read.csv(files, sep="\t", schema=FACTS, quote="")


def scores_of(frame):
    return {key: score for key, (score, _) in scores_and_amounts_of(frame).items()}


def scores_and_amounts_of(frame):
    """Each score, and how much was summed up in it, of both signs."""
    out = {}
    for row in frame.collect():
        for asked in ("object", "subject") if row.asked == "both" else (row.asked,):
            out[row.subject, row.relation, row.object, asked] = row.score, sum(abs(one.share) for one in row.rules)
        assert [one.share for one in row.rules] == sorted((one.share for one in row.rules), reverse=True)
    return out


def without_pair_rules(folder, rules, data="data"):
    """The rules that a walk derives something by: of these, everything that is not 0 is derived."""
    apply_cases.run(BINARY, "export", folder / rules, folder / data, "--format", "json", "--out", folder / "rules.json")
    lowered = json.loads((folder / "rules.json").read_text())["rules"]
    lines = (folder / rules).read_text().splitlines()
    header = [line for line in lines if line.startswith("#")]
    kept = [line for line, rule in zip(lines[len(header):], lowered, strict=True) if len(rule["any_entity"]) < 2]
    assert 0 < len(kept) < len(lowered)
    (folder / f"{rules}-walks").write_text("\n".join(header + kept) + "\n")
    return f"{rules}-walks"


def test_a_list_scores_as_in_lerp(spark, family):
    facts = read(spark, family / "data")
    walks = without_pair_rules(family, "list")
    assert any("¬" in line for line in (family / walks).read_text().splitlines())
    ours = scores_of(lerp.spark.apply(family / walks, facts, new_only=False))
    assert apply_cases.differences(ours, apply_cases.applied(SCORES, family, walks, "list")) == []
    # With rules that speak of the ends alone the same facts are derived, and scored by these rules too.
    frame = lerp.spark.apply(family / "list", facts, new_only=False)
    whole = scores_of(frame)
    assert whole.keys() == ours.keys()
    theirs = apply_cases.applied(SCORES, family, "list", "list")
    assert apply_cases.differences(whole, {key: theirs.get(key, 0.0) for key in whole}) == []
    for row in frame.limit(200).collect():
        assert math.isclose(sum(one.share for one in row.rules), row.score, rel_tol=1e-9, abs_tol=1e-9)
        assert len({one.rule for one in row.rules}) == len(row.rules) and all(one.groundings >= 1 for one in row.rules)


def test_the_best_new_facts_of_some_relations(spark, family):
    facts = read(spark, family / "data")
    known = {tuple(row) for row in facts.collect()}
    every = scores_of(lerp.spark.apply(family / "list", facts, relations=["brother", "aunt"], new_only=False))
    assert {key[1] for key in every} == {"brother", "aunt"}
    best = scores_of(lerp.spark.apply(family / "list", facts, relations=["brother", "aunt"], top=3))
    of_question = {}
    for (subject, relation, object_, asked), score in every.items():
        if (subject, relation, object_) not in known:
            start = subject if asked == "object" else object_
            of_question.setdefault((start, relation, asked), []).append(score)
    kept = {}
    for (subject, relation, object_, asked), score in best.items():
        assert (subject, relation, object_) not in known and score == every[subject, relation, object_, asked]
        kept.setdefault((subject if asked == "object" else object_, relation, asked), []).append(score)
    assert {key: sorted(scores, reverse=True)[:3] for key, scores in of_question.items()} == \
        {key: sorted(scores, reverse=True) for key, scores in kept.items()}


def test_rules_by_hand(spark, family):
    ours = scores_of(lerp.spark.apply(family / "hand", read(spark, family / "data"), aggregation="sum", new_only=False))
    assert apply_cases.differences(ours, apply_cases.applied(SCORES, family, "hand", "sum")) == []


def entities_frame(spark, folder, data=None):
    return spark.createDataFrame([(name, place) for place, name in enumerate(entities_in_order(folder, data))],
                                 "name string, place long")


def test_rules_of_anyburl(spark, family):
    facts, entities = read(spark, family / "data"), entities_frame(spark, family)
    theirs = apply_cases.applied(SCORES, family, "anyburl", "noisy-or")
    theirs = {key: -math.expm1(-doubt) for key, doubt in theirs.items()}
    ours = scores_of(lerp.spark.apply(family / "anyburl", facts, aggregation="noisy-or", entities=entities, new_only=False))
    assert apply_cases.differences(ours, theirs) == []
    # The highest confidence decides, then the next: lerp says which place an answer has among those of its question.
    frame = lerp.spark.apply(family / "anyburl", facts, entities=entities, new_only=False)
    confidences = {}
    for row in frame.collect():
        for asked in ("object", "subject") if row.asked == "both" else (row.asked,):
            confidences[row.subject, row.relation, row.object, asked] = [one.share for one in row.rules]
        assert row.score == row.rules[0].share
    questions = {}
    for key, order in confidences.items():
        start = key[0] if key[3] == "object" else key[2]
        questions.setdefault((start, key[1], key[3]), set()).add(tuple(order))
    places = {}
    for key, order in confidences.items():
        start = key[0] if key[3] == "object" else key[2]
        places[key] = 1 + sorted(questions[start, key[1], key[3]]).index(tuple(order))
    assert places == apply_cases.applied(SCORES, family, "anyburl", "max")
    assert {"object", "subject", "both"} == {row.asked for row in frame.select("asked").distinct().collect()}


def test_the_frontier_of_a_list(spark, family):
    walks = without_pair_rules(family, "list")
    text = (family / walks).read_text()
    assert "# frontier 1000\n" in text
    (family / "narrow").write_text(text.replace("# frontier 1000\n", "# frontier 3\n"))
    facts, entities = read(spark, family / "data"), entities_frame(spark, family)
    theirs = apply_cases.applied(SCORES, family, "narrow", "list")
    assert apply_cases.differences(theirs, apply_cases.applied(SCORES, family, walks, "list")), "it does not bind"
    ours = scores_of(lerp.spark.apply(family / "narrow", facts, entities=entities, new_only=False))
    assert apply_cases.differences(ours, theirs) == []
    unbound = scores_of(lerp.spark.apply(family / "narrow", facts, frontier=0, new_only=False))
    assert apply_cases.differences(unbound, apply_cases.applied(SCORES, family, walks, "list")) == []


@pytest.mark.parametrize(("name", "rules", "every", "least"), [
    ("family", ROOT / "tests/export/family.rules", 5, 20_000),  # 213 rules of a list of 1,200
    ("wn18rr", ROOT / "python/spark_tests/wn18rr.rules", 20, 5_000),  # walks of up to three hops
])
def test_a_list_on_a_benchmark(spark, tmp_path, name, rules, every, least):
    """Every question is scored; those of one entity in so many are asked of lerp too."""
    data = SHARED / name
    if not data.exists():
        pytest.skip(f"the benchmark {name} is not there: put its folder at {data}")
    order = entities_in_order(tmp_path, data)
    apply_cases.run(SCORES, rules, data, "list", tmp_path / "theirs.tsv", every)
    theirs = apply_cases.scores_in(tmp_path / "theirs.tsv")
    frame = lerp.spark.apply(rules, read(spark, data), entities=entities_frame(spark, tmp_path, data), new_only=False)
    asked = set(order[::every])
    ours = {key: found for key, found in scores_and_amounts_of(frame).items()
            if (key[0] if key[3] == "object" else key[2]) in asked}
    scores, amounts = ({key: found[i] for key, found in ours.items()} for i in (0, 1))
    assert len(theirs) > least and apply_cases.differences(scores, theirs, amounts) == []
    # What lies this far apart is rare, and is what single precision leaves.
    assert len(apply_cases.differences(scores, theirs)) <= len(theirs) / 10_000


def test_no_pair_of_everything_with_everything(cluster, spark, family):
    """Of all that has run so far, and of the plan of the result."""
    frame = lerp.spark.apply(family / "hand", read(spark, family / "data"), top=1)
    seen = spark_cluster.plans(spark_cluster.events(cluster.folder))
    seen.append(frame._jdf.queryExecution().toString())
    assert any("Join" in plan for plan in seen)
    for plan in seen:
        assert "CartesianProduct" not in plan and "NestedLoopJoin" not in plan, plan


def test_a_hub_is_shared_among_tasks(cluster, spark, tmp_path):
    starts, ends = 20, 6000
    facts = [(f"s{i}", "at", "hub") for i in range(starts)] + [("hub", "to", f"e{i}") for i in range(ends)]
    (tmp_path / "rules").write_text("1  at(x,z) ∧ to(z,y) ⇒ reaches(x,y)\n")
    frame = spark.createDataFrame([*facts, ("s0", "reaches", "e0")], FACTS)
    settings = {"spark.sql.shuffle.partitions": "16", "spark.sql.autoBroadcastJoinThreshold": "-1",
                "spark.sql.adaptive.coalescePartitions.enabled": "false", "spark.sql.adaptive.skewJoin.enabled": "false",
                "spark.sql.files.maxPartitionBytes": "32k"}  # no task that reads many small files
    before = {name: spark.conf.get(name) for name in settings}
    most = {}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        for hub in (10 * ends, 200):
            seen = len(spark_cluster.events(cluster.folder))
            result = lerp.spark.apply(tmp_path / "rules", frame, hub=hub, aggregation="sum")
            assert result.count() == starts * ends - 1
            most[hub] = spark_cluster.most_written(spark_cluster.events(cluster.folder)[seen:])
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    assert most[10 * ends] >= starts * ends, "one task follows all edges of the hub"
    assert most[200] <= starts * ends / 3, most


def test_what_is_wrong_is_said(spark, family, monkeypatch):
    facts = read(spark, family / "data")
    (family / "wrong").write_text("1  cousin(x,y) ⇒ brother(x,y)\n")
    with pytest.raises(ValueError, match="cousin.*wrong, line 1"):
        lerp.spark.apply(family / "wrong", facts)
    with pytest.raises(ValueError, match="the facts have no column object"):
        lerp.spark.apply(family / "hand", facts.drop("object"))
    with pytest.raises(ValueError, match="no rule has the head relation 'cousin'"):
        lerp.spark.apply(family / "hand", facts, relations=["cousin"])
    with pytest.raises(ValueError, match="unknown aggregation 'mean'"):
        lerp.spark.apply(family / "hand", facts, aggregation="mean")
    with pytest.raises(ValueError, match="top is 0"):
        lerp.spark.apply(family / "hand", facts, top=0)
    monkeypatch.delenv("LERP_BINARY")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="the program lerp, which reads rules, was not found"):
        lerp.spark.apply(family / "hand", facts)


def test_the_example_job(spark, family, tmp_path):
    spark_job.main([str(family / "hand"), str(family / "data/train.txt"), str(tmp_path / "scored"), "--top", "2"])
    rows = spark.read.parquet(str(tmp_path / "scored")).collect()
    train = spark.read.csv(str(family / "data/train.txt"), sep="\t", schema=FACTS, quote="")
    frame = lerp.spark.apply(family / "hand", train, top=2)
    assert rows and sorted(rows) == sorted(frame.collect())


# The last test: it leaves one worker.
def test_a_killed_worker_costs_no_result(cluster, spark, family, monkeypatch):
    facts = read(spark, family / "data")
    whole = scores_of(lerp.spark.apply(family / "hand", facts, aggregation="sum"))
    assert spark_cluster.executors(spark) == 2
    killed = []
    save = Store.save

    def kill_and_save(self, name, table):
        # In the midst of the job: Spark learns of it from tasks that it gives to the dead worker.
        if name == "walks-2":
            cluster.kill(cluster.workers[0])
            killed.append(name)
        return save(self, name, table)

    monkeypatch.setattr(Store, "save", kill_and_save)
    result = lerp.spark.apply(family / "hand", facts, aggregation="sum")
    assert killed == ["walks-2"]
    assert scores_of(result) == whole
    spark_cluster.wait_for_executors(spark, 1)
    logged = spark_cluster.events(cluster.folder)
    assert any(one["Event"] == "SparkListenerExecutorRemoved" for one in logged)
