"""Scenarios of the alerts about device memory."""

from __future__ import annotations

from builder.rules.scenarios.courses import gone, grows, level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import GIB, HEALTHY

_NO_FRAMEWORK = tuple(Input(name, gone) for name in HEALTHY if name.startswith("framework_"))
_HOUR = 3600

SCENARIOS = (
    Scenario(
        "GpuMemoryPressure",
        trouble=(Input("memory_used", level(75 * GIB)), *_NO_FRAMEWORK),
        near=(Input("memory_used", level(75 * GIB)),),
        latest=240,
    ),
    Scenario(
        "GpuFrameworkMemoryNearLimit",
        trouble=(Input("framework_memory_in_use", level(74 * GIB)),),
        near=(Input("framework_memory_in_use", level(72 * GIB)),),
    ),
    Scenario(
        "GpuMemoryLeak",
        trouble=(Input("framework_memory_in_use", grows(6 * GIB / _HOUR)),),
        near=(Input("framework_memory_in_use", level(60 * GIB)),),
        before=_HOUR,
        soonest=1800,
        latest=2700,
    ),
    Scenario(
        "GpuMemoryGapGrowing",
        trouble=(Input("memory_used", level(66 * GIB)),),
        near=(Input("memory_used", level(61 * GIB)),),
        before=_HOUR + 1200,
        soonest=540,
        latest=660,
    ),
)
