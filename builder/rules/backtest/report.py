"""What a backtest found out, whole; how it is told is elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builder.rules.backtest.outcome import Outcome, Tried, suggestion
from builder.rules.backtest.period import Period


@dataclass(frozen=True)
class Varied:
    """One threshold of an alert: the outcome with each value, the present one among them."""

    alert: str
    threshold: str
    present: float
    tried: tuple[Tried, ...]

    def suggested(self, wanted: float) -> Tried | None:
        """The value for so many alerts a week; None where each one gives more."""
        return suggestion(self.tried, wanted, self.present)


@dataclass(frozen=True)
class Report:
    """``outcomes`` by alert as configured, those of other thresholds, and ``refused``: what the server said instead.

    ``known`` is from when to when there is a history, ``wanted`` how many alerts a week one alert may send.
    """

    server: str
    profile: str
    period: Period
    known: tuple[float, float]
    outcomes: Mapping[str, Outcome]
    severities: Mapping[str, str]
    varied: Sequence[Varied] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    wanted: float = 1.0

    @property
    def seconds(self) -> float:
        """How much history there is."""
        return self.known[1] - self.known[0]

    @property
    def fired(self) -> tuple[str, ...]:
        """The alerts that would have fired, most often first."""
        often = {alert: outcome.count for alert, outcome in self.outcomes.items() if outcome.count}
        return tuple(sorted(often, key=lambda alert: (-often[alert], alert)))
