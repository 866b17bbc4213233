"""A backtest's report as data, for ``--format json``. Times are Unix times, lengths seconds."""

from __future__ import annotations

from typing import Any

from builder.rules.backtest.outcome import Outcome
from builder.rules.backtest.report import Report, Varied


def data(report: Report) -> dict[str, Any]:
    """The whole report."""
    return {
        "server": report.server,
        "profile": report.profile,
        "start": report.period.start,
        "end": report.period.end,
        "step": report.period.step,
        "history": {"from": report.known[0], "to": report.known[1]},
        "wanted": report.wanted,
        "alerts": [
            {"alert": alert, "severity": report.severities[alert], **_outcome(outcome), "firings": _firings(outcome)}
            for alert, outcome in report.outcomes.items()
            if alert not in report.refused
        ],
        "thresholds": [_varied(varied, report.wanted) for varied in report.varied],
        "refused": dict(report.refused),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "count": outcome.count,
        "a_week": outcome.a_week,
        "places": list(outcome.places),
        "firing_seconds": outcome.firing_seconds,
        "longest_seconds": outcome.longest,
    }


def _firings(outcome: Outcome) -> list[dict[str, Any]]:
    return [{"place": f.place, "labels": dict(f.labels), **vars(f.incident)} for f in outcome.firings]


def _varied(varied: Varied, wanted: float) -> dict[str, Any]:
    found = varied.suggested(wanted)
    return {
        "alert": varied.alert,
        "threshold": varied.threshold,
        "present": varied.present,
        "suggested": found.value if found else None,
        "values": [{"value": each.value, **_outcome(each.outcome)} for each in varied.tried],
    }
