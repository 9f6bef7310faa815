# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The exported model, as the program uses it: with the manifest's numbers, in ONNX Runtime."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageOps

from files import LABEL_LIST, MANIFEST, MODEL, read_json


class Classifier:
    """Says for a picture how probable each label is."""

    def __init__(self) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(MODEL, options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name
        self.labels = LABEL_LIST.read_text(encoding="utf-8").splitlines()
        self.manifest = read_json(MANIFEST)

    def probabilities(self, pixels: np.ndarray) -> np.ndarray:
        """Those of one picture of the model's size, RGB."""
        mean, scale = (np.array(self.manifest[name], np.float32) for name in ("mean", "scale"))
        values = ((pixels - mean) * scale).transpose(2, 0, 1)[None]
        return self._session.run(None, {self._input: values.astype(np.float32)})[0][0]

    def all_probabilities(self, pictures: Iterable[np.ndarray]) -> np.ndarray:
        """A row for each picture."""
        return np.stack([self.probabilities(pixels) for pixels in pictures])

    def load(self, path: Path, *, upright: bool = True) -> np.ndarray:
        """The picture of a file: turned as its EXIF data say, on white, and reduced by a box filter."""
        with Image.open(path) as file:
            picture = ImageOps.exif_transpose(file) if upright else file.copy()
        coloured = picture.convert("RGBA")
        paper = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured).convert("RGB")
        size = (self.manifest["width"], self.manifest["height"])
        return np.asarray(paper.resize(size, Image.Resampling.BOX))

    def caption(self, pixels: np.ndarray) -> tuple[str, float]:
        """The label, and how probable the best one is: below the threshold it is that for nothing."""
        probabilities = self.probabilities(pixels)
        best = int(probabilities.argmax())
        sure = probabilities[best] >= self.manifest["threshold"]
        return self.labels[best] if sure else self.manifest["nothing"], float(probabilities[best])
