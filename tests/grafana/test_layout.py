"""Places on the grid, and ids."""

from __future__ import annotations

import time
from typing import Any

import attr
import pytest
from grafanalib import core as G  # noqa: N812
from hypothesis import given, settings
from hypothesis import strategies as st

from builder import Stat, Text, TimeSeries
from builder.errors import DefinitionError, LayoutError
from builder.grafana.ids import LIMIT, assign_ids
from builder.grafana.layout import Row, check_places, pack, walk

Box = tuple[int, int, int, int]


def box(panel: Any) -> Box:
    place = panel.gridPos
    return place["x"], place["y"], place["w"], place["h"]


def overlap(one: Box, other: Box) -> bool:
    (ax, ay, aw, ah), (bx, by, bw, bh) = one, other
    return ax < bx + bw and bx < ax + aw and ay < by + bh and by < ay + ah


sizes = st.tuples(st.integers(1, 24), st.integers(1, 12), st.sampled_from(["", "", "", "h", "v"]))
panels = st.lists(sizes, max_size=12).map(
    lambda many: [
        Stat(f"p{i}", width=w, height=h, repeat="node" if way else "", repeat_direction=way or "h")
        for i, (w, h, way) in enumerate(many)
    ]
)
rows = st.builds(Row, st.text(max_size=5), panels, st.booleans())


@given(st.lists(st.one_of(panels, rows.map(lambda row: [row])), max_size=5))
@settings(max_examples=200, deadline=None)
def test_nothing_overlaps_and_nothing_leaves_the_grid(parts: list[list[Any]]) -> None:
    items = [item for part in parts for item in part]
    packed = pack(items)
    groups = [packed, *(panel.panels for panel in packed if getattr(panel, "panels", None))]
    for group in groups:
        boxes = [box(panel) for panel in group]
        for x, y, w, h in boxes:
            assert x >= 0 and x + w <= 24 and y >= 0 and h >= 1
        assert not [(one, other) for i, one in enumerate(boxes) for other in boxes[i + 1 :] if overlap(one, other)]
    wanted = sum(1 + len(item.panels) if isinstance(item, Row) else 1 for item in items)
    assert len(list(walk(packed))) == wanted


@given(st.lists(st.tuples(st.integers(1, 24), st.integers(1, 12)), min_size=1, max_size=12))
@settings(deadline=None)
def test_grafana_would_not_let_any_panel_float_up(sizes: list[tuple[int, int]]) -> None:
    boxes = [box(panel) for panel in pack([Stat("p", width=w, height=h) for w, h in sizes])]
    for x, y, w, h in boxes:
        above = (x, y - 1, w, h)
        rest = [other for other in boxes if other != (x, y, w, h)]
        assert y == 0 or any(overlap(above, other) for other in rest)


@given(st.lists(st.one_of(panels, rows.map(lambda row: [row])), max_size=4))
@settings(max_examples=100, deadline=None)
def test_ids_are_unique_and_small(parts: list[list[Any]]) -> None:
    ids = [panel.id for _, panel in walk(assign_ids(pack([item for part in parts for item in part])))]
    assert len(ids) == len(set(ids))
    assert all(1 <= one < LIMIT for one in ids)


def test_small_panels_stack_beside_a_tall_one() -> None:
    packed = pack([TimeSeries("tall", width=12, height=8), Stat("a", width=12), Stat("b", width=12), Text("t")])
    assert [box(panel) for panel in packed] == [(0, 0, 12, 8), (12, 0, 12, 4), (12, 4, 12, 4), (0, 8, 24, 3)]


def test_rows() -> None:
    packed = pack([Stat("a"), Row("open", [Stat("b")]), Row("shut", [Stat("c")], collapsed=True), Row("last")])
    assert [(panel.title, panel.gridPos["y"]) for panel in packed] == [
        ("a", 0),
        ("open", 4),
        ("b", 5),
        ("shut", 9),
        ("last", 10),
    ]
    shut = packed[3].to_json_data()
    assert shut["collapsed"] is True
    assert shut["panels"][0]["gridPos"] == {"h": 4, "w": 4, "x": 0, "y": 10}
    assert set(shut) == {"type", "title", "collapsed", "panels", "gridPos"}


def test_a_place_by_hand_counts_from_the_row() -> None:
    packed = pack([Row("r", [Stat("a", x=20, y=2), Stat("b")])])
    assert [box(panel) for panel in packed[1:]] == [(20, 3, 4, 4), (0, 1, 4, 4)]


def test_a_repeated_panel_has_the_line_to_itself() -> None:
    packed = pack([Stat("a"), Stat("b", repeat="gpu_id", width=8), Stat("c")])
    assert [box(panel) for panel in packed] == [(0, 0, 4, 4), (0, 4, 24, 4), (0, 8, 4, 4)]
    assert packed[1].to_json_data()["maxPerRow"] == 3


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([Stat("a", width=25)], "more than the 24 columns"),
        ([Stat("a", width=25, repeat="x")], "more than the 24 columns"),
        ([Stat("a", height=0)], "nothing to see"),
        ([Stat("a", width=8, x=20, y=0)], "leave the grid"),
        ([Stat("a", x=0, y=0), Stat("b", x=2, y=3)], "covers"),
        ([Stat("a"), Stat("b", x=0, y=0)], "covers"),
    ],
)
def test_what_does_not_fit(items: list[Any], message: str) -> None:
    with pytest.raises(LayoutError, match=message) as caught:
        pack(items)
    assert "Stat" in caught.value.where


