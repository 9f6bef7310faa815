# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""What the network takes: a square picture of three colours, as (value from 0 to 255 - mean) * scale."""

from typing import Final

SIDE: Final = 64
MEAN: Final = 127.5
SCALE: Final = 1 / 127.5
