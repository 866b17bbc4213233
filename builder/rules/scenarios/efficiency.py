"""Scenarios of the alerts about cards that are held and do no work."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level, stays
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import GIB
from builder.rules.thresholds import Thresholds


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    idle = Input("utilisation", level(t.idle_utilisation * 0.3))
    spins = (
        Input("utilisation", level(1)),
        Input("tensor_activity", level(t.hang_tensor / 5)),
        Input("steps", grows(0)),
        Input("last_step", stays),
    )
    return (
        Scenario(
            "GpuIdleButAllocated",
            trouble=(idle,),
            near=(idle, Input("memory_used", level(80 * GIB * t.idle_memory * 0.9))),
            soonest=int(t.idle_hold * 0.8),
            latest=t.idle_hold + 60,
            lingers=120,
        ),
        Scenario(
            "GpuUtilisationDropped",
            trouble=(Input("utilisation", level(t.drop_below * 0.15)),),
            near=(Input("utilisation", level(t.drop_below + 0.1)),),
            before=t.drop_window + 1200,
            soonest=60,
            latest=t.scrape_gap + 60,
            lasts=300,
            lingers=t.scrape_gap + 60,
        ),
        Scenario(
            "GpuCollectiveHang",
            trouble=(Input("power", level(700 * t.hang_power * 0.65)), *spins),
            near=(Input("power", level(700 * (t.hang_power + 0.1))), *spins),
            soonest=int(t.hang_window * 0.8),
            latest=t.hang_window + 120,
            lingers=180,
            everywhere=True,
        ),
    )
