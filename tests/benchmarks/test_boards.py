"""The bill of a board is the server's own count."""

from __future__ import annotations

import pytest

from benchmarks.boards import Bill, fleets, measured, others, ours, table
from builder.lint import Subject


@pytest.mark.live
def test_a_board_costs_what_the_server_reads() -> None:
    """Four cards, eleven scrapes a minute apart: an instant query reads four samples, a range query one a step."""
    panels = [
        {"id": 1, "title": "now", "targets": [{"expr": "DCGM_FI_DEV_GPU_TEMP", "instant": True}]},
        {"id": 2, "title": "range", "targets": [{"expr": "nvidia_smi_temperature_gpu"}]},
        {"id": 3, "title": "nothing", "targets": [{"expr": "nothing"}]},
        {"id": 4, "title": "text", "type": "text"},
    ]
    bills = measured([Subject("small.json", {"panels": panels}, source="{}")], 4, minutes=10, interval=60)
    found = bills["small"]
    assert (found.shown, found.panels, found.series) == (2, 3, 8)
    steps = 10 * 60 // 60 + 1
    assert found.samples == 4 + 4 * steps and found.size > 500
    assert table({"small": found}).splitlines()[1].split()[:5] == ["small", "2", "of", "3", "8"]


def test_fleets_are_as_large_as_they_are_called() -> None:
    for cards in (1, 7, 10, 100, 1000):
        assert [fleet.nodes * fleet.cards for fleet in fleets(cards)] == [cards, cards]


def test_who_is_beside_whom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(ours())) == 7
    monkeypatch.delenv("GPUBOARDS_REFERENCE", raising=False)
    assert others(None) == [] and "GPUBOARDS_REFERENCE" in capsys.readouterr().err


def test_a_server_that_does_not_count_leaves_a_dash() -> None:
    assert " - " in table({"b": Bill(1, 1, 1, None, 10, 0.1)})
