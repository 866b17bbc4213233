"""Prometheus itself (promtool) evaluates our expressions on series that are hard to get right."""

from __future__ import annotations

import json
import subprocess
from math import floor
from pathlib import Path

import pytest

from builder.promql.substitute import Window, substitute
from tests.queries import (
    alert_idioms,
    edge_idioms,
    gap_idioms,
    promtool,
    recorded_idioms,
    stall_idioms,
    training_idioms,
)
from tests.queries.asking import source
from tests.queries.idioms import IDIOMS as DEVICE_IDIOMS
from tests.queries.idioms import Idiom

IDIOMS = {
    **DEVICE_IDIOMS,
    **gap_idioms.IDIOMS,
    **training_idioms.IDIOMS,
    **edge_idioms.IDIOMS,
    **alert_idioms.IDIOMS,
    **stall_idioms.IDIOMS,
    **recorded_idioms.IDIOMS,
}

_STEP = 2.0**-30
"""Answers are rounded to it, exactly: Prometheus adds up in no fixed order, so the last bit of a mean varies."""


def _rounded(value: float) -> float:
    return floor(value / _STEP + 0.5) * _STEP


def _evaluated(idiom: Idiom, folder: Path) -> subprocess.CompletedProcess[str]:
    asked = source(idiom.profile, idiom.training, idiom.filters, idiom.site)
    window = Window(interval=idiom.interval, rate_interval=120, range=600)
    tests = [
        {
            "expr": f"round({substitute(question.ask(asked).text, {}, window=window)}, {_STEP!r})",
            "eval_time": idiom.at,
            "exp_samples": [{"labels": f"{{{labels}}}", "value": _rounded(value)} for labels, value in answer.items()],
        }
        for question, answer in idiom.answers.items()
    ]
    series = [{"series": name, "values": values} for name, values in idiom.series.items()]
    group = {"interval": "30s", "input_series": series, "promql_expr_test": tests}
    text = json.dumps({"rule_files": [], "evaluation_interval": "30s", "tests": [group]})
    return promtool.run_tests(text, folder)


@pytest.mark.parametrize("idiom", IDIOMS.values(), ids=IDIOMS)
def test_the_answer_is_right(idiom: Idiom, tmp_path: Path) -> None:
    run = _evaluated(idiom, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_wrong_answer_would_be_seen(tmp_path: Path) -> None:
    right = next(iter(IDIOMS.values()))
    question, answer = next(iter(right.answers.items()))
    wrong = Idiom(right.series, {question: {labels: value + 1 for labels, value in answer.items()}}, at=right.at)
    run = _evaluated(wrong, tmp_path)
    assert run.returncode == 1
    assert "FAILED" in run.stdout + run.stderr
