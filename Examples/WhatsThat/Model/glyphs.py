# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Drawings out of Debian's fonts."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

_FONT_FOLDER: Final = Path("/usr/share/fonts")
SIDE: Final = 144
_MARGIN: Final = 60
_BLACK: Final = (0, 0, 0, 255)


@dataclass(frozen=True)
class Font:
    """A font, its Debian package, and the size in which it is drawn."""

    name: str
    package: str
    file: str
    size: int

    @functools.cached_property
    def path(self) -> Path:
        """Where the font lies."""
        found = sorted(_FONT_FOLDER.rglob(self.file))
        if not found:
            raise FileNotFoundError(f"{self.file} is missing: install Debian's package {self.package}")
        return found[0]

    @functools.cached_property
    def digest(self) -> str:
        """The SHA-256 of the font, since other versions draw other pictures."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    @functools.cached_property
    def characters(self) -> set[int]:
        """The code points that the font can draw."""
        with TTFont(self.path) as font:
            return set(font.getBestCmap())


# In colour, and the only one of the two that the model is trained on.
NOTO: Final = Font("Noto Color Emoji", "fonts-noto-color-emoji", "NotoColorEmoji.ttf", 109)
# Black lines of another artist, which the model never sees before it is tested.
SYMBOLA: Final = Font("Symbola", "fonts-symbola", "Symbola_hint.ttf", 120)
# For the letters of the pictures that show nothing.
LETTERS: Final = Font("DejaVu Sans", "fonts-dejavu-core", "DejaVuSans.ttf", 20)


@functools.cache
def draw_glyph(font: Font, character: str) -> Image.Image:
    """The character's drawing: RGBA, a square that it just fits into, on nothing."""
    edge = 2 * SIDE
    canvas = Image.new("RGBA", (edge, edge))
    letter = ImageFont.truetype(str(font.path), font.size)
    ImageDraw.Draw(canvas).text((_MARGIN, _MARGIN / 2), character, font=letter, fill=_BLACK, embedded_color=True)
    box = canvas.getbbox()
    if box is None:
        raise ValueError(f"{font.name} draws nothing for U+{ord(character):04X}")
    return _square(canvas.crop(box)).resize((SIDE, SIDE), Image.Resampling.LANCZOS)


def _square(drawing: Image.Image) -> Image.Image:
    edge = max(drawing.size)
    square = Image.new("RGBA", (edge, edge))
    square.paste(drawing, ((edge - drawing.width) // 2, (edge - drawing.height) // 2))
    return square
