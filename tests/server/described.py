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


def main() -> int:
    lerp, tools = (pathlib.Path(word).absolute() for word in sys.argv[1:3])
    schemathesis = tools / "bin" / "schemathesis"
    if not schemathesis.exists():
        print("schemathesis is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="lerp-described-") as scratch:
        root = pathlib.Path(scratch)
        subprocess.run([lerp, "generate", "family", root / "family", "--people", "100", "--quiet"], check=True)
        subprocess.run([lerp, "train", root / "family", "--out", root / "run", "--set", "train.epochs=1", "--quiet"], check=True)
        server = subprocess.Popen([lerp, "serve", root / "run", "--port", "0", "--json", root / "told.json", "--quiet"])
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
