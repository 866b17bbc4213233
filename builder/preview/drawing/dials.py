"""Gauges."""

from __future__ import annotations

import math

from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from builder.preview.colours import Theme
from builder.preview.contents import Dial, Dials
from builder.preview.drawing import figure as fig
from builder.preview.drawing.measure import fitted, width_of

_FROM, _SWEEP = 225.0, 270.0
_NAME = 18.0


def draw(figure: Figure, dials: Dials, theme: Theme, box: tuple[float, float, float, float]) -> None:
    """The dials between four edges in pixels (left, bottom, right, top), as large as they can all be."""
    left, bottom, right, top = box
    count = len(dials.dials)
    across = max(range(1, count + 1), key=lambda n: min((right - left) / n, (top - bottom) / math.ceil(count / n)))
    width, height = (right - left) / across, (top - bottom) / math.ceil(count / across)
    for n, dial in enumerate(dials.dials):
        x, y = left + n % across * width, top - (n // across + 1) * height
        _dial(figure, dial, theme, (x, y, x + width, y + height))


def _dial(figure: Figure, dial: Dial, theme: Theme, box: tuple[float, float, float, float]) -> None:
    left, bottom, right, top = box
    foot = bottom + (_NAME if dial.name else 0)
    radius = max(min((right - left) / 2, (top - foot) / 1.75) - 6, 4)
    x, y = (left + right) / 2, foot + radius * 0.75 + 4
    _arc(figure, (x, y), radius * 0.93, radius * 0.25, (0, 1), theme.grid)
    _arc(figure, (x, y), radius * 0.93, radius * 0.25, (0, dial.share), fig.ink(dial.colour, theme))
    for low, high, colour in dial.ring:
        _arc(figure, (x, y), radius, radius * 0.04, (low, high), fig.ink(colour, theme))
    size = min(radius * 0.36, radius * 1.2 / max(width_of(dial.text, 1.0), 0.1))
    at = fig.pixels(figure)
    colour = fig.ink(dial.colour, theme)
    figure.text(x, y, dial.text, ha="center", va="center", fontsize=size, color=colour, transform=at)
    if dial.name:
        name = fitted(dial.name, fig.NORMAL, right - left - 8)
        figure.text(x, bottom + 6, name, ha="center", fontsize=fig.NORMAL, color=theme.text, transform=at)


def _arc(
    figure: Figure, centre: tuple[float, float], radius: float, width: float, part: tuple[float, float], colour: str
) -> None:
    if part[1] > part[0]:
        begin, end = (_FROM - share * _SWEEP for share in part)
        figure.add_artist(
            Wedge(centre, radius, end, begin, width=width, color=colour, linewidth=0, transform=fig.pixels(figure))
        )
