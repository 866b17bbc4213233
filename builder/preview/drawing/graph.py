"""Lines over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from builder.preview.colours import Theme
from builder.preview.contents import Graph, Line, Points
from builder.preview.drawing import figure as fig
from builder.preview.drawing.measure import width_of
from builder.preview.drawing.scales import reach, time_axis, value_ticks

_FOOT, _HEAD, _SIDE = 24.0, 8.0, 10.0
_BARS_FILL = 0.8
_HALF_A_TIME = 18.0
"""Pixels by which the label of the last time reaches over the end of its axis."""


def draw(figure: Figure, graph: Graph, theme: Theme, box: tuple[float, float, float, float]) -> None:
    """The graph between four edges in pixels (left, bottom, right, top)."""
    left, bottom, right, top = box
    stacked = _stacked(graph.lines)
    prepared = []
    for side, axis in enumerate(graph.axes):
        if axis is not None:
            values = [
                v for line in graph.lines if line.axis == side or graph.axes[1] is None for _, v in stacked[id(line)][1]
            ]
            low, high = reach(axis, values)
            ticks, labels = value_ticks(axis, low, high, top - bottom - _FOOT - _HEAD)
            prepared.append((low, high, ticks, labels, max([width_of(text, fig.SMALL) for text in labels] or [0.0])))
    inner_left = left + prepared[0][4] + _SIDE
    inner_right = right - (prepared[1][4] + _SIDE if len(prepared) > 1 else _HALF_A_TIME)
    first = fig.axes(figure, inner_left, bottom + _FOOT, inner_right, top - _HEAD, theme)
    both = [first]
    time_axis(first, graph.begin, graph.end, inner_right - inner_left, theme)
    if len(prepared) > 1:
        both.append(fig.axes(figure, 0, 0, 0, 0, theme, twin=first))
    for axes, (low, high, ticks, labels, _) in zip(both, prepared, strict=True):
        axes.set_ylim(low, high)
        axes.set_yticks(ticks, labels)
    first.grid(visible=True, axis="y", color=theme.grid, linewidth=1)
    _thresholds(first, graph, theme)
    for line in graph.lines:
        _line(both[min(line.axis, len(both) - 1)], line, graph, stacked, theme)


def _thresholds(axes: Axes, graph: Graph, theme: Theme) -> None:
    low, high = axes.get_ylim()
    limits = [t.value for t in graph.thresholds]
    for n, threshold in enumerate(graph.thresholds):
        colour = fig.ink(threshold.colour, theme)
        if threshold.area:
            upper = limits[n + 1] if n + 1 < len(limits) else high
            axes.axhspan(max(threshold.value, low), min(max(upper, low), high), color=colour, alpha=0.12, linewidth=0)
        if threshold.line and low <= threshold.value <= high:
            dashes: dict[str, Any] = {"linestyle": (0, (10, 10))} if threshold.line == "dashed" else {}
            axes.axhline(threshold.value, color=colour, linewidth=1, alpha=0.7, **dashes)


def _line(axes: Axes, line: Line, graph: Graph, stacked: Mapping[int, tuple[Points, Points]], theme: Theme) -> None:
    colour = fig.ink(line.colour, theme)
    feet, points = stacked[id(line)]
    xs, ys, zs = _broken(points, feet, graph.gap)
    step: dict[str, Any] = {"drawstyle": "steps-post"} if line.stepped else {}
    if line.shape == "bars":
        width = graph.gap / 1.5 * _BARS_FILL
        axes.bar(
            xs,
            [y - z for y, z in zip(ys, zs, strict=True)],
            width,
            zs,
            color=colour,
            alpha=max(line.fill, 0.3),
            linewidth=0,
        )
        return
    if line.shape == "points" or len(points) == 1:
        axes.plot(xs, ys, linestyle="none", marker="o", markersize=4, color=colour)
        return
    dashes: dict[str, Any] = {"dashes": _dashes(line), "dash_capstyle": "round"} if line.dash else {}
    axes.plot(xs, ys, color=colour, linewidth=line.width, solid_joinstyle="round", **dashes, **step)
    below = next((other for other in graph.lines if line.fill_to and other.name == line.fill_to), None)
    interpolation: dict[str, Any] = {"step": "post"} if line.stepped else {}
    if below is not None:
        other = dict(stacked[id(below)][1])
        zs = [other.get(x, math.nan) for x in xs]
        axes.fill_between(xs, ys, zs, color=colour, alpha=line.fill or 0.2, linewidth=0, **interpolation)
    elif line.fill:
        foot = max(axes.get_ylim()[0], 0.0) if not line.stack else 0.0
        axes.fill_between(
            xs, ys, [max(z, foot) for z in zs], color=colour, alpha=line.fill, linewidth=0, **interpolation
        )


def _dashes(line: Line) -> tuple[float, ...]:
    """In units of the line's width, as matplotlib counts; a dot of no length would not be seen."""
    return tuple(max(part, 0.1) / line.width for part in line.dash) if line.width else (1.0, 1.0)


def _stacked(lines: Sequence[Line]) -> Mapping[int, tuple[Points, Points]]:
    """The foot and the top of every line: a stacked one stands on those before it in its group."""
    feet: dict[str, dict[float, float]] = {}
    found: dict[int, tuple[Points, Points]] = {}
    for line in lines:
        if not line.stack:
            found[id(line)] = [(t, 0.0) for t, _ in line.points], line.points
            continue
        below = feet.setdefault(line.stack, {})
        foot = [(t, below.get(t, 0.0)) for t, _ in line.points]
        top = [(t, v + z) for (t, v), (_, z) in zip(line.points, foot, strict=True)]
        below.update(top)
        found[id(line)] = foot, top
    return found


def _broken(points: Points, feet: Points, gap: float) -> tuple[list[float], list[float], list[float]]:
    """Times, values and feet, with a hole wherever samples are missing."""
    xs: list[float] = []
    ys: list[float] = []
    zs: list[float] = []
    for (t, v), (_, z) in zip(points, feet, strict=True):
        if xs and gap and t - xs[-1] > gap:
            xs.append((xs[-1] + t) / 2)
            ys.append(math.nan)
            zs.append(z)
        xs.append(t)
        ys.append(v)
        zs.append(z)
    return xs, ys, zs
