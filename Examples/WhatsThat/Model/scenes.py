# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Pictures that show no thing: backgrounds, and what the model must call "none of these"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from glyphs import LETTERS

# Scenes are drawn in twice the model's size and reduced, as pictures of a user are.
CANVAS: Final = 128
Pixels = np.ndarray
Scene = Callable[[np.random.Generator], Pixels]

_LATIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,;:!?&%"
_GREEK: Final = "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθλμξπρσφχψω"


def colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """Any colour."""
    red, green, blue = (int(value) for value in rng.integers(0, 256, 3))
    return red, green, blue


def _mix(rng: np.random.Generator, level: Pixels) -> Pixels:
    """Values from 0 to 1 as a mixture of two colours."""
    first, second = np.array(colour(rng)), np.array(colour(rng))
    return first + (second - first) * level[..., None]


def _unit(values: Pixels) -> Pixels:
    low, high = values.min(), values.max()
    return (values - low) / max(high - low, 1e-9)


def _axes(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """Each pixel's coordinates from -1 to 1, turned by any angle."""
    line = np.linspace(-1, 1, CANVAS)
    angle = rng.uniform(0, 2 * math.pi)
    across, down = np.meshgrid(line, line)
    return math.cos(angle) * across + math.sin(angle) * down, math.cos(angle) * down - math.sin(angle) * across


def _paper(rng: np.random.Generator) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    paper = Image.new("RGB", (CANVAS, CANVAS), colour(rng))
    return paper, ImageDraw.Draw(paper)


def plain(rng: np.random.Generator) -> Pixels:
    """One colour; white and nearly white as often as all others."""
    shade = rng.integers(200, 256, 3) if rng.random() < 0.5 else np.array(colour(rng))
    return np.full((CANVAS, CANVAS, 3), shade)


def gradient(rng: np.random.Generator) -> Pixels:
    """From one colour to another, along a line or around a point."""
    across, down = _axes(rng)
    around = np.hypot(across - rng.uniform(-1, 1), down - rng.uniform(-1, 1))
    return _mix(rng, _unit(across if rng.random() < 0.6 else around))


def shapes(rng: np.random.Generator) -> Pixels:
    """Ellipses, boxes, triangles and lines."""
    paper, pen = _paper(rng)
    for _ in range(rng.integers(1, 10)):
        left, top = (int(value) for value in rng.integers(-20, CANVAS, 2))
        width, height = (int(value) for value in rng.integers(6, 90, 2))
        box = (left, top, left + width, top + height)
        outline = {"outline": colour(rng), "width": int(rng.integers(1, 6))} if rng.random() < 0.5 else {}
        fill = None if outline and rng.random() < 0.5 else colour(rng)
        match rng.integers(0, 5):
            case 0:
                pen.ellipse(box, fill=fill, **outline)
            case 1:
                pen.rectangle(box, fill=fill, **outline)
            case 2:
                pen.rounded_rectangle(box, radius=min(width, height) // 3, fill=fill, **outline)
            case 3:
                corners = [tuple(int(value) for value in rng.integers(0, CANVAS, 2)) for _ in range(3)]
                pen.polygon(corners, fill=colour(rng))
            case _:
                pen.line(box, fill=colour(rng), width=int(rng.integers(1, 10)))
    return np.asarray(paper)


def stripes(rng: np.random.Generator) -> Pixels:
    """Stripes, or with a second direction a check."""
    across, down = _axes(rng)
    rate = rng.uniform(2, 14)
    level = np.sin(across * rate * math.pi)
    if rng.random() < 0.5:
        level = level * np.sin(down * rate * math.pi)
    return _mix(rng, (level > 0).astype(float) if rng.random() < 0.6 else _unit(level))


def clouds(rng: np.random.Generator) -> Pixels:
    """Noise of all sizes, the larger the stronger: a fractal."""
    total = np.zeros((CANVAS, CANVAS, 3))
    smoothness = rng.uniform(0.4, 1)
    for count in (2, 4, 8, 16, 32, 64):
        patch = Image.fromarray(rng.integers(0, 256, (count, count, 3), dtype=np.uint8))
        total += np.asarray(patch.resize((CANVAS, CANVAS), Image.Resampling.BICUBIC)) / count**smoothness
    return _unit(total) * 255


def noise(rng: np.random.Generator) -> Pixels:
    """Every pixel, or block of pixels, on its own; in colour or grey."""
    block = int(rng.choice([1, 2, 4, 8]))
    channels = 1 if rng.random() < 0.4 else 3
    cells = rng.integers(0, 256, (CANVAS // block, CANVAS // block, channels))
    return np.broadcast_to(cells.repeat(block, 0).repeat(block, 1), (CANVAS, CANVAS, 3))


def _writing(rng: np.random.Generator, alphabet: str) -> Pixels:
    paper, pen = _paper(rng)
    size = int(rng.integers(10, 90))
    letters = ImageFont.truetype(str(LETTERS.path), size)
    for line in range(0, CANVAS, size + 2):
        word = "".join(rng.choice(list(alphabet), CANVAS // size + 2))
        pen.text((int(rng.integers(-10, 30)), line), word, fill=colour(rng), font=letters)
    return np.asarray(paper)


def latin(rng: np.random.Generator) -> Pixels:
    """Letters and digits, in any size."""
    return _writing(rng, _LATIN)


def greek(rng: np.random.Generator) -> Pixels:
    """Greek letters, in any size."""
    return _writing(rng, _GREEK)


def _escape(start: Pixels, step: Pixels, rounds: int) -> Pixels:
    """After how many rounds of `z² + step` each point has left."""
    point, left = start.copy(), np.zeros(start.shape)
    for _ in range(rounds):
        near = np.abs(point) < 4
        point[near] = point[near] ** 2 + (step[near] if step.shape else step)
        left += near
    return left / rounds


def mandelbrot(rng: np.random.Generator) -> Pixels:
    """A part of the Mandelbrot set's edge."""
    across, down = _axes(rng)
    centre = -0.75 + rng.uniform(0.1, 1.2) * np.exp(1j * rng.uniform(0, 2 * math.pi)) * 0.6
    step = centre + (across + 1j * down) * rng.uniform(0.1, 1.2)
    return _mix(rng, _unit(_escape(np.zeros_like(step), step, 24)) ** rng.uniform(0.3, 1.5))


def julia(rng: np.random.Generator) -> Pixels:
    """A Julia set."""
    across, down = _axes(rng)
    step = np.array(0.7885 * np.exp(1j * rng.uniform(0, 2 * math.pi)))
    left = _unit(_escape((across + 1j * down) * rng.uniform(0.5, 1.6), step, 24))
    return np.stack([np.abs(np.sin(left * rng.uniform(1, 6) + rng.uniform(0, 3))) for _ in range(3)], 2) * 255


def fern(rng: np.random.Generator) -> Pixels:
    """Where a point goes that is moved again and again by one of some maps: a fractal of dots."""
    maps = rng.uniform(-0.75, 0.75, (int(rng.integers(2, 5)), 2, 3))
    walkers = rng.uniform(-1, 1, (400, 2))
    level = np.zeros((CANVAS, CANVAS))
    for _ in range(40):
        chosen = maps[rng.integers(0, len(maps), len(walkers))]
        walkers = np.einsum("nij,nj->ni", chosen[..., :2], walkers) + chosen[..., 2]
        columns, rows = np.clip((walkers.T + 1.6) / 3.2 * CANVAS, 0, CANVAS - 1).astype(int)
        level[rows, columns] = 1
    return _mix(rng, level)


def plasma(rng: np.random.Generator) -> Pixels:
    """Waves that run through one another."""
    layers = []
    for _ in range(3):
        across, down = _axes(rng)
        rings = np.hypot(across, down - rng.uniform(-1, 1))
        layers.append(_unit(np.sin(across * rng.uniform(2, 12)) + np.sin(rings * rng.uniform(3, 20))))
    return np.stack(layers, 2) * 255


def cells(rng: np.random.Generator) -> Pixels:
    """Each pixel in the colour of the nearest of some points."""
    points = rng.uniform(0, CANVAS, (int(rng.integers(5, 40)), 2))
    palette = rng.integers(0, 256, (len(points), 3))
    rows, columns = np.mgrid[:CANVAS, :CANVAS]
    distance = (rows[..., None] - points[:, 0]) ** 2 + (columns[..., None] - points[:, 1]) ** 2
    return palette[distance.argmin(2)]


def scribble(rng: np.random.Generator) -> Pixels:
    """A pen that wanders over the paper."""
    paper, pen = _paper(rng)
    for _ in range(rng.integers(1, 4)):
        turns = rng.normal(0, rng.uniform(0.2, 0.9), 120).cumsum()
        stride = rng.uniform(2, 9)
        path = np.stack([np.cos(turns), np.sin(turns)], 1).cumsum(0) * stride + rng.uniform(30, 100, 2)
        pen.line([tuple(point) for point in path], fill=colour(rng), width=int(rng.integers(1, 6)), joint="curve")
    return np.asarray(paper)


def chart(rng: np.random.Generator) -> Pixels:
    """A chart of bars or of slices."""
    paper, pen = _paper(rng)
    if rng.random() < 0.5:
        bars = int(rng.integers(3, 12))
        width = 110 // bars
        for bar in range(bars):
            left = 9 + bar * width
            pen.rectangle((left, int(rng.integers(10, 110)), left + width - 2, 120), fill=colour(rng))
        pen.line((8, 5, 8, 120, 125, 120), fill=colour(rng), width=2)
    else:
        ends = np.sort(rng.uniform(0, 360, int(rng.integers(3, 8))))
        for start, end in zip(ends, np.roll(ends, -1), strict=True):
            pen.pieslice((14, 14, 114, 114), float(start), float(end), fill=colour(rng))
    return np.asarray(paper)


def maze(rng: np.random.Generator) -> Pixels:
    """Slashes and backslashes on a grid."""
    paper, pen = _paper(rng)
    ink, edge, width = colour(rng), int(rng.choice([8, 16, 32])), int(rng.integers(1, 5))
    for left in range(0, CANVAS, edge):
        for top in range(0, CANVAS, edge):
            ends = (top, top + edge) if rng.random() < 0.5 else (top + edge, top)
            pen.line((left, ends[0], left + edge, ends[1]), fill=ink, width=width)
    return np.asarray(paper)


# What the model is trained to call nothing, and what things are drawn on for training.
TRAINED: Final[dict[str, Scene]] = {
    "one colour": plain,
    "gradients": gradient,
    "shapes": shapes,
    "stripes and checks": stripes,
    "clouds (a fractal)": clouds,
    "noise": noise,
    "Latin letters": latin,
    "edges of the Mandelbrot set": mandelbrot,
}
# The threshold is chosen with these, too.
VALIDATION: Final[dict[str, Scene]] = {"cells of one colour": cells, "mazes": maze}
# Only tested, never seen before.
UNSEEN: Final[dict[str, Scene]] = {
    "Julia sets": julia,
    "fractals of dots": fern,
    "waves": plasma,
    "scribbles": scribble,
    "charts": chart,
    "Greek letters": greek,
}
