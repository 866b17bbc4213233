"""Metrics that the exporters have and no signal of the catalogue asks for, by exporter."""

from __future__ import annotations

from collections.abc import Mapping

from builder.lint.exporters import dcgm, nvidia_gpu_exporter
from builder.lint.exporters.other import Other

OTHERS: Mapping[str, Mapping[str, Other]] = {
    "dcgm-exporter": dcgm.OTHERS,
    "nvidia_gpu_exporter": nvidia_gpu_exporter.OTHERS,
}

LABELS: Mapping[str, frozenset[str]] = {
    "dcgm-exporter": dcgm.LABELS,
    "nvidia_gpu_exporter": nvidia_gpu_exporter.LABELS,
}
"""Labels that an exporter emits beside those which a profile spells."""

RENAMED: Mapping[str, str] = {**dcgm.RENAMED}
"""Names that no present exporter has, and what to use instead."""

__all__ = ["LABELS", "OTHERS", "RENAMED", "Other"]