def test_stock_panels_and_rows_are_placed_too() -> None:
    packed = pack([G.Stat(title="a"), G.Stat(title="b", gridPos=G.GridPos(h=3, w=6, x=12, y=0)), G.RowPanel(title="r")])
    assert [box(panel) for panel in packed] == [(0, 0, 12, 8), (12, 0, 6, 3), (0, 8, 24, 1)]


def test_the_author_s_panels_are_left_alone() -> None:
    panel = Stat("a", repeat="x")
    before = attr.asdict(panel)
    assign_ids(pack([panel]))
    assert attr.asdict(panel) == before


def ids_by_title(items: list[Any]) -> dict[str, int]:
    return {panel.title: panel.id for _, panel in walk(assign_ids(pack(items)))}


def test_ids_do_not_depend_on_the_place() -> None:
    before = ids_by_title([Stat("a"), Row("r", [Stat("b"), Stat("c")])])
    after = ids_by_title([Text("new"), Stat("a"), Row("r", [Stat("d"), Stat("c"), Stat("b", width=9)], collapsed=True)])
    assert {title: after[title] for title in before} == before


def test_ids_depend_on_row_title_and_kind() -> None:
    ids = [
        panel.id
        for _, panel in walk(
            assign_ids(pack([Stat("a"), Text("a"), Stat("a"), Row("r", [Stat("a")]), Row("s", [Stat("a")])]))
        )
    ]
    assert len(set(ids)) == 7


def test_ids_of_the_author_stay_and_are_not_given_again() -> None:
    free = ids_by_title([Stat("a")])["a"]
    assert ids_by_title([Stat("b", id=free), Stat("a")])["b"] == free
    assert ids_by_title([Stat("b", id=free), Stat("a")])["a"] != free
    with pytest.raises(DefinitionError, match="also the id"):
        assign_ids(pack([Stat("a", id=7), Row("r", [Stat("b", id=7)], collapsed=True)]))


def test_ids_are_these() -> None:
    # Public: a change here breaks every link to a panel.
    assert ids_by_title([Stat("Utilisation"), Row("Memory", [TimeSeries("Used")])]) == IDS


IDS = {"Utilisation": 358960, "Memory": 267499, "Used": 287135}


# many panels, placed by hand -------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 12), st.integers(1, 4), st.integers(1, 4)), max_size=12))
def test_panels_placed_by_hand_are_refused_exactly_where_two_overlap(boxes: list[Box]) -> None:
    panels = [Text(str(n), x=x, y=y, width=w, height=h) for n, (x, y, w, h) in enumerate(boxes)]
    clash = any(overlap(one, other) for n, one in enumerate(boxes) for other in boxes[:n])
    if clash:
        with pytest.raises(LayoutError, match="it covers 'Text"):
            pack(panels)
    else:
        assert [box(panel) for panel in pack(panels)] == boxes
    stock = [G.Text(title=str(n), gridPos=G.GridPos(h=h, w=w, x=x, y=y)) for n, (x, y, w, h) in enumerate(boxes)]
    if clash:
        with pytest.raises(LayoutError, match="it covers 'Text"):
            check_places(stock)
    else:
        check_places(stock)


@pytest.mark.parametrize("by_hand", [False, True])
def test_twenty_thousand_panels_are_no_matter(by_hand: bool) -> None:
    """A comparison with every panel before would take a minute; the limit leaves room for a busy machine."""
    few = [Text(str(n), width=4, height=2) for n in range(6)]
    places = [(4 * (n % 6), 2 * (n // 6)) for n in reversed(range(20_000))]
    panels = [few[n % 6].with_(**({"x": x, "y": y} if by_hand else {})) for n, (x, y) in enumerate(places)]
    start = time.process_time()
    assert len(pack(panels)) == 20_000
    assert time.process_time() - start < 10


def test_what_a_row_folds_away_has_the_rows_place() -> None:
    inside = [G.Text(title="a", gridPos=G.GridPos(h=4, w=24, x=0, y=1))]
    row = G.RowPanel(title="R", collapsed=True, panels=inside, gridPos=G.GridPos(h=1, w=24, x=0, y=0))
    below = G.Text(title="b", gridPos=G.GridPos(h=4, w=24, x=0, y=1))
    check_places([row, below])
    with pytest.raises(LayoutError, match="it covers"):
        check_places([row, below, *inside])
    with pytest.raises(LayoutError, match="it covers"):
        check_places([G.RowPanel(title="R", panels=inside * 2, gridPos=G.GridPos(h=1, w=24, x=0, y=0))])
