"""What there is to scrape, and the labels that a service discovery gives to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.catalog.profiles.training import PROBE, SNIPPET
from builder.simulate.model.chance import hexadecimal
from builder.simulate.model.course import job_on
from builder.simulate.model.jobs import Job, Use
from builder.simulate.model.layout import Card, Node

if TYPE_CHECKING:
    from builder.simulate.fleet import Fleet

KUBE_STATE = "kube-state-metrics"

JOBS: Mapping[str, str] = {
    "dcgm": "dcgm-exporter",
    "dcgm-4.9": "dcgm-exporter",
    "nvidia-smi": "nvidia_gpu_exporter",
    "nv-gpu": "gpu",
    "nvidia-gpu": "gpu",
}
"""The scrape job of each GPU profile."""

TRAINING, NODE_EXPORTER = "training", "node-exporter"


@dataclass(frozen=True)
class Target:
    """One thing to scrape: its path in the simulator, its labels (``job`` and ``instance`` at least), and
    whether its own labels win over these where they collide (``honor_labels``)."""

    path: str
    labels: Mapping[str, str]
    honor_labels: bool = False


def of_node(fleet: Fleet, node: Node, at: float) -> Iterator[Target]:
    """A node's targets at ``at`` seconds of the fleet's time: training processes come and go with their jobs."""
    yield _exporter(fleet, node)
    if fleet.host:
        labels = {"job": NODE_EXPORTER, "instance": f"{node.address}:9100", "node": node.name}
        yield _target(fleet, f"{node.name}/host", labels)
    yield from _training(fleet, node, at)


def of_cluster(fleet: Fleet) -> Iterator[Target]:
    """What there is once."""
    if fleet.host and fleet.kubernetes:
        labels = {"job": KUBE_STATE, **_pod("kube-state-metrics-0", "monitoring", KUBE_STATE, "10.15.0.1", 8080)}
        yield _target(fleet, KUBE_STATE, labels, honor_labels=True)  # as it is always scraped


def exporter_pod(fleet: Fleet, node: Node) -> str:
    """The name of the pod in which a node's GPU exporter runs."""
    return f"{JOBS[fleet.profile].replace('_', '-')}-{hexadecimal(5, fleet.seed, node.name, 'pod')}"


def _exporter(fleet: Fleet, node: Node) -> Target:
    job, port = JOBS[fleet.profile], fleet.exporter.port
    if fleet.kubernetes and fleet.is_dcgm:
        own = _pod(exporter_pod(fleet, node), "monitoring", "exporter", node.address, port)
        labels = {"job": job, **own, "endpoint": "metrics", "service": job}
        return _target(fleet, f"{node.name}/gpu", labels, honor_labels=fleet.honor_labels)
    return _target(fleet, f"{node.name}/gpu", {"job": job, "instance": f"{node.name}:{port}"})


def _training(fleet: Fleet, node: Node, at: float) -> Iterator[Target]:
    if fleet.training == "tf-snippet":
        yield _target(fleet, f"{node.name}/train", {"job": TRAINING, "instance": f"{node.name}:{SNIPPET.port}"})
    if fleet.training != "probe":
        return
    for card in node.cards:
        job = job_on(card, at)
        if job is not None and job.lane.use is not Use.SERVING:
            yield _target(fleet, f"{node.name}/train-{card.index}", _process(fleet, node, card, job))


def _process(fleet: Fleet, node: Node, card: Card, job: Job) -> dict[str, str]:
    port = PROBE.port + card.index
    if not fleet.kubernetes:
        return {"job": TRAINING, "instance": f"{node.name}:{port}"}
    address = node.address.replace("10.", "10.1", 1)
    return {"job": TRAINING, "node": node.name, **_pod(job.pod(node.name), job.namespace, job.container, address, port)}


def _pod(name: str, namespace: str, container: str, address: str, port: int) -> dict[str, str]:
    return {"instance": f"{address}:{port}", "pod": name, "namespace": namespace, "container": container}


def _target(fleet: Fleet, path: str, labels: Mapping[str, str], *, honor_labels: bool = False) -> Target:
    return Target(path, {**labels, **({"cluster": fleet.cluster} if fleet.cluster else {})}, honor_labels)
