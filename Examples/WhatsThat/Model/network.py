# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The network: six convolutions with batch normalisation, a mean over the picture, and one dense layer."""

from __future__ import annotations

from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from classes import LABELS
from model_input import MEAN, SCALE


class Shape(NamedTuple):
    """A convolution's channels and step; its window is 3 x 3."""

    inputs: int
    outputs: int
    stride: int


SHAPES: Final = (
    Shape(3, 24, 2), Shape(24, 48, 2), Shape(48, 64, 1), Shape(64, 96, 2), Shape(96, 128, 1), Shape(128, 160, 2),
)  # fmt: skip
# Keeps the normalisation from a division by zero.
EPSILON: Final = 1e-5


class Convolution(NamedTuple):
    """What a convolution learns."""

    weights: jax.Array
    gain: jax.Array
    shift: jax.Array


class Network(NamedTuple):
    """What the network learns."""

    convolutions: list[Convolution]
    weights: jax.Array
    bias: jax.Array


class Statistics(NamedTuple):
    """The mean and the variance of each channel behind a convolution."""

    mean: jax.Array
    variance: jax.Array


def new_network(seed: int) -> Network:
    """A network that has learned nothing."""
    keys = jax.random.split(jax.random.key(seed), len(SHAPES) + 1)
    convolutions = []
    for shape, key in zip(SHAPES, keys, strict=False):
        weights = jax.random.normal(key, (3, 3, shape.inputs, shape.outputs)) * (2 / (9 * shape.inputs)) ** 0.5
        convolutions.append(Convolution(weights, jnp.ones(shape.outputs), jnp.zeros(shape.outputs)))
    last = SHAPES[-1].outputs
    dense = jax.random.normal(keys[-1], (last, len(LABELS))) * 0.05
    return Network(convolutions, dense, jnp.zeros(len(LABELS)))


def new_statistics() -> list[Statistics]:
    """Those of channels that need no normalisation."""
    return [Statistics(jnp.zeros(shape.outputs), jnp.ones(shape.outputs)) for shape in SHAPES]


def run(
    network: Network, pictures: jax.Array, statistics: list[Statistics] | None = None
) -> tuple[jax.Array, list[Statistics]]:
    """The logits for pixels from 0 to 255, and the statistics used: given ones, or else those of this batch."""
    values = (pictures.astype(jnp.float32) - MEAN) * SCALE
    used = []
    for index, (shape, layer) in enumerate(zip(SHAPES, network.convolutions, strict=True)):
        values = lax.conv_general_dilated(
            values, layer.weights, (shape.stride,) * 2, ((1, 1), (1, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        mean, variance = statistics[index] if statistics else (values.mean((0, 1, 2)), values.var((0, 1, 2)))
        used.append(Statistics(mean, variance))
        values = jax.nn.relu((values - mean) * lax.rsqrt(variance + EPSILON) * layer.gain + layer.shift)
    return values.mean((1, 2)) @ network.weights + network.bias, used
