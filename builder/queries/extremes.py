"""The few series that matter most over the whole range shown, so that a board of any fleet stays readable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from builder.promql.expr import Expr, over, over_time, top
from builder.queries.jobs import JOB, PROCESS
from builder.queries.question import Question
from builder.queries.source import Source

Of = Literal["card", "instance", "node", "job", "process", "job card"]
"""What one series stands for, which says the labels that keep the chosen ones apart."""


def highest(of: Question, count: int, *, each: Of = "card", by: Literal["max", "avg"] = "max") -> Question:
    """The series that were highest (by peak or by mean) in the range shown, the same ones at every step.

    A plain topk() chooses anew at every step and returns many times the series asked for.
    """
    return _extreme(of, count, each, by, lowest=False)


def lowest(of: Question, count: int, *, each: Of = "card", by: Literal["min", "avg"] = "min") -> Question:
    """The series that were lowest (by trough or by mean) in the range shown, the same ones at every step."""
    return _extreme(of, count, each, by, lowest=True)


def _extreme(of: Question, count: int, each: Of, by: str, *, lowest: bool) -> Question:
    def build(source: Source) -> Expr:
        now = of.ask(source)
        key = _key(each, source)
        # Five minutes are fine enough to choose by; ranges that are shorter choose by what is there.
        whole_range = over_time(by, over(now, "$__range", "5m", at_end=True)).join("or", now, on=key)
        return now.join("and", top(count, whole_range, bottom=lowest), on=key)

    name = f"{'lowest' if lowest else 'highest'}({of.name}, {count})"
    return Question(name, f"{of.help.rstrip('.')}: the {count} {'lowest' if lowest else 'highest'}.", build)


def _key(each: Of, source: Source) -> Sequence[str]:
    fixed = {"node": ("cluster", "node"), "job": JOB, "process": PROCESS, "job card": ("uuid", *JOB)}
    if each in fixed:
        return fixed[each]
    return source.card if each == "card" else source.instance
