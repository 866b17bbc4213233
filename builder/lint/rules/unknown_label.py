"""unknown-label: the exporter does not put this label on its series."""

from __future__ import annotations

from collections.abc import Iterator

from builder.catalog.model import Match
from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.tree import Selector, selectors
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_OF_THE_TARGET = frozenset(
    [
        "job",
        "instance",
        "endpoint",
        "service",
        "cluster",
        "namespace",
        "pod",
        "container",
        "node",
        "prometheus",
        "prometheus_replica",
        "le",
    ]
)


def _check(query: Query, _panel: Panel, _board: Board, world: World) -> Hits:
    told = set()
    for selector in selectors(query.parsed):
        for fact in world.known(selector):
            for label in _needed(selector):
                hit = _judge(label, fact, world)
                if hit and label not in told:
                    told.add(label)
                    yield hit


def _needed(selector: Selector) -> Iterator[str]:
    """Labels that a series must have to be found; that a label is absent may well be asked for."""
    return (m.label for m in selector.matchers if m.op in ("=", "=~") and _wants_a_value(m))


def _wants_a_value(matcher: Match) -> bool:
    return bool(matcher.value) and not (matcher.op == "=~" and (matcher.value.endswith("|") or matcher.value == ".*"))


def _judge(label: str, fact: Fact, world: World) -> Hit | None:
    carried = frozenset[str]().union(*(world.labels[name] for name in fact.profiles))
    if label in _OF_THE_TARGET or label.startswith("exported_"):
        return None
    if label in carried:
        info = _only_on_info(label, fact, world)
        if not info:
            return None
        return Hit(
            f"{fact.name} has no label {label}: it is on {info} alone",
            ("expr",),
            fix=f"join with {info} on the card's uuid, or choose by uuid",
        )
    folded = label.casefold().replace("_", "")
    if meant := sorted(known for known in carried if known.casefold().replace("_", "") == folded):
        return Hit(f"{fact.name} has no label {label}", ("expr",), fix=f"the exporter writes {' or '.join(meant)}")
    elsewhere = {name for name, labels in world.labels.items() if label in labels}
    if elsewhere:
        return Hit(
            f"{fact.name} has no label {label}: {' and '.join(sorted(elsewhere))} has",
            ("expr",),
            fix=f"{fact.profiles[0]} has {', '.join(sorted(carried - _OF_THE_TARGET)[:12])}",
        )
    return None


def _only_on_info(label: str, fact: Fact, world: World) -> str:
    """The info metric that alone carries a label which identifies the card, or nothing."""
    for profile in world.config.profiles:
        identity = profile.identity
        if profile.name not in fact.profiles or identity is None or identity.metric == fact.name:
            continue
        on_all = {spelled.label for key in identity.on for spelled in profile.labels.get(key, ())}
        given = {spelled.label for key in identity.provides for spelled in profile.labels.get(key, ())}
        if label in given - on_all:
            return identity.metric
    return ""


RULE = Rule(
    "unknown-label",
    Severity.WARNING,
    why="A matcher on a label that the series do not have finds nothing. Spellings differ by exporter and version: "
    "Hostname up to dcgm-exporter 4.8.2, hostname from 4.8.3, UUID here and uuid there. Labels that no exporter is "
    "known for are left alone: they may come from your scrape configuration.",
    fix="use a label that the exporter writes",
    on_query=_check,
)
