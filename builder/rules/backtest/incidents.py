"""When an alert would have fired, from the evaluations at which its condition was true.

As Prometheus decides (``AlertingRule.Eval`` in its rules/alerting.go, 2.42): a condition that becomes true is pending,
and firing from the first evaluation on that is ``for`` later; one evaluation without it ends what is pending. What
fires stays on until the condition has been missing for ``keep_firing_for``, counted from the first evaluation without
it; should it come back before, nothing has happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from builder.rules.backtest.period import Period

Run = tuple[int, int]
"""The first and the last of evaluations that follow one another, by number."""


@dataclass(frozen=True)
class Incident:
    """One firing alert: from ``fired`` to ``ended`` (Unix times, the latter is the first evaluation without it).

    ``before``: it fired before the period began; ``open``: it still fires at the end. Its times are then those of
    the period.
    """

    fired: float
    ended: float
    before: bool = False
    open: bool = False

    @property
    def seconds(self) -> float:
        """For how long it fires."""
        return self.ended - self.fired


def runs(numbers: Iterable[int]) -> Iterator[Run]:
    """Ascending numbers as runs without a gap."""
    return joined((number, number) for number in numbers)


def joined(parts: Iterable[Run]) -> Iterator[Run]:
    """Ascending runs, those that touch made one."""
    held: Run | None = None
    for first, last in parts:
        if held is not None and first == held[1] + 1:
            held = (held[0], last)
            continue
        if held is not None:
            yield held
        held = (first, last)
    if held is not None:
        yield held


def incidents(true: Sequence[Run], period: Period, *, hold: int, keep: int) -> tuple[Incident, ...]:
    """The alerts of one series whose condition was true in these runs; ``hold`` and ``keep`` in seconds."""
    wait, stay = -(-hold // period.step), -(-keep // period.step)
    found: list[Run] = []  # the evaluation at which it fires first, and that at which it is over
    for first, last in true:
        over = last + 1 + stay
        if found and first <= found[-1][1]:  # it came back before it was over, or just then
            found[-1] = (found[-1][0], over)
        elif first + wait <= last:
            found.append((first + wait, over))
    placed = (_incident(fired, over, period) for fired, over in found)
    return tuple(incident for incident in placed if incident.ended > period.start)


def _incident(fired: int, over: int, period: Period) -> Incident:
    before, still = period.at(fired) < period.start, over >= period.count
    return Incident(
        fired=period.start if before else period.at(fired),
        ended=period.end if still else period.at(over),
        before=before,
        open=still,
    )
