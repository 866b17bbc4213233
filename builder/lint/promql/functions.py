"""Families of PromQL functions."""

from __future__ import annotations

RATES = frozenset(("rate", "irate", "increase"))
"""They count what was added, and take a fall for a restart: right for counters alone."""

SLOPES = frozenset(("delta", "idelta", "deriv", "predict_linear"))
"""They take a fall for a fall: right for gauges alone."""

PRESENCE = frozenset(
    ("changes", "resets", "count_over_time", "present_over_time", "absent", "absent_over_time", "timestamp")
)
"""They ask whether and how often there was a value, not what it was."""
