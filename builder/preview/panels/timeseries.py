"""Graphs over time: lines, areas, bars and points on one or two axes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from builder.preview import calcs
from builder.preview.asked import Asked, Named
from builder.preview.contents import Axis, Chart, Graph, Line, Note, Threshold
from builder.preview.fields import Field
from builder.preview.legends import legend_of
from builder.preview.summary import of_lines
from builder.preview.units import step_base

_DASHES: Mapping[str, tuple[float, ...]] = {"dash": (10, 10), "dot": (0, 10)}


def content(asked: Asked) -> Chart | Note:
    """The graph, with a legend as the panel asks for it."""
    named = asked.named()
    if not named:
        return Note(asked.nothing)
    colours = {n.number: n.field.paint(calcs.reduce(n.series.points, "lastNotNull"), n.number) for n in named}
    right = frozenset(_on_the_right(named))
    drawn = [n for n in named if not (n.field.custom.get("hideFrom") or {}).get("viz")]
    lines = tuple(_line(n, colours[n.number], int(n.number in right)) for n in drawn)
    left_fields = [n.field for n in drawn if n.number not in right]
    right_fields = [n.field for n in drawn if n.number in right]
    graph = Graph(
        asked.begin,
        asked.end,
        lines,
        (_axis(left_fields or right_fields), _axis(right_fields) if right_fields and left_fields else None),
        tuple(_thresholds(asked.defaults)),
        gap=1.5 * max(n.answer.step for n in drawn) if drawn else 0.0,
    )
    legend = legend_of(asked, named, colours, right if left_fields else frozenset())
    return Chart(graph, of_lines("Graph", [(n.field, n.series.points) for n in drawn]), legend)


def _on_the_right(named: Sequence[Named]) -> Iterator[int]:
    """Numbers of the series on the right axis: those that say so, and those of another unit than the first."""
    first = next((n.field.unit for n in named if n.field.custom.get("axisPlacement") != "right"), "")
    for n in named:
        placement = n.field.custom.get("axisPlacement", "auto")
        if placement == "right" or (placement != "left" and n.field.unit != first):
            yield n.number


def _line(named: Named, colour: str, axis: int) -> Line:
    custom = named.field.custom
    stacking = custom.get("stacking") or {}
    bars = custom.get("drawStyle") == "bars"
    return Line(
        named.series.legend.strip(),
        named.series.points,
        colour,
        axis,
        width=float(custom.get("lineWidth", 1)),
        fill=float(custom.get("fillOpacity", 0)) / 100,
        dash=_dash(custom.get("lineStyle") or {}),
        shape="bars" if bars else str(custom.get("drawStyle") or "line"),
        stepped=str(custom.get("lineInterpolation", "")).startswith("step"),
        stack=str(stacking.get("group") or "A") if stacking.get("mode") in ("normal", "percent") else "",
        fill_to=str(custom.get("fillBelowTo") or ""),
    )


def _dash(style: Mapping[str, Any]) -> tuple[float, ...]:
    kind = str(style.get("fill", "solid"))
    return tuple(float(part) for part in style.get("dash") or _DASHES[kind]) if kind in _DASHES else ()


def _axis(fields: Sequence[Field]) -> Axis:
    """The axis of these series: the widest of the limits that they set."""
    first = fields[0] if fields else Field()
    lows = [field.min for field in fields if field.min is not None]
    highs = [field.max for field in fields if field.max is not None]
    soft_lows = [float(v) for field in fields if (v := field.custom.get("axisSoftMin")) is not None]
    soft_highs = [float(v) for field in fields if (v := field.custom.get("axisSoftMax")) is not None]
    return Axis(
        lambda value: first.text(value),
        min(lows) if lows else None,
        max(highs) if highs else None,
        min(soft_lows) if soft_lows else None,
        max(soft_highs) if soft_highs else None,
        base=step_base(first.unit),
        log=(first.custom.get("scaleDistribution") or {}).get("type") == "log",
        label=str(first.custom.get("axisLabel") or ""),
    )


def _thresholds(field: Field) -> Iterator[Threshold]:
    mode = str((field.custom.get("thresholdsStyle") or {}).get("mode", "off"))
    if mode in ("off", "series"):
        return
    line = "dashed" if "dashed" in mode else "solid" if "line" in mode else ""
    for value, colour in field.steps:
        if math.isfinite(value) or "area" in mode:
            yield Threshold(value, colour, line, "area" in mode)
