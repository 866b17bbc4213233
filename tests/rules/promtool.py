"""Rules evaluated by promtool on one moment's series, held for a while: an error of any rule is an error here."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from builder.rules.encode import rule_file
from builder.rules.model import Group

Answers = Mapping[str, Sequence[tuple[str, float]]]
"""What an expression must give: the labels as text, and the value."""


def evaluate(groups: Iterable[Group], scraped: str, expected: Answers, directory: Path, *, minutes: int = 10) -> str:
    """What promtool has against the rules on these series (OpenMetrics, one sample each); empty where all is well."""
    series = [_held(line, 2 * minutes) for line in scraped.splitlines() if line[:1] != "#"]
    return evaluate_series(groups, series, expected, directory, at=f"{minutes}m")


def evaluate_series(
    groups: Iterable[Group],
    series: Sequence[Mapping[str, str]],
    expected: Answers,
    directory: Path,
    *,
    at: str,
    interval: str = "30s",
) -> str:
    """The same for series with values of promtool's own notation, one every ``interval``."""
    directory.joinpath("rules.yml").write_text(rule_file(list(groups)), encoding="utf-8")
    test = {
        "rule_files": ["rules.yml"],
        "evaluation_interval": interval,
        "tests": [
            {
                "interval": interval,
                "input_series": list(series),
                "promql_expr_test": [
                    {
                        "expr": expr,
                        "eval_time": at,
                        "exp_samples": [{"labels": labels, "value": value} for labels, value in samples],
                    }
                    for expr, samples in expected.items()
                ],
            }
        ],
    }
    directory.joinpath("test.yml").write_text(json.dumps(test), encoding="utf-8")  # JSON is YAML
    binary = shutil.which("promtool")
    assert binary, "promtool is not installed: apt-get install prometheus"
    command = [binary, "test", "rules", "test.yml"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=120)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"


def _held(line: str, steps: int) -> dict[str, str]:
    series, value, *_ = line.rsplit(" ", 2)
    return {"series": series, "values": f"{float(value):.9f}x{steps}"}
