"""Scenarios of the alerts, one module a family, and what makes promtool tests of them."""

from __future__ import annotations

from collections.abc import Mapping

from builder.rules.scenarios import temperature
from builder.rules.scenarios.scenario import Scenario

SCENARIOS: Mapping[str, Scenario] = {scenario.alert: scenario for scenario in temperature.SCENARIOS}
"""The scenario of each alert, by the alert's name."""
