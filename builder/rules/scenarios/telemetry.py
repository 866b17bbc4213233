"""Scenarios of the alerts about what is not there."""

from __future__ import annotations

from builder.rules.scenarios.courses import gone, level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import HEALTHY, kind_of

_NO_CARD = tuple(Input(name, gone) for name in HEALTHY if kind_of(name) == "card")
_NO_UTILISATION = (Input("utilisation", gone),)

SCENARIOS = (
    Scenario("GpuLost", _NO_CARD, _NO_UTILISATION, soonest=120, latest=300, lingers=60),
    Scenario("GpuNodeCardsMissing", _NO_CARD, _NO_UTILISATION, latest=60, lingers=240),
    Scenario("GpuExporterDown", _NO_CARD, _NO_UTILISATION, latest=60, lingers=60, everywhere=True),
    Scenario(
        "GpuExporterBlind",
        trouble=(Input("temperature", gone),),
        near=_NO_UTILISATION,
        soonest=120,
        latest=300,
        lingers=60,
        everywhere=True,
    ),
    Scenario("HostClockOff", (Input("clock_offset", level(-45)),), (Input("clock_offset", level(20)),)),
)
