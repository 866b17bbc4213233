"""States over time, a band a series."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Bands
from builder.preview.drawing import figure as fig
from builder.preview.drawing.measure import fitted, width_of
from builder.preview.drawing.scales import time_axis

_FOOT = 24.0
_LABEL_EVERY = 13.0
_MOST_LABEL = 0.35
"""The share of the width that names may take."""


def draw(figure: Figure, bands: Bands, theme: Theme, box: tuple[float, float, float, float]) -> None:
    """The bands between four edges in pixels (left, bottom, right, top), the first series at the top."""
    left, bottom, right, top = box
    room = (right - left) * _MOST_LABEL
    labels = [fitted(name, fig.SMALL, room) for name, _ in bands.rows]
    inner_left = left + max([width_of(text, fig.SMALL) for text in labels] or [0.0]) + 10
    axes = fig.axes(figure, inner_left, bottom + _FOOT, right - 18, top - 4, theme)
    time_axis(axes, bands.begin, bands.end, right - inner_left, theme)
    axes.set_ylim(len(bands.rows), 0)
    every = max(math.ceil(len(labels) * _LABEL_EVERY / max(top - bottom - _FOOT, 1)), 1)
    axes.set_yticks([n + 0.5 for n in range(0, len(labels), every)], labels[::every])
    per_second = (right - 18 - inner_left) / max(bands.end - bands.begin, 1)
    for n, (_, spans) in enumerate(bands.rows):
        inside = [s for s in spans if s.end > bands.begin and s.begin < bands.end]
        axes.broken_barh(
            [(s.begin, s.end - s.begin) for s in inside],
            (n + (1 - bands.height) / 2, bands.height),
            facecolors=[fig.ink(s.colour, theme) for s in inside],
            alpha=bands.opacity,
            linewidth=0,
        )
        for s in inside if bands.texts else ():
            text = fitted(s.text, fig.SMALL, (s.end - s.begin) * per_second - 8)
            axes.text(
                s.begin + 4 / per_second, n + 0.5, text, va="center", fontsize=fig.SMALL, color=theme.text, clip_on=True
            )
