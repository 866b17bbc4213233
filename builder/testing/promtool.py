"""Prometheus' own tool, run on rules and tests that are in memory."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builder.errors import ServerError


@dataclass(frozen=True)
class Verdict:
    """Whether promtool was content, and all that it said."""

    passed: bool
    said: str


def promtool(command: Sequence[str], files: Mapping[str, str], *, on: Sequence[str], timeout: float = 600) -> Verdict:
    """Run ``promtool COMMAND`` on some of the files. Raises ServerError where it is not installed or never ends."""
    binary = shutil.which("promtool")
    if binary is None:
        raise ServerError("promtool is not installed", fix="apt install prometheus, or put promtool on the PATH")
    with tempfile.TemporaryDirectory(prefix="gpuboards-promtool-") as directory:
        for name, text in files.items():
            (Path(directory) / name).write_text(text, encoding="utf-8")
        try:
            done = subprocess.run(
                [binary, *command, *on], cwd=directory, capture_output=True, text=True, check=False, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            raise ServerError(f"promtool {' '.join(command)} has not ended after {timeout:g} s") from None
    return Verdict(done.returncode == 0, (done.stdout + done.stderr).strip())
