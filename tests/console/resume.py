#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts and kills learning with the real binary, whatever is learned: what comes out must be as without.

    resume.py LERP [SEED]

A run of lerp train, embed or events train that was stopped at any time, however often, goes on to the same
model byte for byte, and the same command of lerp paper or sweep to the same figures. What lerp distill, complete, generate, import and
report write is whole or not there, and the next call writes it. A full disk, a damaged model and changed data are told in a sentence and cost no more than the time since the
last checkpoint.
"""

import collections
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LERP = str(pathlib.Path(sys.argv[1]).resolve())
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000)
# A checkpoint after every batch, so that a kill falls into writing one often enough.
OPTIONS = ["functions.width=10", "rules.count=4", "train.epochs=5", "train.batch=24", "train.threads=2",
           "train.checkpoint_seconds=0", "train.schedule=cosine",
           "embedding.rank=8", "embedding.epochs=3", "embedding.batch=64"]
EMBED = ["--dim", "16", "--batch", "16", "--threads", "2", "--variant", "entropy"]
EVENTS = ["--set", "epochs=40", "--set", "patience=0", "--set", "width=24", "--set", "batch=4", "--threads", "2"]
WAR = {"events": [["a", "Attack"], ["d", "Die"], ["j", "Arrest"]], "entities": [["p", "PER"]],
       "arguments": [["a", "Attacker", "p"], ["j", "Detainee", "p"]], "order": [["a", "d"], ["a", "j"]]}
SALE = {"events": [["m", "Meet"], ["p", "Pay"]], "order": [["m", "p"]]}
TIMES = {"seconds", "train_seconds", "learn_seconds", "rank_seconds", "list_seconds", "queries_per_second", "rules_per_second",
         "peak_memory_bytes"}
# What differs in a report from one call to the next.
CLOCK = re.compile(rb"explained in [0-9.]+ m?s")
# Seconds that nothing here may take, however busy the machine.
PATIENCE = 240


# What asks for an orderly end, each with an exit status of its own.
POLITE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def heed_signals() -> None:
    """A shell that runs this in the background has switched Ctrl-C off for its children, and nohup the other."""
    for one in POLITE:
        signal.signal(one, signal.SIG_DFL)


def start(*words: str) -> subprocess.Popen:
    return subprocess.Popen([LERP, *words], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, preexec_fn=heed_signals)


def run(*words: str) -> tuple[int, str]:
    process = start(*words)
    errors = process.communicate(timeout=PATIENCE)[1]
    return process.returncode, errors


def await_ready(process: subprocess.Popen) -> None:
    """Waits until the process listens to Ctrl-C, which kills it before, as it does any process that starts."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            blocked = next(line for line in status.splitlines() if line.startswith("SigBlk:"))
            if int(blocked.split()[1], 16) >> (signal.SIGINT - 1) & 1:
                return
        time.sleep(0.002)


@dataclasses.dataclass
class Kind:
    """A kind of run: how it is begun, and the epochs in the trace that it leaves."""

    verb: list[str]
    data: pathlib.Path
    options: list[str]
    epochs: list[int]

    def start_words(self, folder: pathlib.Path) -> list[str]:
        return [*self.verb, str(self.data), "--out", str(folder), "--quiet", *self.options]

    def next_words(self, folder: pathlib.Path) -> list[str]:
        """Resumes, or starts where a kill came before there was a run."""
        if (folder / "config.toml").exists():
            return ["resume", str(folder), "--quiet"]
        shutil.rmtree(folder, ignore_errors=True)
        return self.start_words(folder)

    def compare(self, folder: pathlib.Path, expected: pathlib.Path) -> None:
        compare(folder, expected, self.epochs)


def timeless(text: str) -> dict | list:
    def without(value):
        if isinstance(value, list):
            return [without(part) for part in value]
        if not isinstance(value, dict):
            return value
        return {key: without(part) for key, part in value.items() if key not in TIMES}

    return without(json.loads(text))


