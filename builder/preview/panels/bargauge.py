"""Bar gauges: a bar a series, filled as far as its value reaches."""

from __future__ import annotations

from builder.preview import calcs
from builder.preview.asked import Asked
from builder.preview.contents import Bar, Bars, Note


def content(asked: Asked) -> Bars | Note:
    """A bar a series; without a minimum or maximum, the values of all series set it."""
    calc = (asked.option("reduceOptions.calcs", ()) or ("lastNotNull",))[0]
    reduced = [(n, value) for n in asked.named() if (value := calcs.reduce(n.series.points, calc)) is not None]
    if not reduced:
        return Note(asked.nothing)
    values = [value for _, value in reduced]
    low, high = min(values), max(values)
    bars = tuple(
        Bar(
            n.field.name,
            n.field.text(value),
            n.field.share(value, low, high),
            n.field.paint(value, n.number, low=low, high=high),
        )
        for n, value in reduced
    )
    return Bars(bars, upright=asked.option("orientation") == "vertical")
