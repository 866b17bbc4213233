"""Ranges are what Grafana's time picker would show."""

from __future__ import annotations

import pytest

from builder.opening.timerange import DEFAULT, range_of


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        ("now-6h", "now", (21_600, 0)),
        ("now-15m", "now", (900, 0)),
        ("now-1M", "now", (30 * 86_400, 0)),
        ("now-2d/d", "now/d", (172_800, 0)),
        ("now-7d", "now-1d", (604_800, 86_400)),
        ("now-1d", "now-7d", (DEFAULT, 0)),
        ("now", "now", (DEFAULT, 0)),
        ("2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z", (DEFAULT, 0)),
        ("now-", "now", (DEFAULT, 0)),
        ("now-..h", "now", (DEFAULT, 0)),
        (7, None, (DEFAULT, 0)),
    ],
)
def test_ranges(begin: object, end: object, expected: tuple[float, float]) -> None:
    assert range_of({"time": {"from": begin, "to": end}}) == expected


@pytest.mark.parametrize("board", [{}, {"time": None}, {"time": "now"}])
def test_a_board_without_a_range_has_grafanas_default(board: dict[str, object]) -> None:
    assert range_of(board) == (DEFAULT, 0)
