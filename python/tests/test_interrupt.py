# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, progress, and the interpreter's lock."""

import signal
import threading
from pathlib import Path

import pytest

import lerp

LONG = dict(rules={"length": 2}, train={"epochs": 12}, seed=3, threads=1)


def test_a_stopped_run_resumes_to_the_same_bytes(workshop):
    seen = []

    def stop(stage, done, total, unit, note):
        seen.append(stage)
        if "epoch" in stage and len([s for s in seen if "epoch" in s]) == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(lerp.Interrupted, match="stopped.*lerp resume") as stopped:
        lerp.train("families", out="stopped", progress=stop, **LONG)
    assert isinstance(stopped.value, KeyboardInterrupt) and "stopped" in str(stopped.value)
    assert not Path("stopped/metrics.json").exists()
    resumed = lerp.resume("stopped")
    whole = lerp.train("families", out="whole", **LONG)
    assert Path("stopped/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()
    assert resumed.metrics.epochs == whole.metrics.epochs


def test_what_a_callback_raises_stops_the_work(workshop):
    def fail(*told):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError, match="in the callback"):
        lerp.train("families", out="failed", progress=fail, **LONG)


def test_other_threads_go_on_meanwhile(workshop):
    ticks = []
    over = threading.Event()

    def tick():
        while not over.wait(0.001):
            ticks.append(1)

    ticker = threading.Thread(target=tick)
    ticker.start()
    lerp.train("families", out="meanwhile", rules={"length": 2}, train={"epochs": 6}, threads=1)
    over.set()
    ticker.join()
    assert len(ticks) > 10


def test_several_threads_ask_one_run(run, data):
    names = data.entities[:20]
    alone = [run.predict(name, "aunt", None)[0].name for name in names]
    answers = [None] * len(names)

    def ask(first):
        for place in range(first, len(names), 4):
            answers[place] = run.predict(names[place], "aunt", None)[0].name

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == alone


def test_bars(workshop, capsys):
    pytest.importorskip("tqdm")
    lerp.train("families", out="bars", rules={"length": 2}, train={"epochs": 10}, threads=1, progress=True)
    assert "epoch" in capsys.readouterr().err
