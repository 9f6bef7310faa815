# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Draws the pictures that the network is trained on."""

from __future__ import annotations

import numpy as np

from files import TRAINING
from sets import training


def main() -> None:
    pictures = training()
    TRAINING.parent.mkdir(parents=True, exist_ok=True)
    np.savez(TRAINING, pixels=pictures.pixels, labels=pictures.labels)
    print(f"{len(pictures.labels)} pictures drawn")


if __name__ == "__main__":
    main()
