#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a running `lerp serve` does what its description says: schemathesis makes requests, right ones and wrong ones,
from /api/v1/openapi.json and compares the answers with it. Skipped where schemathesis is not installed (./dev test).

usage: described.py LERP TOOLS    (TOOLS: a virtual environment)"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

SKIPPED = 77


def make_data(folder: pathlib.Path) -> None:
    """A graph with the names that schemathesis thinks of first, so that its questions have answers."""
    folder.mkdir()
    names = ["0", "00", "1", "a", *(f"e{i}" for i in range(30))]
    facts = [(name, "0", names[(3 * i + 1) % len(names)]) for i, name in enumerate(names)]
    facts += [(tail, "back", head) for head, _, tail in facts]
    for split, part in (("train", facts[:-8]), ("valid", facts[-8:-4]), ("test", facts[-4:])):
        (folder / f"{split}.txt").write_text("".join("\t".join(fact) + "\n" for fact in part))


def main() -> int:
    lerp, tools = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
    schemathesis = tools / "bin" / "schemathesis"
    if not schemathesis.exists():
        print("schemathesis is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="lerp-described-") as scratch:
        root = pathlib.Path(scratch)
        make_data(root / "data")
        subprocess.run([lerp, "train", root / "data", "--out", root / "0", "--set", "train.epochs=1", "--quiet"], check=True)
        server = subprocess.Popen([lerp, "serve", root / "0", "--port", "0", "--body", "100000000", "--json", root / "told.json", "--quiet"])
        try:
            while not (root / "told.json").exists():
                if server.poll() is not None:
                    return 1
                time.sleep(0.05)
            port = json.loads((root / "told.json").read_text())["port"]
            # Learning is another test's: here it would begin again and again.
            done = subprocess.run([schemathesis, "run", f"http://127.0.0.1:{port}/api/v1/openapi.json", "--seed", "1", "--max-examples", "12",
                                   "--generation-database", "none", "--suppress-health-check", "all", "--exclude-path-regex", "^/train$",
                                   "--phases", "examples,coverage,fuzzing", "--request-timeout", "60", "--no-color", *sys.argv[3:]],
                                  cwd=root, check=False)
            if server.poll() is not None:
                print("the server has ended")
                return 1
            return done.returncode
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
