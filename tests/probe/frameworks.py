"""Runs a training script on a real framework, or says why not."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.probe.conftest import ROOT

SCRIPTS = Path(__file__).with_name("scripts")
# Of TensorFlow's CPU allocators, oneDNN's alone keeps statistics; without this it depends on the processor.
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "1", "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}


def require(module: str, *, in_ci: bool = True) -> None:
    """Skip where the framework is not installed; fail where it must be, in CI."""
    if importlib.util.find_spec(module) is not None:
        return
    reason = (
        f"{module} is not installed; pip install -e .[frameworks] brings TensorFlow and JAX, pip install torch PyTorch"
    )
    if in_ci and os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def environment() -> dict[str, str]:
    """For a script: this project on its path, frameworks quiet and on the CPU."""
    return {**os.environ, **QUIET, "PYTHONPATH": str(ROOT)}


def run(script: str, *arguments: str, **variables: str) -> dict[str, Any]:
    """What the script prints as JSON on its last line."""
    done = subprocess.run(
        [sys.executable, str(SCRIPTS / script), *arguments],
        env={**environment(), **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer
