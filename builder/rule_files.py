"""Recording and alerting rules as files: for ``rule_files`` of Prometheus, or for its operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from builder.build import Artifact, feeds_of
from builder.config import Config
from builder.errors import ConfigError
from builder.queries.feeds import MOST_APART
from builder.rules.encode import Target, prometheus_rule, rule_file
from builder.rules.model import Group
from builder.rules.recording import levels


def rule_groups(config: Config) -> dict[str, list[Group]]:
    """The groups of rules by the file that they go to. Raises ConfigError where values come too rarely for them."""
    feeds = feeds_of(config)
    for profile in (*feeds.gpus, feeds.training, feeds.host):
        if profile is not None and profile.interval > MOST_APART:
            raise ConfigError(
                f"profiles.{profile.name}.interval is {profile.interval} s: a rate over five minutes needs four values",
                fix=f"{MOST_APART} s or less for what rules read; boards can read the exporter's own series",
            )
    return levels(feeds, config.recording.interval)


def build_rules(config: Config, alerts: Sequence[Group] = (), *, for_operator: bool = False) -> Iterator[Artifact]:
    """One file a level and one of the alerts: for ``rule_files`` of Prometheus, or PrometheusRules for its operator."""
    target = Target(config.prometheus_version, config.recording.query_offset)
    for name, groups in (*rule_groups(config).items(), *((("alerts", alerts),) if alerts else ())):
        text = prometheus_rule(f"gpuboards-{name}", groups, target) if for_operator else rule_file(groups, target)
        yield Artifact(f"{name}.yml", text.encode())
