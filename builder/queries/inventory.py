"""What is there: cards, nodes, and what went missing."""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate
from builder.queries.question import question
from builder.queries.source import Source


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
    nodes = aggregate("group", source.level("device_info"), by=("cluster", "node"))
    return aggregate("count", nodes)


@question
def node_cards(source: Source) -> Expr:
    """How many cards of each node report."""
    return aggregate("count", source.level("device_info"), by=("cluster", "node"))


@question
def lost_cards(source: Source) -> Expr:
    """Cards that reported within the last six hours and do not now, on nodes that still report.

    A card that fell off the bus takes its series with it, so no alert on a value can see it
    (NVIDIA/dcgm-exporter issue 348). Where the whole node is silent, node or exporter are at fault.
    """
    # Of what identifies a card: a measurement of a lost card finds no info series to take its index from.
    seen = source.over_time("max", "device_info", "6h")
    seen_cards = aggregate("group", seen, by=source.card)
    now = source.level("device_info")
    gone = seen_cards.join("unless", now, on=source.card)
    return gone.join("and", now, on=("cluster", "node"))


@question
def node_lost_cards(source: Source) -> Expr:
    """How many cards of each node went missing within six hours; no row where none did."""
    return aggregate("count", lost_cards.ask(source), by=("cluster", "node"))


@question
def lost_card_count(source: Source) -> Expr:
    """How many cards went missing within six hours while their node still reports."""
    return counted(lost_cards.ask(source), source.level("device_info"))


def counted(series: Expr, among: Expr) -> Expr:
    """How many series there are; 0 where there are none of those that could be, and no answer without those.

    ``among`` are the series of all cards that report what is asked. A calm zero while the exporter is dead, or
    does not export it, would be a lie.
    """
    return aggregate("count", series).either(aggregate("count", among) * 0)