def compare(folder: pathlib.Path, expected: pathlib.Path, epochs: list[int]) -> None:
    assert (folder / "model.safetensors").read_bytes() == (expected / "model.safetensors").read_bytes(), "other model"
    traces = [[timeless(line) for line in (one / "trace.jsonl").read_text().splitlines()] for one in (folder, expected)]
    assert [line["epoch"] for line in traces[0]] == epochs, traces[0]
    assert traces[0] == traces[1], f"{traces[0]}\n{traces[1]}"
    metrics = [timeless((one / "metrics.json").read_text()) for one in (folder, expected)]
    assert metrics[0] == metrics[1], f"{metrics[0]}\n{metrics[1]}"
    parts = [str(path) for path in folder.rglob("*.part")]
    assert not parts, f"left behind: {parts}"


def kill_often(kind: Kind, folder, expected, whole: float, rolls: random.Random) -> None:
    """Kills a run and its resumptions at random; after some time it may finish."""
    kills = 0
    while True:
        process = start(*kind.next_words(folder))
        try:
            process.communicate(timeout=rolls.uniform(0.01, whole / 2) if kills < 8 else PATIENCE)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
    assert process.returncode == 0, process.returncode
    kind.compare(folder, expected)
    print(f"{' '.join(kind.verb)}, killed {kills} times: the same model")


def interrupt_often(kind: Kind, folder, expected, whole: float, rolls: random.Random) -> None:
    """The same with signals that ask for an end, which must be answered with how to go on."""
    stops = 0
    while stops < 4:
        process = start(*kind.next_words(folder))
        await_ready(process)
        while process.poll() is None and not (folder / "config.toml").exists():
            time.sleep(0.002)
        time.sleep(rolls.uniform(0.03, whole / 2))
        asked = rolls.choice(POLITE)
        process.send_signal(signal.SIGPIPE)  # is a failed write, no end
        process.send_signal(asked)
        errors = process.communicate(timeout=PATIENCE)[1]
        if process.returncode == 0:
            break
        assert process.returncode == 128 + asked, (asked, process.returncode, errors)
        if "stopped while reading" not in errors:
            assert errors.startswith("lerp: stopped "), errors
            assert errors.rstrip().endswith(f"({folder}): lerp resume {folder} goes on from here"), errors
        stops += 1
    status, errors = run(*kind.next_words(folder))
    assert status == 0, errors
    kind.compare(folder, expected)
    print(f"{' '.join(kind.verb)}, interrupted {stops} times: the same model")


def contents(path: pathlib.Path) -> dict[str, bytes]:
    """All that lies at a path: a file, or a folder with what is in it."""
    if path.is_file():
        return {"": CLOCK.sub(b"", path.read_bytes())}
    return {str(one.relative_to(path)): one.read_bytes() for one in sorted(path.rglob("*")) if one.is_file()}


def same_command(words: list[str], figures: str, place: pathlib.Path, rolls: random.Random) -> None:
    """Ends a verb that makes many runs at random moments by every signal; the same command goes on with them. OUT is
    where to, `figures` the file of results in it."""
    place.mkdir()
    plain, out = place / "plain", place / "killed"
    since = time.monotonic()
    status, errors = run(*(word.replace("OUT", str(plain)) for word in words))
    assert status == 0, errors
    whole = time.monotonic() - since
    again = [word.replace("OUT", str(out)) for word in words]
    ended = collections.Counter()
    for asked in rolls.sample([*POLITE, *[signal.SIGKILL] * 9], 12):
        process = start(*again)
        if asked != signal.SIGKILL:
            await_ready(process)
        time.sleep(rolls.uniform(0, whole / 3))
        process.send_signal(asked)
        errors = process.communicate(timeout=PATIENCE)[1]
        done = process.returncode == 0
        expected = -signal.SIGKILL if asked == signal.SIGKILL else 128 + asked
        assert done or process.returncode == expected, (asked, process.returncode, errors)
        if not done and asked != signal.SIGKILL:
            assert errors.rstrip().endswith("the same command goes on from here"), errors
        ended["in time" if done else asked.name] += 1
    status, errors = run(*again)
    assert status == 0, errors
    made = [timeless((one / figures).read_text()) for one in (plain, out)]
    assert made[0] == made[1], "other figures"
    left = [str(path) for path in place.rglob("*.part")]
    assert not left, f"left behind: {left}"
    print(f"{words[0]}: {', '.join(f'{name} {count}' for name, count in ended.items())}: the same figures")


