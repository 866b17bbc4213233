"""Every question there is, and the sources that boards of each profile ask."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import MappingProxyType, ModuleType

from builder import queries
from builder.build import context_of
from builder.catalog.signals import THROTTLE_REASONS
from builder.catalog.xid import Severity
from builder.config import Config
from builder.config.model import Override, Patch
from builder.queries import events, extremes, growth, memory, power, stalls, telemetry, thermal, training, utilisation
from builder.queries.question import Question
from builder.queries.source import Filter, Source

BOARD = (Filter("cluster", "$cluster"), Filter("node", "$node"), Filter("gpu", "$gpu_id"))
"""What the variables of a board narrow its queries by."""

MADE: dict[str, list[Question]] = {
    "events.blind_nodes": [events.blind_nodes("3m")],
    "events.counted_within": [events.counted_within("ecc_corrected", "1h")],
    "events.new_xids": [events.new_xids("15m", "3m")],
    "events.new_xids_of": [events.new_xids_of(severity, "15m", "3m") for severity in Severity],
    "events.removed_nodes": [events.removed_nodes("3m")],
    "events.share_of_time": [events.share_of_time(("throttle_sw_thermal", "throttle_hw_thermal"), "5m")],
    "events.vanished_cards": [events.vanished_cards("3m")],
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
    "growth.gap_growth": [growth.gap_growth(3600)],
    "growth.gap_growth_share": [growth.gap_growth_share(3600, "3m")],
    "growth.hours_until_full": [growth.hours_until_full(3600, 0.01, "3m")],
    "memory.card_memory_total_within": [memory.card_memory_total_within("3m")],
    "memory.framework_limit_within": [memory.framework_limit_within("3m")],
    "memory.fullest": [memory.fullest(20)],
    "memory.total": [memory.total(memory.framework_in_use), memory.total(memory.memory_gap)],
    "power.clock_of_highest_power": [power.clock_of_highest_power(10)],
    "power.limit_against_peers": [power.limit_against_peers("3m")],
    "power.power_peak_share": [power.power_peak_share("10m", "3m")],
    "stalls.collective_hang": [stalls.collective_hang("10m", 0.95, 0.4, 0.005, "3m")],
    "stalls.dropped": [stalls.dropped("1h", 0.6, 0.3, "3m")],
    "stalls.idle_allocated": [stalls.idle_allocated("10m", 0.1, 0.5, "3m")],
    "stalls.job_utilisation_over": [stalls.job_utilisation_over("30m", 0.2)],
    "stalls.seconds_without_step": [stalls.seconds_without_step("10m", "3m")],
    "stalls.stepping_cards": [stalls.stepping_cards("10m")],
    "thermal.throttled": [thermal.throttled(reason) for reason in THROTTLE_REASONS],
}
"""Questions that take a parameter, with the parameters that boards or rules use."""

PARTS = {
    "events.bridged",
    "inventory.counted",
    "inventory.gone",
    "memory.framework_over_time",
    "workloads.held_idle",
}
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
