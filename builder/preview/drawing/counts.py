"""Histograms."""

from __future__ import annotations

from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Axis, Counts
from builder.preview.drawing import figure as fig
from builder.preview.drawing.measure import width_of
from builder.preview.drawing.scales import value_ticks
from builder.preview.units import format_value

_FOOT = 24.0


def draw(figure: Figure, counts: Counts, theme: Theme, box: tuple[float, float, float, float]) -> None:
    """The bars between four edges in pixels (left, bottom, right, top)."""
    left, bottom, right, top = box
    high = max(max(numbers) for _, _, numbers in counts.series) * 1.05
    ticks, labels = value_ticks(Axis(lambda value: format_value(value, "short")), 0, high, top - bottom - _FOOT)
    inner_left = left + max(width_of(text, fig.SMALL) for text in labels) + 10
    axes = fig.axes(figure, inner_left, bottom + _FOOT, right - 20, top - 4, theme)
    width = counts.edges[1] - counts.edges[0]
    for _, colour, numbers in counts.series:
        axes.bar(
            counts.edges[:-1], numbers, width * 0.95, align="edge", color=fig.ink(colour, theme), alpha=0.8, linewidth=0
        )
    axes.set_xlim(counts.edges[0], counts.edges[-1])
    axes.set_ylim(0, high)
    axes.set_yticks(ticks, labels)
    every = max(int(len(counts.edges) * 70 / max(right - inner_left, 1)), 1)
    axes.set_xticks(counts.edges[::every], [counts.format(edge) for edge in counts.edges[::every]])
    axes.grid(visible=True, axis="y", color=theme.grid, linewidth=1)
    axes.set_axisbelow(True)
