# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Compares what the model calls the pictures that ship with the captions that ship with them."""

from __future__ import annotations

import sys

from classifier import Classifier
from files import PICTURES, read_json


def main() -> int:
    classifier = Classifier()
    wrong = 0
    for name, caption in read_json(PICTURES / "captions.json").items():
        label, probability = classifier.caption(classifier.load(PICTURES / name))
        wrong += label != caption
        verdict = "" if label == caption else f", which is wrong: it is {caption}"
        print(f"{name}: {label} {probability:.0%}{verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
