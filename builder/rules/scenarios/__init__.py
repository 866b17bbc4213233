"""Scenarios of the alerts, one module a family, and what makes promtool tests of them."""

from __future__ import annotations

from collections.abc import Mapping

from builder.rules.scenarios import efficiency, hardware, memory, telemetry, temperature, throttling, training
from builder.rules.scenarios.scenario import Scenario

_FAMILIES = (temperature, throttling, memory, efficiency, training, hardware, telemetry)

SCENARIOS: Mapping[str, Scenario] = {s.alert: s for family in _FAMILIES for s in family.SCENARIOS}
"""The scenario of each alert, by the alert's name."""
