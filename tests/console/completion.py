#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that completions and man pages hold every verb and every flag that the help of lerp shows, and that they work.

    completion.py LERP

The scripts are read by their shells where these are installed; bash is asked to complete real lines.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FAILED = []


def check(holds, what):
    if not holds:
        FAILED.append(what)


def output(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True, **more).stdout


def verbs_below(lerp, path):
    """All verbs with their flags, read from the help as a person would."""
    text = output(lerp, *path, "--help")
    flags = set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M))
    yield path, flags
    listed = text.partition("Subcommands:")[2].partition("\n\n")[0].partition("Example:")[0]
    for name in re.findall(r"^  ([\w-]+) ", listed, re.M):
        yield from verbs_below(lerp, [*path, name])


def complete_in_bash(script, line):
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    ask = f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _lerp; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return set(output("bash", "-c", ask).split())


def check_man_page(page, flags):
    text = page.read_text()
    for flag in flags:
        check("\\fB" + flag.replace("-", "\\-") + "\\fR" in text, f"{page.name} lacks {flag}")
    if shutil.which("groff"):
        warnings = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-K", "utf-8", page], text=True, capture_output=True).stderr
        check(not warnings, f"{page.name}: {warnings}")


def main() -> int:
    lerp = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        output(lerp, "completion", "--out", root)
        output(lerp, "manual", root / "man1")
        scripts = {name: (root / name).read_text() for name in ("lerp.bash", "_lerp", "lerp.fish")}
        for shell, name in (("bash", "lerp.bash"), ("zsh", "_lerp"), ("fish", "lerp.fish")):
            check(output(lerp, "completion", shell) == scripts[name], f"completion {shell} prints another script")
            if shutil.which(shell):
                output(shell, "-n", root / name)
        verbs = list(verbs_below(lerp, []))
        check(len(verbs) > 30, f"only {len(verbs)} verbs found in the help")
        for path, flags in verbs:
            at = " ".join(["lerp", *path])
            check_man_page(root / "man1" / (at.replace(" ", "-") + ".1"), flags)
            offered = complete_in_bash(root / "lerp.bash", at + " --")
            check(offered == flags, f"bash completes '{at} --' to {sorted(offered ^ flags)} more or less")
            zsh = re.search(rf'\("{at}"\)\n(.*?)\n      ;;', scripts["_lerp"], re.S)
            check(zsh and flags == set(re.findall(r"'(--[\w-]+)=?\[", zsh[1])), f"zsh lacks flags of {at}")
            fish = set(re.findall(rf"__lerp_at \"{at}\"' -l ([\w-]+)", scripts["lerp.fish"]))
            check({"--" + name for name in fish} == flags, f"fish lacks flags of {at}")
            if path:
                parent, name = " ".join(["lerp", *path[:-1]]), path[-1]
                check(name in complete_in_bash(root / "lerp.bash", parent + " "), f"bash lacks the verb {at}")
                check(f"'{name}:" in scripts["_lerp"], f"zsh lacks the verb {at}")
                check(f"__lerp_at \"{parent}\"' -f -a {name} " in scripts["lerp.fish"], f"fish lacks the verb {at}")
        check(complete_in_bash(root / "lerp.bash", "lerp apply --split ") == {"valid", "test"}, "values of --split")
        check(complete_in_bash(root / "lerp.bash", "lerp gen") == {"generate"}, "lerp gen")
    for one in FAILED:
        print(one)
    print(f"{len(verbs)} verbs checked, {len(FAILED)} failures")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
