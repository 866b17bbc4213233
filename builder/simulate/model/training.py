"""What a training process knows of itself: progress since it began, and the memory of its framework."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from builder.simulate.model import course
from builder.simulate.model.device import sawtooth
from builder.simulate.model.fault import active
from builder.simulate.model.jobs import Job, Use
from builder.simulate.model.layout import Card
from builder.simulate.model.level import level
from builder.simulate.model.memory import Pool, pool
from builder.simulate.model.rhythm import Phase, Spent

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds of step durations in seconds, those of the training probe."""


class Pace(NamedTuple):
    """A stretch of training at one speed: seconds trained, steps done, seconds a step took, and was waited."""

    trained: float
    steps: float
    duration: float
    waited: float


@dataclass(frozen=True)
class Rank:
    """One training process, on one card. Times are seconds of the fleet's time, memory is in MiB.

    ``phase`` is None once training is over. ``cumulative`` counts the steps up to each bound of BUCKETS.
    """

    card: Card
    job: Job
    rank: int
    phase: Phase | None
    steps: int
    step_seconds: float
    waited: float
    last_step: float | None
    phase_seconds: Spent
    checkpoints: int
    cumulative: tuple[int, ...]
    memory: Pool

    @property
    def checkpoint_seconds(self) -> float:
        """Spent on the checkpoints that are done."""
        return self.checkpoints * self.job.rhythm.checkpoint

    @property
    def last_checkpoint(self) -> float:
        """When the last checkpoint was done."""
        rhythm = self.job.rhythm
        return self.job.begin + rhythm.warm_up + self.checkpoints * rhythm.period


def rank(card: Card, at: float) -> Rank | None:
    """The training process on the card; None where there is none, or its card is lost."""
    faults = active(card.faults, at)
    job = course.job_on(card, at)
    if job is None or job.lane.use is Use.SERVING or any(f.kind == "lost" for f in faults):
        return None
    stretches = list(course.stretches(card, job.begin, at, job))
    paces = [_pace(card, job, stretch) for stretch in stretches]
    over = any(f.kind == "idle" for f in faults)
    age = course.loop_time(card, at) - job.begin
    last = next(_last_steps(card, job, stretches), None)
    stepping = course.level_of(card, at).stepping
    return Rank(
        card=card,
        job=job,
        rank=job.rank(card.node, card.position),
        phase=None if over else job.rhythm.phase(age),
        steps=int(sum(p.steps for p in paces)),
        step_seconds=sum(p.steps * p.duration for p in paces),
        waited=sum(p.waited for p in paces),
        last_step=last,
        phase_seconds=_phase_seconds(card, job, stretches),
        checkpoints=job.rhythm.checkpoints(age),
        cumulative=_cumulative(paces),
        memory=pool(card, job, at, sawtooth(job, at) if stepping else 0.0),
    )


def steps_per_second(card: Card, job: Job, at: float) -> float:
    """The speed at this moment."""
    now = course.level_of(card, at)
    return now.pace / job.step if now.stepping else 0.0


def _phase_seconds(card: Card, job: Job, stretches: list[course.Stretch]) -> Spent:
    """A loop that hangs stays in its phase; after its end, no phase goes on."""
    found = [0.0] * len(Phase)
    for stretch in stretches:
        kinds = {f.kind for f in stretch.faults}
        if "idle" in kinds:
            continue
        if kinds & course.STOPPING:
            stuck = job.rhythm.phase(course.loop_time(card, stretch.begin) - job.begin)
            found[stuck] += stretch.length
        else:
            found = [a + b for a, b in zip(found, stretch.phases, strict=True)]
    return (found[0], found[1], found[2], found[3])


def _pace(card: Card, job: Job, stretch: course.Stretch) -> Pace:
    now = level(card.model, job, Phase.TRAIN, stretch.faults)
    trained = stretch.phases[Phase.TRAIN] * now.stepping
    if not trained or not now.pace:
        return Pace(0.0, 0.0, job.step, 0.0)
    return Pace(trained, trained * now.pace / job.step, job.step / now.pace, trained * now.wait)


def _last_steps(card: Card, job: Job, stretches: list[course.Stretch]) -> Iterator[float]:
    """When steps ended last, latest stretch first."""
    for stretch in reversed(stretches):
        if level(card.model, job, Phase.TRAIN, stretch.faults).stepping:
            age = job.rhythm.last_trained(stretch.end - job.begin)
            if age is not None and job.begin + age > stretch.begin:
                yield job.begin + age


def _cumulative(paces: list[Pace]) -> tuple[int, ...]:
    counts = [0.0] * (len(BUCKETS) + 1)
    for pace in paces:
        counts[bisect_left(BUCKETS, pace.duration)] += pace.steps
    total, found = 0.0, []
    for count in counts:
        total += count
        found.append(int(total))
    return tuple(found)
