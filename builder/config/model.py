"""Every setting, its default and the values it may take.

A field of these dataclasses is a key of gpuboards.yaml: adding a setting is adding a field. ``setting()``
attaches the check that both the file and the command line go through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from builder.catalog.model import Spelling
from builder.config import checks
from builder.config.contexts import Context
from builder.config.scrape import Scrape
from builder.errors import ConfigError, short
from builder.rules.alertmanager.settings import Settings as Alertmanager
from builder.rules.settings import AlertSettings

LOG_SELECTORS = {
    "kubernetes": '{namespace="{namespace}",pod="{pod}",container="{container}"}',
    "bare-metal": '{host="{node}"}',
}
"""Presets of ``logs.selector``: the stream labels that log shippers set by default in each place."""


def setting(default: Any, *accepted: checks.Check) -> Any:
    """A field with a default and the checks that a value must pass."""
    return field(default=default, metadata={"checks": accepted})


@dataclass(frozen=True)
class Datasource:
    """A Grafana data source. ``uid`` is what boards choose until somebody picks another one."""

    name: str = setting("", checks.not_empty)
    uid: str = setting("", checks.uid)
    url: str = setting("", checks.http_url)


@dataclass(frozen=True)
class Datasources:
    """Where the numbers and the logs come from."""

    prometheus: Datasource = Datasource("Prometheus", "prometheus", "http://prometheus:9090")
    loki: Datasource = Datasource("Loki", "loki", "http://loki:3100")

    def __post_init__(self) -> None:
        for what in ("uid", "name"):
            if getattr(self.prometheus, what) == getattr(self.loki, what):
                raise ConfigError(
                    f"prometheus and loki have the same {what} {short(getattr(self.loki, what))}",
                    fix=f"Grafana tells data sources apart by {what}; give each its own",
                )


@dataclass(frozen=True)
class Folder:
    """The Grafana folder that holds the boards."""

    title: str = setting("GPU", checks.not_empty)
    uid: str = setting("gpuboards", checks.uid, checks.not_general)


@dataclass(frozen=True)
class Provider:
    """How Grafana picks the boards up from a mounted directory."""

    name: str = setting("gpuboards", checks.not_empty)
    path: str = setting("/etc/grafana/provisioning/dashboards/gpuboards", checks.absolute)
    # Grafana watches files by inotify at 10 s or less, which misses ConfigMap and symlink swaps.
    update_interval_seconds: int = setting(30, checks.between(1, 86_400))
    allow_ui_updates: bool = False
    disable_deletion: bool = False


@dataclass(frozen=True)
class Logs:
    """How the logs of a workload are found in Loki.

    ``selector`` is a LogQL stream selector in which ``{node}``, ``{namespace}``, ``{pod}``, ``{container}``
    and the other canonical labels stand for the values of the card that is looked at.
    """

    selector: str = setting(LOG_SELECTORS["kubernetes"], checks.log_selector)


@dataclass(frozen=True)
class Thresholds:
    """Where a number stops being good. Temperatures in degrees Celsius, the rest ratios from 0 to 1."""

    temperature_warning: float = setting(80, checks.between(20, 150))
    temperature_critical: float = setting(85, checks.between(20, 150))
    memory_temperature_warning: float = setting(95, checks.between(20, 150))
    memory_temperature_critical: float = setting(105, checks.between(20, 150))
    memory_warning: float = setting(0.9, checks.between(0, 1))
    memory_critical: float = setting(0.97, checks.between(0, 1))
    memory_gap_warning: float = setting(0.2, checks.between(0, 1))
    memory_gap_critical: float = setting(0.4, checks.between(0, 1))
    utilisation_idle: float = setting(0.1, checks.between(0, 1))
    idle_memory: float = setting(0.5, checks.between(0, 1))
    power_near_limit: float = setting(0.97, checks.between(0, 1))
    headroom_low: float = setting(10, checks.between(0, 100))
    headroom_very_low: float = setting(5, checks.between(0, 100))
    efficiency_low: float = setting(0.2, checks.between(0, 1))
    input_wait_warning: float = setting(0.2, checks.between(0, 1))
    input_wait_critical: float = setting(0.5, checks.between(0, 1))
    straggler_lag: float = setting(0.2, checks.between(0, 10))

    def __post_init__(self) -> None:
        for name in vars(self):
            if not name.endswith("_warning"):
                continue
            worse = name.replace("_warning", "_critical")
            if getattr(self, name) >= getattr(self, worse):
                raise ConfigError(
                    f"{name} ({getattr(self, name):g}) is not below {worse} ({getattr(self, worse):g})",
                    fix=f"set both; a warning comes before {worse.rsplit('_', 1)[0]} is critical",
                )


@dataclass(frozen=True)
class Patch:
    """What a site says about a metric: only the fields that it names, over what the catalogue says."""

    fields: Mapping[str, Any]
    where: str = ""


@dataclass(frozen=True)
class Override:
    """What one site spells differently from a profile. An empty tuple means: not exported here.

    ``places`` says where each is written: ``{"labels.node": "gpuboards.yaml:4"}``.
    """

    signals: Mapping[str, tuple[Patch, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[Spelling, ...]] = field(default_factory=dict)
    interval: int | None = None
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """How the recorded series are made.

    ``also`` names further exporters of cards that feed them; for a card that several report, ``profile`` comes
    first and then these in their order. ``interval`` is how often rules are evaluated, in seconds: a rate over five
    minutes needs four values, and what is evaluated four times as rarely must still be found, which Prometheus does
    for five minutes. ``query_offset``, in seconds, lets rules wait for samples that arrive late (remote write).
    """

    also: tuple[str, ...] = ()
    interval: int = setting(30, checks.between(5, 70))
    query_offset: int = setting(0, checks.between(0, 240))


@dataclass(frozen=True)
class Config:
    """Everything that a build depends on besides the board definitions, and where to push it.

    ``project`` tells the boards of several projects in one Grafana apart: it becomes a tag of theirs.
    """

    profile: str = "dcgm"
    training: str = setting("auto", checks.one_of("auto", "probe", "tf-snippet", "none"))
    host: str = setting("node-exporter", checks.one_of("node-exporter", "none"))
    source: str = setting("raw", checks.one_of("raw", "recorded"))
    profiles: Mapping[str, Override] = field(default_factory=dict)
    recording: Recording = Recording()
    prometheus_version: str = setting("2.42", checks.prometheus_version)
    datasources: Datasources = Datasources()
    folder: Folder = Folder()
    provider: Provider = Provider()
    logs: Logs = Logs()
    thresholds: Thresholds = Thresholds()
    alerts: AlertSettings = field(default_factory=AlertSettings)
    refresh: str = setting("1m", checks.refresh)
    time_from: str = setting("now-6h", checks.time_from)
    show_cluster: bool = False
    project: str = setting("", checks.project)
    scrape: Scrape = field(default_factory=Scrape)
    alertmanager: Alertmanager = field(default_factory=Alertmanager)
    contexts: Mapping[str, Context] = field(default_factory=dict)
