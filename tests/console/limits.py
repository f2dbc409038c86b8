#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the real binary where threads and memory are limited: it does with fewer, or says one sentence.

    limits.py LERP

Nothing hangs and nothing aborts, whatever the limit. Limits on processes do not hold for root, so that root
runs the binary as a user that has no other processes.
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

# Seconds that nothing here may take, however busy the machine.
PATIENCE = 120
# A user with no processes of its own, where this is run by root.
NOBODY = 54321
SMALL = ["functions.width=4", "rules.count=2", "train.epochs=1", "evidence.paths=20", "embedding.rank=4",
         "embedding.epochs=1"]


def run(lerp: str, *words: str, processes: int = 0, memory: int = 0, folder: str) -> tuple[int, list[str]]:
    """The exit status and the lines of standard error."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if processes:
            resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)

    ran = subprocess.run([lerp, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, errors="replace", timeout=PATIENCE, preexec_fn=limit)
    return ran.returncode, ran.stderr.splitlines()


def settings() -> list[str]:
    return [word for setting in SMALL for word in ("--set", setting)]


def check_threads(lerp: str, folder: str) -> None:
    for processes in (1, 2, 3, 4):
        for words in (["eval", "run", "--threads", "100"], ["stats", "data"], ["rules", "run"],
                      ["train", "data", "--threads", "100", "--out", f"run-{processes}", *settings()]):
            status, errors = run(lerp, *words, processes=processes, folder=folder)
            assert status == 0, f"{words} with {processes} processes ended with {status}: {errors}"


def check_memory(lerp: str, folder: str) -> None:
    """From where the program can be loaded at all to where it has enough, in small steps."""
    step = 1 << 20
    memory = step
    while run(lerp, "--version", memory=memory, folder=folder)[0] != 0:
        memory += step
        assert memory < 1 << 30, "lerp --version needs a gigabyte"
    for words in (["eval", "run"], ["train", "data", *settings()]):
        refused = 0
        at = memory
        while True:
            out = ["--out", f"tried-{at}"] if words[0] == "train" else []
            status, errors = run(lerp, *words, *out, memory=at, folder=folder)
            if status == 0:
                break
            assert status == 1, f"{words} with {at} bytes ended with {status}: {errors}"
            told = [line for line in errors if line.startswith("lerp: ")]
            assert len(told) == 1 and "memory" in told[0], f"{words} with {at} bytes says {errors}"
            refused += 1
            at += step
            assert at < 1 << 32, f"{words} needs four gigabytes"
        print(f"{words[0]}: {refused} limits refused in a sentence, {at >> 20} MiB are enough")


PLAN = re.compile(r"takes about ([\d.]+) MiB of memory and the limit is [\d.]+ MiB: allow more with --memory, or ")


def check_plan(lerp: str, folder: str) -> None:
    """What is too little is refused before anything is written, and what the sentence asks for is enough."""
    for words in (["eval", "run"], ["train", "data", "--out", "planned", *settings()]):
        needed = 0.0
        for mebibytes in range(2, 1024):
            status, errors = run(lerp, *words, "--threads", "1", "--memory", f"{mebibytes}M", folder=folder)
            assert not pathlib.Path(folder, "planned").exists() or status == 0, (words, mebibytes, errors)
            told = [PLAN.search(line) for line in errors if PLAN.search(line)]
            if told:
                needed = float(told[0][1])
                break
        assert needed > mebibytes, (words, needed, mebibytes)
        status, errors = run(lerp, *words, "--threads", "2", "--memory", f"{int(needed) + 2}M", folder=folder)
        assert status == 0, (words, needed, errors)
        print(f"{words[0]} --memory: {needed} MiB are asked for, and are enough")
    config = pathlib.Path(folder, "planned", "config.toml").read_text()
    assert "threads = 1 " in config, "a second thread has no room"


def check_option(lerp: str, folder: str) -> None:
    """What --memory allows is enough, or the option is named; nothing takes more."""
    named = 0
    for words in (["eval", "run"], ["train", "data", *settings()]):
        refused = 0
        for mebibytes in range(2, 1024):
            out = ["--out", f"limited-{mebibytes}"] if words[0] == "train" else []
            status, errors = run(lerp, *words, *out, "--threads", "1", "--memory", f"{mebibytes}M", folder=folder)
            if status == 0:
                break
            told = [line for line in errors if line.startswith("lerp: ")]
            assert status == 1 and len(told) == 1 and "emory" in told[0], (words, mebibytes, status, errors)
            refused += 1
            named += "--memory" in told[0]
        assert status == 0 and refused > 0, (words, refused, status)
        print(f"{words[0]} --memory: {refused} sizes refused in a sentence, {mebibytes} MiB are enough")
    assert named > 0, "no sentence names the option"
    check_plan(lerp, folder)
    status, errors = run(lerp, "stats", "data", "--memory", "much", folder=folder)
    assert status == 2 and "--memory" in errors[0] and "no size" in errors[0], errors


def main() -> int:
    if sys.platform != "linux":
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        lerp = shutil.copy(sys.argv[1], pathlib.Path(folder) / "lerp")
        os.chmod(lerp, 0o755)
        for words in (["generate", "family", "data", "--people", "60"],
                      ["train", "data", "--out", "run", *settings()]):
            status, errors = run(lerp, *words, folder=folder)
            assert status == 0, f"{words} ended with {status}: {errors}"
        subprocess.run(["chmod", "-R", "a+rwX", folder], check=True)
        check_memory(lerp, folder)
        check_option(lerp, folder)
        try:
            check_threads(lerp, folder)
        except subprocess.SubprocessError as problem:
            if isinstance(problem, subprocess.TimeoutExpired):
                raise
            print(f"threads are not tried, this user cannot become another: {problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
