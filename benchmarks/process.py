"""A whole process measured from outside: wall time, processor time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LAUNCHER = Path(__file__).with_name("launcher.py")


@dataclass(frozen=True)
class Cost:
    """Wall time and processor time in seconds, peak resident memory in bytes."""

    seconds: float
    processor: float
    memory: float


class Failed(Exception):
    """A measured process ended with an error, so that its cost means nothing."""


def measure(command: Sequence[str | Path], cwd: Path, environment: Mapping[str, str]) -> Cost:
    """Run the command, named by its path, to its end. Raises Failed, with what it said, where it fails."""
    with tempfile.NamedTemporaryFile("r") as result:
        launched = [sys.executable, "-I", "-S", _LAUNCHER, result.name, *command]
        done = subprocess.run(
            launched, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode:
            words = done.stdout.decode(errors="replace").strip()
            raise Failed(f"{' '.join(map(str, command[:3]))} ...: exit {done.returncode}\n{words}")
        seconds, processor, kibibytes = map(float, result.read().split())
    return Cost(seconds, processor, kibibytes * 1024)


def quiet_environment(bytecode: Path) -> dict[str, str]:
    """The environment without what changes a result: no option of gpuboards or Python.

    Bytecode is cached in a place of its own, so that installed modules are compiled once, before anything is
    measured, wherever they are installed.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GPUBOARDS_", "PYTHON"))}
    return kept | {"PYTHONPYCACHEPREFIX": str(bytecode)}
