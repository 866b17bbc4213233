"""The benchmarks measure what they say. Whether the limits are kept is for ``scripts/bench``, on an idle machine."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import Finding, build_findings, help_findings, help_rounds, table
from benchmarks.build import TOOLS, build_rounds
from benchmarks.process import Failed, measure, quiet_environment

PYTHON = sys.executable


def test_all_tools_build_the_same_panels(tmp_path: Path) -> None:
    environment = quiet_environment(tmp_path / "bytecode")
    builds = build_rounds(tmp_path, environment, boards=3, panels=6, rounds=1)
    assert {tool: len(results) for tool, results in builds.items()} == dict.fromkeys(TOOLS, 1)
    sizes = {tool: results[0].written for tool, results in builds.items()}
    assert sizes["same panels"] < 0.6 * sizes["generate-dashboards"]  # six panels weigh less than the frame does
    findings = {finding.what: finding for finding in build_findings(builds)}
    assert findings["build, same panels: bytes"].limit == findings["build, same panels: wall time"].limit == 0.5
    assert findings["build, own panels: peak memory"].limit == 1.5
    assert {file.stat().st_size for file in tmp_path.rglob("*.json")} == {0}


def test_help(tmp_path: Path) -> None:
    helps = help_rounds(tmp_path, quiet_environment(tmp_path / "bytecode"), 1)
    assert {finding.limit for finding in help_findings(helps)} == {1.5, math.inf}


def test_peak_memory_is_the_childs_own(tmp_path: Path) -> None:
    """Not that of the process which measures: pytest has more than any of these."""
    environment = quiet_environment(tmp_path)
    nothing = measure([PYTHON, "-c", "pass"], tmp_path, environment).memory
    much = measure([PYTHON, "-c", "b'x' * 50_000_000"], tmp_path, environment).memory
    assert nothing < 20e6
    assert 45e6 < much - nothing < 55e6


def test_time_is_that_of_the_whole_process(tmp_path: Path) -> None:
    cost = measure([PYTHON, "-c", "import time; time.sleep(0.2)"], tmp_path, quiet_environment(tmp_path))
    assert cost.seconds > 0.2 > cost.processor > 0


def test_a_failure_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="exit 3\nno reason"):
        measure([PYTHON, "-c", "print('no reason'); raise SystemExit(3)"], tmp_path, os.environ)


def test_a_limit_is_kept_or_missed() -> None:
    kept, missed, free = (
        Finding("a", 2.0, 1.0, "s", 0.5),
        Finding("b", 2.0, 1.1, "s", 0.5),
        Finding("c", 1.0, 9.0, "s"),
    )
    assert [finding.kept for finding in (kept, missed, free)] == [True, False, True]
    lines = table([kept, missed, free]).splitlines()[1:]
    assert [line.split()[-1] for line in lines] == ["kept", "MISSED", "9.00"]
