"""The vocabulary of an alert's definition: what is wrong, since when, whom it concerns, and what to do first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from builder.promql.expr import Expr
from builder.queries.jobs import JOB
from builder.queries.source import Source
from builder.rules.labels import Scope
from builder.rules.model import Severity
from builder.rules.thresholds import Thresholds

Condition = Callable[[Source, Thresholds], Expr]
"""What is wrong, as one series for each thing that it is wrong with. Raises SignalMissing."""


def told_by(scope: Scope, source: Source) -> tuple[str, ...]:
    """The labels that every alert of a scope carries, so that ``equal`` in an inhibition can name them."""
    if scope is Scope.CARD:
        return source.card
    return ("cluster", "node") if scope is Scope.NODE else JOB


class Shown(Enum):
    """How the number in an alert's text is written; the value is a Prometheus template of it."""

    RATIO = "{{ $value | humanizePercentage }}"
    CELSIUS = '{{ printf "%.0f" $value }} °C'
    SECONDS = "{{ $value | humanizeDuration }}"
    HOURS = '{{ printf "%.1f" $value }} h'
    COUNT = '{{ printf "%.0f" $value }}'
    RATE = '{{ printf "%.1f" $value }}'


@dataclass(frozen=True)
class Alert:
    """One alert. Its name is public: silences and routes depend on it.

    ``hold`` names the threshold that says for how long the condition must be true; empty: it fires at once.
    ``keep`` names the threshold that says for how long it stays on after the value came back, so that a value that
    swings around its threshold is one alert and not many; empty: not at all. ``outlives`` says that it is about what no
    longer reports.

    ``summary``, ``description`` and ``command`` are texts in which ``{where}`` stands for what the alert is about,
    ``{value}`` for the number, ``{gpu}``, ``{node}`` and the like for labels, and the name of a threshold for its
    value. ``board`` is the uid of the board that shows more.
    """

    name: str
    scope: Scope
    severity: Severity
    condition: Condition
    summary: str
    description: str
    command: str
    board: str
    shows: Shown
    hold: str = ""
    keep: str = "keep"
    outlives: bool = False
