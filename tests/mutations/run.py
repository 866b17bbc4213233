"""Makes one mutation in a copy of the project, and runs the tests that could catch it, the quickest first."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.live.running import VARIABLE
from tests.mutations.model import Mutation

ROOT = Path(__file__).parents[2]
_COPIED = ("builder", "dashboards", "tests", "pyproject.toml")

STEPS: Mapping[str, Sequence[str]] = {
    "idioms": ("tests/queries/test_idioms.py",),
    "simulated fleets": ("tests/live/cases/test_boards.py",),
    "recorded fleets": (
        "tests/live/test_boards.py",
        "-k",
        "test_known_answers or test_no_panel_of_now_shows_a_dead_value or test_a_change_of_pods_counts_no_card_twice",
    ),
}
"""What is run, until something fails."""

_FAILED, _PASSED = 1, 0  # pytest's exit codes; others are no verdict


@dataclass(frozen=True)
class Outcome:
    """Which step caught a mutation (empty: it survived), by which test, and how many seconds that took."""

    mutation: Mutation
    caught_by: str
    test: str
    seconds: float


def copy_of_the_project(directory: Path) -> Path:
    """A copy to make mutations in, without what tools left."""
    directory.mkdir(parents=True)
    for name in _COPIED:
        source, target = ROOT / name, directory / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    return directory


def try_out(mutation: Mutation, copy: Path, servers: Mapping[str, str], steps: Mapping[str, Sequence[str]]) -> Outcome:
    """Make the mutation in the copy, run the steps, and put the copy right again."""
    file = mutation.path(copy)
    original = file.read_text(encoding="utf-8")
    started = time.monotonic()
    try:
        _write(file, mutation.mutated(copy))
        for step, tests in steps.items():
            failed = _failing_test(copy, servers, tests)
            if failed:
                return Outcome(mutation, step, failed, time.monotonic() - started)
        return Outcome(mutation, "", "", time.monotonic() - started)
    finally:
        _write(file, original)


def _write(file: Path, text: str) -> None:
    """Compiled files are told apart by whole seconds, which two mutations may share: each gets one of its own."""
    before = file.stat().st_mtime
    file.write_text(text, encoding="utf-8")
    os.utime(file, (before + 2, before + 2))


def _failing_test(copy: Path, servers: Mapping[str, str], tests: Sequence[str]) -> str:
    """The first test that fails, by name; empty where all pass. Raises RuntimeError where pytest gives no verdict."""
    environment = {**os.environ, "PYTHONPATH": str(copy), VARIABLE: json.dumps(servers)}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=no", *tests]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == _PASSED:
        return ""
    failed = [line.partition(" ")[2] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if done.returncode != _FAILED or not failed:
        raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return failed[0].partition(" - ")[0]
