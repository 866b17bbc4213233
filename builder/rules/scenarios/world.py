"""The healthy node that scenarios begin with: four cards, a process of one job on each, and the host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.catalog.model import Scope
from builder.catalog.signals import signal
from builder.rules.scenarios.courses import Course, clock, gone, grows, level
from builder.rules.thresholds import Thresholds

GIB = 1024.0**3
CARDS = 4

_HEALTHY: Mapping[str, Course] = {
    "utilisation": level(0.92),
    "sm_activity": level(0.8),
    "tensor_activity": level(0.45),
    "dram_activity": level(0.5),
    "memory_used": level(58 * GIB),
    "memory_free": level(21 * GIB),
    "memory_reserved": level(1 * GIB),
    "memory_total": level(80 * GIB),
    "temperature": level(62),
    "memory_temperature": level(71),
    "slowdown_temperature": level(92),
    "temperature_margin": level(30),
    "power": level(610),
    "power_limit": level(700),
    "energy": grows(610, 1000),
    "sm_clock": level(1.98e9),
    "memory_clock": level(2.6e9),
    "sm_clock_max": level(1.98e9),
    "pcie_replay": grows(0),
    "nvlink_errors": grows(0),
    "ecc_corrected": grows(0),
    "ecc_uncorrected": level(0),
    "xid": level(0),
    "xid_errors": gone,
    "row_remap_pending": level(0),
    "row_remap_failure": level(0),
    "rows_remapped_corrected": level(0),
    "rows_remapped_uncorrected": level(0),
    "retired_pages_pending": level(0),
    "throttle_idle": level(0),
    "throttle_app_clocks": level(0),
    "throttle_sw_power": level(0),
    "throttle_hw_slowdown": level(0),
    "throttle_sync_boost": level(0),
    "throttle_sw_thermal": level(0),
    "throttle_hw_thermal": level(0),
    "throttle_power_brake": level(0),
    "throttled_time_power": grows(0),
    "throttled_time_thermal": grows(0),
    "throttled_time_hw_thermal": grows(0),
    "device_info": level(1),
    "framework_memory_in_use": level(48 * GIB),
    "framework_memory_peak": level(50 * GIB),
    "framework_memory_pool": level(56 * GIB),
    "framework_memory_limit": level(76 * GIB),
    "records": grows(512),
    "steps": grows(2),
    "steps_per_second": level(2),
    "step_time": grows(1),
    "input_wait": grows(0.04),
    "last_step": clock,
    "job_active": level(1),
    "job_started": level(-86_400),
    "job_evaluating": level(0),
    "job_checkpointing": level(0),
    "job_compiling": level(0),
    "last_checkpoint": clock,
    "training_device_info": level(1),
    "clock_offset": level(0.002),
    "node_gpus": level(CARDS),
}

SIGNALS = tuple(_HEALTHY)
"""The signals that the healthy world has."""

BY_CLOCK = ("last_step", "last_checkpoint", "job_started")
"""Those that are times by the clock of the process's host."""


@dataclass(frozen=True)
class Entity:
    """A card, a process or a host, by its canonical labels; ``number`` counts those of its kind."""

    kind: str
    number: int
    labels: Mapping[str, str]


@dataclass(frozen=True)
class World:
    """The healthy node: which model its cards are, in which cluster it is, and what is well below all thresholds."""

    model: str = "NVIDIA H100 80GB HBM3"
    cluster: str = "east"
    thresholds: Thresholds = field(default_factory=Thresholds)

    def healthy(self, signal: str) -> Course:
        """What a signal does while all is well."""
        if signal == "temperature":
            return level(min(62, self.thresholds.temperature_notice - 5))
        if signal == "memory_temperature":
            return level(min(71, self.thresholds.memory_temperature_warning - 5))
        return _HEALTHY[signal]

    def entities(self) -> tuple[Entity, ...]:
        """Everything there is."""
        node = {"cluster": self.cluster, "node": "gpu-node-1"}
        cards = tuple(Entity("card", n, {**node, **_card(n), **_pod(n), "model": self.model}) for n in range(CARDS))
        processes = tuple(Entity("process", n, {**node, **_card(n), **_pod(n), **_rank(n)}) for n in range(CARDS))
        return (*cards, *processes, Entity("host", 0, node))


def kind_of(name: str) -> str:
    """What a signal belongs to."""
    scope = signal(name).scope
    if scope is Scope.JOB:
        return "process"
    return "host" if scope in (Scope.NODE, Scope.POD) else "card"


def _uuid(number: int) -> str:
    return f"GPU-5fa3c9d0-0000-4000-8000-00000000000{number}"


def _card(number: int) -> dict[str, str]:
    return {"gpu": str(number), "uuid": _uuid(number)}


def _pod(number: int) -> dict[str, str]:
    return {"namespace": "research", "pod": f"train-{number}", "container": "main"}


def _rank(number: int) -> dict[str, str]:
    return {"training_job": "resnet", "rank": str(number), "instance": f"10.0.0.{number + 1}:9410"}


FIRST_CARD, SPARE_CARD = _uuid(0), _uuid(CARDS)
"""The uuid of the first card, and of one that may come in its place."""
