"""Scenarios of the alerts about cards that are held and do no work."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level, stays
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import GIB

_SPINS = (
    Input("utilisation", level(1)),
    Input("tensor_activity", level(0.001)),
    Input("steps", grows(0)),
    Input("last_step", stays),
)

SCENARIOS = (
    Scenario(
        "GpuIdleButAllocated",
        trouble=(Input("utilisation", level(0.03)),),
        near=(Input("utilisation", level(0.03)), Input("memory_used", level(30 * GIB))),
        soonest=480,
        latest=660,
        lingers=120,
    ),
    Scenario(
        "GpuUtilisationDropped",
        trouble=(Input("utilisation", level(0.05)),),
        near=(Input("utilisation", level(0.4)),),
        before=4800,
        soonest=60,
        latest=240,
        lasts=300,
        lingers=240,
    ),
    Scenario(
        "GpuCollectiveHang",
        trouble=(Input("power", level(180)), *_SPINS),
        near=(Input("power", level(400)), *_SPINS),
        soonest=480,
        latest=720,
        lingers=180,
        everywhere=True,
    ),
)
