"""Scenarios of the alerts about heat."""

from __future__ import annotations

from builder.rules.scenarios.courses import level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.thresholds import Thresholds


def _heat(alert: str, threshold: float, signal: str = "temperature") -> Scenario:
    return Scenario(alert, (Input(signal, level(threshold + 1)),), (Input(signal, level(threshold)),))


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    return (
        _heat("GpuTemperatureNotice", t.temperature_notice),
        _heat("GpuTemperatureHigh", t.temperature_warning),
        _heat("GpuTemperatureCritical", t.temperature_critical),
        Scenario(
            "GpuNearSlowdownTemperature",
            trouble=(Input("temperature_margin", level(t.headroom - 1)), Input("temperature", level(93 - t.headroom))),
            near=(Input("temperature_margin", level(t.headroom)), Input("temperature", level(92 - t.headroom))),
        ),
        _heat("GpuMemoryTemperatureHigh", t.memory_temperature_warning, "memory_temperature"),
        _heat("GpuMemoryTemperatureCritical", t.memory_temperature_critical, "memory_temperature"),
    )
