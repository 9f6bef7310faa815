# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Counts how often whatsthat names pictures rightly, and writes the tables of README.md. Run by `evaluate`."""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).resolve().parent
_README: Final = _HERE / "README.md"
_MARK: Final = "<!-- Tables: written by `evaluate`. -->\n"
_MODEL: Final = _HERE.parent / "Model"
# How many pictures of a thing are taken.
_LIMIT: Final = 3
_FOLDERS: Final = {"skimage": ("skimage", "data"), "sklearn": ("sklearn", "datasets/images")}


@dataclass(frozen=True)
class Picture:
    """A picture, and what it may be called."""

    name: str
    path: Path
    right: tuple[str, ...]

    def judge(self, answer: dict) -> str:
        """Whether the caption of an answer is right."""
        if not (match := re.fullmatch(r"(.*) \d+ %", answer["caption"])):
            return "nothing"
        words = f" {match[1].lower()} "
        return "right" if any(f" {label.lower()} " in words for label in self.right) else "something else"


def photographs(truth: dict) -> list[Picture]:
    """Those that Python packages bring."""

    def path(name: str) -> Path:
        package, file = name.split("/")
        module, folder = _FOLDERS[package]
        # Found, not imported, which takes seconds.
        return Path(importlib.util.find_spec(module).origin).parent / folder / file

    return [Picture(name, path(name), tuple(right)) for name, right in truth["photographs"].items()]


def clip_art(truth: dict, folder: Path) -> list[Picture]:
    """The first few of each thing, by the words of their files' names."""
    files = sorted(file for part in truth["folders of clip art"] for file in (folder / part).rglob("*.png"))
    pictures = []
    for word, right in truth["clip art"].items():
        chosen = [file for file in files if word in re.split(r"[^a-z]+", file.stem.lower())][:_LIMIT]
        pictures += [Picture(str(file.relative_to(folder)), file, tuple(right)) for file in chosen]
    return pictures


def answers(whatsthat: str, pictures: list[Picture], options: list[str]) -> list[dict]:
    """What the program says of pictures."""
    files = [str(picture.path) for picture in pictures]
    output = subprocess.run([whatsthat, *files, "--json", *options], check=False, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in output.stdout.splitlines()]


def tables(whatsthat: str, clipart: Path) -> str:
    """The tables, in Markdown."""
    truth = json.loads((_HERE / "truth.json").read_text(encoding="utf-8"))
    sets = {"photographs": photographs(truth), "clip art": clip_art(truth, clipart)}
    files = ("model", "whatsthat.onnx"), ("labels", "labels.txt"), ("manifest", "manifest.json")
    models = {
        "drawings alone": [part for option, file in files for part in (f"--{option}", str(_MODEL / file))],
        "both models": [],
    }
    lines = ["| Pictures | Model | Number | Right | Something else | Nothing |", "| --- | --- | --- | --- | --- | --- |"]
    for name, pictures in sets.items():
        for model, options in models.items():
            found = answers(whatsthat, pictures, options)
            counts = Counter(
                picture.judge(answer)
                for picture, answer in zip(pictures, found, strict=True)
                if "caption" in answer
            )
            numbers = " | ".join(str(counts[verdict]) for verdict in ("right", "something else", "nothing"))
            lines.append(f"| {name} | {model} | {counts.total()} | {numbers} |")
    lines += ["", "| Photograph | Caption | |", "| --- | --- | --- |"]
    # Of the last model, both, as users have it.
    for picture, answer in zip(sets["photographs"], answers(whatsthat, sets["photographs"], []), strict=True):
        lines.append(f"| {picture.name} | {answer['caption']} | {picture.judge(answer)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Writes or compares the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("whatsthat")
    parser.add_argument("clipart", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = _README.read_text(encoding="utf-8")
    before, _, _ = text.partition(_MARK)
    new = before + _MARK + "\n" + tables(arguments.whatsthat, arguments.clipart)
    if not arguments.check:
        _README.write_text(new, encoding="utf-8")
        return 0
    if new == text:
        return 0
    print("The tables of README.md are not what was measured:\n" + new.partition(_MARK)[2], file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
