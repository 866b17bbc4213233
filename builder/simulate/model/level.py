"""How hard a card works, averaged over a training step: a table of phases, changed by faults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from builder.simulate.model.fault import Fault
from builder.simulate.model.hardware import Model
from builder.simulate.model.jobs import Job
from builder.simulate.model.rhythm import Phase


@dataclass(frozen=True)
class Level:
    """Activities are shares of time or cycles; ``power`` and ``limit`` are watts, ``clock`` a share of the
    highest, ``transmit``, ``receive`` and ``nvlink`` bytes per second.

    ``swing`` is by how much a step's sawtooth moves the activities. ``pace`` is the speed of steps against
    the job's own, ``stepping`` 1 while steps end at all, ``wait`` the share of step time spent on input.
    ``reasons`` are the throttle signals that are up.
    """

    utilisation: float
    sm: float
    occupancy: float
    tensor: float
    dram: float
    power: float
    limit: float
    clock: float
    transmit: float = 0.0
    receive: float = 0.0
    nvlink: float = 0.0
    swing: float = 0.0
    pace: float = 0.0
    stepping: float = 0.0
    wait: float = 0.0
    reasons: frozenset[str] = frozenset()


_CAPPED = frozenset({"throttle_sw_power"})
_HEATED = frozenset({"throttle_sw_thermal", "throttle_hw_thermal", "throttle_hw_slowdown"})


@lru_cache(maxsize=65536)
def level(model: Model, job: Job | None, phase: Phase, faults: tuple[Fault, ...]) -> Level:
    """The level of a card on which this job runs (or none), with these faults in force."""
    found = _PHASES[phase](model, job) if job else resting(model)
    for fault in faults:
        change = _CHANGES.get(fault.kind)
        if change and job:
            found = change(found, fault.value, model)
    return found


def resting(model: Model) -> Level:
    """A card without work."""
    idle = frozenset({"throttle_idle"})
    return Level(0, 0, 0, 0, 0, model.idle_power, model.power_limit, model.idle_clock / model.clock, reasons=idle)


def _watts(model: Model, share: float) -> float:
    return model.idle_power + (model.power_limit - model.idle_power) * share


def _train(model: Model, job: Job) -> Level:
    return Level(
        utilisation=job.load,
        sm=job.load * 0.88,
        occupancy=job.load * 0.45,
        tensor=job.draw * 0.55,
        dram=job.draw * 0.6,
        power=_watts(model, job.draw),
        limit=model.power_limit,
        clock=1.0,
        transmit=4e8,
        receive=1.2e9,
        nvlink=model.nvlink * 0.4,
        swing=job.swing / 2,
        pace=1.0,
        stepping=1.0,
        wait=0.03,
    )


def _evaluate(model: Model, job: Job) -> Level:
    calm = _train(model, job)
    return replace(
        calm, utilisation=0.7, sm=0.5, tensor=0.25, dram=0.3, power=_watts(model, 0.5), nvlink=0.0, pace=0, stepping=0
    )


def _checkpoint(model: Model, job: Job) -> Level:
    low = _evaluate(model, job)
    return replace(
        low, utilisation=0.05, sm=0.02, occupancy=0.01, tensor=0, dram=0.1, power=_watts(model, 0.12), transmit=6e9
    )


def _compile(model: Model, job: Job) -> Level:
    low = _checkpoint(model, job)
    return replace(low, utilisation=0.2, sm=0.1, tensor=0.02, power=_watts(model, 0.2), transmit=1e8, receive=4e9)


_PHASES = {
    Phase.TRAIN: _train,
    Phase.EVALUATE: _evaluate,
    Phase.CHECKPOINT: _checkpoint,
    Phase.COMPILE: _compile,
}


def _stopped(_busy: Level, _value: float, model: Model) -> Level:
    return resting(model)


def _hang(busy: Level, _value: float, model: Model) -> Level:
    # A kernel that spins in a collective is resident all the time and computes nothing.
    return Level(1.0, 0.12, 0.03, 0.0, 0.01, _watts(model, 0.14), busy.limit, 1.0)


def _throttle(busy: Level, value: float, _model: Model) -> Level:
    slow = _slower(busy, value)
    return replace(slow, clock=busy.clock * value, power=busy.power * 0.75, reasons=busy.reasons | _HEATED)


def _power_cap(busy: Level, value: float, model: Model) -> Level:
    limit = model.power_limit * value
    if busy.power < limit:
        return replace(busy, limit=limit)
    slow = _slower(busy, 0.85)
    return replace(slow, limit=limit, power=limit * 0.995, clock=busy.clock * 0.85, reasons=busy.reasons | _CAPPED)


def _input_stall(busy: Level, value: float, model: Model) -> Level:
    works = 1 - value
    return replace(
        busy,
        utilisation=busy.utilisation * works,
        sm=busy.sm * works,
        occupancy=busy.occupancy * works,
        tensor=busy.tensor * works,
        dram=busy.dram * works,
        power=model.idle_power + (busy.power - model.idle_power) * works,
        nvlink=busy.nvlink * works,
        receive=busy.receive * works,
        swing=busy.swing * 5,
        pace=busy.pace * works,
        wait=value,
    )


def _straggler(busy: Level, value: float, model: Model) -> Level:
    if not busy.stepping:
        return busy
    power = model.idle_power + (busy.power - model.idle_power) * value
    return replace(_slower(busy, value), clock=busy.clock * value, power=power, nvlink=busy.nvlink * value)


def _slower(busy: Level, share: float) -> Level:
    return replace(busy, pace=busy.pace * share, tensor=busy.tensor * share, dram=busy.dram * share)


_CHANGES = {
    "idle": _stopped,
    "hung": _stopped,
    "hang": _hang,
    "throttle": _throttle,
    "power-cap": _power_cap,
    "input-stall": _input_stall,
    "straggler": _straggler,
}
