"""What conditions are put together from."""

from __future__ import annotations

from builder.promql.expr import Expr, over, over_time
from builder.queries.question import Question
from builder.queries.source import Source
from builder.rules.thresholds import Thresholds

_STEP = 30


def duration(seconds: float) -> str:
    """A duration as PromQL writes it: ``10m``, ``90s``, ``1h``."""
    whole = int(seconds)
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if whole >= size and whole % size == 0:
            return f"{whole // size}{unit}"
    return f"{whole}s"


def bridged(answer: Expr, thresholds: Thresholds) -> Expr:
    """The answer, and where there is none just now the last one, as far back as a gap in the data may be.

    One failed scrape marks all series of a target as ended; an alert's hold would start anew after it.
    """
    return over_time("last", over(answer, duration(thresholds.scrape_gap), f"{_STEP}s"))


def now(question: Question, source: Source, thresholds: Thresholds) -> Expr:
    """The present answer to a question, over gaps in the data."""
    return bridged(question.ask(source), thresholds)
