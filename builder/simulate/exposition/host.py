"""The text of node_exporter and kube-state-metrics, as far as boards read it.

Sources: github.com/prometheus/node_exporter; docs/metrics of github.com/kubernetes/kube-state-metrics.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from builder.catalog.model import Match, Metric
from builder.catalog.profiles.host import PROFILE
from builder.simulate.exposition.columns import name_of
from builder.simulate.exposition.page import NO_LABELS, Family, Labels, Page, Pairs, go_number
from builder.simulate.model.hardware import MIB
from builder.simulate.model.host import PROCESSORS, Host
from builder.simulate.model.jobs import Job, Use
from builder.simulate.model.layout import Node

_DISK = "nvme0n1"
_JOB_LABEL = PROFILE.labels["job_name"][0].label


def node_exporter(node: Node, host: Host) -> Page:
    """What node_exporter answers."""
    processors = Family(name_of(PROFILE, "cpu_io_wait"), "counter", "Seconds the CPUs spent in each mode.")
    for number in range(PROCESSORS):
        for mode, seconds in host.processor_seconds:
            processors.add(_pairs(("cpu", str(number)), ("mode", mode)), go_number(seconds))
    uname = Family("node_uname_info", "gauge", "Labeled system information as provided by the uname system call.")
    machine = (
        *(("domainname", "(none)"), ("machine", "x86_64"), ("nodename", node.name)),
        *(("release", "6.1.0-18-amd64"), ("sysname", "Linux"), ("version", "#1 SMP")),
    )
    uname.add(_pairs(*machine), "1")
    disk = _pairs(("device", _DISK))
    return [
        processors,
        _one(name_of(PROFILE, "disk_busy"), "counter", "Total seconds spent doing I/Os.", disk, host.disk_busy),
        _one(name_of(PROFILE, "disk_read"), "counter", "The total number of bytes read.", disk, host.disk_read),
        _one("node_load1", "gauge", "1m load average.", NO_LABELS, host.load),
        _one("node_memory_MemAvailable_bytes", "gauge", "Memory available.", NO_LABELS, 262144 * MIB),
        _one(
            name_of(PROFILE, "clock_offset"), "gauge", "Time offset to the clock source.", NO_LABELS, host.clock_offset
        ),
        uname,
    ]


Placed = tuple[Node, Job, int, str, int]
"""A node, a job on it, which of its pods there, what the pod asks for (a MIG profile; empty: cards), and how many."""


def kube_state(nodes: Sequence[tuple[Node, bool, int]], placed: Sequence[Placed]) -> Page:
    """What kube-state-metrics answers: of each node whether it is ready and how many cards are healthy, and pods."""
    capacity = Family(name_of(PROFILE, "node_gpus"), "gauge", "The total amount of resources available for a node.")
    allocatable = Family("kube_node_status_allocatable", "gauge", "The amount of resources allocatable for pods.")
    condition = Family("kube_node_status_condition", "gauge", "The condition of a cluster node.")
    for node, ready, healthy in nodes:
        own = _pairs(("node", node.name), *_gpus("node_gpus"), ("unit", "integer"))
        capacity.add(own, str(sum(not card.instances for card in node.cards)))
        allocatable.add(own, str(healthy if ready else 0))
        for status in ("true", "false"):
            labels = _pairs(("node", node.name), ("condition", "Ready"), ("status", status))
            condition.add(labels, str(int((status == "true") == ready)))
    return [capacity, allocatable, condition, *_pods(placed)]


def _pods(placed: Sequence[Placed]) -> list[Family]:
    requests = Family(
        name_of(PROFILE, "gpu_requests"), "gauge", "The number of requested request resource by a container."
    )
    info = Family("kube_pod_info", "gauge", "Information about pod.")
    labels = Family(name_of(PROFILE, "pod_labels"), "gauge", "Kubernetes labels converted to Prometheus labels.")
    phase = Family("kube_pod_status_phase", "gauge", "The pods current phase.")
    for node, job, part, profile, count in placed:
        name = job.pod(node.name, part)
        pod = (("namespace", job.namespace), ("pod", name), ("uid", f"uid-{name}"))
        resource = (("resource", f"nvidia_com_mig_{profile.replace('.', '_')}"),) if profile else _gpus("gpu_requests")
        where = (("container", job.container), ("node", node.name))
        requests.add(_pairs(*pod, *where, *resource, ("unit", "integer")), str(count))
        kind = "Deployment" if job.lane.use is Use.SERVING else "PyTorchJob"
        made = (("node", node.name), ("created_by_kind", kind), ("created_by_name", job.name))
        info.add(_pairs(*pod, ("host_ip", node.address), *made), "1")
        labels.add(_pairs(*pod, (_JOB_LABEL, job.name)), "1")
        for state in ("Pending", "Running", "Failed"):
            phase.add(_pairs(*pod, ("phase", state)), str(int(state == "Running")))
    return [requests, info, labels, phase]


def _gpus(signal: str) -> Pairs:
    """The labels by which the catalogue knows that a resource is cards."""
    metric: Metric = PROFILE.signals[signal][0]
    matches: Sequence[Match] = metric.where
    return tuple((match.label, match.value) for match in matches)


def _one(name: str, kind: str, help: str, labels: Labels, value: float) -> Family:
    return Family(name, kind, help, [(name, labels, go_number(value))])


@lru_cache(maxsize=262144)
def _pairs(*pairs: tuple[str, str]) -> Labels:
    return Labels(pairs)
