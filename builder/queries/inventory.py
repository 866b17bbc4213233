"""What is there: cards, nodes, and what went missing."""

from __future__ import annotations

from collections.abc import Callable

from builder.promql.expr import Expr, aggregate, relabel
from builder.queries.question import question
from builder.queries.source import Source

_NODE = ("cluster", "node")
_PLACE = (*_NODE, "gpu")

LOOK_BACK = "1d"
"""How far back a card or node counts as known: long enough for a night, short enough for a server to look at."""


@question
def cards(source: Source) -> Expr:
    """Every card that reports, with its model; the value is 1."""
    return source.level("device_info", keep=("model",))


@question
def card_count(source: Source) -> Expr:
    """How many cards report."""
    return aggregate("count", source.level("device_info"))


@question
def node_count(source: Source) -> Expr:
    """How many nodes have a card that reports."""
    nodes = aggregate("group", source.level("device_info"), by=_NODE)
    return aggregate("count", nodes)


@question
def node_cards(source: Source) -> Expr:
    """How many cards of each node report."""
    return aggregate("count", source.level("device_info"), by=_NODE)


@question
def lost_cards(source: Source) -> Expr:
    """Cards that reported within the last day and do not now, on nodes that still report.

    A card that fell off the bus takes its series with it, so no alert on a value can see it
    (NVIDIA/dcgm-exporter issue 348). Where the whole node is silent, node or exporter are at fault. A card that
    another one replaced is not lost.
    """
    return gone(source, lambda reporting: reporting)


def gone(source: Source, now: Callable[[Expr], Expr]) -> Expr:
    """Lost cards; ``now`` says of what reports which of it counts as there.

    A card is itself by its uuid where it has one: a restart numbers the cards that are left anew, so that a choice of
    indices says which cards were seen and not which are there.
    """
    every = source.without_filter("gpu")
    there = now(every.level("device_info"))
    identity, told = _identity(source), _told(source, there)
    vanished = _told(source, _seen(source)).join("unless", told, on=identity)
    if "uuid" in source.card:
        # Where it was there is one that is new, rather than one that moved up; or the node has as many as it had.
        moved = aggregate("count", _told(source, _seen(every)), by=identity).above(1)
        replaced = told.join("unless", moved, on=identity)
        whole = _count(_seen(every), _PLACE).join("<=", _count(told, identity), on=_NODE)
        vanished = vanished.join("unless", replaced, on=_PLACE).join("unless", whole, on=_NODE)
    return aggregate("group", vanished.join("and", there, on=_NODE), by=(*_PLACE, "uuid"))


def _seen(source: Source) -> Expr:
    """The cards of the last day, one series for each index that a card had."""
    # Of what identifies a card: a measurement of a lost card finds no info series to take its index from.
    return source.over_time("max", "device_info", LOOK_BACK, keep=("uuid",))


def _told(source: Source, cards: Expr) -> Expr:
    """The cards with what tells them apart on their node in the label ``card``: the uuid, the index of one without.

    Not every exporter of a fleet tells uuids, and one that is set up anew need not go on with it.
    """
    return relabel(relabel(cards, "card", "gpu"), "card", "uuid") if "uuid" in source.card else cards


def _identity(source: Source) -> tuple[str, ...]:
    return (*_NODE, "card") if "uuid" in source.card else source.card


def _count(series: Expr, of: tuple[str, ...]) -> Expr:
    """How many of them each node has."""
    return aggregate("count", aggregate("group", series, by=of), by=_NODE)


@question
def node_lost_cards(source: Source) -> Expr:
    """How many cards of each node went missing within a day; no row where none did."""
    return aggregate("count", _lost(source), by=_NODE)


@question
def lost_card_count(source: Source) -> Expr:
    """How many cards went missing within a day while their node still reports."""
    return counted(_lost(source), source.without_filter("gpu").level("device_info"))


def _lost(source: Source) -> Expr:
    """One series a lost card, also where it had several indices within the day."""
    return aggregate("group", _told(source, lost_cards.ask(source)), by=_identity(source))


def counted(series: Expr, among: Expr) -> Expr:
    """How many series there are; 0 where there are none of those that could be, and no answer without those.

    ``among`` are the series of all cards that report what is asked. A calm zero while the exporter is dead, or
    does not export it, would be a lie.
    """
    return aggregate("count", series).either(aggregate("count", among) * 0)
