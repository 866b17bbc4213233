"""How Grafana turns a time range into a step and a rate interval.

Rules: Grafana's pkg/promlib/models/query.go and intervalv2 (rounding to "nice" intervals).
"""

from __future__ import annotations

import math
import re

from builder.errors import UsageError
from builder.promql.substitute import Window

_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhdwy])")
_SAFE_POINTS = 11_000  # Prometheus' own limit of points in a series of an answer

# (longest interval in seconds that is rounded to it, the rounded interval)
_NICE = (
    *((0.01, 0.001), (0.015, 0.01), (0.035, 0.02), (0.075, 0.05), (0.15, 0.1), (0.35, 0.2), (0.75, 0.5)),
    *((1.5, 1), (3.5, 2), (7.5, 5), (12.5, 10), (17.5, 15), (25, 20), (45, 30), (90, 60), (210, 120)),
    *((450, 300), (750, 600), (1050, 900), (1500, 1200), (2700, 1800), (5400, 3600), (9000, 7200)),
    *((16200, 10800), (32400, 21600), (86400, 43200), (604800, 86400), (1814400, 604800)),
    *((3628800, 2592000), (math.inf, 31536000)),
)


def parse_duration(text: str) -> float:
    """Seconds of a duration as Grafana writes it: ``15s``, ``1h30m``, ``>10s``; a bare number is seconds."""
    stripped = text.strip().lstrip("<>")
    if re.fullmatch(r"\d+", stripped):
        return float(stripped)
    parts = _DURATION.findall(stripped)
    if not parts or "".join(number + unit for number, unit in parts) != stripped:
        raise UsageError(f"{text!r} is not a duration", fix='write it like "30s" or "1h"')
    return sum(float(number) * _UNITS[unit] for number, unit in parts)


def round_interval(seconds: float) -> float:
    """The interval that Grafana's rounding gives."""
    return next(nice for limit, nice in _NICE if seconds <= limit)


def window(
    *,
    start: float,
    end: float,
    max_data_points: int,
    scrape_interval: float,
    panel_interval: float = 0,
    target_interval: float = 0,
) -> Window:
    """Step (``interval``) and rate interval of one query; all in seconds.

    ``scrape_interval`` is the data source's; ``panel_interval`` and ``target_interval`` are the minimum
    steps set on the panel and on the query (0: not set). Only the query's own is taken for the scrape
    interval in ``$__rate_interval``.
    """
    span = end - start
    wanted = span / max_data_points
    requested = max(round_interval(wanted), panel_interval or scrape_interval)
    least = target_interval or requested
    step = max(least if wanted < least else round_interval(wanted), round_interval(span / _SAFE_POINTS))
    scrape = target_interval or scrape_interval
    return Window(step, max(requested + scrape, 4 * scrape), span, start, end)
