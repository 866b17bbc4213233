"""``cluster:*``: one series a cluster, from the node level; for reports and alerts on the whole."""

from __future__ import annotations

from collections.abc import Callable

from builder.promql.expr import Expr, aggregate
from builder.queries.kept import Kept
from builder.queries.recorded import RecordedSource

CLUSTER = ("cluster",)


def _of(operator: str, name: str, *labels: str) -> Callable[[RecordedSource], Expr]:
    return lambda source: aggregate(operator, source.kept(name), by=(*CLUSTER, *labels))


def _quotient(part: str, whole: str) -> Callable[[RecordedSource], Expr]:
    def ask(source: RecordedSource) -> Expr:
        return _of("sum", part)(source).join("/", _of("sum", whole)(source), on=CLUSTER)

    return ask


def _sum(name: str, help: str, *labels: str) -> Kept:
    return Kept(f"cluster:{name}", (*CLUSTER, *labels), help, _of("sum", f"node:{name}", *labels))


CLUSTERS = (
    _sum("cards:count", "Cards that report."),
    Kept("cluster:nodes:count", CLUSTER, "Nodes with a card that reports.", _of("count", "node:cards:count")),
    _sum("busy_cards:count", "Cards that are busier than the idle threshold."),
    _sum("hot_cards:count", "Cards at or above the warning temperature."),
    _sum("power_limited_cards:count", "Cards that draw nearly as much as their limit allows."),
    _sum("throttled_cards:count", "Cards slowed down by heat or the power supply."),
    _sum("ecc_cards:count", "Cards with an uncorrectable memory error."),
    _sum("xid_cards:count", "Cards that have had an XID since their exporter started."),
    _sum("idle_held_cards:count", "Cards or MIG instances that are idle while much of their memory is held."),
    _sum("lost_cards:count", "Cards that went missing within a day while their node reports."),
    Kept(
        "cluster:utilization_ratio:avg",
        CLUSTER,
        "Mean utilisation of all cards.",
        _quotient("node:utilization_ratio:sum", "node:utilization_ratio:count"),
    ),
    _sum("utilization_ratio:sum", "Sum of the cards' utilisation."),
    _sum("utilization_ratio:count", "Cards that tell their utilisation."),
    _sum("utilization_cards:count", "Cards in each tenth of utilisation, by its lower edge in percent.", "from"),
    _sum("memory_used_bytes:sum", "Bytes held on all cards."),
    _sum("memory_total_bytes:sum", "All bytes of all cards."),
    Kept(
        "cluster:memory_usage_ratio",
        CLUSTER,
        "Bytes held against all bytes of all cards.",
        _quotient("node:memory_used_bytes:sum", "node:memory_total_bytes:sum"),
    ),
    _sum("power_watts:sum", "Power drawn by all cards."),
    Kept(
        "cluster:temperature_celsius:max",
        CLUSTER,
        "Core temperature of the hottest card.",
        _of("max", "node:temperature_celsius:max"),
    ),
)
