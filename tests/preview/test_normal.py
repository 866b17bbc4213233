"""Anybody's dashboard has panels that can be told apart, or is refused with a reason."""

from __future__ import annotations

import pytest

from builder.errors import UsageError
from builder.preview.normal import normal


def test_panels_that_cannot_be_told_apart_get_ids() -> None:
    row = {"type": "row", "id": 3, "panels": [{"type": "stat"}, {"type": "stat", "id": 1}]}
    found = normal({"panels": [{"id": 1}, {"id": 1}, {"id": "x"}, None, row], "templating": None})
    assert [panel["id"] for panel in found["panels"]] == [1, 2, 3, 4]
    assert [panel["id"] for panel in found["panels"][3]["panels"]] == [5, 6]
    assert found["templating"] == {"list": []}


def test_an_ordinary_dashboard_is_as_it_was() -> None:
    board = {"panels": [{"id": 7, "type": "stat"}], "templating": {"list": [{"name": "node"}]}, "title": "T"}
    assert normal(board) == board


def test_what_no_file_can_hold_is_replaced() -> None:
    found = normal(
        {"title": "a\ud800b\n", "panels": [{"id": 1, "title": "\x00\x1b", "x": {"\udfff": ["\ud83d\udd25"]}}]}
    )
    assert found["title"] == "a\ufffdb\n"
    assert found["panels"] == [{"id": 1, "title": "\ufffd\ufffd", "x": {"\ufffd": ["\ufffd\ufffd"]}}]


@pytest.mark.parametrize(("board", "words"), [({}, "no panels"), ({"rows": []}, "before Grafana 5")])
def test_a_dashboard_without_panels_is_refused(board: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        normal({"title": "Old", **board})
    assert words in str(caught.value)
