# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Trains the network on the drawn pictures, on one core, and exports it."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Final

# Read when JAX is loaded: one thread, so that whoever shares the machine has the rest of it.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["OMP_NUM_THREADS"] = "1"

import jax
import jax.numpy as jnp
import numpy as np
import optax

from classes import LABELS
from export import export
from files import EVALUATION, MODEL, TRAINING, write_json
from network import Network, Statistics, new_network, new_statistics, run
from sets import Pictures

BATCH: Final = 64
STEPS: Final = 5000
_SEED: Final = 0
_WARM_UP: Final = 200
_TOP_RATE: Final = 2e-3
_DECAY: Final = 1e-4
_SMOOTHING: Final = 0.03
# How much of the old statistics stays with each batch.
_MOMENTUM: Final = 0.98
_REPORT_EVERY: Final = 250


def _optimizer(steps: int) -> optax.GradientTransformation:
    rate = optax.warmup_cosine_decay_schedule(0, _TOP_RATE, min(_WARM_UP, steps // 4), steps)
    return optax.adamw(rate, weight_decay=_DECAY)


def _loss(
    network: Network, pictures: jax.Array, labels: jax.Array
) -> tuple[jax.Array, tuple[list[Statistics], jax.Array]]:
    logits, statistics = run(network, pictures)
    targets = optax.smooth_labels(jax.nn.one_hot(labels, len(LABELS)), _SMOOTHING)
    right = (logits.argmax(1) == labels).mean()
    return optax.softmax_cross_entropy(logits, targets).mean(), (statistics, right)


def train(pictures: Pictures, steps: int) -> tuple[Network, list[Statistics]]:
    """The network after so many batches."""
    optimizer = _optimizer(steps)

    @jax.jit
    def step(network, state, statistics, batch, labels):
        (loss, (seen, right)), slope = jax.value_and_grad(_loss, has_aux=True)(network, batch, labels)
        change, state = optimizer.update(slope, state, network)
        statistics = jax.tree.map(lambda old, new: _MOMENTUM * old + (1 - _MOMENTUM) * new, statistics, seen)
        return optax.apply_updates(network, change), state, statistics, loss, right

    network, statistics = new_network(_SEED), new_statistics()
    state = optimizer.init(network)
    began = time.monotonic()
    for number, chosen in enumerate(_batches(len(pictures.labels), steps), 1):
        batch, labels = jnp.asarray(pictures.pixels[chosen]), jnp.asarray(pictures.labels[chosen])
        network, state, statistics, loss, right = step(network, state, statistics, batch, labels)
        if number % _REPORT_EVERY == 0:
            seconds = time.monotonic() - began
            print(f"{number} of {steps} steps, {seconds:.0f} s: loss {loss:.3f}, right {right:.0%}", flush=True)
    return network, statistics


def _batches(count: int, steps: int):
    """The pictures of each step: all of them once in a random order, then all of them once more."""
    rng = np.random.default_rng(_SEED)
    order = np.empty(0, int)
    for _ in range(steps):
        if len(order) < BATCH:
            order = rng.permutation(count)
        yield order[:BATCH]
        order = order[BATCH:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=STEPS, help="batches to learn from (default: %(default)s)")
    steps = parser.parse_args().steps
    with np.load(TRAINING) as file:
        pictures = Pictures(file["pixels"], file["labels"])
    began = time.process_time()
    network, statistics = train(pictures, steps)
    export(network, statistics, Path(MODEL))
    numbers = {
        "pictures": len(pictures.labels),
        "steps": steps,
        "batch": BATCH,
        "core minutes": round((time.process_time() - began) / 60, 1),
        "parameters": sum(leaf.size for leaf in jax.tree.leaves(network)),
    }
    write_json(EVALUATION, {"training": numbers})
    print(json.dumps(numbers))


if __name__ == "__main__":
    main()
