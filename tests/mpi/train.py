#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learning under a real mpirun: the model of several processes is that of one, byte for byte.

    train.py LERP

Exits with 77 where there is no mpirun.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

LERP = pathlib.Path(sys.argv[1]).resolve()
PATIENCE = 200
# Rules that are summed, and evidence of every kind, with what targets share and kinds that are weighed in the end.
OPTIONS = {
    "paper": ["--preset", "paper", "--set", "functions.width=8"],
    "evidence": ["--preset", "default", "--set", "evidence.paths=40", "--set", "functions.width=8"],
}


def lerp(words: list, processes: int = 1) -> subprocess.CompletedProcess:
    launcher = [] if processes == 1 else [
        "mpirun", "--quiet", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(processes)]
    return subprocess.run([*launcher, LERP, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)


def must(words: list, processes: int = 1) -> None:
    ended = lerp(words, processes)
    assert ended.returncode == 0, f"{processes} processes: {words}\n{ended.stdout}{ended.stderr}"


def main() -> int:
    if shutil.which("mpirun") is None:
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = folder / "family"
        must(["generate", "family", data, "--people", 120, "--quiet"])
        for kind, options in OPTIONS.items():
            models = {}
            for processes in (1, 2, 4):
                run = folder / f"{kind}-{processes}"
                must(["train", data, "--out", run, "--set", "train.epochs=2", "--quiet", *options], processes)
                models[processes] = (run / "model.safetensors").read_bytes()
                # A run of some processes is ranked again by others.
                must(["resume", run, "--quiet"], 3 - processes % 2)
                assert (run / "model.safetensors").read_bytes() == models[processes], f"{kind}: resumed"
            assert models[2] == models[1], f"{kind}: two processes learn another model than one"
            assert models[4] == models[1], f"{kind}: four processes learn another model than one"
        # A folder that is taken: every process ends, and one sentence says why.
        ended = lerp(["train", data, "--out", folder / "paper-1", "--quiet"], 2)
        assert ended.returncode != 0
        said = [line for line in ended.stderr.splitlines() if line and not line.startswith("[")]
        assert len(said) == 1 and said[0].startswith("lerp: "), ended.stderr
    return 0


if __name__ == "__main__":
    sys.exit(main())
