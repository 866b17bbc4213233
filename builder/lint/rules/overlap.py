"""overlap: two panels in one place, or a panel beyond the grid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.lint.finding import Place, Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below, whole
from builder.lint.world import World

_COLUMNS = 24


@dataclass(frozen=True)
class _Box:
    panel: Panel
    x: int
    y: int
    w: int
    h: int

    def meets(self, other: _Box) -> bool:
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


def _check(board: Board, _world: World) -> Hits:
    grids: dict[Place, list[_Box]] = {}
    for box in _boxes(board):
        at = (*box.panel.place, "gridPos")
        if box.w < 1 or box.h < 1 or box.x < 0 or box.y < 0:
            yield Hit("the panel has no size or lies outside", at)
        elif box.x + box.w > _COLUMNS:
            yield Hit(f"the panel ends at column {box.x + box.w} of {_COLUMNS}", at)
        else:
            grids.setdefault(box.panel.grid, []).append(box)
    for boxes in grids.values():
        for box, under in _overlaps(boxes):
            yield Hit(f"lies on top of {under.panel.title or 'another panel'!r}", (*box.panel.place, "gridPos"))


def _boxes(board: Board) -> Iterator[_Box]:
    for panel in board.panels:
        grid = panel.data.get("gridPos")
        numbers = [whole(below(grid, key)) for key in "xywh"]
        x, y, w, h = (number if number is not None else -1 for number in numbers)
        if grid is not None and None not in numbers:
            yield _Box(panel, x, y, w, h)


def _overlaps(boxes: list[_Box]) -> Iterator[tuple[_Box, _Box]]:
    """Each box with the first one that it lies on, from top to bottom."""
    open_boxes: list[_Box] = []
    for box in sorted(boxes, key=lambda b: (b.y, b.x)):
        open_boxes = [other for other in open_boxes if other.y + other.h > box.y]
        under = next((other for other in open_boxes if other.meets(box)), None)
        if under is not None:
            yield box, under
        open_boxes.append(box)


RULE = Rule(
    "overlap",
    Severity.WARNING,
    why="Grafana pushes overlapping panels apart when the board is opened, so the layout is not the one in the file "
    "and every save changes it.",
    fix="give the panel a place of its own within 24 columns",
    on_board=_check,
)
