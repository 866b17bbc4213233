"""Heatmaps: a colour a cell."""

from __future__ import annotations

import math

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import Colormap, PowerNorm
from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Heat
from builder.preview.drawing import figure as fig
from builder.preview.drawing.measure import fitted, width_of
from builder.preview.drawing.scales import time_axis

_FOOT, _SCALE = 24.0, 84.0
_LABEL_EVERY = 15.0


def draw(figure: Figure, heat: Heat, theme: Theme, box: tuple[float, float, float, float]) -> None:
    """The cells between four edges in pixels (left, bottom, right, top), with a scale at their right."""
    left, bottom, right, top = box
    labels = [fitted(text, fig.SMALL, (right - left) * 0.35) for text in heat.labels]
    inner_left = left + max(width_of(text, fig.SMALL) for text in labels) + 10
    inner_right = right - _SCALE
    axes = fig.axes(figure, inner_left, bottom + _FOOT, inner_right, top - 4, theme)
    time_axis(axes, heat.begin, heat.end, inner_right - inner_left, theme)
    axes.grid(visible=False)
    every = max(math.ceil(len(labels) * _LABEL_EVERY / max(top - bottom - _FOOT, 1)), 1)
    axes.set_ylim(0, len(labels))
    axes.set_yticks([n + 0.5 for n in range(0, len(labels), every)], labels[::every])
    first = math.floor(heat.begin / heat.step)
    count = math.floor(heat.end / heat.step) - first + 1
    grid = np.full((len(labels), count), np.nan)
    for n, points in enumerate(heat.cells):
        for t, value in points:
            column = round(t / heat.step) - first
            if 0 <= column < count:
                grid[n, column] = value
    edges = [(first + n - 0.5) * heat.step for n in range(count + 1)]
    norm = PowerNorm(heat.exponent, heat.low, max(heat.high, heat.low + 1e-9))
    scheme = _scheme(heat.scheme, theme)
    # As an image, not as cells: a path a cell would make a page of megabytes.
    axes.imshow(
        grid,
        cmap=scheme,
        norm=norm,
        extent=(edges[0], edges[-1], 0, len(labels)),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_xlim(heat.begin, heat.end)
    _scale(figure, heat, scheme, theme, (right - _SCALE + 12, bottom + _FOOT, top - 4))


def _scale(figure: Figure, heat: Heat, scheme: Colormap, theme: Theme, place: tuple[float, float, float]) -> None:
    left, bottom, top = place
    bar = fig.axes(figure, left, bottom, left + 10, top, theme)
    shares = np.linspace(0, 1, 64).reshape(-1, 1)
    bar.imshow(shares, cmap=scheme, aspect="auto", origin="lower", extent=(0, 1, 0, 1))
    bar.set_xticks([])
    bar.yaxis.tick_right()
    bar.set_yticks([0, 1], [heat.format(heat.low), heat.format(heat.high)])
    bar.tick_params(length=0, labelsize=fig.SMALL, labelcolor=theme.muted)


def _scheme(name: str, theme: Theme) -> Colormap:
    """matplotlib has Grafana's schemes: both took d3's and ColorBrewer's. Few is what the page itself looks like."""
    known = {scheme.casefold(): scheme for scheme in colormaps}
    found = colormaps[known.get(name.casefold(), "Oranges")]
    first, last = (sum(found(end)[:3]) / 3 for end in (0.0, 1.0))
    few_is_light = first > last
    return found.reversed() if abs(first - last) > 0.3 and few_is_light == (theme.name == "dark") else found
