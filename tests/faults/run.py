#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets every kind of system call fail once, here and there, and looks at what the program makes of it.

    run.py LERP LIBRARY [CASES_OF_A_KIND [VERB…]]

Whatever fails, a verb either does its work all the same, with the same bytes, or says one sentence and exits with 1.
It never crashes, hangs or leaves a temporary file, and a file that was there is the old one or the new one. Half of the
cases let one call fail; half let that call and all later ones fail, as a full disk does.

Nothing is drawn: what is tried depends on the counts of calls alone, and these on one thread's work. No deadline is one
that a busy machine could miss.
"""

import collections
import concurrent.futures
import dataclasses
import errno
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import serving

LERP, LIBRARY = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 60
# Seconds that nothing here may take, however busy the machine.
PATIENCE = 300
KINDS = {"memory": errno.ENOMEM, "mmap": errno.ENOMEM, "open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC,
         "fsync": errno.EIO, "rename": errno.EACCES, "thread": errno.EAGAIN, "socket": errno.ENOBUFS}
CORES = sorted(os.sched_getaffinity(0))
SMALL = ["--set", "train.epochs=1", "--set", "rules.count=2", "--set", "functions.width=4", "--quiet", "--threads", "2"]
EVENTS = ["--set", "epochs=1", "--set", "width=4", "--threads", "2", "--quiet"]
STORY = {"events": [["m", "Meet"], ["p", "Pay"]], "order": [["m", "p"]]}
PACKAGES = "".join(f"Package: p{i}\nDepends: p{i // 2}, p{i // 3}\nSection: libs\n\n" for i in range(2, 40))
# What a verb is called with; OUT is a folder of its own, where `old` may lie already.
VERBS = {
    "generate": ["generate", "family", "OUT/made", "--people", "30", "--quiet"],
    "import": ["import", "debian", "packages", "OUT/made", "--quiet"],
    "stats": ["stats", "family", "--json", "OUT/old", "--quiet"],
    "train": ["train", "family", "--out", "OUT/run", *SMALL],
    "resume": ["resume", "OUT/run", "--quiet"],
    "embed": ["embed", "family", "--out", "OUT/run", "--epochs", "1", "--dim", "8", "--threads", "2", "--quiet"],
    "events": ["events", "train", "stories", "--out", "OUT/run", *EVENTS],
    "eval": ["eval", "run", "--ranks", "OUT/old", "--threads", "2", "--quiet"],
    "complete": ["complete", "run", "--out", "OUT/old.csv", "--top", "5", "--threads", "2", "--quiet"],
    "distill": ["distill", "run", "--out", "OUT/old", "--quiet"],
    "export": ["export", "rules", "family", "--format", "prolog", "--out", "OUT/old", "--quiet"],
    "report": ["report", "run", "--out", "OUT/old", "--quiet"],
    "serve": [],  # see serving.py
}
LASTING = ("model.safetensors", "train.txt", "old", "old.csv")  # what is the same whenever it is made
TIME = re.compile(rb"explained in [0-9.]+ m?s")  # but for this, in a report


@dataclasses.dataclass(frozen=True)
class Case:
    verb: str
    kind: str
    number: int
    stays: bool

    def name(self) -> str:
        return f"{self.verb}-{self.kind}-{self.number}{'-on' if self.stays else ''}"

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": LIBRARY, "FAULT_KIND": self.kind, "FAULT_AT": str(self.number),
                "FAULT_ERROR": str(KINDS[self.kind]), "FAULT_STAYS": str(int(self.stays))}


def choose_cores(kind: str | None) -> None:
    # On one core lerp works with one thread, so that calls come in one order.
    core = threading.get_native_id() % len(CORES)
    os.sched_setaffinity(0, CORES if kind == "thread" else CORES[core:core + 1])


def call(place: pathlib.Path, words: list[str], **environment: str) -> tuple[int, str]:
    choose_cores(environment.get("FAULT_KIND"))
    done = subprocess.run([LERP, *words], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=PATIENCE,
                          env={**os.environ, **environment})
    return done.returncode, done.stderr


def prepare(place: pathlib.Path) -> None:
    def must(*words: str) -> None:
        status, said = call(place, list(words))
        assert status == 0, (words, said)

    must("generate", "family", "family", "--people", "40", "--quiet")
    must("train", "family", "--out", "run", *SMALL)
    must("distill", "run", "--out", "rules", "--quiet")
    (place / "packages").write_text(PACKAGES)
    (place / "stories").mkdir()
    for split in ("train", "dev", "test"):
        (place / "stories" / f"{split}.jsonl").write_text((json.dumps(STORY) + "\n") * 8)


def fresh(place: pathlib.Path, verb: str, name: str) -> tuple[pathlib.Path, list[str]]:
    out = place / name
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for old in ("old", "old.csv"):
        if any(word.endswith("/" + old) for word in VERBS[verb]):
            (out / old).write_text("as it was")
    if verb == "serve":
        shutil.copytree(place / "run", out / "run")
    if verb == "resume":  # killed after its last checkpoint
        shutil.copytree(place / "run", out / "run")
        (out / "run" / "model.safetensors").unlink()
        (out / "run" / "metrics.json").unlink()
    return out, [word.replace("OUT", name, 1) if word.startswith("OUT/") else word for word in VERBS[verb]]


def files(out: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): TIME.sub(b"", path.read_bytes()) for path in sorted(out.rglob("*"))
            if path.name in LASTING}


def numbers(count: int, cases: int) -> list[int]:
    """The first few, and a spread over the rest."""
    first = list(range(1, min(count, cases // 2) + 1))
    spread = [1 + (count - 1) * i // max(cases - len(first), 1) for i in range(1, cases - len(first) + 1)]
    return sorted({n for n in first + spread if n <= count})


def wrong_with(case: Case, status: int, said: str, out: pathlib.Path, expected: dict[str, bytes]) -> str:
    found = files(out)
    # Where no more memory is given, none is left to look for what is to be removed: the next call does.
    swept = not (case.kind == "memory" and case.stays)
    parts = [path.name for path in out.rglob("*.part")]
    if parts and swept:
        return f"left behind {parts}"
    if status == 0 and found != expected:
        return "says that all is well, and has made something else"
    if status not in (0, 1):
        return f"exits with {status}"
    if status == 1 and (len(said.splitlines()) != 1 or not said.startswith("lerp: ") or "as a bug" in said):
        return "says no sentence"
    if any(content not in (expected.get(file), b"as it was") for file, content in found.items() if ".part" not in file):
        return "leaves a file that is neither the old one nor the new one"
    return ""


def served(place: pathlib.Path, out: pathlib.Path, expected: list[serving.Reply], **environment: str):
    choose_cores(environment.get("FAULT_KIND"))
    fact = (place / "family" / "test.txt").read_text().splitlines()[0].split("\t")
    return serving.serve(LERP, out / "run", fact, {**os.environ, **environment}, PATIENCE, expected)


def judge(place: pathlib.Path, case: Case, expected: dict[str, bytes] | list[serving.Reply]) -> str:
    """What is wrong with a case, or nothing."""
    out, words = fresh(place, case.verb, case.name())
    if case.verb == "serve":
        wrong, said, _ = served(place, out, expected, **case.environment())
        shutil.rmtree(out)
        return f"{case.name()}: {wrong}: {said.strip()[-300:]}" if wrong else ""
    try:
        status, said = call(place, words, **case.environment())
    except subprocess.TimeoutExpired:
        return f"{case.name()}: hangs"
    wrong = wrong_with(case, status, said, out, expected)
    shutil.rmtree(out)
    return f"{case.name()}: {wrong}: {said.strip()[-300:]}" if wrong else ""


def all_goes_well(place: pathlib.Path, verb: str) -> dict[str, bytes] | list[serving.Reply]:
    """What a verb makes then."""
    out, words = fresh(place, verb, f"{verb}-plain")
    if verb == "serve":
        wrong, said, replies = served(place, out, [])
        assert not wrong and all(200 <= status < 300 for _, status, _ in replies), (wrong, said, replies)
        return replies
    status, said = call(place, words)
    assert status == 0, (words, said)
    return files(out)


def cases_of(place: pathlib.Path, verb: str) -> tuple[dict[str, bytes] | list[serving.Reply], list[Case]]:
    """What a verb makes when all goes well, and what to let fail."""
    expected = all_goes_well(place, verb)
    cases = []
    for kind in KINDS:
        out, words = fresh(place, verb, f"{verb}-plain")
        told = out / "count"
        counting = {"LD_PRELOAD": LIBRARY, "FAULT_KIND": kind, "FAULT_COUNT": str(told)}
        served(place, out, [], **counting) if verb == "serve" else call(place, words, **counting)
        count = int(told.read_text())
        each = CASES // (4 if verb == "serve" else 2)  # a server takes longer than a verb
        for stays in (False, True):
            cases += [Case(verb, kind, number, stays) for number in numbers(count, each)]
    return expected, cases


def main() -> int:
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    begin = time.monotonic()
    with (tempfile.TemporaryDirectory(dir=memory) as folder,
          concurrent.futures.ThreadPoolExecutor(len(CORES)) as pool):
        place = pathlib.Path(folder)
        prepare(place)
        verbs = sys.argv[4:] or list(VERBS)
        plans = list(pool.map(lambda verb: cases_of(place, verb), verbs))
        jobs = [pool.submit(judge, place, case, expected) for expected, cases in plans for case in cases]
        wrong = [job.result() for job in jobs if job.result()]
    tried = collections.Counter(case.kind for case in itertools.chain(*(cases for _, cases in plans)))
    print(*wrong, sep="\n")
    print(", ".join(f"{kind} {count}" for kind, count in tried.items()))
    print(f"{len(jobs)} calls failed, {len(wrong)} of them badly, {time.monotonic() - begin:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
