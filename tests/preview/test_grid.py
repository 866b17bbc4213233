"""Panels stand where Grafana puts them, and never on one another."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.preview.grid import COLUMNS, Place, lay_out


def panel(x: int, y: int, w: int, h: int, **more: Any) -> dict[str, Any]:
    return {"type": "stat", "gridPos": {"x": x, "y": y, "w": w, "h": h}, **more}


def row(y: int, **more: Any) -> dict[str, Any]:
    return {"type": "row", "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}, **more}


def places(*panels: dict[str, Any], **chosen: list[str]) -> list[Place]:
    return [one.place for one in lay_out({"panels": panels}, chosen)]


def test_panels_stand_where_they_are_put() -> None:
    assert places(row(0), panel(0, 1, 8, 4), panel(8, 1, 16, 4)) == [
        Place(0, 0, 24, 1),
        Place(0, 1, 8, 4),
        Place(8, 1, 16, 4),
    ]


def test_there_is_no_gap_above_a_panel() -> None:
    assert places(panel(0, 3, 12, 4), panel(12, 3, 12, 8), panel(0, 30, 12, 2)) == [
        Place(0, 0, 12, 4),
        Place(12, 0, 12, 8),
        Place(0, 4, 12, 2),
    ]


def test_a_panel_that_repeats_stands_four_in_a_line() -> None:
    found = places(panel(0, 0, 6, 4, repeat="gpu"), panel(0, 4, 24, 2), gpu=["0", "1", "2", "3", "4"])
    assert found[:5] == [*(Place(6 * n, 0, 6, 4) for n in range(4)), Place(0, 4, 6, 4)]
    assert found[5] == Place(0, 8, 24, 2)


def test_as_many_stand_in_a_line_as_the_panel_says_and_fewer_are_wider() -> None:
    assert [p.w for p in places(panel(0, 0, 6, 4, repeat="gpu", maxPerRow=2), gpu=["0", "1", "2"])] == [12, 12, 12]
    assert [p.w for p in places(panel(0, 0, 6, 4, repeat="gpu"), gpu=["0", "1"])] == [12, 12]


def test_a_panel_that_repeats_downwards_keeps_its_width() -> None:
    found = places(panel(4, 0, 6, 4, repeat="gpu", repeatDirection="v"), gpu=["0", "1"])
    assert found == [Place(4, 0, 6, 4), Place(4, 4, 6, 4)]


def test_a_row_repeats_with_its_panels_and_their_values() -> None:
    found = lay_out(
        {"panels": [row(0, repeat="gpu"), panel(0, 1, 24, 3), row(4), panel(0, 5, 24, 2)]}, {"gpu": ["0", "1"]}
    )
    assert [(one.place.y, one.is_row, dict(one.scope)) for one in found] == [
        (0, True, {"gpu": "0"}),
        (1, False, {"gpu": "0"}),
        (4, True, {"gpu": "1"}),
        (5, False, {"gpu": "1"}),
        (8, True, {}),
        (9, False, {}),
    ]


def test_a_collapsed_row_is_opened() -> None:
    closed = row(0, collapsed=True, panels=[panel(0, 1, 12, 4)])
    assert places(closed, row(1), panel(0, 2, 24, 3))[1:] == [
        Place(0, 1, 12, 4),
        Place(0, 5, 24, 1),
        Place(0, 6, 24, 3),
    ]


def test_a_variable_without_a_value_gives_one_copy() -> None:
    assert len(places(panel(0, 0, 6, 4, repeat="gpu"), gpu=[])) == 1


def test_a_panel_that_says_nonsense_stays_inside_the_grid() -> None:
    for place in places(panel(30, 0, 6, 4), panel(-3, 0, 90, 0), {"type": "stat"}):
        assert place.x >= 0 and place.x + place.w <= COLUMNS and place.h >= 1


_PANELS = st.lists(
    st.builds(
        panel,
        st.integers(0, 23),
        st.integers(0, 40),
        st.integers(1, 24),
        st.integers(1, 12),
        repeat=st.sampled_from([None, None, "gpu"]),
        repeatDirection=st.sampled_from(["h", "v"]),
    )
    | st.builds(row, st.integers(0, 40)),
    max_size=20,
)


@given(_PANELS, st.lists(st.text(max_size=3), max_size=6, unique=True))
def test_no_two_panels_overlap_whatever_a_file_says(panels: list[dict[str, Any]], values: list[str]) -> None:
    found = places(*panels, gpu=values)
    for one, other in combinations(found, 2):
        apart = (
            one.x + one.w <= other.x
            or other.x + other.w <= one.x
            or one.y + one.h <= other.y
            or other.y + other.h <= one.y
        )
        assert apart, (one, other)
    assert all(place.x + place.w <= COLUMNS for place in found)
