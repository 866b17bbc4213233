"""Places panels on Grafana's grid of 24 columns.

Panels flow: each goes as high as it can and then as far left as it can, on top of nothing. That is also where
Grafana itself would let it float to, so the written places are those that are shown.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from grafanalib import core

from builder.errors import DefinitionError, LayoutError, short, titled
from builder.grafana.declared import check_fields
from builder.grafana.names import variable_named
from builder.grafana.panels.base import GRID_COLUMNS, copied
from builder.grafana.panels.row import RowPanel

_STOCK_SIZE = (12, 8)
_TOP = itemgetter(0)
_ROWS = (core.RowPanel, RowPanel)


@dataclass(frozen=True)
class Row:
    """A heading with panels under it. ``collapsed`` folds them away; ``repeat`` names a variable."""

    title: str
    panels: Sequence[Any] = ()
    collapsed: bool = False
    repeat: str = ""

    def __post_init__(self) -> None:
        check_fields(self, titled("Row", self.title))
        for panel in self.panels:
            if isinstance(panel, (Row, core.RowPanel, core.Row)):
                raise DefinitionError("a row in a row", where=titled("Row", self.title), fix="put it beside the row")
        object.__setattr__(self, "repeat", variable_named(self.repeat))


def as_row(item: Any) -> Any:
    """A stock row as a Row; anything else as it is."""
    if not isinstance(item, core.RowPanel):
        return item
    return Row(item.title or "", item.panels, item.collapsed, getattr(item.repeat, "variable", item.repeat) or "")


class _Grid:
    """What stands where: for each column the panels in it from top to bottom, none of which cover each other."""

    def __init__(self) -> None:
        self._bottoms = [0] * GRID_COLUMNS
        self._unsorted: list[tuple[int, int, int, int, Any]] = []
        self._columns: list[list[tuple[int, int, Any]]] = [[] for _ in range(GRID_COLUMNS)]

    def put(self, x: int, y: int, w: int, h: int, panel: Any) -> None:
        """Take the place. Raises LayoutError where another panel has some of it."""
        bottoms = self._bottoms[x : x + w]
        if max(bottoms) > y:  # not below all, which is the usual order of panels
            self._check_beside(x, y, w, h, panel)
        self._bottoms[x : x + w] = [y + h] * w if max(bottoms) <= y + h else [max(y + h, b) for b in bottoms]
        self._unsorted.append((x, y, w, h, panel))

    def _check_beside(self, x: int, y: int, w: int, h: int, panel: Any) -> None:
        for left, top, width, height, other in self._unsorted:
            for column in self._columns[left : left + width]:
                insort(column, (top, top + height, other), key=_TOP)
        self._unsorted.clear()
        for column in self._columns[x : x + w]:
            place = bisect_left(column, y + h, key=_TOP)
            # The last that begins above its lower edge is also the last that ends.
            if place and column[place - 1][1] > y:
                fix = "leave x and y out, or move one of them"
                raise LayoutError(f"it covers {short(_title(column[place - 1][2]))}", where=_title(panel), fix=fix)


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
        item = as_row(item)
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


def check_places(panels: Sequence[Any]) -> None:
    """Refuse panels that leave the grid or cover each other, where all of them bring their places along.

    What a row folds away has the row's place, not its own.
    """
    grid = _Grid()
    for panel in panels:
        x, y, w, h = _wanted(panel)
        grid.put(x or 0, y or 0, w, h, panel)
        if getattr(panel, "panels", None):
            check_places(panel.panels)


def walk(panels: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Every panel with the title of the row it is under, rows and what they fold away included."""
    row = ""
    for panel in panels:
        if isinstance(panel, _ROWS):
            row = panel.title
            yield "", panel
            for child in panel.panels:
                yield row, child
        else:
            yield row, panel


def _flow(panels: Sequence[Any], top: int) -> tuple[list[Any], int]:
    """The panels placed from line ``top`` on, and the first line below them."""
    skyline = [0] * GRID_COLUMNS
    grid = _Grid()
    placed: list[Any] = []
    for panel in panels:
        try:
            x, y, w, h = _wanted(panel)
        except LayoutError as error:
            raise _blamed(error, panel) from None
        alone = _repeats(panel)
        if x is None or y is None:
            if alone:
                x, y = 0, max(skyline)
            else:
                y, x = min((max(skyline[left : left + w]), left) for left in _edges(skyline, w))
        try:
            grid.put(x, y, w, h, panel)
        except LayoutError as error:
            raise _blamed(error, panel) from None
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
        x, y, w, h = _stock_place(stock, panel)
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


def _stock_place(place: Any, panel: Any) -> tuple[int, int, int, int]:
    if not isinstance(place, dict):
        place = {key: getattr(place, key, None) for key in "xywh"}
    numbers: list[Any] = [place.get(key) for key in "xywh"]
    for number in numbers:
        if not isinstance(number, int) or number < 0:
            fix = "x, y, w and h: whole numbers from 0"
            raise LayoutError(f"{short(place)} is no place", where=_title(panel), fix=fix)
    x, y, w, h = numbers
    return x, y, w, h


def _too_wide(panel: Any, width: int) -> LayoutError:
    return LayoutError(
        f"width {width} is more than the {GRID_COLUMNS} columns of the grid",
        where=_title(panel),
        fix=f"width={GRID_COLUMNS} fills a line",
    )


def _blamed(error: LayoutError, panel: Any) -> LayoutError:
    error.made_at = getattr(panel, "made_at", None)
    return error


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
    return titled(type(panel).__name__, getattr(panel, "title", ""))
