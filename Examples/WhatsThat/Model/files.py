# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""Where the files lie."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parent
MODEL: Final = FOLDER / "whatsthat.onnx"
LABEL_LIST: Final = FOLDER / "labels.txt"
MANIFEST: Final = FOLDER / "manifest.json"
EVALUATION: Final = FOLDER / "evaluation.json"
CARD: Final = FOLDER / "README.md"
PICTURES: Final = FOLDER.parent / "Pictures"
# Not in git.
TRAINING: Final = FOLDER.parent / ".build" / "training.npz"


def read_json(path: Path) -> Any:
    """The file's value."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Writes the value so that a person can read it, and git compare it."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
