"""What is true of a card at a moment: the value of every signal, in the catalogue's names and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from builder.catalog.profiles.dcgm import REASON_BITS, SEVERE
from builder.simulate.model import course
from builder.simulate.model.chance import between, chance
from builder.simulate.model.fault import Fault, active
from builder.simulate.model.hardware import MIB
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card, Node
from builder.simulate.model.level import Level
from builder.simulate.model.memory import Memory, instance_memory, memory

WINDOW = 300
"""Seconds that the exporter's own counts of events look back."""

Signals = Mapping[str, float]


@dataclass(frozen=True)
class Process:
    """A process that holds memory of a card, in bytes; ``part`` tells apart the pods that share a card."""

    pid: int
    name: str
    memory: int
    part: int | None = None


@dataclass(frozen=True)
class Device:
    """A card at a moment, and each of its MIG instances (by id), which share the board's signals.

    ``xids`` counts the XIDs by code since the exporter started, ``recent_xids`` those in its window;
    ``recent_reasons`` is in how many samples of its window each throttle reason was up.
    """

    card: Card
    job: Job | None
    signals: Signals
    instances: Mapping[int, Signals]
    processes: tuple[Process, ...]
    xids: Mapping[int, int]
    recent_xids: Mapping[int, int]
    recent_reasons: Mapping[str, int]
    faults: tuple[Fault, ...]


def device(node: Node, card: Card, at: float) -> Device | None:
    """The card at ``at`` seconds of the fleet's time; None while it is lost."""
    faults = active(card.faults, at) if card.faults else ()
    if any(f.kind == "lost" for f in faults):
        return None
    job, now = course.job_on(card, at), course.level_of(card, at)
    saw = sawtooth(job, at)
    held = memory(card, job, at, saw if now.stepping else 0.0)
    struck, window = _xids(node, card, at)
    board = {**_board(card, now, saw, at), **_counters(card, at), **_memory(held), **_activity(now, saw)}
    if not card.model.data_centre:
        board = {name: value for name, value in board.items() if name not in _DATA_CENTRE}
    board["xid"] = list(struck)[-1] if struck else 0
    return Device(
        card,
        job,
        board,
        {number: {**board, **_instance(card, number, job, now, at)} for number in card.instances},
        _processes(card, job, held),
        struck,
        window,
        _recent_reasons(card, at) if now.reasons or card.faults else {},
        faults,
    )


def sawtooth(job: Job | None, at: float) -> float:
    """Where in a step its job is, from -1 to 1."""
    return 2 * ((at - job.begin) / job.step % 1) - 1 if job and job.swing else 0.0


_DATA_CENTRE = frozenset(
    {
        *("sm_activity", "sm_occupancy", "tensor_activity", "dram_activity"),
        *("memory_temperature", "nvlink_throughput", "nvlink_errors", "pcie_transmit", "pcie_receive"),
        *("ecc_corrected", "ecc_uncorrected", "row_remap_pending", "row_remap_failure"),
        *("rows_remapped_corrected", "rows_remapped_uncorrected"),
    }
)
"""What a card for gamers does not have."""


def _board(card: Card, now: Level, saw: float, at: float) -> dict[str, float]:
    model = card.model
    heat = course.temperature(card, at)
    signals = {
        "temperature": heat,
        "slowdown_temperature": model.slowdown,
        "temperature_margin": model.slowdown - heat,
        "memory_temperature": heat + 5,
        "power": round(min(now.power * (1 + now.swing / 2 * saw), now.limit), 3),
        "power_limit": now.limit,
        "sm_clock": round(now.clock * model.clock / 15) * 15e6,
        "memory_clock": model.memory_clock * 1e6,
        "sm_clock_max": model.clock * 1e6,
        "pcie_transmit": now.transmit,
        "pcie_receive": round(now.receive),
        "nvlink_throughput": round(now.nvlink, -6),
        "device_info": 1,
    }
    if not model.data_centre:
        signals["fan_speed"] = round(min(max((heat - 30) / 60, 0.3), 1.0), 2)
    signals.update((reason, float(reason in now.reasons)) for reason in REASON_BITS)
    signals["throttled"] = float(not now.reasons.isdisjoint(SEVERE))
    return signals


