"""What is usual for a card: its last hour, and the same hour of the days that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.config import Config
from builder.rule_files import rule_groups
from tests.rules.promtool import Answers, evaluate_series

pytestmark = pytest.mark.live

_CARD = '{gpu="0",node="n",uuid="GPU-1"}'
_LAST_HOUR, _EARLIER = "gpu:utilization_ratio:avg1h", "gpu:utilization_ratio:avg7d_avg1h"


def _said(values: str, expected: Answers, at: str, directory: Path) -> str:
    groups = rule_groups(Config())["baselines"]
    # Every two minutes, as the rules are evaluated.
    series = [{"series": f"gpu:utilization_ratio{_CARD}", "values": values}]
    return evaluate_series(groups, series, expected, directory, at=at, interval="2m")


def test_the_same_hour_of_the_days_that_are_known(tmp_path: Path) -> None:
    # 0.1 for 20 hours, 0.3 for another 20, then 0.8: at 49 h the hours before 25 h and 1 h count.
    values = "0.1x599 0.3x599 0.8x300"
    expected = {_LAST_HOUR: [(f"{_LAST_HOUR}{_CARD}", 0.8)], _EARLIER: [(f"{_EARLIER}{_CARD}", 0.2)]}
    assert _said(values, expected, "49h", tmp_path) == ""


def test_on_the_first_day_there_is_none(tmp_path: Path) -> None:
    assert _said("0.5x700", {_LAST_HOUR: [(f"{_LAST_HOUR}{_CARD}", 0.5)], _EARLIER: []}, "20h", tmp_path) == ""
