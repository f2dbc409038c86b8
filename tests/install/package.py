#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs lerp for Debian, and looks at what the packages hold and need.

    package.py BUILD

With LERP_ROOT=FOLDER, a Debian root made by debootstrap, the program's package is installed there by dpkg and run.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ABSENT = 77


def run(*command, **more):
    print("$", *command, flush=True)
    return subprocess.run(list(map(str, command)), check=True, text=True, **more)


def listed(package):
    return run("dpkg-deb", "-c", package, capture_output=True).stdout


def needed(package):
    return run("dpkg-deb", "-f", package, "Depends", capture_output=True).stdout


def use(root, package):
    """Installs the package in a clean root, and runs the main job there."""
    shutil.copy(package, root)
    inside = ("chroot", root)
    run(*inside, "apt-get", "install", "-y", "-qq", "--no-install-recommends", f"./{package.name}", stdout=subprocess.DEVNULL)
    run(*inside, "sh", "-c", "cd /tmp && rm -rf demo && lerp demo --people 200 --quiet && lerp rules demo/run --top 3")


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("dpkg-shlibdeps"):
        print("skipped: dpkg-dev is not installed")
        return ABSENT
    with tempfile.TemporaryDirectory() as folder:
        run("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", folder, cwd=build, stdout=subprocess.DEVNULL)
        packages = {path.name.split("_")[0]: path for path in pathlib.Path(folder).glob("*.deb")}
        program, library = packages["lerp"], packages["liblerp-dev"]
        for place in ("./usr/bin/lerp", "./usr/share/man/man1/lerp.1", "./usr/share/doc/lerp/LICENSE"):
            assert place in listed(program), f"{place} is not in {program.name}"
        assert "libfmt" in needed(program) and "openmpi" not in needed(program), needed(program)
        assert "/liblerp.a" in listed(library) and "./usr/include/lerp/lerp.hpp" in listed(library)
        if root := os.environ.get("LERP_ROOT"):
            use(pathlib.Path(root), program)
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
