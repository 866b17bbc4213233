"""Expositions of tests/scrapes as scrape targets, with the labels that real installations give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from builder.testing import Target, service_monitor, static_target

SCRAPES = Path(__file__).parent.parent / "scrapes"


def exposition(name: str) -> str:
    """The text of an exposition in tests/scrapes."""
    return (SCRAPES / f"{name}.prom").read_text(encoding="utf-8")


def operator(name: str, number: int, slopes: Mapping[str, float] | None = None) -> Target:
    """A dcgm-exporter pod as the Prometheus operator scrapes it."""
    return exporter(exposition(name), number, slopes)


def exporter(text: str, number: int, slopes: Mapping[str, float] | None = None) -> Target:
    return service_monitor(
        text,
        pod=f"dcgm-exporter-x7k{number}p",
        instance=f"10.0.3.{number}:9400",
        per_second=slopes or {},
    )


def changed(name: str, *changes: tuple[str, str]) -> str:
    """An exposition with every regular expression replaced; each must be found."""
    text = exposition(name)
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        assert count, f"{name} has nothing like {pattern}"
    return text


def host(name: str, node: str, port: int, job: str, slopes: Mapping[str, float] | None = None) -> Target:
    return static_target(exposition(name), job=job, instance=f"{node}:{port}", per_second=slopes or {})


def training_pod(text: str, pod: str, number: int, slopes: Mapping[str, float], namespace: str = "ml") -> Target:
    return service_monitor(
        text,
        pod=pod,
        instance=f"10.0.4.{number}:9410",
        job="training",
        namespace=namespace,
        container="trainer",
        service="training",
        per_second=slopes,
    )


def node_exporter(text: str, number: int, slopes: Mapping[str, float] | None = None) -> Target:
    instance, node = f"10.0.0.{number}:9100", f"gpu-node-0{number}"
    return static_target(text, job="node-exporter", instance=instance, node=node, per_second=slopes or {})


def kube_state_metrics(text: str) -> Target:
    target = service_monitor(text, pod="ksm-0", instance="10.0.5.1:8080", job="kube-state-metrics")
    return replace(target, honor_labels=True)  # as kube-state-metrics is always scraped
