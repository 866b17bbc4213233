"""Shares counted by tenths: a distribution costs ten series, however large the fleet."""

from __future__ import annotations

from builder.promql.expr import Expr, call, with_zeros

_EDGES = tuple(str(edge) for edge in range(0, 100, 10))


def tenth(share: Expr) -> Expr:
    """The lower edge, in percent, of the tenth that a share is in; the whole is in the last one."""
    return call("floor", call("clamp_max", share * 10, 9)) * 10


def each_tenth(counts: Expr) -> Expr:
    """Counts by the label ``from``, and 0 for the tenths that have none."""
    return with_zeros(counts, "from", _EDGES)
