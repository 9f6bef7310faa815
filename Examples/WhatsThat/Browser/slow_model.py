# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""A model that takes seconds, so that there is something to cancel. It says that it knows nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_SIDE: Final = 64
_CHANNELS: Final = 96
# Some milliseconds each.
_LAYERS: Final = 1500
_OPSET: Final = 13
_IR_VERSION: Final = 8
LABELS: Final = ("something", "something else", "none of these")


class ModelFiles(NamedTuple):
    """What the program needs for a model."""

    model: Path
    labels: Path
    manifest: Path


def write_slow_model(folder: Path) -> ModelFiles:
    """Writes the model, its labels and its manifest into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = ModelFiles(folder / "slow.onnx", folder / "slow-labels.txt", folder / "slow.json")
    onnx.save(_slow_model(), files.model)
    files.labels.write_text("\n".join(LABELS) + "\n", encoding="utf-8")
    manifest = {"width": _SIDE, "height": _SIDE, "layout": "NCHW", "nothing": LABELS[-1], "threshold": 0.5}
    files.manifest.write_text(json.dumps(manifest), encoding="utf-8")
    return files


def _slow_model() -> onnx.ModelProto:
    """Convolutions one behind the other. All weights are zero: what counts is how long they take."""
    constants = [
        _zeros("first", _CHANNELS, 3, 3, 3),
        _zeros("other", _CHANNELS, _CHANNELS, 3, 3),
        _zeros("dense", _CHANNELS, len(LABELS)),
        _zeros("bias", len(LABELS)),
    ]
    nodes = [_convolution("image", "first", "values0")]
    nodes += [_convolution(f"values{layer}", "other", f"values{layer + 1}") for layer in range(_LAYERS)]
    nodes += [
        helper.make_node("GlobalAveragePool", [f"values{_LAYERS}"], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["features"]),
        helper.make_node("Gemm", ["features", "dense", "bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["probabilities"], axis=1),
    ]
    picture = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, _SIDE, _SIDE])
    answer = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, len(LABELS)])
    graph = helper.make_graph(nodes, "slow", [picture], [answer], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)


def _convolution(values: str, weights: str, sums: str) -> onnx.NodeProto:
    return helper.make_node("Conv", [values, weights], [sums], kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def _zeros(name: str, *shape: int) -> onnx.TensorProto:
    return numpy_helper.from_array(np.zeros(shape, np.float32), name)
