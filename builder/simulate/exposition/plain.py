"""The names of tutorials and small exporters: few families, each with labels of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from builder.simulate.exposition.columns import columns, spelled
from builder.simulate.exposition.page import Family, Labels, Page, go_number
from builder.simulate.model.device import Device
from builder.simulate.model.jobs import Job
from builder.simulate.model.layout import Card

# Canonical labels of each family by the name that they are written with. The families do not agree.
_LABELS: Mapping[str, Mapping[str, str]] = {
    "nv_gpu_utilization_ratio": {"UUID": "uuid", "container": "container", "gpu": "gpu"},
    "nvml_gpu_memory_used_bytes": {"gpu": "gpu", "name": "model", "uuid": "uuid"},
}
_ONLY_INDEX = {"gpu": "gpu"}


def page(profile: str, devices: Sequence[Device]) -> Page:
    """What the exporter of a node answers."""
    families = []
    for column in columns(profile).values():
        family = Family(column.name, column.declared_type, column.help)
        for device in devices:
            value = column.value(device.signals)
            if value is not None and not (device.instances and column.signal.name == "utilisation"):
                family.add(_labels(profile, column.name, device.card, device.job), go_number(value))
        families.append(family)
    return families


@lru_cache(maxsize=65536)
def _labels(profile: str, family: str, card: Card, job: Job | None) -> Labels:
    values = {
        "uuid": card.uuid,
        "gpu": str(card.index),
        "model": card.model.name,
        "container": job.container if job else "",
    }
    written = _LABELS.get(family, _ONLY_INDEX)
    return Labels(
        (label, spelled(profile, canonical, label, values[canonical])) for label, canonical in written.items()
    )
