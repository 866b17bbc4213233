"""A stretch of history, as the evaluations that a rule group would have made in it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

LEAD = 3600
"""Seconds before the period that are read too: what was true already then has its ``for`` behind it."""


@dataclass(frozen=True)
class Period:
    """From ``start`` to ``end`` (Unix times), evaluated every ``step`` seconds.

    Evaluations have numbers: number 0 is ``LEAD`` before the start, and all lie at multiples of the step. A running
    Prometheus shifts each group by a part of its interval, which depends on the path of the rule file
    (``Group.EvalTimestamp`` in its rules/manager.go), so its own times are later by less than one step.
    """

    start: float
    end: float
    step: int

    @property
    def first(self) -> int:
        """The time of evaluation number 0."""
        return math.floor((self.start - LEAD) / self.step) * self.step

    @property
    def count(self) -> int:
        """How many evaluations there are."""
        return math.floor((self.end - self.first) / self.step) + 1

    @property
    def seconds(self) -> float:
        """How long the period is."""
        return self.end - self.start

    def at(self, number: int) -> float:
        """The time of an evaluation."""
        return self.first + number * self.step

    def number(self, at: float) -> int:
        """The evaluation that is nearest to a time."""
        return round((at - self.first) / self.step)

    def slices(self, seconds: float) -> Iterator[tuple[int, int]]:
        """The first and the last evaluation of each part that is no longer than so many seconds."""
        points = max(int(seconds // self.step), 1)
        bounds = [*range(0, self.count, points), self.count]
        return ((first, after - 1) for first, after in pairwise(bounds))
