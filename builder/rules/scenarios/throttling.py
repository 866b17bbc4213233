"""Scenarios of the alerts about reduced clocks."""

from __future__ import annotations

from builder.rules.scenarios.courses import level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.thresholds import Thresholds


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    low = level(700 * t.power_limit_share - 140)
    return (
        Scenario(
            "GpuThermalSlowdown",
            trouble=(Input("throttle_sw_thermal", level(1)),),
            near=(Input("throttle_sw_power", level(1)),),
            latest=int(t.slowdown_window * t.slowdown_share) + 120,
            lingers=t.slowdown_window,
        ),
        Scenario(
            "GpuPowerBrake",
            trouble=(Input("throttle_power_brake", level(1)), Input("throttle_hw_slowdown", level(1))),
            near=(Input("throttle_sw_thermal", level(1)),),
            latest=int(t.slowdown_window * t.power_brake_share) + 120,
            lingers=t.slowdown_window,
        ),
        Scenario(
            "GpuPowerCappedBelowPeers",
            trouble=(Input("power_limit", low), Input("power", low)),
            near=(Input("power_limit", low), Input("power", level(400 * t.power_limit_share))),
            lingers=t.power_window,
        ),
    )
