"""dcgm-exporter's text, by label scheme.

Order of labels, number formats and pod labels: internal/pkg/rendermetrics and transformation/ of
github.com/NVIDIA/dcgm-exporter at the versions of each scheme.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from builder.simulate.exposition.dcgm import counts, fields
from builder.simulate.exposition.dcgm.rows import Setup, rows
from builder.simulate.exposition.page import Page
from builder.simulate.model.device import Device

__all__ = ["Setup", "page"]


def page(setup: Setup, hostname: str, devices: Sequence[Device]) -> Page:
    """What the exporter of a node answers; ``hostname`` is what the host label holds."""
    series = rows(setup, hostname, devices)
    found = fields.families(setup, series)
    if setup.counters == "extended":
        found += counts.families(setup, series)
    return sorted(found, key=attrgetter("name")) if setup.scheme.honest_types else found
