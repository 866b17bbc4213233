"""Prometheus' own tool for testing expressions."""

from __future__ import annotations

import subprocess
from pathlib import Path


def run_tests(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a file of tests (``promtool test rules``) with this content."""
    file = folder / "idiom.yml"
    file.write_text(text, encoding="utf-8")
    return subprocess.run(["promtool", "test", "rules", file], capture_output=True, text=True, check=False, timeout=60)
