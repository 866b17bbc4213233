"""Histograms: how many values lie in each bucket, over the whole time range."""

from __future__ import annotations

import math

from builder.preview.asked import Asked
from builder.preview.contents import Chart, Counts, Entry, Legend, Note
from builder.preview.summary import counted

BUCKETS = 30


def content(asked: Asked) -> Chart | Note:
    """The counts of every series, or of all together where the panel says so."""
    named = asked.named()
    values = [(n, [v for _, v in n.series.points if math.isfinite(v)]) for n in named]
    everything = [v for _, listed in values for v in listed]
    if not everything:
        return Note(asked.nothing)
    low, high = min(everything), max(everything)
    size = float(asked.option("bucketSize") or _nice((high - low) / float(asked.option("bucketCount") or BUCKETS)))
    first = math.floor(low / size)
    edges = tuple((first + n) * size for n in range(int(high / size - first) + 2))
    series = [(n.field.name, n.field.paint(None, n.number), listed) for n, listed in values]
    if asked.option("combine"):
        series = [("Count", series[0][1], everything)]
    counts = tuple((name, colour, _counted(listed, first, size, len(edges) - 1)) for name, colour, listed in series)
    field = named[0].field
    legend = Legend(tuple(Entry(name, colour) for name, colour, _ in counts))
    shown = legend if asked.option("legend.showLegend", True) else None
    words = f"Histogram of {counted(len(everything), 'value', 'values')} from {field.text(low)} to {field.text(high)}"
    return Chart(Counts(edges, counts, field.text), words, shown)


def _counted(values: list[float], first: int, size: float, buckets: int) -> tuple[int, ...]:
    counts = [0] * buckets
    for value in values:
        counts[min(math.floor(value / size) - first, buckets - 1)] += 1
    return tuple(counts)


def _nice(size: float) -> float:
    """The next of 1, 2, 2.5 and 5 with a power of ten."""
    if size <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(size))
    return next((step * power for step in (1, 2, 2.5, 5) if step * power >= size * 0.999), 10 * power)
