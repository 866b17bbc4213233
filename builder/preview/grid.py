"""Where Grafana puts the panels of a dashboard: 24 columns, rows, repeats, and no gaps above a panel.

Rules: Grafana's dashboard-scene (repeaters) and react-grid-layout's vertical compaction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COLUMNS = 24
MAX_PER_ROW = 4
"""How many copies of a repeated panel stand side by side, unless the panel says otherwise."""

_HIGHEST = 200
"""Lines of the highest panel: beyond that a picture would take gigabytes."""

Panel = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """A rectangle of the grid: columns across, lines of 30 pixels down."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True)
class Placed:
    """A panel, a row, or one copy of a repeated one; ``scope`` has the values that the copy stands for."""

    panel: Panel
    place: Place
    scope: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_row(self) -> bool:
        """True for the heading of a row."""
        return self.panel.get("type") == "row"


def lay_out(dashboard: Panel, chosen: Mapping[str, Sequence[str]]) -> tuple[Placed, ...]:
    """Every panel in reading order. Collapsed rows are opened: a preview has nothing to hide.

    ``chosen`` has the chosen values of each variable; a variable without any gives one copy, as in Grafana.
    """
    placed: list[Placed] = []
    top = 0
    for row, children in _sections(dashboard.get("panels") or ()):
        for scope in _scopes(row, chosen):
            if row:
                placed.append(Placed(row, Place(0, top, COLUMNS, 1), scope))
                top += 1
            below = _Stack(top)
            for child in children:
                placed += below.add(child, scope, chosen)
            top = max(below.heights)
    return tuple(placed)


def _sections(panels: Sequence[Panel]) -> Iterator[tuple[Panel, Sequence[Panel]]]:
    """Rows with their panels; an expanded row owns what follows it, a collapsed one holds its own."""
    row: Panel = {}
    children: list[Panel] = []
    for panel in sorted(panels, key=_position):
        if panel.get("type") == "row":
            if row or children:
                yield row, children
            row, children = panel, sorted(panel.get("panels") or (), key=_position)
        else:
            children.append(panel)
    if row or children:
        yield row, children


def _scopes(panel: Panel, chosen: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    repeat = panel.get("repeat")
    if not repeat:
        return [{}]
    return [{str(repeat): value} for value in chosen.get(str(repeat)) or ("",)]


class _Stack:
    """The columns below a row, each filled up to some height."""

    def __init__(self, top: int) -> None:
        self.heights = [top] * COLUMNS

    def add(self, panel: Panel, scope: Mapping[str, str], chosen: Mapping[str, Sequence[str]]) -> Iterator[Placed]:
        x, w, h = _size(panel)
        scopes = _scopes(panel, chosen)
        if len(scopes) > 1 and panel.get("repeatDirection") != "v":
            beside = min(max(_whole(panel.get("maxPerRow") or None, MAX_PER_ROW), 1), len(scopes))
            w = COLUMNS // beside
            columns = [n % beside * w for n in range(len(scopes))]
        else:
            columns = [x] * len(scopes)
        for column, own in zip(columns, scopes, strict=True):
            yield Placed(panel, self._put(column, w, h), {**scope, **own})

    def _put(self, x: int, w: int, h: int) -> Place:
        y = max(self.heights[x : x + w])
        self.heights[x : x + w] = [y + h] * w
        return Place(x, y, w, h)


def _position(panel: Panel) -> tuple[int, int]:
    place = panel.get("gridPos") or {}
    return _whole(place.get("y"), 0), _whole(place.get("x"), 0)


def _size(panel: Panel) -> tuple[int, int, int]:
    """Left edge, width and height, held inside the grid whatever the file says."""
    place = panel.get("gridPos") or {}
    w = min(max(_whole(place.get("w"), COLUMNS // 2), 1), COLUMNS)
    x = min(max(_whole(place.get("x"), 0), 0), COLUMNS - w)
    return x, w, min(max(_whole(place.get("h"), 8), 1), _HIGHEST)


def _whole(value: object, otherwise: int) -> int:
    return int(value) if isinstance(value, int | float) and math.isfinite(value) else otherwise
