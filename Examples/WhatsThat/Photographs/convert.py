# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Makes an ONNX classifier of photographs, of the weights of EfficientNet-Lite0 as PyTorch has saved them.

EfficientNet-Lite (Tan et al., 2020) is EfficientNet-B0 (arXiv:1905.11946, table 1) without the parts that squeeze and
excite, and with ReLU6. Each normalisation becomes part of the convolution before it. PyTorch is not needed.
"""

from __future__ import annotations

import argparse
import ast
import json
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import onnx
from numpy.lib.stride_tricks import as_strided
from onnx import TensorProto, helper, numpy_helper

# Of each stage: blocks, the side of the kernels, the first block's stride, expansion, channels.
_STAGES: Final = (
    (1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112), (4, 5, 2, 6, 192),
    (1, 3, 1, 6, 320),
)
_SIDE: Final = 224
_EPSILON: Final = 1e-3
# What runtimes of some years ago read, too.
_OPSET: Final = 13
_IR_VERSION: Final = 8
# Of the file format of PyTorch before 1.6.
_MAGIC: Final = 0x1950A86A20F9469CFC6C
_STORAGE_TYPES: Final = {"FloatStorage": "<f4", "LongStorage": "<i8"}
_MANIFEST: Final = {
    "width": _SIDE, "height": _SIDE, "layout": "NCHW", "order": "RGB", "resize": "crop",
    "mean": [127] * 3, "scale": [1 / 128] * 3, "softmax": False, "nothing": "none of these", "threshold": 0.3,
}


class _Weights(pickle.Unpickler):
    """Reads numbers and nothing else: other objects in a file of PyTorch are code."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(file)
        self.storages: dict[str, tuple[str, int]] = {}

    def find_class(self, module: str, name: str) -> object:
        """The few names that a file of weights has."""
        match module, name:
            case "collections", "OrderedDict":
                return OrderedDict
            case "torch._utils", "_rebuild_tensor_v2":
                # Where it is, and what shape it has.
                return lambda storage, offset, shape, strides, *_: (storage, offset, shape, strides)
            case "torch", _ if name in _STORAGE_TYPES:
                return name
        raise pickle.UnpicklingError(f"there is {module}.{name} where weights should be")

    def persistent_load(self, key: tuple) -> str:
        """Notes a storage; its numbers come after all objects."""
        _, kind, name, _, count, *_ = key
        self.storages[name] = (kind, count)
        return name


def read_weights(file: BinaryIO) -> dict[str, np.ndarray]:
    """The tensors of a file that PyTorch has saved, before 1.6, by their names."""
    weights = _Weights(file)
    if weights.load() != _MAGIC:
        raise pickle.UnpicklingError("this is no file of PyTorch before 1.6")
    # The version, and the machine.
    _Weights(file).load(), _Weights(file).load()
    weights = _Weights(file)
    places = weights.load()
    numbers = {}
    for name in _Weights(file).load():
        kind, count = weights.storages[name]
        if int.from_bytes(file.read(8), "little") != count:
            raise pickle.UnpicklingError("the file is cut")
        numbers[name] = np.frombuffer(file.read(count * 8 if kind == "LongStorage" else count * 4), _STORAGE_TYPES[kind])
    # Not all rows are stored one after the other.
    return {
        name: as_strided(numbers[storage][offset:], shape, [step * numbers[storage].itemsize for step in strides])
        for name, (storage, offset, shape, strides) in places.items()
    }