def write_whole(words: list[str], place: pathlib.Path, rolls: random.Random) -> None:
    """Ends a verb that writes OUT by every signal, in random order at random moments: OUT is there whole, or not at
    all, and no temporary name outlives the next call."""
    place.mkdir()
    plain, out = place / "plain.csv", place / "out.csv"
    since = time.monotonic()
    status, errors = run(*(word.replace("OUT", str(plain)) for word in words))
    assert status == 0, errors
    whole = time.monotonic() - since
    ended = collections.Counter()
    for asked in rolls.sample([*POLITE, *[signal.SIGKILL] * 5], 8):
        process = start(*(word.replace("OUT", str(out)) for word in words))
        if asked != signal.SIGKILL:
            await_ready(process)
        time.sleep(rolls.uniform(0, whole))
        process.send_signal(asked)
        errors = process.communicate(timeout=PATIENCE)[1]
        done = process.returncode == 0
        expected = -signal.SIGKILL if asked == signal.SIGKILL else 128 + asked
        assert done or process.returncode == expected, (words, asked, process.returncode, errors)
        # One that has been renamed into place before the end counts as written.
        if out.exists():
            assert contents(out) == contents(plain), f"{words}: half of it is there after {asked!r}"
            shutil.rmtree(out) if out.is_dir() else out.unlink()
        ended["in time" if done else asked.name] += 1
    status, errors = run(*(word.replace("OUT", str(out)) for word in words))
    assert status == 0 and contents(out) == contents(plain), (words, errors)
    left = [path.name for path in place.iterdir() if path.name.endswith(".part")]
    assert not left, f"{words}: left behind {left}"
    print(f"{words[0]}: {', '.join(f'{name} {count}' for name, count in ended.items())}: whole or not there")


@contextlib.contextmanager
def small_disk(place: pathlib.Path, size: int):
    """A file system of its own; none where that takes more rights than we have."""
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=True)


