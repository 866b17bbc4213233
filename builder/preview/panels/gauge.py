"""Gauge panels: a value on an arc, with the thresholds around it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from builder.preview import calcs
from builder.preview.asked import Asked
from builder.preview.contents import Chart, Dial, Dials, Note
from builder.preview.fields import Field


def content(asked: Asked) -> Chart | Note:
    """A dial a series."""
    calc = (asked.option("reduceOptions.calcs", ()) or ("lastNotNull",))[0]
    named = asked.named()
    dials = []
    for n in named:
        value = calcs.reduce(n.series.points, calc)
        if value is not None:
            field, high = n.field, 1.0 if n.field.unit == "percentunit" else 100.0
            dials.append(
                Dial(
                    field.name if len(named) > 1 else "",
                    field.text(value),
                    field.share(value, high=high),
                    field.paint(value, n.number, high=high),
                    tuple(_ring(field, high)) if asked.option("showThresholdMarkers", True) else (),
                )
            )
    if not dials:
        return Note(asked.nothing)
    words = "; ".join(f"{dial.name or 'value'} {dial.text}" for dial in dials)
    return Chart(Dials(tuple(dials)), f"{'Gauges' if len(dials) > 1 else 'Gauge'}: {words}")


def _ring(field: Field, high: float) -> Iterator[tuple[float, float, str]]:
    """Parts of the arc (0 to 1) with the colour of their threshold."""
    for n, (limit, colour) in enumerate(field.steps):
        after = field.steps[n + 1][0] if n + 1 < len(field.steps) else math.inf
        ends = (
            [limit / 100, after / 100]
            if field.percentage
            else [field.share(limit, high=high), field.share(after, high=high)]
        )
        low, top = (min(max(end, 0.0), 1.0) for end in ends)
        if top > low:
            yield low, top, colour