class _Graph:
    """The network, put together layer by layer."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self._weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants = [_constant("zero", np.float32(0)), _constant("six", np.float32(6))]

    def add(self, kind: str, inputs: list[str], output: str, **attributes: object) -> str:
        """Adds a node, and returns its output's name."""
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def convolution(self, values: str, layer: str, norm: str, *, stride: int = 1, groups: int = 1, side: int = 1) -> str:
        """Adds a convolution with its normalisation."""
        gain, shift, mean, variance = (
            self._weights[f"{norm}.{part}"] for part in ("weight", "bias", "running_mean", "running_var")
        )
        factor = gain / np.sqrt(variance + _EPSILON)
        kernels = self._weights[f"{layer}.weight"] * factor[:, None, None, None]
        self.constants += [_constant(f"{layer}.kernels", kernels), _constant(f"{layer}.bias", shift - mean * factor)]
        # As TensorFlow pads: what is odd goes to the end. All sides but the last are even, and that has stride 1.
        before, after = ((side - stride) // 2, (side - stride + 1) // 2) if stride > 1 else (side // 2, side // 2)
        return self.add(
            "Conv",
            [values, f"{layer}.kernels", f"{layer}.bias"],
            f"{layer}.sums",
            kernel_shape=[side] * 2,
            pads=[before, before, after, after],
            strides=[stride] * 2,
            group=groups,
        )

    def relu6(self, values: str) -> str:
        """Adds a limit to 0 to 6."""
        return self.add("Clip", [values, "zero", "six"], f"{values}.limited")

    def block(self, values: str, number: int, side: int, stride: int, expansion: int, is_first: bool) -> str:
        """Adds a block: more channels, each of them convolved alone, fewer channels."""
        name, wide = f"_blocks.{number}", values
        if expansion > 1:
            wide = self.relu6(self.convolution(values, f"{name}._expand_conv", f"{name}._bn0"))
        depthwise = f"{name}._depthwise_conv"
        groups = len(self._weights[f"{depthwise}.weight"])
        deep = self.convolution(wide, depthwise, f"{name}._bn1", stride=stride, groups=groups, side=side)
        narrow = self.convolution(self.relu6(deep), f"{name}._project_conv", f"{name}._bn2")
        return narrow if is_first else self.add("Add", [values, narrow], f"{name}.values")


def make_model(weights: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """The classifier: one normalised picture in, a probability for each class out."""
    graph = _Graph(weights)
    values = graph.relu6(graph.convolution("image", "_conv_stem", "_bn0", stride=2, side=3))
    number = 0
    for blocks, side, stride, expansion, _ in _STAGES:
        for index in range(blocks):
            is_first = index == 0
            values = graph.block(values, number, side, stride if is_first else 1, expansion, is_first)
            number += 1
    values = graph.relu6(graph.convolution(values, "_conv_head", "_bn1"))
    graph.constants += [_constant(f"_fc.{part}", weights[f"_fc.{part}"]) for part in ("weight", "bias")]
    features = graph.add("Flatten", [graph.add("GlobalAveragePool", [values], "pooled")], "features")
    graph.add("Softmax", [graph.add("Gemm", [features, "_fc.weight", "_fc.bias"], "logits", transB=1)], "answer", axis=1)
    picture = helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, _SIDE, _SIDE])
    answer = helper.make_tensor_value_info("answer", TensorProto.FLOAT, [1, len(weights["_fc.bias"])])
    network = helper.make_graph(graph.nodes, "photographs", [picture], [answer], graph.constants)
    model = helper.make_model(network, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    onnx.checker.check_model(model, full_check=True)
    return model


def _constant(name: str, values: np.ndarray) -> onnx.TensorProto:
    return numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name)


def read_labels(source: str) -> list[str]:
    """The names of ImageNet's 1,000 classes, of a Python module that has them as a constant."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "IMAGENET_CLASSNAMES":
            return list(ast.literal_eval(statement.value))
    raise ValueError("the module has no names of classes")


def _member(package: Path, ending: str) -> tuple[zipfile.ZipFile, str]:
    archive = zipfile.ZipFile(package)
    return archive, next(name for name in archive.namelist() if name.endswith(ending))


def main() -> None:
    """Writes the model's three files into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("weights", "names", "folder"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_args()
    archive, member = _member(arguments.weights, ".pth")
    with archive, archive.open(member) as file:
        model = make_model(read_weights(file))
    archive, member = _member(arguments.names, "zero_shot_metadata.py")
    with archive:
        labels = read_labels(archive.read(member).decode())
    onnx.save(model, arguments.folder / "photographs.onnx")
    (arguments.folder / "labels.txt").write_text("\n".join(labels) + "\n", encoding="utf-8")
    (arguments.folder / "manifest.json").write_text(json.dumps(_MANIFEST, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
