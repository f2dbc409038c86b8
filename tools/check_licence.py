#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every source says at its top under which licence it is."""

import subprocess
import sys

LINE = "SPDX-License-Identifier: Apache-2.0"
PATTERNS = ["*.cpp", "*.hpp", "*.py", "*.pyi", "*.mjs", "*.ts", "*.tsx", "*.css", "*.html", "*.cmake", "CMakeLists.txt", "dev", "tools/*", ".ci/run"]


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *PATTERNS], check=True,
                            text=True, capture_output=True).stdout
    wrong = 0
    for path in sorted(set(listed.splitlines())):
        try:
            with open(path, encoding="utf-8") as file:
                top = [file.readline() for _ in range(3)]
        except FileNotFoundError:  # removed, and not yet committed
            continue
        if not any(LINE in line for line in top):
            print(f"{path}: has no licence line: write '{LINE}' in a comment at its top", file=sys.stderr)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