def full_disk(kind: Kind, place: pathlib.Path, expected: pathlib.Path, rolls: random.Random) -> None:
    size = (expected / "checkpoint" / "state.safetensors").stat().st_size
    with small_disk(place, 8 * size) as mounted:
        if not mounted:
            print("full disk: skipped, no right to mount one")
            return
        # Room for one checkpoint but not for the next beside it, and then for anything or nothing.
        for number, room in enumerate([3 * size // 2, 0, *(rolls.randrange(5 * size // 2) for _ in range(3))]):
            (place / "filler").write_bytes(bytes(8 * size - room))
            folder = place / f"run-{number}"
            status, errors = run(*kind.start_words(folder))
            if status != 0:
                assert status == 1 and "No space left on device" in errors and str(folder) in errors, (status, errors)
                assert errors.startswith("lerp: ") and len(errors.splitlines()) == 1, errors
            if number == 0:
                assert status == 1 and (folder / "checkpoint" / "state.safetensors").exists(), "no checkpoint"
                status, again = run("resume", str(folder), "--quiet")
                assert status == 1 and "No space left on device" in again, (status, again)
            (place / "filler").unlink()
            status, errors = run(*kind.next_words(folder))
            assert status == 0, errors
            kind.compare(folder, expected)
            shutil.rmtree(folder)
        print("full disk: told, and resumed to the same model")


def damages(kind: Kind, run_folder: pathlib.Path, place: pathlib.Path) -> None:
    data = kind.data

    def expect(words, status, *texts):
        got, errors = run(*words)
        assert got == status and all(text in errors for text in texts), (words, got, errors)
        assert len(errors.splitlines()) == 1, errors

    def fresh(name):
        return pathlib.Path(shutil.copytree(run_folder, place / name))

    broken = fresh("broken")
    model = (broken / "model.safetensors").read_bytes()
    for content in (model[:-7], b"", b"{" + model[1:], model[:40] + b"\xff" * 8 + model[48:]):
        (broken / "model.safetensors").write_bytes(content)
        expect(["eval", str(broken)], 1, f"({broken}/model.safetensors): ")
    half = fresh("half")
    state = half / "checkpoint" / "state.safetensors"
    state.write_bytes(state.read_bytes()[:1000])
    expect(["resume", str(half)], 1, f"({state}): ")
    shutil.rmtree(half / "checkpoint")
    status, errors = run("resume", str(half), "--quiet")
    assert status == 0, errors
    kind.compare(half, run_folder)
    facts = (data / "train.txt").read_text().splitlines(keepends=True)
    (data / "train.txt").write_text("".join(facts[:-1]))
    expect(["resume", str(run_folder)], 1, "the data has changed since this run began", "start a new run")
    shutil.rmtree(data)
    expect(["resume", str(run_folder)], 1, f"there is no such file or folder ({data})")
    print("damages: told")


def half_learned(kind: Kind, rules: pathlib.Path, folder: pathlib.Path) -> None:
    """An embedding that is not done is no term beside rules."""
    process = start(*kind.start_words(folder))
    await_ready(process)
    while process.poll() is None and not (folder / "config.toml").exists():
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, process.returncode
    status, errors = run("eval", str(rules), "--embedding", str(folder))
    assert (status, errors) == (1, f"lerp: the run has no model yet ({folder}): finish it with lerp resume {folder}\n"), errors
    print("half an embedding: refused")


def kinds(place: pathlib.Path) -> list[Kind]:
    family, stories = place / "family", place / "stories"
    status, errors = run("generate", "family", str(family), "--people", "120", "--quiet")
    assert status == 0, errors
    stories.mkdir()
    for split in ("train", "dev", "test"):
        lines = [json.dumps(story) + "\n" for story in [WAR, SALE] * 60]
        (stories / f"{split}.jsonl").write_text("".join(lines))
    settings = [word for option in OPTIONS for word in ("--set", option)]
    return [Kind(["train"], family, settings, [1, 2, 3, 4, 5, 1, 2, 3]),
            Kind(["embed"], family, [*EMBED, "--epochs", "5"], [1, 2, 3, 4, 5]),
            Kind(["events", "train"], stories, EVENTS, list(range(1, 41)))]


def main() -> int:
    rolls = random.Random(SEED)
    print(f"seed {SEED}", flush=True)
    room = os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free >= 256 << 20
    memory = "/dev/shm" if room else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        place = pathlib.Path(name)
        begin = time.monotonic()
        rules, embedding, events = kinds(place)
        for kind in (rules, embedding, events):
            name = kind.verb[0]
            plain = place / f"{name}-plain"
            since = time.monotonic()
            status, errors = run(*kind.start_words(plain))
            assert status == 0, errors
            whole = time.monotonic() - since
            for number in range(4 if kind is rules else 2):
                kill_often(kind, place / f"{name}-killed-{number}", plain, whole, rolls)
            for number in range(2):
                interrupt_often(kind, place / f"{name}-interrupted-{number}", plain, whole, rolls)
        full_disk(rules, place / "disk", place / "train-plain", rolls)
        model = str(place / "train-plain")
        write_whole(["distill", model, "--out", "OUT", "--quiet"], place / "distilled", rolls)
        write_whole(["complete", model, "--out", "OUT", "--quiet"], place / "completed", rolls)
        write_whole(["generate", "family", "OUT", "--people", "4000", "--quiet"], place / "generated", rolls)
        packages = place / "packages"
        packages.write_text("".join(f"Package: p{i}\nDepends: p{i // 2}, p{i // 3}\nSection: libs\n\n" for i in range(2, 40_000)))
        write_whole(["import", "debian", str(packages), "OUT", "--quiet"], place / "imported", rolls)
        write_whole(["report", model, "--out", "OUT", "--quiet"], place / "reported", rolls)
        (place / "root").mkdir()
        shutil.copytree(rules.data, place / "root" / "family")
        some = ["--quick", "--only", "table1,figure4a", "--threads", "2", "--quiet"]
        same_command(["paper", str(place / "root"), "--out", "OUT", *some], "paper.json", place / "papers", rolls)
        grid = ["--over", "rules=1,2,3", "--set", "train.epochs=2", "--alone", "--threads", "2", "--quiet"]
        same_command(["sweep", str(rules.data), *grid, "--json", "OUT"], "", place / "swept", rolls)
        endless = dataclasses.replace(embedding, options=[*EMBED, "--epochs", "100000"])
        half_learned(endless, place / "train-plain", place / "unfinished")
        damages(rules, place / "train-plain", place)
        print(f"{time.monotonic() - begin:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
