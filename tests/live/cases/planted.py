"""The simulated fleets: one healthy, and one more for each fault, all of them clusters in one Prometheus.

A fleet is three nodes of two cards. The four cards of node-0 and node-1 train one job together, card 0 of node-2
trains one of its own, and card 1 of node-2 is nobody's. Every fleet is the healthy one but for its fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from builder.simulate import START, Fleet, fault, history

AT = START + 1200
"""When the boards are opened."""
RANGE = 600
"""Seconds that they show."""

HEALTHY = "healthy"

_NUMBERED = "foreign, among processes with numbers"

PLANTED: Mapping[str, str] = {
    "idle": "idle:node-2/gpu-0@2m",
    "hung": "hung:node-0/gpu-1@2m",
    "hang": "hang:node-0/gpu-1@2m",
    "hot": "hot:node-0/gpu-1@2m",
    "throttle": "throttle:node-0/gpu-1@2m",
    "power-cap": "power-cap:node-0/gpu-1@2m",
    "leak": "leak:node-0/gpu-1@2m",
    "foreign": "foreign:node-0/gpu-1@2m",
    _NUMBERED: "foreign:node-0/gpu-1@2m",
    "slack": "slack:node-2/gpu-0@2m",
    "slack, of a pool that is told": "slack:node-0/gpu-1@2m",
    "input-stall": "input-stall:node-0/gpu-1@2m",
    "input-stall, nearly all": "input-stall=0.8:node-2/gpu-0@2m",
    "straggler": "straggler:node-0/gpu-1@2m",
    "xid": "xid:node-0/gpu-1@2m",
    "xid, counted": "xid=48:node-0/gpu-1@2m",
    "ecc-corrected": "ecc-corrected:node-0/gpu-1@2m",
    "ecc-uncorrected": "ecc-uncorrected:node-0/gpu-1@2m",
    "remap-pending": "remap-pending:node-0/gpu-1@2m",
    "remap-pending, before Ampere": "remap-pending:node-0/gpu-1@2m",
    "remap-failed": "remap-failed:node-0/gpu-1@2m",
    "nvlink-errors": "nvlink-errors:node-0/gpu-1@2m",
    "pcie-replays": "pcie-replays:node-0/gpu-1@2m",
    # Long enough ago for their last samples, which no marker ends in a history, to be out of the range shown.
    "lost": "lost:node-0/gpu-1@1m",
    "exporter-down": "exporter-down:node-1@1m",
    "exporter-down, three minutes ago": "exporter-down:node-1@16m40s",
    "node-down": "node-down:node-1@1m",
    "duplicate-hpc": "duplicate-hpc:node-0/gpu-1@2m",
    "duplicate-vgpu": "duplicate-vgpu:node-0/gpu-1@2m",
    "clock-skew": "clock-skew:node-1@2m",
    "label-change": "label-change:node-1@12m",
}
"""What is planted in each cluster. All else about it is as in the healthy one."""

EXPORTERS: Mapping[str, Mapping[str, Any]] = {
    "dcgm": {},
    "dcgm-4.9": {"profile": "dcgm-4.9"},
    "nvidia-smi": {"profile": "nvidia-smi", "scheme": "nvml"},  # the backend that says most
    "nv-gpu": {"profile": "nv-gpu", "training": "tf-snippet"},
    "nvidia-gpu": {"profile": "nvidia-gpu", "training": "tf-snippet"},
}
"""What speaks, by its profile: options of the fleet."""

SPLIT = "split"
"""A healthy cluster in which card 0 of node-2 is split into two MIG instances (dcgm-exporter)."""

PLAIN = "plain"
"""A healthy cluster with the exporter's default backend (nvidia_gpu_exporter), which says less."""

_OF_DCGM = ("duplicate-hpc", "duplicate-vgpu", "label-change")
_ERRORS = (
    *("xid", "xid, counted", "ecc-corrected", "ecc-uncorrected", "nvlink-errors", "pcie-replays"),
    *("remap-pending", "remap-pending, before Ampere", "remap-failed"),
)
UNSEEN: Mapping[str, tuple[str, ...]] = {
    # The new spelling is there from the beginning; what it says of pods that share a card is not known.
    "dcgm": (_NUMBERED,),
    "dcgm-4.9": ("label-change", "duplicate-vgpu", _NUMBERED),
    "nvidia-smi": (*_OF_DCGM, "nvlink-errors", "pcie-replays"),
    "nv-gpu": (*_OF_DCGM, *_ERRORS, "power-cap", "straggler", _NUMBERED),
    "nvidia-gpu": (*_OF_DCGM, *_ERRORS, _NUMBERED),
}
"""Faults of which an exporter says nothing that a board asks for."""

LIVELY = "lively"
"""A healthy cluster whose jobs evaluate and write checkpoints as real ones do."""

OTHERWISE: Mapping[str, Mapping[str, Any]] = {
    SPLIT: {"mig": ("node-2/gpu-0",)},
    LIVELY: {"steady": False},
    "remap-pending, before Ampere": {"model": "v100"},
    _NUMBERED: {"kubernetes": False},  # outside of containers, where processes know their number on the host
}
"""Clusters with more about them than a fault: options of the fleet."""

VERSIONS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("dcgm", "xid, counted"): {"scheme": "C"},  # XIDs are counted by code since dcgm-exporter 4.8.3
    ("nvidia-smi", PLAIN): {"scheme": "event"},
}
"""Clusters with another version of one exporter."""


@cache
def fleet(exporter: str, cluster: str, *, struck: bool = True) -> Fleet:
    """The fleet that is this cluster, seen through this exporter; without its fault where not ``struck``."""
    options: Mapping[str, Any] = {
        "nodes": 3,
        "cards": 2,
        "seed": 27,  # the jobs have frameworks of two kinds, in two namespaces
        "steady": True,
        "cluster": cluster,
        "faults": (PLANTED[cluster],) if struck and cluster in PLANTED else (),
    }
    more = {**EXPORTERS[exporter], **OTHERWISE.get(cluster, {}), **VERSIONS.get((exporter, cluster), {})}
    return Fleet(**{**options, **more})


def clusters(exporter: str) -> tuple[str, ...]:
    """The clusters that an exporter is asked about: the healthy ones, and those whose fault it can tell of."""
    more = {"dcgm": [SPLIT], "dcgm-4.9": [SPLIT], "nvidia-smi": [PLAIN]}
    struck = [name for name in PLANTED if name not in UNSEEN.get(exporter, ())]
    return (HEALTHY, LIVELY, *more.get(exporter, ()), *struck)


def place(cluster: str) -> tuple[str, str]:
    """Node and card that the fault of a cluster strikes; no card where it strikes the node, neither where healthy."""
    if cluster not in PLANTED:
        return "", ""
    struck = fault(PLANTED[cluster])
    return struck.node, struck.gpu


def interval(exporter: str) -> int:
    """Seconds between two scrapes, as set on the data source: those of the exporter."""
    return fleet(exporter, HEALTHY).exporter.interval


def scraped(exporter: str) -> str:
    """Twenty minutes of scrapes of all clusters, as OpenMetrics text."""
    step = interval(exporter)
    parts = [history(fleet(exporter, name), begin=START, end=AT, interval=step) for name in clusters(exporter)]
    return "".join(part.removesuffix("# EOF\n") for part in parts) + "# EOF\n"
