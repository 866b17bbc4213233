"""Scenarios of the alerts about heat."""

from __future__ import annotations

from builder.rules.scenarios.courses import level
from builder.rules.scenarios.scenario import Input, Scenario


def _heat(alert: str, trouble: float, near: float, signal: str = "temperature") -> Scenario:
    return Scenario(alert, (Input(signal, level(trouble)),), (Input(signal, level(near)),))


SCENARIOS = (
    _heat("GpuTemperatureNotice", 81, 80),
    _heat("GpuTemperatureHigh", 86, 85),
    _heat("GpuTemperatureCritical", 91, 90),
    Scenario(
        "GpuNearSlowdownTemperature",
        (Input("temperature_margin", level(2)), Input("temperature", level(90))),
        (Input("temperature_margin", level(3)), Input("temperature", level(89))),
    ),
    _heat("GpuMemoryTemperatureHigh", 96, 95, "memory_temperature"),
    _heat("GpuMemoryTemperatureCritical", 106, 105, "memory_temperature"),
)
