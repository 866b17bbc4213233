"""What counts as changed between two versions of a dashboard."""

from __future__ import annotations

import copy
from typing import Any

from builder.lint import Subject, lint
from builder.lint.changed import Changes
from builder.lint.reading import board_of

BOARD: dict[str, Any] = {
    "uid": "hall",
    "title": "Hall",
    "version": 7,
    "refresh": "5s",
    "panels": [
        {"id": 1, "title": "One", "type": "graph", "gridPos": {"x": 0, "y": 0, "w": 24, "h": 8}},
        {"id": 2, "title": "Two", "type": "graph", "gridPos": {"x": 0, "y": 8, "w": 24, "h": 8}},
    ],
}


def _kept(before: dict[str, Any] | None, after: dict[str, Any]) -> list[tuple[str, str]]:
    changes = Changes(board_of(Subject("a", before)) if before else None, board_of(Subject("a", after)))
    return [(f.rule, f.panel) for f in lint([Subject("a", after)]) if changes.concern(f)]


def _after(**panel: Any) -> dict[str, Any]:
    after = copy.deepcopy(BOARD)
    after["panels"][1].update(panel)
    return after


def test_of_a_new_board_everything_is() -> None:
    assert _kept(None, BOARD) == _kept({"title": "?", "panels": []}, BOARD)
    assert len(_kept(None, BOARD)) == 3


def test_of_the_same_board_nothing_is_though_every_save_counts_it_up() -> None:
    assert _kept(BOARD, {**BOARD, "version": 8, "id": 12}) == []


def test_a_panel_that_is_different_is() -> None:
    assert _kept(BOARD, _after(title="Three")) == [("removed-panel-type", "Three")]


def test_a_panel_that_only_moved_is_not() -> None:
    assert _kept(BOARD, _after(gridPos={"x": 0, "y": 20, "w": 24, "h": 8})) == []


def test_a_panel_that_moved_onto_another_is() -> None:
    assert _kept(BOARD, _after(gridPos={"x": 0, "y": 4, "w": 24, "h": 8})) == [("overlap", "Two")]


def test_panels_do_not_change_when_one_is_put_before_them() -> None:
    after = copy.deepcopy(BOARD)
    after["panels"].insert(0, {"id": 9, "title": "Nine", "type": "stat"})
    assert _kept(BOARD, after) == []


def test_the_frame_is_apart_from_the_panels() -> None:
    assert _kept(BOARD, {**BOARD, "refresh": "6s"}) == [("refresh-too-fast", "")]
