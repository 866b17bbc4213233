"""Scenarios of the alerts about what is not there."""

from __future__ import annotations

from builder.rules.scenarios.courses import gone, level
from builder.rules.scenarios.scenario import Input, Scenario
from builder.rules.scenarios.world import SIGNALS, kind_of
from builder.rules.thresholds import Thresholds

_NO_CARD = tuple(Input(name, gone) for name in SIGNALS if kind_of(name) == "card")
_NO_UTILISATION = (Input("utilisation", gone),)


def scenarios(t: Thresholds) -> tuple[Scenario, ...]:
    """One for each alert."""
    soonest, latest = t.scrape_gap - 60, t.scrape_gap + 120
    blind = Input("temperature", gone)
    off, nearly = (level(-t.clock_offset * factor) for factor in (1.5, 0.7))
    return (
        Scenario("GpuLost", _NO_CARD, _NO_UTILISATION, soonest=soonest, latest=latest, lingers=60, replaceable=True),
        Scenario("GpuNodeCardsMissing", _NO_CARD, _NO_UTILISATION, latest=60, lingers=t.scrape_gap + 60),
        Scenario("GpuExporterDown", _NO_CARD, _NO_UTILISATION, latest=60, lingers=60, everywhere=True),
        Scenario(
            "GpuExporterBlind", (blind,), _NO_UTILISATION, soonest=soonest, latest=latest, lingers=60, everywhere=True
        ),
        Scenario("HostClockOff", (Input("clock_offset", off),), (Input("clock_offset", nearly),)),
    )
