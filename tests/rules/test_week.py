"""The week without alerts, in small: it looks, and it finds what is planted."""

from __future__ import annotations

import pytest

from tests.rules.week import main

pytestmark = pytest.mark.live
SMALL = ["--nodes", "1", "--hours", "2.5", "--interval", "60", "--slice-hours", "1"]


def test_a_healthy_node_fires_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SMALL) == 0
    assert capsys.readouterr().out == "8 cards, 2.5 h, 34 rules: 0 fired\n"


def test_what_lasts_from_one_slice_into_the_next_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """The slices end 70 and 130 minutes after the start; too hot for a quarter of an hour around the first of these."""
    assert main([*SMALL, "--fault", "hot:node-0/gpu-1@65m+14m"]) == 1
    assert "GpuTemperatureHigh node-0/1 1.2" in capsys.readouterr().out
