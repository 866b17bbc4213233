"""What conditions are put together from."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries.events import bridged
from builder.queries.question import Question
from builder.queries.source import Source
from builder.rules.encode import duration
from builder.rules.thresholds import Thresholds


def gap_of(thresholds: Thresholds) -> str:
    """How old a reading may be, as a duration."""
    return duration(thresholds.scrape_gap)


def now(question: Question, source: Source, thresholds: Thresholds) -> Expr:
    """The present answer to a question, over gaps in the data."""
    return bridged(question.ask(source), gap_of(thresholds))
