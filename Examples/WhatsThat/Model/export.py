# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Writes the network as an ONNX file: the normalisations become part of the convolutions, the logits probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from classes import LABELS
from model_input import SIDE
from network import EPSILON, SHAPES, Convolution, Network, Shape, Statistics

# What runtimes of some years ago read, too.
_OPSET: Final = 13
_IR_VERSION: Final = 8
_INPUT: Final = "image"
_OUTPUT: Final = "probabilities"


def export(network: Network, statistics: list[Statistics], path: Path) -> None:
    """Writes the trained network; its input is one normalised picture, NCHW."""
    nodes, constants, values = [], [], _INPUT
    for index, parts in enumerate(zip(SHAPES, network.convolutions, statistics, strict=True)):
        values = _add_convolution(nodes, constants, f"layer{index}", values, *parts)
    constants += [_constant(network.weights, "dense.weights"), _constant(network.bias, "dense.bias")]
    nodes += [
        helper.make_node("GlobalAveragePool", [values], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["features"]),
        helper.make_node("Gemm", ["features", "dense.weights", "dense.bias"], ["logits"]),
        helper.make_node("Softmax", ["logits"], [_OUTPUT], axis=1),
    ]
    picture = helper.make_tensor_value_info(_INPUT, TensorProto.FLOAT, [1, 3, SIDE, SIDE])
    answer = helper.make_tensor_value_info(_OUTPUT, TensorProto.FLOAT, [1, len(LABELS)])
    graph = helper.make_graph(nodes, "whatsthat", [picture], [answer], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def _add_convolution(
    nodes: list, constants: list, name: str, values: str, shape: Shape, layer: Convolution, statistics: Statistics
) -> str:
    """Adds a convolution with its normalisation folded in, and returns its output's name."""
    factor = np.asarray(layer.gain) / np.sqrt(np.asarray(statistics.variance) + EPSILON)
    weights = (np.asarray(layer.weights) * factor).transpose(3, 2, 0, 1)
    bias = np.asarray(layer.shift) - np.asarray(statistics.mean) * factor
    constants += [_constant(weights, f"{name}.weights"), _constant(bias, f"{name}.bias")]
    inputs = [values, f"{name}.weights", f"{name}.bias"]
    window = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [shape.stride] * 2}
    nodes += [
        helper.make_node("Conv", inputs, [f"{name}.sums"], **window),
        helper.make_node("Relu", [f"{name}.sums"], [f"{name}.values"]),
    ]
    return f"{name}.values"


def _constant(values: np.ndarray, name: str) -> onnx.TensorProto:
    return numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name)
