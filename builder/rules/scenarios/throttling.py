"""Scenarios of the alerts about reduced clocks."""

from __future__ import annotations

from builder.rules.scenarios.courses import level
from builder.rules.scenarios.scenario import Input, Scenario

SCENARIOS = (
    Scenario(
        "GpuThermalSlowdown",
        trouble=(Input("throttle_sw_thermal", level(1)),),
        near=(Input("throttle_sw_power", level(1)),),
        latest=180,
        lingers=300,
    ),
    Scenario(
        "GpuPowerBrake",
        trouble=(Input("throttle_power_brake", level(1)), Input("throttle_hw_slowdown", level(1))),
        near=(Input("throttle_sw_thermal", level(1)),),
        latest=120,
        lingers=300,
    ),
    Scenario(
        "GpuPowerCappedBelowPeers",
        trouble=(Input("power_limit", level(490)), Input("power", level(485))),
        near=(Input("power_limit", level(490)), Input("power", level(400))),
    ),
)
