"""Errors on the way: PCIe replays and NVLink CRC errors."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries.question import question
from builder.queries.source import Source


@question
def pcie_replays(source: Source) -> Expr:
    """PCIe packets sent again per minute, per card. DCGM's own health check warns above eight."""
    return source.rate("pcie_replay") * 60


@question
def nvlink_errors(source: Source) -> Expr:
    """NVLink data CRC errors per minute, per card; a healthy link has none."""
    return source.rate("nvlink_errors") * 60
