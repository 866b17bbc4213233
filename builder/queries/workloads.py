"""Who holds the cards, and who holds them without using them."""

from __future__ import annotations

from collections.abc import Callable

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, union
from builder.queries import health, thermal
from builder.queries.inventory import counted
from builder.queries.question import question
from builder.queries.source import Filter, Source

_HELD = (Filter("pod", "", "!="),)
_WORKLOAD = ("namespace", "pod", "container")
_IDLE_WINDOW = "10m"


@question
def workloads(source: Source) -> Expr:
    """Memory held on each card by the pod that holds it; shared cards show the whole card for each pod."""
    return _of_pods(source, "memory_used")


@question
def workload_utilisation(source: Source) -> Expr:
    """Utilisation of each card, with the pod that holds it."""
    return _of_pods(source, "utilisation")


@question
def namespace_cards(source: Source) -> Expr:
    """How many cards each namespace holds."""
    held = aggregate("group", _of_pods(source, "memory_used"), by=(*source.card, "namespace"))
    return aggregate("count", held, by=("cluster", "namespace"))


@question
def namespace_utilisation(source: Source) -> Expr:
    """Mean utilisation of the cards that a namespace holds."""
    held = aggregate("avg", _of_pods(source, "utilisation"), by=(*source.card, "namespace"))
    return aggregate("avg", held, by=("cluster", "namespace"))


@question
def idle_holders(source: Source) -> Expr:
    """Share of memory held on cards that have been idle for ten minutes while much of it is held."""
    utilisation, memory = source.threshold("utilisation_idle"), source.threshold("idle_memory")
    return held_idle(source, _IDLE_WINDOW, utilisation, memory, lambda reporting: reporting)


def held_idle(source: Source, window: str, utilisation: float, memory: float, now: Callable[[Expr], Expr]) -> Expr:
    """Share of memory held on cards that were idle for the whole window while much of it was held.

    ``utilisation`` is the mean below which a card is idle, ``memory`` the share above which it is held; ``now`` says
    of what reports which of it counts as present.
    """
    key = source.instance
    idle = source.over_time("avg", "utilisation", window).below(utilisation)
    idle = idle.join("and", now(source.level("utilisation")).below(utilisation), on=key)
    # A card that came up within the window has been neither idle nor held for all of it.
    idle = idle.join("and", source.over_time("last", "utilisation", "5m", offset=window), on=key)
    total = now(source.level("memory_total").above(0))
    held = source.over_time("min", "memory_used", window).join("/", total, on=key)
    return held.above(memory).join("and", idle, on=key)


@question
def idle_workloads(source: Source) -> Expr:
    """Memory held by the pods on cards or MIG instances that are idle while much of it is held."""
    return workloads.ask(source).join("and", idle_holders.ask(source), on=source.instance)


@question
def idle_holder_count(source: Source) -> Expr:
    """How many cards or MIG instances are idle while much of their memory is held."""
    return counted(idle_holders.ask(source), source.level("utilisation"))


@question
def troubled_workloads(source: Source) -> Expr:
    """Memory held by the pods on nodes in trouble."""
    return workloads.ask(source).join("and", troubled_nodes.ask(source), on=("cluster", "node"))


@question
def workload_utilisation_in_trouble(source: Source) -> Expr:
    """Utilisation of the cards held by pods on nodes in trouble."""
    return workload_utilisation.ask(source).join("and", troubled_nodes.ask(source), on=("cluster", "node"))


@question
def troubled_nodes(source: Source) -> Expr:
    """Nodes with a card that is too hot, slowed down, or has uncorrectable memory errors."""
    signs = [source.level("temperature").at_least(source.threshold("temperature_warning"))]
    if source.has("throttled"):
        signs.append(thermal.throttle_now.ask(source).above(0))
    if source.has("ecc_uncorrected"):
        signs.append(health.ecc_uncorrected.ask(source).above(0))
    return aggregate("group", union(signs), by=("cluster", "node"))


def _of_pods(source: Source, signal: str) -> Expr:
    if not source.has_label("pod"):
        raise SignalMissing("pod labels", source.name)
    return source.level(signal, keep=_WORKLOAD, where=_HELD)
