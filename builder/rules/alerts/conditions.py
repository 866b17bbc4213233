"""What conditions are put together from."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries.events import bridged
from builder.queries.question import Question
from builder.queries.source import Source
from builder.rules.thresholds import Thresholds


def duration(seconds: float) -> str:
    """A duration as PromQL writes it: ``10m``, ``90s``, ``1h``."""
    whole = int(seconds)
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if whole >= size and whole % size == 0:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def gap_of(thresholds: Thresholds) -> str:
    """How old a reading may be, as a duration."""
    return duration(thresholds.scrape_gap)


def now(question: Question, source: Source, thresholds: Thresholds) -> Expr:
    """The present answer to a question, over gaps in the data."""
    return bridged(question.ask(source), gap_of(thresholds))
