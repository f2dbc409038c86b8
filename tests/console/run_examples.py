#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the console examples of Markdown pages and compares what they print.

    run_examples.py FOLDER_OF_LERP SHARED PAGE...

In a block marked `console`, a line `$ command` is run by bash in a folder made for the page, and the
lines below it are what it must print: standard output, and standard error too where it fails (progress
of what succeeds goes there, and progress of what takes long is left out). In them `…` stands for any text, and a line of `…` alone for any lines.
`[exit N]` below the output expects that status; 0 otherwise. `<!-- needs data/NAME -->` before a block
links a benchmark dataset to that path, and skips the block where the data is absent.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What a verb says of its progress, now and then, where it takes long: "epoch 1/3  62 %   21,400 queries/s".
PROGRESS = re.compile(r"(?!lerp: ).*(  \d+ %| \S+/s( .* left)?$)")
BLOCK = re.compile(r"(?:<!-- needs ([^>]*?) -->\n)?```console\n(.*?)```", re.S)


def matches(expected: list[str], printed: list[str]) -> bool:
    """Whether the printed lines fit the expected ones, with `…` as a wildcard."""
    if not expected:
        return not printed
    if expected[0].strip() == "…":
        return any(matches(expected[1:], printed[skip:]) for skip in range(len(printed) + 1))
    if not printed:
        return False
    pattern = ".*".join(re.escape(part) for part in expected[0].rstrip().split("…"))
    return re.fullmatch(pattern, printed[0].rstrip()) is not None and matches(expected[1:], printed[1:])


def steps(block: str):
    """The commands of a block with their expected lines and status."""
    step = None
    for line in block.splitlines():
        if line.startswith("$ "):
            if step:
                yield step
            step = (line[2:], [], 0)
        elif step and (status := re.fullmatch(r"\[exit (\d+)\]", line)):
            step = (step[0], step[1], int(status[1]))
        elif step and step[0].endswith("\\"):
            step = (step[0][:-1] + line.strip(), step[1], step[2])
        elif step:
            step[1].append(line)
    if step:
        yield step


def run_page(page: pathlib.Path, binaries: str, shared: pathlib.Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    environment = dict(os.environ, PATH=f"{binaries}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="dumb")
    with tempfile.TemporaryDirectory() as folder:
        for needs, block in BLOCK.findall(page.read_text()):
            absent = []
            for need in needs.split():
                source = shared / "datasets" / pathlib.Path(need).relative_to("data")
                link = pathlib.Path(folder) / need
                if not source.exists():
                    absent.append(need)
                elif not link.exists():
                    link.parent.mkdir(parents=True, exist_ok=True)
                    link.symlink_to(source.resolve())
            for command, expected, status in steps(block):
                if absent:
                    skipped += 1
                    print(f"skipped, {' '.join(absent)} is absent: $ {command}")
                    continue
                ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                     stdin=subprocess.DEVNULL, capture_output=True)
                errors = [line for line in ran.stderr.splitlines() if not PROGRESS.match(line)]
                printed = ran.stdout.splitlines() + (errors if ran.returncode else [])
                while expected and not expected[-1].strip():
                    expected.pop()
                while printed and not printed[-1].strip():
                    printed.pop()
                if ran.returncode == status and matches(expected, printed):
                    passed += 1
                    continue
                failed += 1
                print(f"{page}: $ {command}\n--- expected, exit {status}:\n" + "\n".join(expected)
                      + f"\n--- printed, exit {ran.returncode}:\n" + "\n".join(printed) + "\n---")
    return passed, failed, skipped


def main() -> int:
    binaries, shared, *pages = sys.argv[1:]
    total = [0, 0, 0]
    for page in pages:
        counts = run_page(pathlib.Path(page), str(pathlib.Path(binaries).resolve()), pathlib.Path(shared))
        total = [a + b for a, b in zip(total, counts)]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
