# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""What is measured: how often the model is right, and how often it sees something where there is nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import numpy as np

from classes import LABELS, NOTHING
from sets import Pictures

# The threshold is the lowest at which no more than this part of the validation's junk is called something.
JUNK_CALLED: Final = 0.02
_THRESHOLDS: Final = np.arange(0, 100) / 100
_NOTHING: Final = LABELS.index(NOTHING)

Measures = dict[str, Any]


def choose_threshold(things: np.ndarray, labels: np.ndarray, junk: np.ndarray) -> Measures:
    """The threshold for the probabilities of things, with their labels, and of junk; and what it costs."""
    steps = [
        {
            "threshold": float(threshold),
            "things called rightly": _rate(_called(things, threshold) == labels),
            "junk called something": _rate(_called(junk, threshold) != _NOTHING),
        }
        for threshold in _THRESHOLDS
    ]
    chosen = next((step for step in steps if step["junk called something"] <= JUNK_CALLED), steps[-1])
    return {"pictures": len(things) + len(junk), "chosen": chosen, "others": steps[::10]}


def measure_things(probabilities: np.ndarray, pictures: Pictures, threshold: float) -> Measures:
    """How often the right label is first, is among five, and passes the threshold."""
    order = np.argsort(-probabilities, axis=1)
    called = _called(probabilities, threshold)
    return {
        "pictures": len(pictures.labels),
        "top-1": _rate(order[:, 0] == pictures.labels),
        "top-5": _rate((order[:, :5] == pictures.labels[:, None]).any(1)),
        "called rightly": _rate(called == pictures.labels),
        "called something else": _rate((called != pictures.labels) & (called != _NOTHING)),
        "called nothing": _rate(called == _NOTHING),
    }


def measure_junk(probabilities: np.ndarray, use: str, threshold: float) -> Measures:
    """How often a picture that shows none of the things is called one, and which ones most; `use`: see the set."""
    called = _called(probabilities, threshold)
    names = Counter(LABELS[answer] for answer in called if answer != _NOTHING)
    return {
        "used for": use,
        "pictures": len(called),
        "best label is something": _rate(probabilities.argmax(1) != _NOTHING),
        "called something": _rate(called != _NOTHING),
        "most often": [label for label, _ in _most_frequent(names)[:3]],
    }


def confusions(probabilities: np.ndarray, pictures: Pictures) -> dict[str, dict[str, int]]:
    """For each thing how often each label was first, the most frequent one first."""
    best = probabilities.argmax(1)
    return {
        label: dict(_most_frequent(Counter(LABELS[answer] for answer in best[pictures.labels == index])))
        for index, label in enumerate(LABELS[:_NOTHING])
    }


def _most_frequent(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _called(probabilities: np.ndarray, threshold: float) -> np.ndarray:
    """Each picture's answer: the best label, or below the threshold the one for nothing."""
    return np.where(probabilities.max(1) >= threshold, probabilities.argmax(1), _NOTHING)


def _rate(values: np.ndarray) -> float:
    return round(float(np.mean(values)), 4)
