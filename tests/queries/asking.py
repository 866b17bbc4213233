"""Every question there is, and the sources that boards of each profile ask."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import MappingProxyType, ModuleType

from builder import queries
from builder.build import context_of
from builder.catalog.signals import THROTTLE_REASONS
from builder.config import Config
from builder.config.model import Override, Patch
from builder.queries import extremes, memory, power, telemetry, thermal, training, utilisation
from builder.queries.question import Question
from builder.queries.source import Filter, Source

BOARD = (Filter("cluster", "$cluster"), Filter("node", "$node"), Filter("gpu", "$gpu_id"))
"""What the variables of a board narrow its queries by."""

MADE: dict[str, list[Question]] = {
    "extremes.highest": [
        extremes.highest(thermal.temperature, 20),
        extremes.highest(memory.memory_share, 20, each="instance"),
        extremes.highest(telemetry.sample_age, 20, each="node"),
        extremes.highest(training.job_throughput, 20, each="job", by="avg"),
        extremes.highest(training.straggler_lag, 20, each="process"),
    ],
    "extremes.lowest": [
        extremes.lowest(utilisation.node_utilisation, 20, each="node", by="avg"),
        extremes.lowest(training.clock_behind_peers, 20, each="job card"),
    ],
    "memory.fullest": [memory.fullest(20)],
    "memory.total": [memory.total(memory.framework_in_use), memory.total(memory.memory_gap)],
    "power.clock_of_highest_power": [power.clock_of_highest_power(10)],
    "thermal.throttled": [thermal.throttled(reason) for reason in THROTTLE_REASONS],
}
"""Questions that take a parameter, with the parameters that boards use."""

PARTS = {"inventory.counted"}
"""Public functions that questions are made with."""


def questions() -> dict[str, Question]:
    """All questions by module and name."""
    found = {
        f"{module}.{name}": value
        for module in queries.__all__
        for name, value in vars(_module(module)).items()
        if isinstance(value, Question) and value.build.__module__ == _module(module).__name__
    }
    made = {f"{maker.split('.')[0]}.{q.name}": q for maker, several in MADE.items() for q in several}
    return {**found, **made}


def makers() -> set[str]:
    """The public functions of the modules of questions."""
    return {
        f"{module}.{name}"
        for module in queries.__all__
        for name, value in vars(_module(module)).items()
        if inspect.isfunction(value) and value.__module__ == _module(module).__name__ and not name.startswith("_")
    }


def source(
    profile: str,
    training: str = "auto",
    filters: Sequence[Filter] = BOARD,
    site: Mapping[str, str] = MappingProxyType({}),
) -> Source:
    """What the boards of a profile ask; ``site`` has metrics that a site calls otherwise, by signal."""
    override = Override(signals={signal: (Patch({"name": name}),) for signal, name in site.items()})
    config = Config(profile=profile, training=training, profiles={profile: override} if site else {})
    return context_of(config).source(tuple(filters))


def _module(name: str) -> ModuleType:
    module = getattr(queries, name)
    assert isinstance(module, ModuleType)
    return module
