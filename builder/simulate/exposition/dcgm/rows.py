"""Which series dcgm-exporter has of a card, and their labels: one a card, a MIG instance, a job or a pod."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from builder.simulate.exposition.columns import spelled
from builder.simulate.exposition.page import Labels, Pairs
from builder.simulate.exposition.schemes import Dcgm
from builder.simulate.model.device import Device, Signals
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card

DRIVER = "550.144.03"
_BEFORE_ATTRIBUTES = ("window_size_in_ms", "xid", "clock_event")
_SHARES = (0.6, 0.4)  # of the work on a card that two pods share


@dataclass(frozen=True, eq=False)
class Setup:
    """An exporter's installation: ``counters`` is default, helm (the chart's ConfigMap) or extended."""

    profile: str
    scheme: Dcgm
    counters: str
    kubernetes: bool


@dataclass(frozen=True)
class Row:
    """One series of each family.

    ``labels`` makes its labels, given those that only some families have. ``own`` is what the exporter knows of
    a pod alone, on a card that pods share. ``silent`` rows are left out of families where the pods' copies stand
    for the card.
    """

    device: Device
    labels: Callable[[Pairs], Labels]
    signals: Signals
    instance: int | None = None
    own: Signals | None = None
    silent: bool = False


def rows(setup: Setup, hostname: str, devices: Sequence[Device]) -> list[Row]:
    """The series of these cards; ``hostname`` is what the host label holds."""
    return [row for device in devices for row in _rows(setup, hostname, device)]


def _rows(setup: Setup, hostname: str, device: Device) -> Iterator[Row]:
    card = device.card
    kinds = {fault.kind for fault in device.faults}

    def labels(instance: int | None, attributes: Pairs) -> Callable[[Pairs], Labels]:
        return lambda more: _labels(setup, hostname, card, instance, (*attributes, *more))

    if device.instances:
        for number, signals in device.instances.items():
            yield Row(device, labels(number, _pod(setup, card, device.job, number)), signals, number)
        return
    pod = _pod(setup, card, device.job)
    if "duplicate-hpc" in kinds and device.job:
        for number in (4711, 4712):
            yield Row(device, labels(None, (*pod, ("hpc_job", str(number + 10 * card.index)))), device.signals)
    elif "duplicate-vgpu" in kinds and device.job:
        yield Row(device, labels(None, ()), device.signals, silent=True)
        for number, share in enumerate(_SHARES):
            shared = (*_pod(setup, card, device.job, number), ("vgpu", str(number)))
            yield Row(device, labels(None, shared), device.signals, own=_of_pod(device, number, share))
    else:
        yield Row(device, labels(None, pod), device.signals)


def _of_pod(device: Device, part: int, share: float) -> Signals:
    held = sum(process.memory for process in device.processes if process.part == part)
    return {"utilisation": device.signals["utilisation"] * share, "memory_used": held}


def _pod(setup: Setup, card: Card, job: Job | None, part: int = 0) -> Pairs:
    """The workload's labels; ``part`` tells apart the pods of a card that is shared."""
    if not setup.kubernetes:
        return ()
    values = (job.container, job.namespace, job.pod(card.node, part)) if job else ("", "", "")
    if not job and not setup.scheme.empty_pods:
        return ()
    names = ("container", "namespace", "pod")
    written = ("container_name", "pod_namespace", "pod_name") if setup.scheme.old_namespace else names
    return tuple(
        (label, spelled(setup.profile, canonical, label, value))
        for canonical, label, value in zip(names, written, values, strict=True)
    )


@lru_cache(maxsize=65536)
def _labels(setup: Setup, hostname: str, card: Card, instance: int | None, attributes: Pairs) -> Labels:
    scheme, profile = setup.scheme, setup.profile
    pairs = [
        ("gpu", spelled(profile, "gpu", "gpu", str(card.index))),
        _spell(profile, "uuid", "uuid" if scheme.old_namespace else "UUID", card.uuid),
    ]
    if scheme.pci:
        pairs.append(("pci_bus_id", card.pci))
    pairs += [("device", f"nvidia{card.index}"), _spell(profile, "model", "modelName", card.model.name)]
    if instance is not None:
        pairs += [("GPU_I_PROFILE", card.model.mig), _spell(profile, "mig", "GPU_I_ID", f"mig-{instance}")]
    pairs.append(_spell(profile, "node", scheme.host_label, hostname))
    counted = [pair for pair in attributes if pair[0] in _BEFORE_ATTRIBUTES]
    if setup.counters != "helm":
        pairs.append((scheme.driver_label, DRIVER))
    return Labels([*pairs, *counted, *sorted(pair for pair in attributes if pair not in counted)])


def _spell(profile: str, canonical: str, label: str, value: str) -> tuple[str, str]:
    return label, spelled(profile, canonical, label, value)
