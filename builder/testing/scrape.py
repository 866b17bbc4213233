"""Scrape targets, and the labels that a scrape gives to what they expose.

Rules: https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config, honor_labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from builder.errors import UsageError
from builder.testing.exposition import Sample, parse_exposition

_NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Target:
    """One scrape target: what it exposes and the labels it is scraped with.

    ``labels`` holds at least ``job`` and ``instance``. With ``honor_labels`` false (Prometheus' default) a
    scraped label that collides with a target label becomes ``exported_<label>``. ``per_second`` gives series
    a slope in a history: a metric name, or a series like ``train_steps_total{rank="1"}``, to the increase
    per second.
    """

    exposition: str
    labels: Mapping[str, str]
    honor_labels: bool = False
    per_second: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("job", "instance"):
            if not self.labels.get(name):
                raise UsageError(f"a scrape target without the label {name}", fix="Prometheus always sets it")


def static_target(
    exposition: str, *, job: str, instance: str, per_second: Mapping[str, float] = _NOTHING, **labels: str
) -> Target:
    """A target of plain static_configs: job, instance and what other labels are given."""
    return Target(exposition, {"job": job, "instance": instance, **labels}, per_second=per_second)


def service_monitor(
    exposition: str,
    *,
    pod: str,
    instance: str,
    job: str = "dcgm-exporter",
    namespace: str = "monitoring",
    container: str = "exporter",
    endpoint: str = "metrics",
    service: str = "dcgm-exporter",
    honor_labels: bool = False,
    per_second: Mapping[str, float] = _NOTHING,
    **labels: str,
) -> Target:
    """A target as the Prometheus operator scrapes it: pod, namespace and container are the exporter's own."""
    own = {"job": job, "instance": instance, "pod": pod, "namespace": namespace, "container": container}
    return Target(exposition, {**own, "endpoint": endpoint, "service": service, **labels}, honor_labels, per_second)


def scraped(target: Target) -> tuple[Sample, ...]:
    """The series that one scrape of the target leaves in Prometheus, the series ``up`` included."""
    exposed = parse_exposition(target.exposition)
    return (*(Sample(s.name, scraped_labels(s.labels, target), s.value) for s in exposed), up(target))


def up(target: Target) -> Sample:
    """The series that Prometheus itself adds for a target that answers."""
    return Sample("up", scraped_labels({}, target), 1.0)


def scraped_labels(exposed: Mapping[str, str], target: Target) -> dict[str, str]:
    """Labels of a scraped series: the target's added, collisions resolved, empty ones gone."""
    if target.honor_labels:
        merged = {**target.labels, **exposed}
    else:
        merged = {**exposed, **target.labels}
        # An empty label is no label, so it collides with nothing. Shorter names are renamed first.
        for name in sorted((n for n in target.labels if exposed.get(n)), key=len):
            renamed = f"exported_{name}"
            while merged.get(renamed):
                renamed = f"exported_{renamed}"
            merged[renamed] = exposed[name]
    return {name: value for name, value in merged.items() if value}
