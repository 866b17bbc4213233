"""Scenarios of the alerts, one module a family, and what makes promtool tests of them."""

from __future__ import annotations

from collections.abc import Mapping

from builder.rules.scenarios import efficiency, hardware, memory, telemetry, temperature, throttling, training
from builder.rules.scenarios.scenario import Scenario
from builder.rules.thresholds import Thresholds

_FAMILIES = (temperature, throttling, memory, efficiency, training, hardware, telemetry)


def scenarios(thresholds: Thresholds) -> Mapping[str, Scenario]:
    """The scenario of each alert, by the alert's name: what is just too much by these thresholds, and what is not."""
    return {scenario.alert: scenario for family in _FAMILIES for scenario in family.scenarios(thresholds)}
