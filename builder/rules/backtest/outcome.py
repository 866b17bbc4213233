"""What came of an alert: how often it would have fired, for how long, and on what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from builder.rules.backtest.incidents import Incident

_WEEK = 7 * 86_400


@dataclass(frozen=True)
class Firing:
    """One incident and the labels of the series that it is about."""

    labels: Mapping[str, str]
    incident: Incident

    @property
    def place(self) -> str:
        """What it is about: ``cluster/node/card``, or the job and the rank."""
        labels = self.labels
        names: tuple[str, ...] = ("cluster", "node", "gpu", "mig", "xid")
        if "training_job" in labels:
            names = ("namespace", "training_job", "rank")
        return "/".join(labels[name] for name in names if labels.get(name)) or "everything"


@dataclass(frozen=True)
class Outcome:
    """All incidents of an alert over ``seconds`` of history, in the order of time."""

    firings: tuple[Firing, ...]
    seconds: float

    @property
    def count(self) -> int:
        """How often it would have fired."""
        return len(self.firings)

    @property
    def a_week(self) -> float:
        """How often in seven days."""
        return self.count * _WEEK / self.seconds if self.seconds else 0.0

    @property
    def places(self) -> tuple[str, ...]:
        """What it would have fired on, each once."""
        return tuple(sorted({firing.place for firing in self.firings}))

    @property
    def firing_seconds(self) -> float:
        """For how long, all incidents together."""
        return sum(firing.incident.seconds for firing in self.firings)

    @property
    def longest(self) -> float:
        """For how long, the longest one."""
        return max((firing.incident.seconds for firing in self.firings), default=0.0)


@dataclass(frozen=True)
class Tried:
    """The outcome with another value of one threshold."""

    value: float
    outcome: Outcome


def suggestion(tried: tuple[Tried, ...], wanted: float, present: float) -> Tried | None:
    """The value that fires most often without exceeding ``wanted`` alerts a week; None where each one exceeds it.

    Of several that are equal it is the one nearest to the present value.
    """
    fitting = [each for each in tried if each.outcome.a_week <= wanted]
    return max(fitting, key=lambda each: (each.outcome.count, -abs(each.value - present)), default=None)
