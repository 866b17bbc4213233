"""Definitions in, alerting rules out: of what the exporters can answer, in as many variants as a site asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product

from builder.errors import ConfigError, SignalMissing, nearest
from builder.promql.expr import Expr, aggregate, require_labels
from builder.queries.inventory import LOOK_BACK
from builder.queries.source import Filter, Source
from builder.rules.alerts import FAMILIES
from builder.rules.alerts.definition import Alert, told_by
from builder.rules.alerts.words import literal, texts
from builder.rules.encode import duration
from builder.rules.labels import SCOPE, THRESHOLDS, Scope
from builder.rules.model import AlertRule, Group, Severity
from builder.rules.settings import AlertSettings, Links
from builder.rules.thresholds import Thresholds

_CLUSTER = ("cluster",)
_OFF = "off"
_EVERY = {"memory": 60}
"""Seconds between evaluations, where not as often as all others: these look back far, and wait for minutes anyway."""


@dataclass(frozen=True)
class LeftOut:
    """An alert that the exporters cannot answer; ``fix`` says what to switch on, where that is known."""

    alert: str
    missing: str
    fix: str = ""


@dataclass(frozen=True)
class Variant:
    """The rule of an alert where its thresholds hold: for a model, for a cluster, or (empty) for all others."""

    family: str
    rule: AlertRule
    thresholds: Thresholds
    model: str = ""
    cluster: str = ""


@dataclass(frozen=True)
class Built:
    """All rules of all alerts, and what had to be left out."""

    variants: tuple[Variant, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The rules in groups, one a family."""
        families = dict.fromkeys(variant.family for variant in self.variants)
        return tuple(
            Group(
                f"gpuboards-{family}",
                tuple(v.rule for v in self.variants if v.family == family),
                _EVERY.get(family, Group.interval),
            )
            for family in families
        )


def build_alerts(
    source: Source, settings: AlertSettings, links: Links, *, interval: int, only: Collection[str] = ()
) -> Built:
    """The alerting rules that the exporters can answer: of all alerts, or of those that are named.

    ``interval`` is how often the exporter renews its values, in seconds: no window is shorter than four of them.
    Raises ConfigError for settings that name an alert that there is not, or that contradict each other.
    """
    _check(source, settings)
    made: list[Variant] = []
    left_out = []
    for family, alerts in FAMILIES.items():
        for alert in alerts:
            if only and alert.name not in only:
                continue
            try:
                made += _variants(family, alert, source, settings, links, interval)
            except SignalMissing as error:
                left_out.append(LeftOut(alert.name, error.signal, error.fix))
    return Built(tuple(made), tuple(left_out))


def _variants(
    family: str, alert: Alert, source: Source, settings: AlertSettings, links: Links, interval: int
) -> Iterator[Variant]:
    """The alert's rule, or several where thresholds differ between models and clusters: one for each part."""
    clusters = ("", *settings.clusters)
    models = ("", *(settings.models if alert.scope is Scope.CARD and source.has_label("model") else ()))
    rules = {
        (model, cluster): _rule(alert, source, *settings.at(model, cluster), links, interval)
        for model, cluster in product(models, clusters)
    }
    # A model or cluster whose rules are those of all others needs none of its own.
    models = tuple(m for m in models if not m or any(rules[m, c] != rules["", c] for c in clusters))
    clusters = tuple(c for c in clusters if not c or any(rules[m, c] != rules[m, ""] for m in models))
    for model, cluster in product(models, clusters):
        rule = rules[model, cluster]
        if rule is None:
            continue
        # What is gone has no series that says its model: those of the last day do, which are many to look at.
        window = LOOK_BACK if alert.outlives else "10m"
        part = _limited(rule.expr, source, window, "model", model, models, source.card)
        part = _limited(part, source, window, "cluster", cluster, clusters, _CLUSTER)
        named = " ".join(filter(None, (model, cluster)))
        labels = {**rule.labels, **({THRESHOLDS: literal(named)} if named else {})}
        thresholds = _widened(settings.at(model, cluster)[0], interval)
        yield Variant(family, replace(rule, expr=part, labels=labels), thresholds, model, cluster)


def _rule(
    alert: Alert,
    source: Source,
    thresholds: Thresholds,
    severities: Mapping[str, str],
    links: Links,
    interval: int,
) -> AlertRule | None:
    """The rule of one variant; None where it is switched off."""
    severity = severities.get(alert.name, alert.severity.value)
    if severity == _OFF:
        return None
    wide = _widened(thresholds, interval)
    asked = source.with_window(duration(max(300, 4 * interval)))
    condition = alert.condition(asked, wide)
    require_labels(condition, told_by(alert.scope, source), f"alert {alert.name}")
    return AlertRule(
        alert.name,
        condition,
        Severity(severity),
        hold=int(thresholds.named(alert.hold)) if alert.hold else 0,
        keep=int(thresholds.named(alert.keep)) if alert.keep else 0,
        labels={SCOPE: alert.scope.value},
        annotations=texts(alert, source, wide, links),
    )


def _widened(thresholds: Thresholds, interval: int) -> Thresholds:
    """No window shorter than four intervals: it would often hold one sample, or none."""
    least = 4 * interval
    names = [f.name for f in fields(thresholds) if f.name.endswith("_window") or f.name == "scrape_gap"]
    short = [name for name in names if getattr(thresholds, name) < least]
    return replace(thresholds, **dict.fromkeys(short, least)) if short else thresholds


def _limited(
    condition: Expr, source: Source, window: str, label: str, value: str, values: Sequence[str], key: Sequence[str]
) -> Expr:
    """The condition where the label has this value; for the empty one, where it has none of the others."""
    wanted = (value,) if value else tuple(filter(None, values))
    for each in wanted:
        cards = source.over_time("max", "device_info", window, keep=(label,), where=(Filter(label, each, "="),))
        there = aggregate("group", cards, by=key)
        condition = condition.join("and" if value else "unless", there, on=key)
    return condition


def _check(source: Source, settings: AlertSettings) -> None:
    names = {alert.name for alerts in FAMILIES.values() for alert in alerts}
    parts = [*settings.clusters.values(), *settings.models.values()]
    for severity, where in [(settings.severity, ""), *((part.severity, part.where) for part in parts)]:
        for name in severity:
            if name not in names:
                raise ConfigError(f"there is no alert {name}", where=where, fix=nearest(name, names))
    for label, named in (("model", settings.models), ("cluster", settings.clusters)):
        if named and not source.has_label(label):
            raise ConfigError(
                f"alerts.{label}s: profile {source.name} does not tell the {label} of a card",
                where=next(iter(named.values())).where,
                fix="set the thresholds for all cards, or spell the label in profiles",
            )
    for model, cluster in product(("", *settings.models), ("", *settings.clusters)):
        settings.at(model, cluster)
