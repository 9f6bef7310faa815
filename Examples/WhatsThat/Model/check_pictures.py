# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Compares what the model calls the pictures that ship with the captions that ship with them."""

from __future__ import annotations

import sys
from typing import Final

from classifier import Classifier
from files import PICTURES, read_json


# Recognised only if its EXIF data are read: else it would not show whether a program reads them.
_ON_ITS_SIDE: Final = "snowman-on-its-side.jpg"


def main() -> int:
    classifier = Classifier()
    captions = read_json(PICTURES / "captions.json")
    wrong = 0
    for name, caption in captions.items():
        label, probability = classifier.caption(classifier.load(PICTURES / name))
        wrong += label != caption
        verdict = "" if label == caption else f", which is wrong: it is {caption}"
        print(f"{name}: {label} {probability:.0%}{verdict}")
    label, _ = classifier.caption(classifier.load(PICTURES / _ON_ITS_SIDE, upright=False))
    if label == captions[_ON_ITS_SIDE]:
        print(f"{_ON_ITS_SIDE} is recognised as it is stored, so it tests nothing: draw another one")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
