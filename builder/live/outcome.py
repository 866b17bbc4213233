"""What came of asking a Prometheus for boards: values, no behaviour beyond sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from builder.lint import Severity


class Verdict(Enum):
    """What a panel shows, for whoever opens it now."""

    OK = "ok"
    QUIET = "quiet"
    """No series, and that is an answer: nothing is wrong, or nothing is above the threshold."""
    SLOW = "slow"
    EMPTY = "empty"
    """No series although its metrics are there."""
    MISSING = "missing"
    """No series because the server has none of some metric."""
    ERROR = "error"
    """Grafana would show an error, or send a variable that nothing replaced."""
    NOT_ASKED = "not asked"
    """Nothing in it is asked of Prometheus, or the server could not be asked."""

    @property
    def severity(self) -> Severity:
        """How bad that is."""
        return _SEVERITIES.get(self, Severity.INFO)


_SEVERITIES = {
    Verdict.ERROR: Severity.BUG,
    Verdict.MISSING: Severity.WARNING,
    Verdict.EMPTY: Severity.WARNING,
    Verdict.SLOW: Severity.WARNING,
}


@dataclass(frozen=True)
class QueryOutcome:
    """One query as it was sent, and its answer.

    ``missing`` are the metrics whose absence empties it. ``samples`` is what the server read for it, None where it
    does not count; ``size`` is in bytes, ``seconds`` until the answer was whole.
    """

    ref_id: str
    expr: str
    instant: bool
    error: str = ""
    fix: str = ""
    series: int = 0
    samples: int | None = None
    size: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class PanelOutcome:
    """One panel, or one copy of a repeated one, and why it is what it is."""

    id: int
    title: str
    type: str
    row: str
    scope: Mapping[str, str]
    verdict: Verdict
    why: str = ""
    fix: str = ""
    queries: tuple[QueryOutcome, ...] = ()

    @property
    def series(self) -> int:
        """How many series came back."""
        return sum(query.series for query in self.queries)

    @property
    def samples(self) -> int | None:
        """How many samples the server read; None where it does not count them."""
        return total([query.samples for query in self.queries])

    @property
    def size(self) -> int:
        """Bytes of all answers."""
        return sum(query.size for query in self.queries)

    @property
    def seconds(self) -> float:
        """How long its slowest query took: Grafana sends a panel's queries together."""
        return max((query.seconds for query in self.queries), default=0.0)


@dataclass(frozen=True)
class VariableOutcome:
    """A variable: the query as sent, how many values it offers, which are chosen, and what went wrong."""

    name: str
    type: str
    query: str
    options: int
    chosen: tuple[str, ...]
    error: str = ""


@dataclass(frozen=True)
class BoardOutcome:
    """A board's variables and panels. ``error`` says why it cannot be opened at all; ``left_out`` counts copies."""

    name: str
    title: str
    variables: tuple[VariableOutcome, ...] = ()
    panels: tuple[PanelOutcome, ...] = ()
    error: str = ""
    left_out: int = 0

    @property
    def severity(self) -> Severity:
        """The worst of it."""
        if self.error or any(variable.error for variable in self.variables):
            return Severity.BUG
        return max((panel.verdict.severity for panel in self.panels), default=Severity.INFO)


@dataclass(frozen=True)
class Lack:
    """A signal that the server does not have, by all its names that were asked for, and where it is wanted."""

    name: str
    metrics: tuple[str, ...]
    fix: str
    wanted_by: tuple[str, ...]


@dataclass(frozen=True)
class LiveReport:
    """Everything that was found out about boards on one server. ``at`` is the server's time (Unix time).

    ``trouble`` says why part of the boards could not be asked; what is there is then not all.
    """

    url: str
    version: str
    at: float
    boards: tuple[BoardOutcome, ...]
    lacks: tuple[Lack, ...] = ()
    notes: tuple[str, ...] = ()
    trouble: str = ""
    seconds: float = 0.0

    @property
    def panels(self) -> tuple[PanelOutcome, ...]:
        """The panels of all boards."""
        return tuple(panel for board in self.boards for panel in board.panels)

    @property
    def severity(self) -> Severity:
        """The worst that was found."""
        return max((board.severity for board in self.boards), default=Severity.INFO)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many panels of each verdict, the frequent ones first as the enum has them."""
        found = Counter(panel.verdict for panel in self.panels)
        return {verdict.value: found[verdict] for verdict in Verdict if found[verdict]}


def total(counts: Sequence[int | None]) -> int | None:
    """The sum of what was counted; None where nothing was."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
