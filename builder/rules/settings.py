"""What a site says about its alerts: thresholds for all, for a cluster, for a model of card; severities; links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from builder.errors import ConfigError
from builder.rules.stages import Stage
from builder.rules.thresholds import Thresholds


@dataclass(frozen=True)
class Changes:
    """What is different for one cluster or one model of card: thresholds by name, severities by alert.

    A severity of ``off`` leaves the alert out. ``where`` is the place in the file, for messages.
    """

    thresholds: Mapping[str, Any] = field(default_factory=dict)
    severity: Mapping[str, str] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True)
class Links:
    """Where an alert's links lead. An empty ``grafana`` gives links that begin with ``/``.

    In ``runbook`` ``{alert}`` stands for the alert's name. ``logs`` is a LogQL stream selector in which ``{node}``,
    ``{pod}`` and so on stand for the alert's labels, ``loki`` is the uid of the data source that has them.
    """

    grafana: str = ""
    runbook: str = "docs/runbooks/{alert}.md"
    logs: str = ""
    loki: str = "loki"


@dataclass(frozen=True)
class AlertSettings:
    """The section ``alerts`` of the configuration; a model's changes are laid over those of its cluster.

    ``stage`` keeps single alerts, by name, at this stage while the others go further.
    """

    thresholds: Thresholds = field(default_factory=Thresholds)
    severity: Mapping[str, str] = field(default_factory=dict)
    stage: Mapping[str, Stage] = field(default_factory=dict)
    clusters: Mapping[str, Changes] = field(default_factory=dict)
    models: Mapping[str, Changes] = field(default_factory=dict)
    grafana_url: str = ""
    runbook_url: str = Links.runbook

    def changed(self) -> Iterator[str]:
        """What differs from the defaults, each thing in words: ``temperature_warning=83``."""
        here, usual = self.thresholds, Thresholds()
        values = {f.name: here.named(f.name) for f in fields(here) if here.named(f.name) != usual.named(f.name)}
        yield from _said(Changes(values, self.severity))
        yield from (f"stage {alert}={stage.value}" for alert, stage in sorted(self.stage.items()))
        for part, changes in (*self.clusters.items(), *self.models.items()):
            yield from (f"{part} {each}" for each in _said(changes))
        for name in ("grafana_url", "runbook_url"):
            if getattr(self, name) != getattr(AlertSettings, name):
                yield f"{name}={getattr(self, name)}"

    def at(self, model: str = "", cluster: str = "") -> tuple[Thresholds, Mapping[str, str]]:
        """Thresholds and severities for cards of a model in a cluster; empty: of those that are not named.

        Raises ConfigError where they contradict each other once they are laid over one another.
        """
        thresholds, severity = self.thresholds, dict(self.severity)
        for changes in (self.clusters.get(cluster), self.models.get(model)):
            if changes is None:
                continue
            try:
                thresholds = replace(thresholds, **changes.thresholds)
            except ConfigError as error:
                raise error.at(changes.where) from None
            severity |= changes.severity
        return thresholds, severity


def _said(changes: Changes) -> Iterator[str]:
    yield from (f"{name}={value:g}" for name, value in sorted(changes.thresholds.items()))
    yield from (f"{alert}={severity}" for alert, severity in sorted(changes.severity.items()))
