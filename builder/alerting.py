"""Configuration in, alerting rules and their tests out. Pure, like ``build``: what is written and run is elsewhere."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, count

from builder.build import feeds_of
from builder.catalog.model import Profile
from builder.catalog.models import MODELS
from builder.config import Config, culprit
from builder.errors import ConfigError, GpuboardsError
from builder.queries.feeds import Feeds
from builder.queries.mixed import MixedSource
from builder.queries.raw import RawSource
from builder.queries.source import Source
from builder.rules.alerts.build import Built, Variant, build_alerts
from builder.rules.encode import rule_file
from builder.rules.model import Group
from builder.rules.scenarios import scenarios
from builder.rules.scenarios.promtool import unit_tests
from builder.rules.scenarios.world import World
from builder.rules.settings import Links
from builder.rules.stages import Stage, marked


@dataclass(frozen=True)
class UnitTests:
    """The rule of one alert and its tests, each a file with its name; for a model or cluster of its own, one more."""

    alert: str
    name: str
    rules: tuple[str, str]
    tests: tuple[str, str]


def profiles_of(config: Config) -> tuple[Profile, ...]:
    """The profiles that rules read: of the cards, of the training processes and of the hosts."""
    feeds = feeds_of(config)
    return tuple(p for p in (*_by_card(feeds), feeds.training, feeds.host) if p is not None)


def source_of(config: Config) -> Source:
    """What rules ask: the exporters' series without a board's filters, remembered over a missed scrape."""
    feeds = feeds_of(config)
    sources = [RawSource(gpu, feeds.training, feeds.host, remembers="5m") for gpu in _by_card(feeds)]
    return sources[0] if len(sources) == 1 else MixedSource(tuple(sources))


def _by_card(feeds: Feeds) -> list[Profile]:
    """The exporters of cards, those first that tell a card's uuid: with it, it is one card in all that they report."""
    return sorted(feeds.gpus, key=lambda profile: "uuid" not in profile.card)


def interval_of(config: Config) -> int:
    """Seconds between two values of the exporter that is scraped least often."""
    return max(gpu.interval for gpu in feeds_of(config).gpus)


def links_of(config: Config) -> Links:
    """Where the links of alerts lead."""
    return Links(
        grafana=config.alerts.grafana_url.rstrip("/"),
        runbook=config.alerts.runbook_url,
        logs=config.logs.selector,
        loki=config.datasources.loki.uid,
    )


def alerts_of(config: Config) -> Built:
    """All alerting rules of a configuration. Raises ConfigError, which names an override that breaks them."""
    try:
        return _built(config)
    except GpuboardsError as error:
        place = culprit(config, _works)
        if not place:
            raise
        what = f"the alerts cannot be built with it: {error.what}"
        raise ConfigError(what, where=place, fix="spell it otherwise, or leave it out") from error


def alert_groups(config: Config, stage: Stage) -> tuple[Group, ...]:
    """The alerting rules in groups, one a family, with the labels that Alertmanager routes by.

    Those that the configuration keeps at an earlier stage stay there.
    """
    built = alerts_of(config)
    there = {variant.rule.alert for variant in built.variants}
    at_most = {alert: limit for alert, limit in config.alerts.stage.items() if alert in there}
    return marked(built.groups, stage, at_most)


def unit_tests_of(config: Config, built: Built) -> Iterator[UnitTests]:
    """The rule and the promtool tests of each alert, one pair a variant."""
    source, profiles = source_of(config), profiles_of(config)
    taken: set[str] = set()
    for variant in built.variants:
        world = _world(variant, config)
        scenario = scenarios(variant.thresholds)[variant.rule.alert]
        parts = (variant.rule.alert, _file_name(variant.model), _file_name(variant.cluster))
        name = _distinct("-".join(filter(None, parts)), taken)
        told = replace(variant.rule, annotations={})  # promtool would compare the texts too
        rules = rule_file([Group(f"gpuboards-{variant.family}", (told,))])
        tests = unit_tests(variant.rule, scenario, world, source, profiles, f"{name}.yml")
        yield UnitTests(variant.rule.alert, name, (f"{name}.yml", rules), (f"{name}.test.yml", tests))


def _built(config: Config) -> Built:
    return build_alerts(source_of(config), config.alerts, links_of(config), interval=interval_of(config))


def _works(config: Config) -> bool:
    try:
        _built(config)
    except GpuboardsError:
        return False
    return True


def _world(variant: Variant, config: Config) -> World:
    """A node on which the variant holds: no other model's and no other cluster's."""
    model = variant.model or _other("Another model", MODELS, config.alerts.models)
    cluster = variant.cluster or _other("another", ("east", "west"), config.alerts.clusters)
    return replace(World(model, cluster), thresholds=variant.thresholds)


def _other(name: str, preferred: Iterable[str], taken: Container[str]) -> str:
    """A name that is not taken, a preferred one if there is one."""
    return next(n for n in chain(preferred, (f"{name} {number}" for number in count())) if n not in taken)


def _distinct(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken, as that of ``a.b`` is by ``a b``."""
    found = next(n for n in chain([name], (f"{name}-{number}" for number in count(2))) if n not in taken)
    taken.add(found)
    return found


def _file_name(text: str) -> str:
    return "".join(character if character.isalnum() else "_" for character in text)
