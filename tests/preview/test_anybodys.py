"""Dashboards of anybody, right or wrong: a page comes out, or a reason why not."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import UsageError
from builder.lint.reading import unwrapped
from builder.preview import board_of
from builder.preview.contents import Note
from builder.preview.normal import normal
from builder.preview.page import page
from builder.preview.page.document import Drawn
from builder.testing import DashboardResult, PanelResult
from tests.preview.made import BEGIN, END, every_kind_parts, series, target, wave

REFERENCE = os.environ.get("GPUBOARDS_REFERENCE", "")
_MADE, RESULT = every_kind_parts()
DASHBOARD = json.loads(json.dumps(_MADE))  # as from a file: no two panels share a part
DRAWN: Drawn = {}
"""Panels that an example leaves as they are need not be drawn again."""

Place = tuple[str | int, ...]


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield (*at, name)
        yield from places(inner, (*at, name))


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(list(places({name: DASHBOARD[name] for name in ("panels", "templating", "links", "title")}))),
    st.sampled_from([None, "x", "", -1, 0, 1e308, True, [], {}, [None], {"a": 1}, ["x"]]),
)
def test_whatever_stands_in_one_place_the_other_panels_are_drawn(place: Place, value: object) -> None:
    changed = copy.deepcopy(DASHBOARD)
    inner: Any = changed
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    try:
        dashboard = normal(changed)
    except UsageError as error:
        assert place == ("panels",) and "has no panels" in str(error)
        return
    board = board_of(dashboard, RESULT, begin=BEGIN, end=END)
    broken = [shown for _, shown in board.panels if isinstance(shown.content, Note) and shown.content.kind == "error"]
    assert len(broken) <= 2  # the one whose query failed, and the one that was changed
    assert page(board, source="", drawn=DRAWN).count("<article") >= len(DASHBOARD["panels"]) - 3


@pytest.mark.skipif(not REFERENCE, reason="GPUBOARDS_REFERENCE is not set: dashboards of others are not drawn")
def test_dashboards_of_others_are_drawn_without_a_panel_that_is_not_understood() -> None:
    files = sorted(Path(REFERENCE, "data", "dashboards").glob("*.json"))
    assert files
    for file in files:
        _, data = unwrapped(json.loads(file.read_text())) or ((), {})
        dashboard = normal(data)
        board = board_of(dashboard, _answered(dashboard), begin=BEGIN, end=END)
        assert page(board, source="").count("<article") == sum(not placed.is_row for placed, _ in board.panels)
        kinds = {shown.content.kind for _, shown in board.panels if isinstance(shown.content, Note)}
        assert kinds <= {"row", "placeholder"}, file.name


def _answered(dashboard: Mapping[str, Any]) -> DashboardResult:
    """Two series for every query."""
    results = []
    for panel in (inner for one in dashboard["panels"] for inner in (one, *one.get("panels", ()))):
        found = [
            target(series("a", wave(0, 1), gpu="0"), series("b", wave(0, 1), gpu="1"), ref_id=str(query.get("refId")))
            for query in panel.get("targets", ())
        ]
        results.append(PanelResult(panel["id"], "", str(panel.get("type")), "", {}, tuple(found)))
    return DashboardResult("", "", {}, tuple(results))
