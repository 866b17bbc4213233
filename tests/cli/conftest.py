"""The real command line in a process of its own, in an empty directory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def gpuboards(tmp_path: Path) -> Run:
    """Runs ``gpuboards`` with these arguments; ``environment`` and what subprocess.run takes may be added."""

    def run(*arguments: str, environment: dict[str, str] | None = None, **more: object) -> object:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUBOARDS_")}
        return subprocess.run(  # type: ignore[call-overload]
            [sys.executable, "-m", "builder.cli", *arguments],
            cwd=tmp_path,
            env={**clean, "PYTHONPATH": str(ROOT), **(environment or {})},
            capture_output=True,
            text=True,
            **more,
        )

    return run  # type: ignore[return-value]


@pytest.fixture
def boards(tmp_path: Path) -> Callable[..., Path]:
    """Writes board definitions (file name, text) into ``boards/``."""

    def write(**files: str) -> Path:
        directory = tmp_path / "boards"
        directory.mkdir(exist_ok=True)
        for name, text in files.items():
            (directory / f"{name}.py").write_text(text)
        return directory

    return write
