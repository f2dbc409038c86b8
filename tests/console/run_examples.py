#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the console examples of Markdown pages and compares what they print.

    run_examples.py FOLDER_OF_LERP SHARED PAGE...

In a block marked `console`, a line `$ command` is run by bash in a folder made for the page. The lines below it
are what the command must print: standard output, and also standard error if the command fails. `[exit N]` below
the output expects that status; 0 otherwise. How lines are compared is described in `compare.py`.

Comments in the lines before a block set what applies to it:

    <!-- needs data/NAME -->        links a benchmark dataset, or a folder of this repository (needs examples/NAME),
                                    to that path; the block is skipped if the data is absent
    <!-- tolerance 0.05 -->         numbers with a decimal point may differ by this much, or by this share above 1
    <!-- may differ: 3 lines -->    for each command, so many lines may be others, such as two rules of nearly equal weight
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from compare import Slack, matches

# What a verb says of its progress, now and then, where it takes long: "epoch 1/3  62 %   21,400 queries/s".
PROGRESS = re.compile(r"(?!lerp: ).*(  \d+ %| \S+/s( .* left)?$)")
BLOCK = re.compile(r"((?:<!-- [^>]*? -->\n)*)```console\n(.*?)```", re.S)
SETTING = re.compile(r"<!-- (?:needs (?P<needs>[^>]*?)|tolerance (?P<tolerance>[\d.]+)|may differ: (?P<lines>\d+) lines?) -->")
REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


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


def settings(page: pathlib.Path, comments: str) -> tuple[list[str], Slack]:
    """What the comments before a block ask for."""
    needs, slack = [], Slack()
    for comment in comments.splitlines():
        if not (found := SETTING.fullmatch(comment)):
            if re.match(r"<!-- (needs|tolerance|may differ)", comment):
                sys.exit(f"{page}: this setting of a block is not known: {comment}")
            continue
        needs += (found["needs"] or "").split()
        slack = Slack(float(found["tolerance"] or slack.tolerance), int(found["lines"] or slack.lines))
    return needs, slack


def link(needs: list[str], shared: pathlib.Path, folder: pathlib.Path) -> list[str]:
    """Links what a block needs into the folder, and names what is absent."""
    absent = []
    for need in needs:
        path = pathlib.Path(need)
        source = shared / "datasets" / path.relative_to("data") if path.parts[0] == "data" else REPOSITORY / path
        if not source.exists():
            absent.append(need)
        elif not (folder / need).exists():
            (folder / need).parent.mkdir(parents=True, exist_ok=True)
            (folder / need).symlink_to(source.resolve())
    return absent


def trimmed(lines: list[str]) -> list[str]:
    """The lines without empty ones at the end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def run_page(page: pathlib.Path, binaries: str, shared: pathlib.Path) -> tuple[int, int, int]:
    passed = failed = skipped = 0
    environment = dict(os.environ, PATH=f"{binaries}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="dumb")
    with tempfile.TemporaryDirectory() as folder:
        for comments, block in BLOCK.findall(page.read_text()):
            needs, slack = settings(page, comments)
            absent = link(needs, shared, pathlib.Path(folder))
            for command, expected, status in steps(block):
                if absent:
                    skipped += 1
                    print(f"skipped, {' '.join(absent)} is absent: $ {command}")
                    continue
                ran = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True,
                                     stdin=subprocess.DEVNULL, capture_output=True)
                errors = [line for line in ran.stderr.splitlines() if not PROGRESS.match(line)]
                printed = trimmed(ran.stdout.splitlines() + (errors if ran.returncode else []))
                expected = trimmed(expected)
                if ran.returncode == status and matches(expected, printed, slack):
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
