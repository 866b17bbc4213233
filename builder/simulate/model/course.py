"""A card's course through time: which job it has, how hard it works, and what that adds up to.

Nothing here is stepped through from the start: a total is the sum over the turns of the card's lane, and a
turn is cut where a fault begins or ends, so that between two cuts the seconds of each phase are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import exp
from typing import NamedTuple

from builder.simulate.model.fault import Fault, active
from builder.simulate.model.jobs import Job, job_at, turn
from builder.simulate.model.layout import Card
from builder.simulate.model.level import Level, level
from builder.simulate.model.rhythm import Phase

TICK = 30
"""Seconds between two samples that the heat and the exporter's windows are made of."""

STOPPING = frozenset({"idle", "hung", "hang"})
"""Faults in which the training loop stands still."""

_INERTIA = 75.0  # seconds in which a card's core comes 63 % nearer to the heat that its power means
_WEIGHTS = [exp(-n * TICK / _INERTIA) for n in range(12)]
_AIR = 27.0


class Stretch(NamedTuple):
    """A time in which neither the job nor the faults change; seconds of each phase, none where no job runs."""

    begin: float
    end: float
    job: Job | None
    faults: tuple[Fault, ...]
    phases: tuple[float, float, float, float]

    @property
    def length(self) -> float:
        """In seconds."""
        return self.end - self.begin


class Totals(NamedTuple):
    """What a card's driver has counted since the start of the fleet's time: joules, and seconds of throttling."""

    energy: float = 0.0
    power_throttled: float = 0.0
    heat_throttled: float = 0.0


def job_on(card: Card, at: float) -> Job | None:
    """The job that has the card."""
    return job_at(card.lane, at) if card.lane else None


def loop_time(card: Card, at: float) -> float:
    """Up to when the training loop on the card has come: it stands still while the job is over or hangs."""
    return min([at, *(f.start for f in card.faults if f.kind in STOPPING and f.active(at))])


def level_of(card: Card, at: float) -> Level:
    """How hard the card works, averaged over a step."""
    job = job_on(card, at)
    phase = job.rhythm.phase(at - job.begin) if job else Phase.TRAIN
    return level(card.model, job, phase, active(card.faults, at) if card.faults else ())


@lru_cache(maxsize=16384)
def _sample(card: Card, number: int) -> tuple[Level, float]:
    """The level at a tick, and the temperature that it would lead to if it lasted."""
    at = number * TICK
    now = level_of(card, at)
    load = (now.power - card.model.idle_power) / (card.model.power_limit - card.model.idle_power)
    target = _AIR + card.warmth + 5 + card.model.rise * load
    for fault in card.faults:
        if fault.kind == "hot" and fault.active(at):
            target = max(target, fault.value)
        if fault.kind == "throttle" and fault.active(at) and "throttle_hw_thermal" in now.reasons:
            target = max(target, card.model.slowdown)
    return now, target


def temperature(card: Card, at: float) -> int:
    """Whole degrees of the core: a weighted mean of what the last minutes' levels lead to."""
    last = int(at // TICK)
    total = sum(weight * _sample(card, last - n)[1] for n, weight in enumerate(_WEIGHTS))
    return round(total / sum(_WEIGHTS))


def recent(card: Card, at: float, ticks: int) -> Iterator[Level]:
    """The levels at the last so many ticks, latest first."""
    last = int(at // TICK)
    return (_sample(card, last - n)[0] for n in range(ticks))


def stretches(card: Card, begin: float, end: float, job: Job | None) -> Iterator[Stretch]:
    """The time from ``begin`` to ``end``, in all of which the card has this job, cut where faults change."""
    cuts = [begin, end]
    if card.faults:
        edges = {edge for fault in card.faults for edge in (fault.start, fault.end) if begin < edge < end}
        cuts[1:1] = sorted(edges)
    for a, b in pairwise(cuts):
        if a < b:
            yield Stretch(a, b, job, active(card.faults, a), _phases(job, a, b))


def totals(card: Card, at: float) -> Totals:
    """What has been counted from the start of the fleet's time to ``at``."""
    if card.lane is None:
        return _sum(card, [(0.0, at, None)])
    first, last = card.lane.number(0.0), card.lane.number(at)
    found = _part(card, last, at)
    for number in range(first, last):
        whole = _whole(card, number)
        found = Totals(*(a + b for a, b in zip(found, whole, strict=True)))
    return found


@lru_cache(maxsize=65536)
def _whole(card: Card, number: int) -> Totals:
    assert card.lane is not None
    return _part(card, number, card.lane.begin(number + 1))


def _part(card: Card, number: int, at: float) -> Totals:
    """What one turn of the lane adds up to ``at``; time before the start of the fleet's does not count."""
    assert card.lane is not None
    job = turn(card.lane, number)
    begin, middle = max(job.begin, 0.0), max(job.end, 0.0)
    return _sum(card, [(begin, min(at, middle), job), (middle, at, None)])


def _sum(card: Card, parts: list[tuple[float, float, Job | None]]) -> Totals:
    energy = capped = heated = 0.0
    for begin, end, job in parts:
        for stretch in stretches(card, begin, end, job) if begin < end else ():
            for phase, seconds in zip(Phase, stretch.phases, strict=True):
                if seconds:
                    now = level(card.model, job, phase, stretch.faults)
                    energy += now.power * seconds
                    if now.reasons:
                        capped += seconds * ("throttle_sw_power" in now.reasons)
                        heated += seconds * ("throttle_hw_thermal" in now.reasons)
    return Totals(energy, capped, heated)


def _phases(job: Job | None, begin: float, end: float) -> tuple[float, float, float, float]:
    if job is None:
        return (end - begin, 0.0, 0.0, 0.0)
    before, after = job.rhythm.spent(begin - job.begin), job.rhythm.spent(end - job.begin)
    return (after[0] - before[0], after[1] - before[1], after[2] - before[2], after[3] - before[3])
