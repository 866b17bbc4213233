"""Who holds a card's memory: the framework's pool, the driver's context, and others. All in MiB."""

from __future__ import annotations

from typing import NamedTuple

from builder.simulate.model.course import loop_time
from builder.simulate.model.fault import Fault
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card
from builder.simulate.model.rhythm import Phase

CONTEXT = 620
"""What a process holds beside its pool: context, loaded modules, communication buffers."""

_SYSTEM = 1800  # what a framework leaves to the system when it sets its limit
_SPARE = 64
_NEIGHBOUR = 4 * 1024  # what the second pod's process holds on a card that two pods share
_GIB = 1024


class Pool(NamedTuple):
    """A framework's view: live tensors, the most of them so far, what it took from the driver, and may take."""

    live: int
    peak: int
    held: int
    limit: int


class Memory(NamedTuple):
    """The driver's view, and of ``used`` the parts that a process of nobody's job and one of another pod hold."""

    used: int
    free: int
    reserved: int
    foreign: int
    neighbour: int = 0

    @property
    def total(self) -> int:
        """All there is."""
        return self.used + self.free + self.reserved


def pool(card: Card, job: Job, at: float, swing: float) -> Pool:
    """What the process on the card says of itself; ``swing`` is where in its step it is, from -1 to 1."""
    return _pool(card, job, at, swing, card.model.memory - card.model.reserved)


def memory(card: Card, job: Job | None, at: float, swing: float) -> Memory:
    """What the driver says of the whole card."""
    if card.instances:
        parts = [instance_memory(card, number, job, at) for number in card.instances]
        return Memory(*(sum(part) for part in zip(*parts, strict=True)))
    usable = card.model.memory - card.model.reserved
    used = pool(card, job, at, swing).held + CONTEXT if job else 1
    shared = bool(job) and any(f.kind == "duplicate-vgpu" and f.active(at) for f in card.faults)
    neighbour = max(min(_NEIGHBOUR * shared, usable - used - _SPARE), 0)
    used += neighbour
    wanted = sum(round(f.value * _GIB) for f in card.faults if f.kind == "foreign" and f.active(at))
    foreign = max(min(wanted, usable - used - _SPARE), 0)
    return Memory(used + foreign, usable - used - foreign, card.model.reserved, foreign, neighbour)


def instance_memory(card: Card, number: int, job: Job | None, at: float) -> Memory:
    """What the driver says of one MIG instance; the first works more than the others."""
    reserved = card.model.reserved // len(card.instances)
    usable = card.model.memory // len(card.instances) - reserved
    share = 1.0 if number == card.instances[0] else 0.35
    used = round(_pool(card, job, at, 0.0, usable).held * share) if job else 0
    return Memory(used, usable - used, reserved, 0)


def _pool(card: Card, job: Job, at: float, swing: float, usable: int) -> Pool:
    age = loop_time(card, at) - job.begin
    phase = job.rhythm.phase(age)
    ramp = 0.3 + 0.7 * age / job.rhythm.warm_up if phase is Phase.COMPILE else 1.0
    limit = usable - _SYSTEM
    held = job.pool * usable * ramp
    live = held * job.live
    peak = live * (1 + job.swing)
    if phase is Phase.TRAIN:
        live *= 1 + job.swing * swing
    elif phase is not Phase.COMPILE:
        live *= 0.7  # no gradients
    for fault in card.faults:
        if fault.kind == "slack" and fault.active(at):
            held = limit * 0.95
            live = held * fault.value
        if fault.kind == "leak":
            grown = _leaked(fault, job, at)
            live, peak = min(live + grown, limit), min(peak + grown, limit)
            held = max(held, peak)
    return Pool(round(live), round(max(live, peak)), round(held), limit)


def _leaked(fault: Fault, job: Job, at: float) -> float:
    """What is lost by now; it stays lost until the job ends."""
    lasted = min(at, fault.end) - max(fault.start, job.begin)
    return max(lasted, 0.0) / 3600 * fault.value * _GIB
