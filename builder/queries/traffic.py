"""What moves over PCIe and NVLink."""

from __future__ import annotations

from builder.promql.expr import Expr
from builder.queries.question import question
from builder.queries.source import Source


@question
def pcie_receive(source: Source) -> Expr:
    """PCIe bytes per second received, per card."""
    return source.level("pcie_receive")


@question
def pcie_transmit(source: Source) -> Expr:
    """PCIe bytes per second sent, per card."""
    return source.level("pcie_transmit")


@question
def nvlink_throughput(source: Source) -> Expr:
    """NVLink bytes per second in both directions, per card."""
    return source.level("nvlink_throughput")
