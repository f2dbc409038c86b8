#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a built lerp into an empty folder and uses it as others would.

    installed.py BUILD SOURCE

The program runs, `find_package(lerp)` builds and runs examples/cpp, and pkg-config finds all that the library needs.
"""

import os
import pathlib
import subprocess
import sys
import tempfile


def run(*command, **more):
    print("$", *command, flush=True)
    return subprocess.run(list(map(str, command)), check=True, text=True, **more)


def main() -> int:
    build, source = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        prefix = pathlib.Path(folder, "prefix")
        run("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
        version = run(prefix / "bin/lerp", "version", capture_output=True).stdout.split()[1]
        for place in ("share/man/man1/lerp.1", "share/man/man1/lerp-train.1", "share/bash-completion/completions/lerp",
                      "share/zsh/site-functions/_lerp", "share/fish/vendor_completions.d/lerp.fish", "include/lerp/lerp.hpp"):
            assert (prefix / place).is_file(), f"{place} is not installed"

        example = pathlib.Path(folder, "example")
        run("cmake", "-S", source / "examples/cpp", "-B", example, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            stdout=subprocess.DEVNULL)
        run("cmake", "--build", example, stdout=subprocess.DEVNULL)
        printed = run(example / "family", folder, capture_output=True).stdout
        assert printed.startswith("test MRR 0.") and "⇒" in printed, printed

        packages = next(prefix.glob("lib*/**/pkgconfig"))
        with_ours = dict(os.environ, PKG_CONFIG_PATH=str(packages))
        found = run("pkg-config", "--modversion", "lerp", env=with_ours, capture_output=True).stdout.strip()
        assert found == version, f"pkg-config says {found}, lerp says {version}"
        flags = run("pkg-config", "--cflags", "--libs", f"--define-variable=prefix={prefix}", "lerp", env=with_ours,
                    capture_output=True).stdout
        assert f"-I{prefix}/include" in flags and "-llerp" in flags and "-lserd-0" in flags, flags
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
