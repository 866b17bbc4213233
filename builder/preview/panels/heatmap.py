"""Heatmaps of series that are buckets already, which is how Prometheus gives them."""

from __future__ import annotations

import math

from builder.preview.asked import Asked, Named
from builder.preview.contents import Chart, Heat, Note, Points
from builder.preview.fields import Field
from builder.preview.summary import counted


def content(asked: Asked) -> Chart | Note:
    """A line a bucket, from the lowest up; the darker or brighter a cell, the more is in it."""
    named = asked.named()
    if not named:
        return Note(asked.nothing)
    if asked.option("calculate", False):
        return Note("Buckets calculated by the panel: not drawn in a preview.", "placeholder")
    buckets = (
        _deaccumulated(named)
        if _cumulative(asked, named)
        else [(n.series.legend.strip(), n.series.points) for n in named]
    )
    least = asked.option("filterValues.le")
    cells = [[(t, v) for t, v in points if least is None or v > float(least)] for _, points in buckets]
    values = [v for points in cells for _, v in points if math.isfinite(v)]
    if not values:
        return Note(asked.nothing)
    unit = Field(unit=str(asked.option("yAxis.unit", "") or ""))
    labels = tuple(_label(name, unit) for name, _ in buckets)
    number = Field(unit=str(asked.option("cellValues.unit", "") or asked.defaults.unit))
    low, high = asked.option("color.min"), asked.option("color.max")
    heat = Heat(
        asked.begin,
        asked.end,
        max(n.answer.step for n in named),
        labels,
        tuple(cells),
        str(asked.option("color.scheme", "Oranges")),
        min(values) if low is None else float(low),
        max(values) if high is None else float(high),
        float(asked.option("color.exponent", 0.5)) if asked.option("color.scale") == "exponential" else 1.0,
        number.text,
    )
    return Chart(heat, _words(labels, cells, number))


def _cumulative(asked: Asked, named: list[Named]) -> bool:
    """True for the buckets of a Prometheus histogram, each of which holds those below it."""
    formats = {str(t.get("refId")): t.get("format") for t in asked.panel.get("targets") or ()}
    return all(formats.get(n.answer.ref_id) == "heatmap" and "le" in n.series.labels for n in named)


def _deaccumulated(named: list[Named]) -> list[tuple[str, Points]]:
    found: list[tuple[str, Points]] = []
    below: dict[float, float] = {}
    for n in sorted(named, key=lambda n: float(n.series.labels["le"])):
        found.append((n.series.labels["le"], [(t, max(v - below.get(t, 0.0), 0.0)) for t, v in n.series.points]))
        below = dict(n.series.points)
    return found


def _label(name: str, unit: Field) -> str:
    try:
        return unit.text(float(name))
    except ValueError:
        return name


def _words(labels: tuple[str, ...], cells: list[list[tuple[float, float]]], number: Field) -> str:
    words = [f"Heatmap of {counted(len(labels), 'line', 'lines')}"]
    for label, points in list(zip(labels, cells, strict=True))[:24]:
        if points:
            high = max(v for _, v in points)
            words.append(f"{label}: last {number.text(points[-1][1])}, at most {number.text(high)}")
    return "; ".join(words)
