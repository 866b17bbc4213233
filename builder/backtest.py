"""Configuration in, what to ask a history out; its answers in, what alerts would have done out. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from builder.alerting import interval_of, links_of, source_of
from builder.config import Config
from builder.errors import ConfigError, UnknownName, UsageError
from builder.queries import inventory
from builder.rules.alerts import ALERTS
from builder.rules.alerts.build import Built, build_alerts
from builder.rules.alerts.facts import needs
from builder.rules.backtest import grid
from builder.rules.backtest.incidents import Run, incidents, joined
from builder.rules.backtest.outcome import Firing, Outcome, Tried
from builder.rules.backtest.period import Period
from builder.rules.encode import Target
from builder.rules.model import AlertRule
from builder.rules.thresholds import Thresholds

Labels = tuple[tuple[str, str], ...]
Piece = tuple[Labels, tuple[Run, ...]]
"""A series, and the evaluations at which it was there."""
Answers = Mapping[str, Sequence[Piece]]
"""Expressions and their series, in the order of time."""


@dataclass(frozen=True)
class Candidate:
    """The rules of an alert, with one ``threshold`` at a ``value`` of its own, or (empty) as configured."""

    alert: str
    rules: tuple[AlertRule, ...]
    threshold: str = ""
    value: float = 0.0


def configured(config: Config, names: Sequence[str]) -> tuple[Candidate, ...]:
    """The alerts as configured: all that the exporters can answer, or those that are named.

    Raises UnknownName, and UsageError for a named one that there is no rule for.
    """
    for name in names:
        if name not in ALERTS:
            raise UnknownName("alert", name, ALERTS)
    built = _built(config, names)
    for left in built.left_out:
        if left.alert in names:
            what = f"{left.alert} has no rule: profile {config.profile} does not export {left.missing}"
            raise UsageError(what, fix=left.fix)
    return tuple(Candidate(alert, rules) for alert, rules in _by_alert(config, built).items())


def varied(config: Config, alert: str, chosen: Mapping[str, Sequence[float]] = {}) -> Iterator[Candidate]:
    """The alert with other values of its thresholds, one changed at a time.

    ``chosen`` are thresholds by name, with their values or none for the usual ones; those that the alert does not read
    are passed over. Values that contradict another threshold are left out; raises ConfigError for a chosen one.
    """
    needed = thresholds_of(config, alert)
    for name in [n for n in chosen if n in needed] if chosen else grid.worth_trying(needed):
        present = config.alerts.thresholds.named(name)
        for value in sorted({*chosen.get(name, ()), present}) if chosen.get(name) else grid.values(name, present):
            try:
                changed = _with(config, name, value)
            except ConfigError:
                if value in chosen.get(name, ()):
                    raise
                continue
            for rules in _by_alert(changed, _built(changed, [alert])).values():
                yield Candidate(alert, rules, name, value)


def thresholds_of(config: Config, alert: str) -> tuple[str, ...]:
    """The thresholds that an alert depends on, by name."""
    return needs(ALERTS[alert], source_of(config), config.alerts.thresholds).thresholds


def expressions(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """What has to be asked, each once."""
    return tuple(dict.fromkeys(rule.expr.text for candidate in candidates for rule in candidate.rules))


def presence(config: Config) -> str:
    """How many cards report: where this has no answer, there is no history of them."""
    return inventory.card_count.ask(source_of(config)).text


def outcome(candidate: Candidate, answers: Answers, period: Period, seconds: float) -> Outcome:
    """What the alert would have done; ``seconds`` is how much of the period there is a history of."""
    found = [
        Firing(dict(labels), incident)
        for rule in candidate.rules
        for labels, true in _joined(answers.get(rule.expr.text, ())).items()
        for incident in incidents(true, period, hold=rule.hold, keep=rule.keep)
    ]
    return Outcome(tuple(sorted(found, key=lambda f: (f.incident.fired, f.place))), seconds)


def tried(
    candidates: Iterable[Candidate], answers: Answers, period: Period, seconds: float
) -> dict[str, tuple[Tried, ...]]:
    """The outcomes of one alert's candidates by the threshold that is varied."""
    found: dict[str, list[Tried]] = {}
    for each in candidates:
        found.setdefault(each.threshold, []).append(Tried(each.value, outcome(each, answers, period, seconds)))
    return {name: tuple(several) for name, several in found.items()}


def _joined(pieces: Sequence[Piece]) -> dict[Labels, tuple[Run, ...]]:
    parts: dict[Labels, list[Run]] = {}
    for labels, true in pieces:
        parts.setdefault(labels, []).extend(true)
    return {labels: tuple(joined(sorted(several))) for labels, several in parts.items()}


def _by_alert(config: Config, built: Built) -> dict[str, tuple[AlertRule, ...]]:
    keeps = not Target(config.prometheus_version).lacks(built.groups)
    found: dict[str, list[AlertRule]] = {}
    for variant in built.variants:
        rule = variant.rule if keeps else replace(variant.rule, keep=0)
        found.setdefault(rule.alert, []).append(rule)
    return {alert: tuple(rules) for alert, rules in found.items()}


def _built(config: Config, names: Collection[str]) -> Built:
    interval = interval_of(config)
    return build_alerts(source_of(config), config.alerts, links_of(config), interval=interval, only=names)


def _with(config: Config, name: str, value: float) -> Config:
    """The configuration with one threshold changed. Raises ConfigError where the value contradicts another one."""
    whole = next(f for f in fields(Thresholds) if f.name == name).type == "int"
    given: dict[str, Any] = {name: round(value) if whole else value}
    changed = replace(config, alerts=replace(config.alerts, thresholds=replace(config.alerts.thresholds, **given)))
    for model in ("", *config.alerts.models):
        for cluster in ("", *config.alerts.clusters):
            changed.alerts.at(model, cluster)
    return changed
