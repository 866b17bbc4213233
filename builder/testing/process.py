"""A server of somebody else's as a child process, for as long as a test needs it."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from builder.errors import ServerError


class Process:
    """A child process that ends with the context, and with this process should that be killed.

    Enter it in the thread that outlives it: the kernel ties the child to the thread that started it.
    """

    def __init__(self, command: Sequence[str], log: Path) -> None:
        # setpriv (util-linux) has the kernel end the server when a killed test run can no longer do it.
        setpriv = shutil.which("setpriv")
        self._command = [setpriv, "--pdeathsig", "TERM", "--", *command] if setpriv else list(command)
        self._log = log

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def running(self) -> bool:
        """False once it has ended by itself."""
        return self._process.poll() is None


def binary(name: str, package: str) -> str:
    """The path of a program. Raises ServerError, which names its Debian package, where it is not installed."""
    found = shutil.which(name)
    if not found:
        fix = f"on Debian: apt-get install --no-install-recommends {package}"
        raise ServerError(f"{name} is not installed", fix=fix)
    return found


def free_port() -> int:
    """A port of the loopback interface that nobody listens on yet; another may take it before it is used."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
