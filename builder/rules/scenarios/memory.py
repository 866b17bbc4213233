"""Scenarios of the alerts about device memory."""

from __future__ import annotations

from builder.rules.scenarios.courses import gone, grows, level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import GIB, SIGNALS
from builder.rules.thresholds import Thresholds

_NO_FRAMEWORK = tuple(Input(name, gone) for name in SIGNALS if name.startswith("framework_"))
_TOTAL, _LIMIT, _USED, _IN_USE = 80 * GIB, 76 * GIB, 58 * GIB, 48 * GIB


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    full = Input("memory_used", level(_TOTAL * min(t.memory_pressure + 0.03, 1)))
    grown = t.gap_growth * _TOTAL
    # Full in a third of the hours that are too few: half a window passes before the envelope shows all of it.
    pace = (_LIMIT - _IN_USE) / t.leak_hours * 3 / 3600
    return (
        Scenario(
            "GpuMemoryPressure",
            trouble=(full, *_NO_FRAMEWORK),
            near=(full,),
            latest=t.scrape_gap + 60,
        ),
        Scenario(
            "GpuFrameworkMemoryNearLimit",
            trouble=(Input("framework_memory_in_use", level(_LIMIT * min(t.framework_memory + 0.02, 1))),),
            near=(Input("framework_memory_in_use", level(_LIMIT * (t.framework_memory - 0.02))),),
        ),
        Scenario(
            "GpuMemoryLeak",
            trouble=(Input("framework_memory_in_use", grows(pace)),),
            near=(Input("framework_memory_in_use", level(60 * GIB)),),
            before=t.leak_window // 2 + 300,
            soonest=t.leak_window - 120,
            latest=t.leak_window + 240,
        ),
        Scenario(
            "GpuMemoryGapGrowing",
            trouble=(Input("memory_used", level(_USED + grown * 1.3)),),
            near=(Input("memory_used", level(_USED + grown * 0.7)),),
            before=t.gap_window + 1200,
            soonest=540,
            latest=660,
        ),
    )
