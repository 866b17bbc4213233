"""Which alerts fire on a simulated fleet, by a real Prometheus that has its history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from builder.alerting import alerts_of
from builder.config import Config
from builder.rules.model import AlertRule, Group
from builder.rules.stages import Stage, marked
from builder.simulate import Fleet, history
from builder.testing import Client, Prometheus

STEP = 60
BLIND = 600
"""A fleet's time begins with all at once; a rule that looks back sees nothing then."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Firing:
    """A rule that fired: the labels of what it fired for, and when and at which value it first did."""

    rule: AlertRule
    labels: Mapping[str, str]
    at: float
    value: float

    @property
    def place(self) -> str:
        """The node, card, job or rank."""
        if "training_job" in self.labels:
            return " ".join(filter(None, ("job", self.labels.get("rank", ""))))
        return "/".join(self.labels[name] for name in ("node", "gpu", "xid") if name in self.labels)

    @property
    def sent(self) -> dict[str, str]:
        """The labels with which a Prometheus tells an Alertmanager of it, once all alerts are switched on."""
        (group,) = marked([Group("", (self.rule,))], Stage.FULL)
        (rule,) = group.rules
        own = {**rule.labels, "severity": self.rule.severity.value, "alertname": self.rule.alert}
        return {**{name: value for name, value in self.labels.items() if name != "__name__"}, **own}

    def __str__(self) -> str:
        return f"{self.rule.alert} {self.place}"


def rules_for(fleet: Fleet) -> list[AlertRule]:
    """The alerting rules of a configuration that fits the fleet."""
    return [variant.rule for variant in alerts_of(Config(profile=fleet.profile, training=fleet.training)).variants]


def fired(fleet: Fleet, hours: float) -> list[Firing]:
    """Each alert that fires in the fleet's first hours."""
    begin, end = fleet.start, fleet.start + hours * 3600
    with Prometheus(history=history(fleet, begin=begin, end=end)) as prometheus:
        found = (firing(prometheus.client, rule, begin + BLIND, end) for rule in rules_for(fleet))
        return [each for of_rule in found for each in of_rule]


def firing(client: Client, rule: AlertRule, begin: float, end: float, slice_seconds: float = 86_400) -> list[Firing]:
    """For what a rule fires between two times, asked a slice at a time: a server limits the points of one answer."""
    points: dict[frozenset[tuple[str, str]], list[Point]] = defaultdict(list)
    start = begin
    while start <= end:
        # The slices' points lie on one grid, and none is asked for twice.
        count = int((min(start + slice_seconds, end) - start) // STEP)
        last = start + count * STEP
        for series in client.range(rule.expr.text, start, last, STEP):
            points[frozenset(series.labels.items())] += series.points
        start = last + STEP
    first = ((labels, next(_held(rule, of_series), None)) for labels, of_series in points.items())
    return [Firing(rule, dict(labels), *point) for labels, point in first if point is not None]


def _held(rule: AlertRule, points: Sequence[Point]) -> Iterator[Point]:
    """The points at which the condition has been true for as long as the rule wants."""
    since = last = float("-inf")
    for at, value in points:
        since = since if at - last <= STEP else at
        last = at
        if at - since >= rule.hold:
            yield at, value
