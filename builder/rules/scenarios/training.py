"""Scenarios of the alerts about training jobs."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level, stays
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.thresholds import Thresholds

_NO_STEPS = (Input("steps", grows(0)), Input("last_step", stays))
_STEPS = 2.0


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    slow, nearly = (_STEPS / (1 + t.straggler_lag * factor) for factor in (1.7, 0.7))
    return (
        Scenario(
            "TrainingHung",
            trouble=_NO_STEPS,
            near=(*_NO_STEPS, Input("job_evaluating", level(1))),
            soonest=t.stall_after - 60,
            latest=t.stall_after + 60,
            lingers=120,
            everywhere=True,
            by_clock=True,
        ),
        Scenario(
            "TrainingEfficiencyLow",
            trouble=(Input("utilisation", level(t.efficiency_low / 2)),),
            near=(Input("utilisation", level(t.efficiency_low + 0.05)),),
            soonest=int(t.efficiency_window * 0.75),
            latest=t.efficiency_window,
            lingers=int(t.efficiency_window * 0.25),
            everywhere=True,
        ),
        Scenario(
            "TrainingInputStall",
            trouble=(Input("input_wait", grows(min(t.input_wait * 1.7, 1))),),
            near=(Input("input_wait", grows(t.input_wait * 0.8)),),
            soonest=int(t.input_window * 0.4),
            latest=int(t.input_window * 0.9),
            lingers=t.input_window,
            everywhere=True,
        ),
        Scenario(
            "TrainingStraggler",
            trouble=(Input("steps", grows(slow)),),
            near=(Input("steps", grows(nearly)),),
            soonest=int(t.straggler_window * 0.4),
            latest=int(t.straggler_window * 0.9),
            lingers=t.straggler_window,
            labels={"pod": "train-0", "instance": "10.0.0.1:9410", "rank": "0"},
        ),
    )
