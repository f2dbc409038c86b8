#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens what earlier versions wrote: it ranks as it did, goes on where it stopped, or is refused in a sentence.

    open.py LERP [VERSION]

Each folder beside this file is named after the version that wrote it. With a VERSION, what this program makes of that
folder is written into its expected.json, which is done once, by the version itself.
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

LERP = str(pathlib.Path(sys.argv[1]).resolve())
HERE = pathlib.Path(__file__).resolve().parent
# Another processor adds in another order; a file that is read wrongly ranks like noise.
NEAR = 0.03
# What is asked of a folder of the past. A verb with --json is answered with its MRR.
QUESTIONS = {
    "eval": ["eval", "run"],
    "eval of the paper's model": ["eval", "paper"],
    "eval with an embedding": ["eval", "run", "--embedding", "vectors"],
    "eval of events": ["events", "eval", "events", "--data", "stories"],
    "eval of what was resumed": ["eval", "stopped"],
}
# Where the data was when those runs were learned.
WAS = "/data/past"
# What loses its model and is learned on from its last checkpoint, to the same bytes.
AGAIN = ["run", "vectors", "events"]


def bring(folder: pathlib.Path, place: pathlib.Path) -> None:
    """A copy whose runs find their data beside them."""
    shutil.copytree(folder, place)
    for config in place.glob("*/config.toml"):
        config.write_text(config.read_text().replace(WAS, str(place)))


def numbers(path: pathlib.Path) -> int:
    """Bytes of the tensors of a file, without what is told of them, such as the place of the data."""
    with path.open("rb") as file:
        return path.stat().st_size - 8 - struct.unpack("<Q", file.read(8))[0]


def call(place: pathlib.Path, words: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run([LERP, *words], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=240)


def must(place: pathlib.Path, words: list[str]) -> str:
    done = call(place, words)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout


def answers(place: pathlib.Path) -> dict[str, float]:
    must(place, ["resume", "stopped", "--quiet"])
    found = {}
    for name, words in QUESTIONS.items():
        told = json.loads(must(place, [*words, "--quiet", "--json", "-"]))
        found[name] = told["both"]["realistic"]["mrr"] if "both" in told else told["raw"]["mrr"]
    return found


def compare(place: pathlib.Path, expected: dict[str, float]) -> None:
    found = answers(place)
    assert found.keys() == expected.keys(), found
    for name, value in expected.items():
        assert abs(found[name] - value) <= NEAR, f"{name}: {found[name]} instead of {value}"


def resume_again(place: pathlib.Path) -> None:
    for name in AGAIN:
        model = place / name / "model.safetensors"
        size = numbers(model)
        model.unlink()
        (place / name / "metrics.json").unlink()
        must(place, ["resume", name, "--quiet"])
        assert numbers(model) == size, f"{name}: {numbers(model)} bytes instead of {size}"


def rewrite(path: pathlib.Path, version: int, writer: str) -> None:
    """The same file as another version of the program would have written it. A file without a sum is an old one."""
    content = path.read_bytes()
    length = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8:8 + length])
    told = header["__metadata__"]
    told["version"] = str(version)
    told["program"] = writer
    told.pop("checksum", None)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length:])


def refused(folder: pathlib.Path, place: pathlib.Path) -> None:
    """Versions that cannot be read are named, and so is who wrote them."""
    cases = [("run/model.safetensors", 99, ["eval", "run"]),
             ("vectors/model.safetensors", 99, ["eval", "run", "--embedding", "vectors"]),
             ("events/model.safetensors", 99, ["events", "eval", "events", "--data", "stories"]),
             ("events/model.safetensors", 1, ["events", "eval", "events", "--data", "stories"]),
             ("stopped/checkpoint/state.safetensors", 99, ["resume", "stopped"]),
             ("stopped/checkpoint/state.safetensors", 1, ["resume", "stopped"])]
    for file, version, words in cases:
        shutil.rmtree(place)
        bring(folder, place)
        rewrite(place / file, version, "lerp 9.8.7")
        done = call(place, words)
        lines = done.stderr.splitlines()
        assert done.returncode == 1 and len(lines) == 1, (file, version, done.returncode, done.stderr)
        assert lines[0].startswith("lerp: ") and file in lines[0], lines
        assert "version" in lines[0] and "lerp 9.8.7 wrote" in lines[0], lines


def main() -> int:
    record = sys.argv[2:3]
    folders = [HERE / name for name in record] or sorted(path for path in HERE.iterdir() if path.is_dir())
    assert folders, "nothing of the past is here"
    for folder in folders:
        with tempfile.TemporaryDirectory() as name:
            place = pathlib.Path(name) / "past"
            bring(folder, place)
            told = folder / "expected.json"
            if record:
                told.write_text(json.dumps(answers(place), indent=2) + "\n")
                continue
            expected = json.loads(told.read_text())
            compare(place, expected)
            resume_again(place)
            refused(folder, place)
            print(f"{folder.name}: {len(expected)} figures as they were, {len(AGAIN)} runs resumed, 6 versions refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
