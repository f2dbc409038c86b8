#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Paints one picture of each kind with librsvg, which knows neither CSS variables nor media queries, and looks at the pixels.

    look_at_pictures.py LERP OUT

A node is not black, its edge is darker than what it holds, every text stands out from what is behind it, and the
paper is light. The paintings stay in OUT. Exit status 77, which is a skip, where there is no rsvg-convert.
"""

import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib

ZOOM = 2
# How much lighter paper is than ink, at least: WCAG's contrast of normal text.
CONTRAST = 4.5


def make_pictures(lerp: str, folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """One picture of each kind, by what it shows."""

    def run(*words: str) -> None:
        subprocess.run([lerp, *words], cwd=folder, stdout=subprocess.DEVNULL, check=True)

    quick = ["--set", "train.epochs=2", "--set", "functions.width=8", "--set", "rules.count=2"]
    run("generate", "family", "families", "--people", "200", "--quiet")
    run("train", "families", "--out", "run", "--preset", "paper", "--threads", "1", "--quiet", *quick)
    run("picture", "curves", "run", "--out", "curves.svg")
    run("picture", "space", "run", "--out", "space.svg")
    run("picture", "rule", "run", "mother(z,x) ∧ son(y,z) ∧ ¬∃w sister(w,x) ⇒ brother(y,x)", "--out", "rule.svg")
    run("picture", "network", "run", "brother", "--out", "network.svg")
    fact = (folder / "families" / "test.txt").read_text().splitlines()[0].split("\t")
    run("explain", "run", *fact, "--svg", "proof.svg", "--quiet")
    run("sweep", "families", "--over", "depth=0,1", "--seeds", "2", *quick, "--svg", "sweep.svg", "--quiet", "--threads", "1")
    run("embed", "families", "--variant", "all", "--epochs", "2", "--svg", "embed.svg", "--quiet", "--threads", "1")
    stories = folder / "stories"
    stories.mkdir()
    story = {"events": [["a", "Attack"], ["d", "Die"], ["j", "Arrest"]], "entities": [["p", "PER"]],
             "arguments": [["a", "Attacker", "p"], ["j", "Detainee", "p"]], "order": [["a", "d"], ["a", "j"]]}
    sale = {"events": [["m", "Meet"], ["p", "Pay"]], "order": [["m", "p"]]}
    lines = [json.dumps({**(sale if i % 2 else story), "id": str(i)}) + "\n" for i in range(40)]
    for split in ("train", "dev", "test"):
        (stories / f"{split}.jsonl").write_text("".join(lines))
    run("events", "induce", "stories", "--epochs", "2", "--out", "equations", "--quiet")
    pictures = {file.stem: file for file in folder.glob("*.svg")}
    pictures["equation"] = sorted((folder / "equations").glob("*.svg"))[0]
    return pictures


class Painting:
    """The pixels of a PNG of 8 bits a channel, without palette or interlace, as rsvg-convert writes it."""

    def __init__(self, data: bytes):
        at, packed = 8, b""
        while at < len(data):
            size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
            body = data[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
                assert body[8] == 8 and body[9] in (2, 6) and body[12] == 0, "another kind of PNG"
                self.channels = 3 if body[9] == 2 else 4
            elif kind == b"IDAT":
                packed += body
            at += 12 + size
        self.rows = self.unfiltered(zlib.decompress(packed))

    def unfiltered(self, raw: bytes) -> list[bytearray]:
        step, stride = self.channels, self.width * self.channels
        rows, above = [], bytearray(stride)
        for y in range(self.height):
            kind = raw[y * (stride + 1)]
            row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for i in range(stride):
                a, b = (row[i - step] if i >= step else 0), above[i]
                c = above[i - step] if i >= step else 0
                if kind == 1:
                    row[i] = (row[i] + a) & 255
                elif kind == 2:
                    row[i] = (row[i] + b) & 255
                elif kind == 3:
                    row[i] = (row[i] + (a + b) // 2) & 255
                elif kind == 4:
                    row[i] = (row[i] + min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]) & 255
            rows.append(row)
            above = row
        return rows

    def luminance(self, x: float, y: float) -> float:
        """Of a point of the picture, 0 to 1; what is clear counts as black, so that paper must be painted."""
        row = self.rows[min(self.height - 1, max(0, int(y * ZOOM)))]
        at = min(self.width - 1, max(0, int(x * ZOOM))) * self.channels
        clear = row[at + 3] / 255 if self.channels == 4 else 1
        parts = [value / 255 * clear for value in row[at:at + 3]]
        r, g, b = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    def around(self, left: float, top: float, right: float, bottom: float) -> list[float]:
        half = 1 / ZOOM
        return [self.luminance(left + i * half, top + k * half)
                for i in range(int((right - left) * ZOOM) + 1) for k in range(int((bottom - top) * ZOOM) + 1)]


def contrast(a: float, b: float) -> float:
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def words(element: ElementTree.Element) -> str:
    return "".join([element.text or "", *(child.tail or "" for child in element)]).strip()


def look_at_text(element: ElementTree.Element, painting: Painting, default_size: float) -> str:
    if "transform" in element.attrib:
        return ""  # turned; the others are of the same make
    text, size = words(element), float(element.get("font-size", default_size))
    x, y = float(element.get("x")), float(element.get("y"))
    width = 0.4 * size * len(text)  # less than any font needs
    left = {"start": x, "middle": x - width / 2, "end": x - width}[element.get("text-anchor", "start")]
    seen = painting.around(left, y - 0.7 * size, left + width, y)
    if not seen:
        return ""
    behind = collections.Counter(round(value, 2) for value in seen).most_common(1)[0][0]
    if min(seen) >= behind:
        return f"'{text}' is not darker than what is behind it"
    found = contrast(min(seen), behind)
    return "" if found >= CONTRAST else f"'{text}' has a contrast of {found:.1f}"


def look_at_node(element: ElementTree.Element, painting: Painting) -> str:
    number = lambda name: float(element.get(name, 0))
    if element.tag.endswith("circle"):
        x, y, inside = number("cx"), number("cy"), number("r") - 3
        held, edge = painting.luminance(x - 0.7 * inside, y - 0.7 * inside), painting.around(x - number("r") - 1, y, x - number("r") + 1, y)
    else:
        x, y = number("x"), number("y")
        held, edge = painting.luminance(x + 6, y + number("height") / 2), painting.around(x - 1, y + 12, x + 1, y + 12)
    if held < 0.7:
        return f"a node is filled with {held:.2f}"
    return "" if contrast(min(edge), held) > 2 else "a node has no edge"


def look(file: pathlib.Path, out: pathlib.Path, name: str) -> list[str]:
    png = out / f"{name}.png"
    subprocess.run(["rsvg-convert", "--zoom", str(ZOOM), str(file), "--output", str(png)], check=True)
    painting = Painting(png.read_bytes())
    root = ElementTree.parse(file).getroot()
    problems, texts, nodes = [], 0, 0
    if painting.luminance(1, 1) < 0.9:
        problems.append("the paper is not light")
    for element in root.iter():
        kind, classes = element.tag.split("}")[1], element.get("class", "").split()
        if kind == "text" and words(element):
            texts += 1
            problems.append(look_at_text(element, painting, float(root.get("font-size", 12))))
        elif kind in ("circle", "rect") and {"paper", "event", "type", "other"} & set(classes):
            nodes += 1
            problems.append(look_at_node(element, painting))
    if texts < 2:
        problems.append("there are hardly any texts")
    if name in ("rule", "network", "proof", "equation") and nodes < 2:
        problems.append("there are hardly any nodes")
    dark = sum(painting.luminance(x, y) < 0.2 for x in range(0, painting.width // ZOOM, 3)
               for y in range(0, painting.height // ZOOM, 3))
    share = dark / max(1, (painting.width // ZOOM // 3) * (painting.height // ZOOM // 3))
    if share > 0.25:
        problems.append(f"{100 * share:.0f} % of it is dark")
    return [f"{name}: {problem}" for problem in problems if problem]


def main() -> int:
    lerp, out = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    if not shutil.which("rsvg-convert"):
        print("skipped: there is no rsvg-convert (./dev test installs it with librsvg2-bin)")
        return 77
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        pictures = make_pictures(lerp, pathlib.Path(folder))
        problems = [problem for name, file in sorted(pictures.items()) for problem in look(file, out, name)]
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems" if problems else f"{len(pictures)} pictures look right; they are in {out}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
