"""Rules evaluated over a fleet's history by a real Prometheus, level by level, at the times of the scrapes."""

from __future__ import annotations

from collections.abc import Iterable

from builder.rules.model import Group, RecordingRule
from builder.testing import AT, Prometheus, Series
from builder.testing.exposition import format_labels
from tests.live.fleet import HOUR_AGO, INTERVAL

EXACT = ("--query.lookback-delta=29s",)
"""Prometheus marks a series that a rule no longer gives as gone. A history has no such marks, and for five minutes
the last value would answer for a band of a histogram that nobody is in any more; here it answers until the next."""


def with_recorded(history: str, levels: Iterable[Iterable[Group]], *, start: float = HOUR_AGO, end: float = AT) -> str:
    """The history and all that the rules would have recorded; a level may read the ones before it."""
    for groups in levels:
        rules = [rule for group in groups for rule in group.rules if isinstance(rule, RecordingRule)]
        with Prometheus(history=history, arguments=EXACT) as server:
            lines = [
                line
                for rule in rules
                for series in server.client.range(rule.expr.text, start, end, INTERVAL)
                for line in _lines(rule.record, series)
            ]
        history = "".join([history.removesuffix("# EOF\n"), *lines, "# EOF\n"])
    return history


def _lines(name: str, series: Series) -> Iterable[str]:
    labels = {label: value for label, value in series.labels.items() if label != "__name__"}
    return (f"{name}{format_labels(labels)} {value!r} {time:.3f}\n" for time, value in series.points)