def _counters(card: Card, at: float) -> dict[str, float]:
    seed, counted = card.seed, course.totals(card, at)
    before = round(between(1e8, 5e9, seed, card.key, "energy"))
    remaps = "row_remap" if card.model.remaps_rows else "retired_pages"
    rows = sum(f.kind == "remap-pending" and f.start <= at for f in card.faults)
    signals = {
        "energy": round(before + counted.energy, 3),
        "throttled_time_power": round(counted.power_throttled, 3),
        "throttled_time_thermal": round(counted.heat_throttled, 3),
        "throttled_time_hw_thermal": round(counted.heat_throttled, 3),
        "ecc_corrected": _rising(card, "ecc-corrected", at),
        "ecc_uncorrected": sum(int(f.value) for f in card.faults if f.kind == "ecc-uncorrected" and f.start <= at),
        "nvlink_errors": _rising(card, "nvlink-errors", at),
        "pcie_replay": _rising(card, "pcie-replays", at) + (3 if chance(seed, card.key, "replays") < 0.2 else 0),
        f"{remaps}_pending": float(any(f.kind == "remap-pending" and f.active(at) for f in card.faults)),
    }
    if card.model.remaps_rows:
        failed = any(f.kind == "remap-failed" and f.active(at) for f in card.faults)
        signals |= {"row_remap_failure": float(failed), "rows_remapped_corrected": 0, "rows_remapped_uncorrected": rows}
    else:
        signals |= {"retired_pages_corrected": 0, "retired_pages_uncorrected": rows}
    return signals


def _rising(card: Card, kind: str, at: float) -> int:
    lasted = ((f.value, min(at, f.end) - f.start) for f in card.faults if f.kind == kind)
    return int(sum(rate * max(seconds, 0.0) for rate, seconds in lasted))


def _memory(held: Memory) -> dict[str, float]:
    return {
        "memory_used": held.used * MIB,
        "memory_free": held.free * MIB,
        "memory_reserved": held.reserved * MIB,
        "memory_total": held.total * MIB,
    }


def _activity(now: Level, saw: float, share: float = 1.0) -> dict[str, float]:
    swing = 1 + now.swing * saw if now.utilisation else 0.0
    return {
        "utilisation": round(min(now.utilisation * swing, 1.0) * share, 2),
        "sm_activity": round(min(now.sm * swing, 1.0) * share, 6),
        "sm_occupancy": round(now.occupancy * share, 6),
        "tensor_activity": round(now.tensor * swing * share, 6),
        "dram_activity": round(now.dram * swing * share, 6),
    }


def _instance(card: Card, number: int, job: Job | None, now: Level, at: float) -> dict[str, float]:
    share = 1.0 if number == card.instances[0] else 0.3
    return {**_memory(instance_memory(card, number, job, at)), **_activity(now, 0.0, share)}


def _processes(card: Card, job: Job | None, held: Memory) -> tuple[Process, ...]:
    found = []
    if job:
        own = held.used - held.foreign - held.neighbour
        found.append(Process(pid(card, job.name), "python3", own * MIB, 0))
    if held.neighbour:
        found.append(Process(pid(card, "neighbour"), "python3", held.neighbour * MIB, 1))
    if held.foreign:
        found.append(Process(pid(card, "foreign"), "/opt/render/worker", held.foreign * MIB))
    return tuple(found)


def pid(card: Card, name: str) -> int:
    """The number that the host gives to a process on the card."""
    return int(between(2000, 400000, card.seed, card.key, name))


def _xids(node: Node, card: Card, at: float) -> tuple[dict[int, int], dict[int, int]]:
    """XIDs by code since the exporter started, in the order in which they came; and those in its window."""
    restarted = max(
        (f.end for f in node.faults if f.kind in ("exporter-down", "node-down") and f.end <= at), default=-1
    )
    found: dict[int, int] = {}
    window: dict[int, int] = {}
    for fault in sorted(card.faults, key=lambda f: f.start):
        if fault.kind == "xid" and restarted < fault.start <= at:
            code = int(fault.value)
            found[code] = found.pop(code, 0) + 1
            if at - fault.start < WINDOW:
                window[code] = window.get(code, 0) + 1
    return found, window


def _recent_reasons(card: Card, at: float) -> dict[str, int]:
    counts: dict[str, int] = {}
    for level in course.recent(card, at, WINDOW // course.TICK):
        for reason in level.reasons:
            counts[reason] = counts.get(reason, 0) + 1
    return counts
