# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Draws the pictures that ship with the example, and their captions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

FOLDER: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Model"))

from classes import NOTHING, THINGS
from files import write_json
from glyphs import NOTO, draw_glyph

_CHARACTERS: Final = dict(THINGS)
# EXIF: the tag, and its value for a picture that must be turned by a quarter clockwise to stand upright.
_ORIENTATION: Final = 0x0112
_TURN_CLOCKWISE: Final = 6
_QUALITY: Final = 85

Size = tuple[int, int]
Colour = tuple[int, int, int]


def _sky(size: Size, top: Colour, bottom: Colour) -> Image.Image:
    """From one colour at the top to another at the bottom."""
    level = np.linspace(0, 1, size[1])[:, None, None]
    pixels = np.array(top) * (1 - level) + np.array(bottom) * level
    return Image.fromarray(pixels.repeat(size[0], 1).astype(np.uint8))


def _with(label: str, picture: Image.Image, edge: int, angle: float = 0) -> Image.Image:
    """The thing in the middle of the picture."""
    glyph = draw_glyph(NOTO, _CHARACTERS[label]).rotate(angle, Image.Resampling.BICUBIC, expand=True)
    glyph = glyph.resize((edge, edge), Image.Resampling.LANCZOS)
    canvas = picture.convert("RGBA")
    canvas.alpha_composite(glyph, ((picture.width - edge) // 2, (picture.height - edge) // 2))
    return canvas


def _dog() -> None:
    paper = _sky((320, 320), (250, 240, 210), (180, 215, 235))
    _with("dog face", paper, 240).convert("RGB").save(FOLDER / "dog-face.png", optimize=True)


def _guitar() -> None:
    paper = _sky((480, 360), (60, 90, 120), (20, 30, 60))
    pen = ImageDraw.Draw(paper)
    pen.rectangle((0, 290, 480, 360), fill=(120, 80, 50))
    _with("guitar", paper, 280, 8).convert("RGB").save(FOLDER / "guitar.jpg", quality=_QUALITY)


def _rocket() -> None:
    paper = _sky((360, 480), (10, 10, 40), (70, 40, 90))
    pen = ImageDraw.Draw(paper)
    for across, down in np.random.default_rng(7).integers(0, (360, 480), (60, 2)).tolist():
        pen.ellipse((across, down, across + 2, down + 2), fill=(255, 255, 220))
    _with("rocket", paper, 290).convert("RGB").save(FOLDER / "rocket.webp", quality=_QUALITY)


def _snowman() -> None:
    """Stored on its side, as cameras store a picture that was taken upright."""
    upright = _with("snowman", _sky((300, 420), (90, 150, 210), (245, 250, 255)), 270).convert("RGB")
    exif = Image.Exif()
    exif[_ORIENTATION] = _TURN_CLOCKWISE
    stored = upright.transpose(Image.Transpose.ROTATE_90)
    stored.save(FOLDER / "snowman-on-its-side.jpg", quality=_QUALITY, exif=exif)


def _butterfly() -> None:
    """On nothing: whoever shows it puts white behind it."""
    nothing = Image.new("RGBA", (280, 280))
    _with("butterfly", nothing, 230, -10).save(FOLDER / "butterfly.png", optimize=True)


def _hills() -> None:
    """A landscape with nothing in it."""
    paper = _sky((480, 320), (120, 170, 220), (240, 220, 190))
    pen = ImageDraw.Draw(paper)
    across = np.arange(0, 481, 4)
    for base, height, rate, shade in ((190, 30, 0.013, (110, 140, 110)), (240, 22, 0.021, (70, 110, 70))):
        line = base + height * np.sin(across * rate + base)
        pen.polygon([(0, 320), *zip(across.tolist(), line.tolist(), strict=True), (480, 320)], fill=shade)
    paper.save(FOLDER / "hills.jpg", quality=_QUALITY)


def main() -> None:
    for draw in (_dog, _guitar, _rocket, _snowman, _butterfly, _hills):
        draw()
    captions = {
        "dog-face.png": "dog face",
        "guitar.jpg": "guitar",
        "rocket.webp": "rocket",
        "snowman-on-its-side.jpg": "snowman",
        "butterfly.png": "butterfly",
        "hills.jpg": NOTHING,
    }
    write_json(FOLDER / "captions.json", captions)


if __name__ == "__main__":
    main()
