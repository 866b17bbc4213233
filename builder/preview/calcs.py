"""What a series is reduced to in a legend, a stat or a gauge.

Rules: Grafana's packages/grafana-data/src/transformations/fieldReducer.ts.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

NAMES: Mapping[str, str] = {
    "lastNotNull": "Last *",
    "last": "Last",
    "firstNotNull": "First *",
    "first": "First",
    "min": "Min",
    "max": "Max",
    "mean": "Mean",
    "sum": "Total",
    "count": "Count",
    "range": "Range",
    "delta": "Delta",
    "diff": "Difference",
    "median": "Median",
    "stdDev": "StdDev",
    "variance": "Variance",
}
"""The heading of each in a legend."""

_CALCS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "lastNotNull": lambda v: v[-1],
    "last": lambda v: v[-1],
    "firstNotNull": lambda v: v[0],
    "first": lambda v: v[0],
    "min": min,
    "max": max,
    "mean": statistics.fmean,
    "sum": math.fsum,
    "count": lambda v: float(len(v)),
    "range": lambda v: max(v) - min(v),
    "diff": lambda v: v[-1] - v[0],
    "median": statistics.median,
    "delta": lambda v: math.fsum(max(b - a, 0.0) for a, b in pairwise(v)),
    "stdDev": statistics.pstdev,
    "variance": statistics.pvariance,
}


def reduce(points: Sequence[tuple[float, float]], calc: str) -> float | None:
    """The points as one number; None where there is none, or where the calculation is not known here."""
    values = [value for _, value in points if not math.isnan(value)]
    if not values or calc not in _CALCS:
        return None
    if any(math.isinf(value) for value in values) and calc in ("mean", "sum", "stdDev", "variance", "median"):
        return math.inf
    return _CALCS[calc](values)
