"""The memory of training processes, and the cards that it is on."""

from __future__ import annotations

from collections.abc import Sequence

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, tag
from builder.queries.source import Filter, Source

RANK = ("instance", "rank")
"""One process that reports, on one card; see ``jobs.PROCESS`` for one of a job."""

ALLOCATOR = (*RANK, "framework", "device")
"""One of its allocators: a process may split a card into several devices, or use it from two frameworks."""


def of_allocators(source: Source, signal: str, keep: Sequence[str] = ()) -> Expr:
    """A framework's bytes, one series an allocator; those of processes that do not know their card are left out.

    Raises SignalMissing where the source cannot say which card a process is on.
    """
    return source.level(signal, keep=(*ALLOCATOR, *keep), where=_known_cards(source, signal))


def of_allocators_over_time(source: Source, function: str, signal: str, window: str, offset: str = "") -> Expr:
    """avg, max, min, ... over the window, which ends ``offset`` ago, of what ``of_allocators`` gives."""
    return source.over_time(function, signal, window, offset=offset, keep=ALLOCATOR, where=_known_cards(source, signal))


def _known_cards(source: Source, signal: str) -> list[Filter]:
    key = source.framework_key
    if not set(key) <= set(source.card):
        raise SignalMissing(f"{signal} by card", source.name, "it has no uuid: set training: tf-snippet")
    # A process that does not know its card must not be joined to a card that does not know its uuid.
    return [Filter(label, "", "!=") for label in key if label != "cluster"]


def pools(source: Source) -> Expr:
    """Bytes that each allocator took from the driver; at least, where it does not tell: the most that it had in use."""
    told = of_allocators(source, "framework_memory_pool")
    key = (*source.framework_key, *ALLOCATOR)
    if source.has("framework_memory_peak"):
        told = told.join("or", of_allocators(source, "framework_memory_peak"), on=key)
    in_use = of_allocators(source, "framework_memory_in_use")
    return aggregate("max", tag(told, "of", "pool").either(tag(in_use, "of", "in use")), by=key)


def without_pool(source: Source) -> Expr:
    """The cards with an allocator that does not tell its pool."""
    key = (*source.framework_key, *ALLOCATOR)
    untold = of_allocators(source, "framework_memory_in_use").join(
        "unless", of_allocators(source, "framework_memory_pool"), on=key
    )
    return aggregate("group", untold, by=source.framework_key)


def on_cards(source: Source, allocators: Expr, cards: Expr | None = None) -> Expr:
    """The sum of the allocators on each card; ``cards`` are those there are now, where nothing else is said."""
    per_card = aggregate("sum", allocators, by=source.framework_key)
    return (source.level("device_info") if cards is None else cards).join(
        "*", per_card, on=source.framework_key, group_left=()
    )
