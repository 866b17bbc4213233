"""Places panels on Grafana's grid of 24 columns.

Panels flow: each goes as high as it can and then as far left as it can, on top of nothing. That is also where
Grafana itself would let it float to, so the written places are those that are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grafanalib import core

from builder.errors import LayoutError
from builder.grafana.panels.base import GRID_COLUMNS, copied
from builder.grafana.panels.row import RowPanel

_STOCK_SIZE = (12, 8)


@dataclass(frozen=True)
class Row:
    """A heading with panels under it. ``collapsed`` folds them away; ``repeat`` names a variable."""

    title: str
    panels: Sequence[Any] = ()
    collapsed: bool = False
    repeat: str = ""


@dataclass(frozen=True)
class _Box:
    x: int
    y: int
    w: int
    h: int
    title: str

    def overlaps(self, other: _Box) -> bool:
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


def pack(items: Sequence[Any]) -> list[Any]:
    """Panels and rows with their places set, in the order in which dashboard JSON lists them.

    A panel's own ``x`` and ``y`` (a stock panel's gridPos) count from the top of its row. One that repeats
    has its lines to itself, and across the page where it repeats sideways. Raises LayoutError where a panel
    is wider than the grid, has no height, leaves the grid or covers another.
    """
    packed: list[Any] = []
    top = 0
    loose: list[Any] = []
    for item in items:
        if isinstance(item, core.RowPanel):
            item = Row(item.title, item.panels, item.collapsed, getattr(item.repeat, "variable", item.repeat) or "")
        if not isinstance(item, Row):
            loose.append(item)
            continue
        placed, top = _flow(loose, top)
        packed += placed
        loose = []
        row = RowPanel(item.title, repeat=item.repeat, collapsed=item.collapsed)
        children, bottom = _flow(item.panels, top + 1)
        place = {"h": 1, "w": GRID_COLUMNS, "x": 0, "y": top}
        if item.collapsed:
            packed.append(row.with_(gridPos=place, panels=children))
            top += 1
        else:
            packed += [row.with_(gridPos=place), *children]
            top = bottom
    placed, _ = _flow(loose, top)
    return packed + placed


def walk(panels: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Every panel with the title of the row it is under, rows and what they fold away included."""
    row = ""
    for panel in panels:
        if isinstance(panel, core.RowPanel | RowPanel):
            row = panel.title
            yield "", panel
            for child in panel.panels:
                yield row, child
        else:
            yield row, panel


def _flow(panels: Sequence[Any], top: int) -> tuple[list[Any], int]:
    """The panels placed from line ``top`` on, and the first line below them."""
    skyline = [0] * GRID_COLUMNS
    boxes: list[_Box] = []
    placed: list[Any] = []
    for panel in panels:
        x, y, w, h = _wanted(panel)
        alone = _repeats(panel)
        if x is None or y is None:
            if alone:
                x, y = 0, max(skyline)
            else:
                y, x = min((max(skyline[left : left + w]), left) for left in _edges(skyline, w))
        box = _Box(x, y, w, h, _title(panel))
        for other in boxes:
            if box.overlaps(other):
                raise LayoutError(
                    f"it covers {other.title!r}",
                    where=box.title,
                    fix="leave x and y out, or move one of them",
                )
        boxes.append(box)
        columns = range(GRID_COLUMNS) if alone else range(x, x + w)
        for column in columns:
            skyline[column] = max(skyline[column], y + h)
        placed.append(_at(panel, {"h": h, "w": w, "x": x, "y": top + y}))
    return placed, top + max(skyline)


def _edges(skyline: Sequence[int], width: int) -> Iterator[int]:
    """Where a panel can stand that cannot move left: at the margin, or right of something taller."""
    yield 0
    for left in range(1, GRID_COLUMNS - width + 1):
        if skyline[left - 1] > skyline[left]:
            yield left


def _wanted(panel: Any) -> tuple[int | None, int | None, int, int]:
    """x, y (None: where it fits), width and height as the panel asks for them."""
    stock = getattr(panel, "gridPos", None)
    x: int | None
    y: int | None
    if stock is not None and not hasattr(panel, "size"):
        x, y, w, h = (stock[k] if isinstance(stock, dict) else getattr(stock, k) for k in "xywh")
    elif hasattr(panel, "size"):
        default_width, default_height = panel.size
        x, y = panel.x, panel.y
        w = default_width if panel.width is None else panel.width
        h = default_height if panel.height is None else panel.height
        if panel.repeat and panel.repeat_direction == "h":
            if w > GRID_COLUMNS:
                raise _too_wide(panel, w)
            w = GRID_COLUMNS
    else:
        span = getattr(panel, "span", None)
        x, y, w, h = None, None, 2 * span if isinstance(span, int) else _STOCK_SIZE[0], _STOCK_SIZE[1]
    if w > GRID_COLUMNS:
        raise _too_wide(panel, w)
    if w < 1 or h < 1:
        raise LayoutError(f"{w} columns by {h} lines is nothing to see", where=_title(panel), fix="1 or more of each")
    if x is not None and x + w > GRID_COLUMNS:
        raise LayoutError(
            f"columns {x} to {x + w} leave the grid of {GRID_COLUMNS}",
            where=_title(panel),
            fix=f"x at most {GRID_COLUMNS - w} for this width",
        )
    return x, y, w, h


def _too_wide(panel: Any, width: int) -> LayoutError:
    return LayoutError(
        f"width {width} is more than the {GRID_COLUMNS} columns of the grid",
        where=_title(panel),
        fix=f"width={GRID_COLUMNS} fills a line",
    )


def _repeats(panel: Any) -> bool:
    repeat = getattr(panel, "repeat", None)
    return bool(getattr(repeat, "variable", repeat))


def _at(panel: Any, place: dict[str, int]) -> Any:
    """A copy of the panel at its place; a repeated one with as many side by side as its width allows."""
    moved = copied(panel, gridPos=place)
    if getattr(panel, "size", None) and panel.repeat and panel.repeat_direction == "h":
        width = panel.size[0] if panel.width is None else panel.width
        if panel.max_per_row is None:
            moved.max_per_row = max(1, GRID_COLUMNS // width)
    return moved


def _title(panel: Any) -> str:
    return f'{type(panel).__name__} "{getattr(panel, "title", "")}"'
