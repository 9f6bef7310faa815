# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Puts a drawing somewhere on a background, as another artist, another camera and another hand would."""

from __future__ import annotations

import io
import math
from typing import Final

import numpy as np
from PIL import Image, ImageFilter

from model_input import SIDE
from scenes import CANVAS, Pixels, colour

# The cells of the mesh by which a drawing is bent.
_CELLS: Final = 4
# By how much a drawing differs from its background, at least, on the mean.
_CONTRAST: Final = 40


def restyle(rng: np.random.Generator, glyph: Image.Image) -> Image.Image:
    """The drawing in another style: as lines, as ink, in grey, in other colours, or as it is."""
    choice = rng.random()
    if choice < 0.25:
        return _as_lines(rng, glyph)
    if choice < 0.4:
        return _as_ink(rng, glyph)
    if choice < 0.5:
        return Image.merge("RGBA", [*[glyph.convert("L")] * 3, glyph.getchannel("A")])
    return _recoloured(rng, glyph) if choice < 0.75 else glyph


def _as_lines(rng: np.random.Generator, glyph: Image.Image) -> Image.Image:
    """Strokes along the edges, like those of a font in black and white."""
    grey = _on_white(glyph).filter(ImageFilter.GaussianBlur(rng.uniform(0.5, 1.6)))
    outline = glyph.getchannel("A").filter(ImageFilter.GaussianBlur(1))
    strokes = np.maximum(_edges(grey) * rng.uniform(3, 9), _edges(outline) * 6)
    return _inked(rng, _thickened(rng, strokes))


def _as_ink(rng: np.random.Generator, glyph: Image.Image) -> Image.Image:
    """The darker parts filled, and an outline."""
    grey = _on_white(glyph).filter(ImageFilter.GaussianBlur(1))
    inside = np.asarray(glyph.getchannel("A")) > 128
    level = np.asarray(grey)
    bound = np.quantile(level[inside], rng.uniform(0.2, 0.8))
    strokes = np.maximum((inside & (level < bound)) * 255.0, _edges(glyph.getchannel("A")) * 6)
    return _inked(rng, _thickened(rng, strokes))


def _on_white(glyph: Image.Image) -> Image.Image:
    return Image.alpha_composite(Image.new("RGBA", glyph.size, "white"), glyph).convert("L")


def _edges(grey: Image.Image) -> Pixels:
    level = np.asarray(grey, float)
    return np.abs(np.diff(level, axis=1, prepend=level[:, :1])) + np.abs(np.diff(level, axis=0, prepend=level[:1]))


def _thickened(rng: np.random.Generator, strokes: Pixels) -> Image.Image:
    ink = Image.fromarray(strokes.clip(0, 255).astype(np.uint8))
    return ink.filter(ImageFilter.MaxFilter(int(rng.choice([1, 3, 3, 5]))))


def _inked(rng: np.random.Generator, strokes: Image.Image) -> Image.Image:
    drawing = Image.new("RGBA", strokes.size, colour(rng) if rng.random() < 0.4 else (0, 0, 0))
    drawing.putalpha(strokes)
    return drawing


def _recoloured(rng: np.random.Generator, glyph: Image.Image) -> Image.Image:
    pixels = np.asarray(glyph, float).copy()
    light = pixels[..., :3].mean(2, keepdims=True)
    pixels[..., :3] = light + (pixels[..., :3] - light) * rng.uniform(0.3, 1.6)
    if rng.random() < 0.3:
        pixels[..., :3] = pixels[..., rng.permutation(3)]
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def place(rng: np.random.Generator, glyph: Image.Image, background: Pixels) -> Pixels:
    """The drawing, turned, mirrored, stretched and bent, anywhere on the background."""
    side = round(rng.uniform(0.42, 1.0) * CANVAS)
    layer = _bent(rng, glyph.resize((side, side), Image.Resampling.BOX))
    pixels = np.asarray(layer, np.float32)
    cover = pixels[..., 3:] / 255
    behind = _contrasting(np.asarray(background, np.float32), pixels[..., :3], cover)
    return pixels[..., :3] * cover + behind * (1 - cover)


def _bent(rng: np.random.Generator, glyph: Image.Image) -> Image.Image:
    """The drawing on a transparent canvas, through a mesh whose knots have moved."""
    angle, shear = rng.uniform(-0.45, 0.45), rng.uniform(-0.2, 0.2)
    mirror = -1 if rng.random() < 0.5 else 1
    stretch = math.exp(rng.uniform(-0.2, 0.2))
    turn = np.array([[math.cos(angle) * mirror, math.sin(angle) + shear], [-math.sin(angle) * mirror, math.cos(angle)]])
    turn = turn @ np.diag([stretch, 1 / stretch])
    room = max(CANVAS - glyph.width, 0) / 2
    centre = CANVAS / 2 + rng.uniform(-room, room, 2)
    knots = np.stack(np.meshgrid(*[np.linspace(0, CANVAS, _CELLS + 1)] * 2), 2)
    sources = (knots - centre) @ turn.T + glyph.width / 2
    sources += rng.normal(0, rng.uniform(0, 0.05) * glyph.width, sources.shape)
    return glyph.transform((CANVAS, CANVAS), Image.Transform.MESH, _mesh(sources), Image.Resampling.BILINEAR)


def _mesh(sources: Pixels) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """For each cell its box, and its corners in the drawing: upper left, lower left, lower right, upper right."""
    edge = CANVAS // _CELLS
    mesh = []
    for row in range(_CELLS):
        for column in range(_CELLS):
            box = (column * edge, row * edge, (column + 1) * edge, (row + 1) * edge)
            corners = [sources[row + down, column + right] for down, right in ((0, 0), (1, 0), (1, 1), (0, 1))]
            mesh.append((box, tuple(float(value) for corner in corners for value in corner)))
    return mesh


def _contrasting(background: Pixels, drawing: Pixels, cover: Pixels) -> Pixels:
    """The background, or its negative where the drawing would not be seen."""
    weight = max(cover.sum(), 1)
    difference = ((background - drawing) * cover).sum((0, 1)) / weight
    return background if np.abs(difference).max() >= _CONTRAST else 255 - background


def take(rng: np.random.Generator, scene: Pixels) -> Pixels:
    """The scene as a poor camera takes it, in the size of the model's input."""
    pixels = np.asarray(scene, np.float32) * rng.uniform(0.7, 1.25) + rng.uniform(-25, 25)
    if rng.random() < 0.25:
        left, top = rng.integers(0, CANVAS - 24, 2)
        width, height = rng.integers(12, 36, 2)
        pixels[top : top + height, left : left + width] = colour(rng)
    picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
    if rng.random() < 0.3:
        picture = _compressed(rng, picture)
    picture = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    if rng.random() < 0.3:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.1)))
    grain = rng.normal(0, rng.uniform(0, 12), (SIDE, SIDE, 3))
    return (np.asarray(picture) + grain).clip(0, 255).astype(np.uint8)


def _compressed(rng: np.random.Generator, picture: Image.Image) -> Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=int(rng.integers(30, 90)))
    return Image.open(file).convert("RGB")
