"""Sizes of a board in pixels, the same on the page and in pictures.

Cells and margins: Grafana's public/app/core/constants.ts.
"""

from __future__ import annotations

from builder.preview.contents import Chart, Legend
from builder.preview.grid import COLUMNS, Place

BOARD = 1600.0
CELL, MARGIN = 30.0, 8.0
HEADER, PADDING = 32.0, 8.0
LEGEND_LINE, LEGEND_HEAD = 19.0, 22.0
_COLUMN = (BOARD - (COLUMNS - 1) * MARGIN) / COLUMNS
NARROW, NARROW_HEIGHT = 340.0, 210.0
"""A chart on a telephone."""


def left_of(place: Place) -> float:
    """Pixels from the left edge of the board."""
    return place.x * (_COLUMN + MARGIN)


def top_of(place: Place) -> float:
    """Pixels from the top edge of the board."""
    return place.y * (CELL + MARGIN)


def size_of(place: Place) -> tuple[float, float]:
    """Width and height of a panel."""
    return place.w * (_COLUMN + MARGIN) - MARGIN, place.h * (CELL + MARGIN) - MARGIN


def body_of(width: float, height: float, titled: bool) -> tuple[float, float]:
    """Width and height inside a panel, under its title."""
    return width - 2 * PADDING, height - (HEADER if titled else PADDING) - PADDING


def legend_beside(chart: Chart, width: float, height: float) -> tuple[float, float]:
    """Width that a legend takes at the right, and height that it takes at the foot; one of them is 0."""
    legend = chart.legend
    if legend is None or not legend.entries:
        return 0.0, 0.0
    if legend.side == "right":
        return min(width * 0.4, 130.0 + 75 * len(legend.headings) + 7 * longest(legend)), 0.0
    lines = (
        len(legend.entries) + 1 if legend.headings else 1 + sum(len(e.name) * 7 + 34 for e in legend.entries) // width
    )
    return 0.0, min(height * 0.35, LEGEND_LINE * lines + 6)


def longest(legend: Legend) -> int:
    """Letters in the longest name, up to what has room."""
    return min(max(len(entry.name) for entry in legend.entries), 30)
