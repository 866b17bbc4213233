"""Scenarios of the alerts about training jobs."""

from __future__ import annotations

from builder.rules.scenarios.courses import grows, level, stays
from builder.rules.scenarios.scenario import Input, Scenario

_NO_STEPS = (Input("steps", grows(0)), Input("last_step", stays))

SCENARIOS = (
    Scenario(
        "TrainingHung",
        trouble=_NO_STEPS,
        near=(*_NO_STEPS, Input("job_evaluating", level(1))),
        soonest=540,
        latest=660,
        lingers=120,
        everywhere=True,
    ),
    Scenario(
        "TrainingEfficiencyLow",
        trouble=(Input("utilisation", level(0.1)),),
        near=(Input("utilisation", level(0.25)),),
        soonest=1440,
        latest=1680,
        lingers=360,
        everywhere=True,
    ),
    Scenario(
        "TrainingInputStall",
        trouble=(Input("input_wait", grows(0.5)),),
        near=(Input("input_wait", grows(0.25)),),
        soonest=240,
        latest=480,
        lingers=360,
        everywhere=True,
    ),
    Scenario(
        "TrainingStraggler",
        trouble=(Input("steps", grows(1.5)),),
        near=(Input("steps", grows(1.8)),),
        soonest=240,
        latest=480,
        lingers=360,
        labels={"pod": "train-0", "instance": "10.0.0.1:9410", "rank": "0"},
    ),
)
