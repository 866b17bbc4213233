"""A metric that no signal asks for, but that dashboards of others show."""

from __future__ import annotations

from dataclasses import dataclass

from builder.catalog.model import Kind, Unit


@dataclass(frozen=True)
class Other:
    """What such a metric is. ``enable`` says how to switch it on, where it is not exported by default."""

    kind: Kind = Kind.GAUGE
    unit: Unit = Unit.NONE
    factor: float = 1.0
    enable: str = ""
    mask: bool = False
