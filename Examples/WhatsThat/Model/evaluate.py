# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Measures the exported model in ONNX Runtime. Chooses the threshold first, on pictures that no test has."""

from __future__ import annotations

import argparse
import hashlib
import sys
from typing import Any, Final

from card import card_is_current, update_card
from classes import LABELS, NOTHING
from classifier import Classifier
from files import EVALUATION, LABEL_LIST, MANIFEST, MODEL, read_json, write_json
from glyphs import LETTERS, NOTO, SYMBOLA
from measures import Measures, choose_threshold, confusions, measure_junk, measure_things
from model_input import MEAN, SCALE, SIDE
from sets import SEEN_FONT, UNSEEN_FONT, tested_junk, tested_things, validation

# By how much a rate may differ on another processor, whose sums are rounded in another order.
_TOLERANCE: Final = 0.003
# Counts of single pictures, which rounding can change.
_NOT_COMPARED: Final = ("confusions", "most often")


def evaluate(classifier: Classifier) -> Measures:
    """All numbers of the model card that do not come from training."""
    of_things, of_junk = validation()
    choice = choose_threshold(
        classifier.all_probabilities(of_things.pixels), of_things.labels, classifier.all_probabilities(of_junk.pixels)
    )
    threshold = choice["chosen"]["threshold"]
    things, tables = {}, {}
    for name, pictures in tested_things().items():
        probabilities = classifier.all_probabilities(pictures.pixels)
        things[name] = measure_things(probabilities, pictures, threshold)
        if name in (SEEN_FONT, UNSEEN_FONT):
            tables[name] = confusions(probabilities, pictures)
    junk = {
        name: measure_junk(classifier.all_probabilities(pictures.pixels), use, threshold)
        for name, (use, pictures) in tested_junk().items()
    }
    return {"threshold": choice, "things": things, "junk": junk, "confusions": tables}


def _describe_files() -> Measures:
    """What was measured, and with which fonts: other versions of them draw other pictures."""
    return {
        "model": {"sha256": hashlib.sha256(MODEL.read_bytes()).hexdigest(), "bytes": MODEL.stat().st_size},
        "fonts": {font.name: font.digest for font in (NOTO, SYMBOLA, LETTERS)},
    }


def _write_manifest(threshold: float) -> None:
    manifest = {
        "width": SIDE,
        "height": SIDE,
        "layout": "NCHW",
        "order": "RGB",
        "mean": [MEAN] * 3,
        "scale": [SCALE] * 3,
        "resize": "stretch",
        "softmax": False,
        "nothing": NOTHING,
        "threshold": threshold,
    }
    write_json(MANIFEST, manifest)


def make() -> None:
    """Writes the labels, the manifest, the numbers and their tables."""
    LABEL_LIST.write_text("\n".join(LABELS) + "\n", encoding="utf-8")
    _write_manifest(0)
    training = read_json(EVALUATION)["training"]
    measured = {"training": training, **_describe_files(), **evaluate(Classifier())}
    _write_manifest(measured["threshold"]["chosen"]["threshold"])
    write_json(EVALUATION, measured)
    update_card(measured)


def check() -> list[str]:
    """What is not as the files say."""
    written = read_json(EVALUATION)
    measured = _describe_files() | evaluate(Classifier())
    faults = _differences(_flat(written), _flat({"training": written["training"], **measured}))
    if read_json(MANIFEST)["threshold"] != written["threshold"]["chosen"]["threshold"]:
        faults.append("the manifest has another threshold than evaluation.json")
    if not card_is_current(written):
        faults.append("the tables of README.md are not those of evaluation.json")
    return faults


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """Each value that is no dictionary, by the names that lead to it."""
    if not isinstance(value, dict):
        return {path: value}
    return {
        inner: leaf
        for name, part in value.items()
        if name not in _NOT_COMPARED
        for inner, leaf in _flat(part, f"{path}/{name}").items()
    }


def _differences(written: dict[str, Any], measured: dict[str, Any]) -> list[str]:
    def differs(path: str) -> bool:
        first, second = written.get(path), measured.get(path)
        if isinstance(first, float) and isinstance(second, float):
            return abs(first - second) > _TOLERANCE
        return first != second

    paths = dict.fromkeys([*written, *measured])
    return [f"{path}: written {written.get(path)}, measured {measured.get(path)}" for path in paths if differs(path)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed numbers, and write nothing")
    if not parser.parse_args().check:
        make()
        return 0
    faults = check()
    print("\n".join(faults) or "The model is as good as evaluation.json says, and README.md says the same.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
