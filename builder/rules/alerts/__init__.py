"""The alerts, one module a family, and what makes rules of them."""

from __future__ import annotations

from collections.abc import Mapping

from builder.rules.alerts import efficiency, hardware, memory, telemetry, temperature, throttling, training
from builder.rules.alerts.definition import Alert

FAMILIES: Mapping[str, tuple[Alert, ...]] = {
    "temperature": temperature.ALERTS,
    "throttling": throttling.ALERTS,
    "memory": memory.ALERTS,
    "efficiency": efficiency.ALERTS,
    "training": training.ALERTS,
    "hardware": hardware.ALERTS,
    "telemetry": telemetry.ALERTS,
}
"""Every alert, by family. A family is a group of rules."""

ALERTS: Mapping[str, Alert] = {alert.name: alert for alerts in FAMILIES.values() for alert in alerts}
"""Every alert by its name."""
