#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets every kind of system call fail once, here and there, and looks at what the program makes of it.

    run.py LERP LIBRARY [CASES_OF_A_KIND]

Whatever fails, a verb either does its work all the same, with the same bytes, or says one sentence and exits with 1.
It never crashes, hangs or leaves a temporary file, and a file that was there is the old one or the new one.
"""

import concurrent.futures
import errno
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LERP, LIBRARY = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 24
# Seconds that nothing here may take, however busy the machine.
PATIENCE = 120
KINDS = {"memory": errno.ENOMEM, "mmap": errno.ENOMEM, "open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC,
         "fsync": errno.EIO, "rename": errno.EACCES, "thread": errno.EAGAIN}
SMALL = ["--set", "train.epochs=1", "--set", "rules.count=2", "--set", "functions.width=4", "--quiet", "--threads", "2"]
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
    "events": ["events", "train", "stories", "--out", "OUT/run", "--set", "epochs=1", "--set", "width=4", "--threads", "2", "--quiet"],
    "eval": ["eval", "run", "--ranks", "OUT/old", "--threads", "2", "--quiet"],
    "complete": ["complete", "run", "--out", "OUT/old.csv", "--top", "5", "--threads", "2", "--quiet"],
    "distill": ["distill", "run", "--out", "OUT/old", "--quiet"],
    "export": ["export", "rules", "family", "--format", "prolog", "--out", "OUT/old", "--quiet"],
    "report": ["report", "run", "--out", "OUT/old", "--quiet"],
}
LASTING = ("model.safetensors", "train.txt", "old", "old.csv")  # what is the same whenever it is made


def call(place: pathlib.Path, words: list[str], **environment: str) -> tuple[int, str]:
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
    if verb == "resume":  # killed after its last checkpoint
        shutil.copytree(place / "run", out / "run")
        (out / "run" / "model.safetensors").unlink()
        (out / "run" / "metrics.json").unlink()
    return out, [word.replace("OUT", name, 1) if word.startswith("OUT/") else word for word in VERBS[verb]]


def files(out: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*"))
            if path.name in LASTING}


def numbers(count: int) -> list[int]:
    """The first few, and a spread over the rest."""
    first = list(range(1, min(count, CASES // 2) + 1))
    spread = [1 + (count - 1) * i // max(CASES - len(first), 1) for i in range(1, CASES - len(first) + 1)]
    return sorted({n for n in first + spread if n <= count})


def judge(place: pathlib.Path, verb: str, kind: str, number: int, expected: dict[str, bytes]) -> str:
    """What is wrong with a case, or nothing."""
    name = f"{verb}-{kind}-{number}"
    out, words = fresh(place, verb, name)
    try:
        status, said = call(place, words, LD_PRELOAD=LIBRARY, FAULT_KIND=kind, FAULT_AT=str(number),
                            FAULT_ERROR=str(KINDS[kind]))
    except subprocess.TimeoutExpired:
        return f"{name}: hangs"
    found = files(out)
    parts = [path.name for path in out.rglob("*.part")]
    wrong = ""
    if parts:
        wrong = f"left behind {parts}"
    elif status == 0 and found != expected:
        wrong = "says that all is well, and has made something else"
    elif status not in (0, 1):
        wrong = f"exits with {status}"
    elif status == 1 and (len(said.splitlines()) != 1 or not said.startswith("lerp: ") or "as a bug" in said):
        wrong = "says no sentence"
    elif any(content not in (expected.get(file), b"as it was") for file, content in found.items()):
        wrong = "leaves a file that is neither the old one nor the new one"
    shutil.rmtree(out)
    return f"{name}: {wrong}: {said.strip()[-300:]}" if wrong else ""


def main() -> int:
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        place = pathlib.Path(folder)
        prepare(place)
        jobs = []
        for verb in VERBS:
            out, words = fresh(place, verb, f"{verb}-plain")
            status, said = call(place, words)
            assert status == 0, (words, said)
            expected = files(out)
            for kind in KINDS:
                fresh(place, verb, f"{verb}-plain")
                call(place, words, LD_PRELOAD=LIBRARY, FAULT_KIND=kind, FAULT_COUNT=str(place / "count"))
                count = int((place / "count").read_text())
                jobs += [pool.submit(judge, place, verb, kind, number, expected) for number in numbers(count)]
        wrong = [job.result() for job in jobs if job.result()]
        print(*wrong, sep="\n")
        print(f"{len(jobs)} calls failed, {len(wrong)} of them badly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
