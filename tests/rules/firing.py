"""Which alerts fire on a simulated fleet, by a real Prometheus that has its history."""

from __future__ import annotations

from collections.abc import Iterator

from builder.alerting import alerts_of
from builder.config import Config
from builder.rules.model import AlertRule
from builder.simulate import Fleet, history
from builder.testing import Prometheus, Series

STEP = 60


def fired(fleet: Fleet, hours: float) -> set[str]:
    """``ALERT place`` of each alert that fires in the fleet's first hours; a place is a node, card, job or rank."""
    begin, end = fleet.start, fleet.start + hours * 3600
    rules = [variant.rule for variant in alerts_of(Config(profile=fleet.profile, training=fleet.training)).variants]
    with Prometheus(history=history(fleet, begin=begin, end=end)) as prometheus:
        return {
            f"{rule.alert} {_place(series)}"
            for rule in rules
            # A fleet's time begins with all at once; a rule that looks back sees nothing then.
            for series in prometheus.client.range(rule.expr.text, begin + 600, end, STEP)
            if any(_held(rule, series))
        }


def _held(rule: AlertRule, series: Series) -> Iterator[bool]:
    """At each point whether the condition has been true for as long as the rule wants."""
    since = last = float("-inf")
    for at, _ in series.points:
        since = since if at - last <= STEP else at
        last = at
        yield at - since >= rule.hold


def _place(series: Series) -> str:
    labels = series.labels
    if "training_job" in labels:
        return " ".join(filter(None, ("job", labels.get("rank", ""))))
    return "/".join(labels[name] for name in ("node", "gpu", "xid") if name in labels)
