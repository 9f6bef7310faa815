# SPDX-License-Identifier: Apache-2.0
# Part of swift-async-bridge.
"""The program's server, for as long as a test needs it."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Final

BUILD: Final = Path(__file__).resolve().parent.parent / ".build" / "browser"
# The command that serves, without its options. Set by the script `check`.
COMMAND: Final = "WHATSTHAT_SERVE"
_START_SECONDS: Final = 60
_END_SECONDS: Final = 15
_RUN_SECONDS: Final = 120
_POLL_SECONDS: Final = 0.05


class Server:
    """A process of its own, on a free port of the loopback address, ended with the `with` block."""

    def __init__(self, name: str, *options: str) -> None:
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._arguments = [*shlex.split(os.environ[COMMAND]), "--port", str(self.port), *options]
        self._log = BUILD / f"{name}.log"

    def __enter__(self) -> Server:
        BUILD.mkdir(parents=True, exist_ok=True)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._arguments, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_until("the server answers", self._answers, _START_SECONDS)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def health(self) -> dict[str, Any]:
        """What the server says of itself."""
        with urllib.request.urlopen(f"{self.address}/health", timeout=10) as answer:
            return json.load(answer)

    def classify(self, file: Path) -> dict[str, Any]:
        """What the server says of a picture."""
        request = urllib.request.Request(f"{self.address}/classify", data=file.read_bytes(), method="POST")
        with urllib.request.urlopen(request, timeout=_RUN_SECONDS) as answer:
            return json.load(answer)

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError(f"the server ended at once: {self._log.read_text(errors='replace')}")
        try:
            return self.health()["status"] == "ok"
        except (urllib.error.URLError, ConnectionError):
            return False

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def wait_until(what: str, holds: Any, seconds: float) -> None:
    """Asks again and again until it holds, and fails after so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:.0f} seconds: {what}")
        time.sleep(_POLL_SECONDS)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
