"""Alertmanager: who is told of which alert, when, and in which words."""

from builder.rules.alertmanager.inhibition import INHIBITIONS, Inhibition, Unguaranteed, unguaranteed
from builder.rules.alertmanager.routes import NOBODY, configuration
from builder.rules.alertmanager.settings import Channel, Settings

__all__ = [
    "INHIBITIONS",
    "NOBODY",
    "Channel",
    "Inhibition",
    "Settings",
    "Unguaranteed",
    "configuration",
    "unguaranteed",
]
