"""Who holds what: ``namespace:*``, and the cards and pods that somebody has to look at."""

from __future__ import annotations

from collections.abc import Callable

from builder.promql.expr import Expr, aggregate
from builder.queries import memory, workloads
from builder.queries.kept import Kept
from builder.queries.recorded import RecordedSource
from builder.queries.records import INSTANCE, WORKLOAD

NAMESPACE = ("cluster", "node", "namespace")
"""With the node, so that a board of some nodes can be read from it; no card is on two nodes."""
HELD = (*INSTANCE, *WORKLOAD)


def _key(source: RecordedSource) -> tuple[str, ...]:
    return (*source.card, "namespace")


def _cards(source: RecordedSource) -> Expr:
    held = aggregate("group", workloads.workloads.ask(source), by=_key(source))
    return aggregate("count", held, by=NAMESPACE)


def _utilisation(operator: str) -> Callable[[RecordedSource], Expr]:
    def ask(source: RecordedSource) -> Expr:
        held = aggregate("avg", workloads.workload_utilisation.ask(source), by=_key(source))
        return aggregate(operator, held, by=NAMESPACE)

    return ask


def _memory_share(source: RecordedSource) -> Expr:
    used = source.level("memory_used", keep=("model",))
    return used.join("/", memory.memory_total.ask(source), on=source.instance, group_left=())


NAMESPACES = (
    Kept("namespace:cards:count", NAMESPACE, "Cards that the namespace holds on the node.", _cards),
    Kept("namespace:utilization_ratio:sum", NAMESPACE, "Sum of their utilisation.", _utilisation("sum")),
    Kept("namespace:utilization_ratio:count", NAMESPACE, "Those that tell their utilisation.", _utilisation("count")),
)
CARDS = (
    Kept("gpu:memory_usage_ratio", (*INSTANCE, "model"), "Bytes held against all bytes.", _memory_share),
    Kept(
        "gpu:idle_held_memory_ratio",
        INSTANCE,
        "Share of memory held on cards that have been idle for ten minutes while much of it is held.",
        workloads.idle_holders.ask,
    ),
)
PODS = (
    Kept(
        "pod:idle_held_memory_bytes",
        HELD,
        "Memory held by the pods on cards that are idle while much of it is held.",
        workloads.idle_workloads.ask,
    ),
    Kept(
        "pod:troubled_memory_bytes",
        HELD,
        "Memory held by the pods on nodes in trouble.",
        workloads.troubled_workloads.ask,
    ),
    Kept(
        "pod:troubled_utilization_ratio",
        HELD,
        "Utilisation of the cards held by pods on nodes in trouble.",
        workloads.workload_utilisation_in_trouble.ask,
    ),
)
