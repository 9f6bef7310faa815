# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The sets of pictures: for training, for choosing the threshold, and for the tests. Each has its own seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image

import scenes
from augment import place, restyle, take
from classes import LABELS, NOTHING, THINGS, other_characters
from glyphs import NOTO, SYMBOLA, Font, draw_glyph
from model_input import SIDE
from scenes import CANVAS, Pixels, Scene

TRAINING_THINGS: Final = 48_000
TRAINING_JUNK: Final = 14_000
THINGS_PER_SET: Final = 40 * len(THINGS)
JUNK_PER_KIND: Final = 300
# Of the pictures that show nothing, how many have another drawing: they are hardest to tell from the things.
_OTHER_DRAWINGS: Final = 0.45
_NOTHING: Final = LABELS.index(NOTHING)
_OTHER_TRAINING, _OTHER_VALIDATION, _OTHER_TEST = other_characters(NOTO.characters)
_WHITE: Final[dict[str, Scene]] = {"white": lambda rng: np.full((CANVAS, CANVAS, 3), 255)}

# The two tests whose confusions are written down.
SEEN_FONT: Final = "Noto, unseen augmentation"
UNSEEN_FONT: Final = "Symbola (never seen), augmented"

Painter = Callable[[np.random.Generator, int], Pixels]


@dataclass(frozen=True)
class Pictures:
    """Pictures of the model's size, and the index of each one's label."""

    pixels: Pixels
    labels: np.ndarray


def _any_of(rng: np.random.Generator, kinds: dict[str, Scene]) -> Pixels:
    return list(kinds.values())[rng.integers(0, len(kinds))](rng)


def _behind(rng: np.random.Generator, kinds: dict[str, Scene]) -> Pixels:
    """What a drawing stands on: as often one colour as anything else, since most drawings do."""
    return scenes.plain(rng) if rng.random() < 0.5 else _any_of(rng, kinds)


def _paint(seed: int, labels: Sequence[int], painter: Painter) -> Pictures:
    """One picture for each label. Each has a generator of its own, so that none depends on those before."""
    pixels = np.empty((len(labels), SIDE, SIDE, 3), np.uint8)
    for index, label in enumerate(labels):
        pixels[index] = painter(np.random.default_rng((seed, index)), label)
    return Pictures(pixels, np.array(labels, np.int32))


def _things(font: Font, kinds: dict[str, Scene], *, restyled: bool) -> Painter:
    background = _behind if kinds is scenes.TRAINED else _any_of

    def paint(rng: np.random.Generator, label: int) -> Pixels:
        glyph = draw_glyph(font, THINGS[label][1])
        return take(rng, place(rng, restyle(rng, glyph) if restyled else glyph, background(rng, kinds)))

    return paint


def _scenery(kinds: dict[str, Scene]) -> Painter:
    return lambda rng, _: take(rng, _any_of(rng, kinds))


def _others(font: Font, characters: list[str], *, restyled: bool) -> Painter:
    def paint(rng: np.random.Generator, _: int) -> Pixels:
        glyph = draw_glyph(font, characters[rng.integers(0, len(characters))])
        background = _behind(rng, scenes.TRAINED)
        return take(rng, place(rng, restyle(rng, glyph) if restyled else glyph, background))

    return paint


def _round_robin(count: int) -> list[int]:
    return [index % len(THINGS) for index in range(count)]


def training() -> Pictures:
    """All that the model learns from: drawings of one font, and what is none of the things."""
    things = _things(NOTO, scenes.TRAINED, restyled=True)
    others = _others(NOTO, _OTHER_TRAINING, restyled=True)
    scenery = _scenery(scenes.TRAINED)

    def paint(rng: np.random.Generator, label: int) -> Pixels:
        if label != _NOTHING:
            return things(rng, label)
        return (others if rng.random() < _OTHER_DRAWINGS else scenery)(rng, label)

    return _paint(1, _round_robin(TRAINING_THINGS) + [_NOTHING] * TRAINING_JUNK, paint)


def validation() -> tuple[Pictures, Pictures]:
    """Things and junk, on which the threshold is chosen."""
    things = _paint(2, _round_robin(THINGS_PER_SET), _things(NOTO, scenes.TRAINED, restyled=True))
    kinds = scenes.TRAINED | scenes.VALIDATION
    others = _others(NOTO, _OTHER_VALIDATION, restyled=True)
    scenery = _scenery(kinds)
    junk = [_NOTHING] * THINGS_PER_SET
    return things, _paint(3, junk, lambda rng, label: (others if rng.random() < 0.5 else scenery)(rng, label))


def tested_things() -> dict[str, Pictures]:
    """The tests with things, by name."""
    labels = _round_robin(THINGS_PER_SET)
    return {
        SEEN_FONT: _paint(4, labels, _things(NOTO, scenes.TRAINED, restyled=True)),
        "Noto as it is, unseen kinds of background": _paint(5, labels, _things(NOTO, scenes.UNSEEN, restyled=False)),
        "Noto, clean on white": _clean(NOTO),
        UNSEEN_FONT: _paint(6, labels, _things(SYMBOLA, scenes.TRAINED, restyled=False)),
        "Symbola, augmented, always on white": _paint(7, labels, _things(SYMBOLA, _WHITE, restyled=False)),
        "Symbola, clean on white": _clean(SYMBOLA),
    }


def _clean(font: Font) -> Pictures:
    """Each thing upright on white, in three sizes."""
    pictures = []
    for edge in (CANVAS, CANVAS * 4 // 5, CANVAS // 2):
        for _, character in THINGS:
            paper = Image.new("RGBA", (CANVAS, CANVAS), "white")
            glyph = draw_glyph(font, character).resize((edge, edge), Image.Resampling.BOX)
            paper.alpha_composite(glyph, ((CANVAS - edge) // 2,) * 2)
            pictures.append(np.asarray(paper.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX)))
    return Pictures(np.stack(pictures), np.array(_round_robin(len(pictures)), np.int32))


def tested_junk() -> dict[str, tuple[str, Pictures]]:
    """The tests with what is nothing, by kind, and for what pictures of that kind had been used before."""
    symbola = [character for character in _OTHER_TRAINING + _OTHER_TEST if ord(character) in SYMBOLA.characters]
    kinds: dict[str, tuple[str, Painter]] = {
        **{name: ("training", _scenery({name: scene})) for name, scene in scenes.TRAINED.items()},
        **{name: ("threshold", _scenery({name: scene})) for name, scene in scenes.VALIDATION.items()},
        **{name: ("nothing", _scenery({name: scene})) for name, scene in scenes.UNSEEN.items()},
        "other drawings of Noto, of training": ("training", _others(NOTO, _OTHER_TRAINING, restyled=False)),
        "other drawings of Noto": ("nothing", _others(NOTO, _OTHER_TEST, restyled=False)),
        "other drawings of Symbola": ("nothing", _others(SYMBOLA, symbola, restyled=False)),
    }
    labels = [_NOTHING] * JUNK_PER_KIND
    return {
        name: (use, _paint(100 + index, labels, painter)) for index, (name, (use, painter)) in enumerate(kinds.items())
    }
