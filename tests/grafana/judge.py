"""The independent judge of dashboard JSON: validate_dashboards, read in place where it is at hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REFERENCE = os.environ.get("GPUBOARDS_REFERENCE", "")


def findings(dashboard: dict[str, Any], folder: Path) -> list[str]:
    """What validate_dashboards objects to; skips the test, and says why, where it is not at hand."""
    if not REFERENCE:
        pytest.skip("GPUBOARDS_REFERENCE is not set: the JSON is not judged by validate_dashboards")
    path = folder / "board.json"
    path.write_text(json.dumps(dashboard))
    tool = Path(REFERENCE, "tools", "validate_dashboards")
    run = subprocess.run(
        [sys.executable, tool, "--json", path], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode in (0, 1), run.stderr
    report = json.loads(run.stdout)
    return [f"{f['where']}: {f['path']}: {f['message']}" for f in report["findings"]]
