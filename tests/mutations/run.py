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

from tests.live.running import VARIABLE as RUNNING
from tests.mutations.answers import LEARN
from tests.mutations.answers import VARIABLE as ANSWERS
from tests.mutations.model import Mutation

ROOT = Path(__file__).parents[2]
_COPIED = ("builder", "dashboards", "tests", "pyproject.toml")

_KNOWN_ANSWERS = " or ".join(
    (
        *("test_known_answers", "test_the_chosen_card_is_shown_from_end_to_end"),
        *("test_no_panel_of_now_shows_a_dead_value", "test_a_change_of_pods_counts_no_card_twice"),
        "test_variables_offer_what_is_there",
    )
)

_NOT_DCGM = " and ".join(f"not {exporter}" for exporter in ("dcgm-4.9", "nvidia-smi", "nv-gpu", "nvidia-gpu"))

Steps = Mapping[str, Sequence[str]]

STEPS: Steps = {
    "idioms": ("tests/queries/test_idioms.py",),
    "simulated fleets": ("tests/live/cases/test_boards.py",),
    "recorded fleets": ("tests/live/test_extremes.py", "tests/live/test_boards.py", "-k", _KNOWN_ANSWERS),
    "scenarios of alerts": ("tests/rules/test_scenarios.py", "-k", f"test_promtool_agrees and {_NOT_DCGM}"),
    "recorded series": ("tests/rules/recording/test_mixed.py", "tests/live/test_recorded.py"),
}
"""What is run, until something fails."""

_OF_RULES = {
    **dict.fromkeys(("events", "fixed", "growth", "stalls"), ("idioms", "scenarios of alerts")),
    **dict.fromkeys(("recorded", "records", "feeds"), ("idioms", "recorded series")),
}
"""The steps for modules that no board asks without recorded series."""


def steps_of(mutation: Mutation) -> Steps:
    """Those of the steps that ask the mutation's module."""
    module = mutation.place.partition(".")[0]
    names = _OF_RULES.get(module, ("idioms", "simulated fleets", "recorded fleets"))
    return {name: STEPS[name] for name in names}


_FAILED, _PASSED = 1, 0  # pytest's exit codes; others are no verdict


@dataclass(frozen=True)
class Outcome:
    """Which step caught a mutation (empty: it survived), by which test, and how many seconds that took."""

    mutation: Mutation
    caught_by: str
    test: str
    seconds: float


@dataclass(frozen=True)
class Bench:
    """A copy of the project to make mutations in, and the servers (see tests.live.running) that its tests ask."""

    copy: Path
    servers: Mapping[str, str]
    answers: Path

    @staticmethod
    def set_up(directory: Path, servers: Mapping[str, str], answers: Path) -> Bench:
        """Copy the project without what tools left; ``answers`` is the file of tests.mutations.answers."""
        directory.mkdir(parents=True)
        for name in _COPIED:
            source, target = ROOT / name, directory / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, target)
        return Bench(directory, servers, answers)

    def try_out(self, mutation: Mutation, steps: Steps) -> Outcome:
        """Make the mutation, run the steps, and put the copy right again."""
        file = mutation.path(self.copy)
        original = file.read_text(encoding="utf-8")
        started = time.monotonic()
        try:
            _write(file, mutation.mutated(self.copy))
            for step, tests in steps.items():
                failed = self.first_failure(tests)
                if failed:
                    return Outcome(mutation, step, failed, time.monotonic() - started)
            return Outcome(mutation, "", "", time.monotonic() - started)
        finally:
            _write(file, original)

    def first_failure(self, tests: Sequence[str], *, learn: bool = False) -> str:
        """The first test that fails, by name; empty where all pass. Raises RuntimeError where there is no verdict."""
        told = {"PYTHONPATH": str(self.copy), RUNNING: json.dumps(dict(self.servers)), ANSWERS: str(self.answers)}
        if learn:
            told[LEARN] = "yes"
        options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "tests.mutations.answers", "--tb=no"]
        command = [sys.executable, "-m", "pytest", *options, f"--basetemp={self.copy / '.pytest'}", *tests]
        done = subprocess.run(
            command, cwd=self.copy, env={**os.environ, **told}, capture_output=True, text=True, check=False
        )
        if done.returncode == _PASSED:
            return ""
        failed = [line.partition(" ")[2] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        if done.returncode != _FAILED or not failed:
            raise RuntimeError(f"pytest ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return failed[0].partition(" - ")[0]


def _write(file: Path, text: str) -> None:
    """Compiled files are told apart by whole seconds, which two mutations may share: each gets one of its own."""
    before = file.stat().st_mtime
    file.write_text(text, encoding="utf-8")
    os.utime(file, (before + 2, before + 2))
