"""How busy the cards are, and how well."""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate
from builder.queries.question import question
from builder.queries.source import Source
from builder.queries.tenths import each_tenth, tenth


@question
def utilisation(source: Source) -> Expr:
    """Share of time in which work ran, per MIG instance or card."""
    return source.level("utilisation")


@question
def card_utilisation(source: Source) -> Expr:
    """Share of time in which work ran, per card; on MIG the mean of its instances."""
    return _per_card(source, source.level("utilisation"))


@question
def node_utilisation(source: Source) -> Expr:
    """Mean utilisation of a node's cards."""
    return aggregate("avg", card_utilisation.ask(source), by=("cluster", "node"))


@question
def fleet_utilisation(source: Source) -> Expr:
    """Mean utilisation of all cards."""
    return aggregate("avg", card_utilisation.ask(source))


@question
def busy(source: Source) -> Expr:
    """1 where a card is busier than the idle threshold, else 0."""
    return card_utilisation.ask(source).is_above(source.threshold("utilisation_idle"))


@question
def busy_share(source: Source) -> Expr:
    """Share of the cards that are busier than the idle threshold."""
    return aggregate("avg", busy.ask(source))


@question
def utilisation_tenth(source: Source) -> Expr:
    """The lower edge, in percent, of the tenth of utilisation that a card is in."""
    return tenth(card_utilisation.ask(source))


@question
def utilisation_distribution(source: Source) -> Expr:
    """How many cards are in each tenth of utilisation; the label ``from`` is the lower edge in percent."""
    return each_tenth(aggregate("count_values", utilisation_tenth.ask(source), parameter="from"))


@question
def sm_activity(source: Source) -> Expr:
    """Share of cycles in which the SMs had work, per card."""
    return _per_card(source, source.level("sm_activity"))


@question
def tensor_activity(source: Source) -> Expr:
    """Share of cycles in which the tensor pipe was busy, per card."""
    return _per_card(source, source.level("tensor_activity"))


@question
def dram_activity(source: Source) -> Expr:
    """Share of cycles in which device memory moved data, per card."""
    return _per_card(source, source.level("dram_activity"))


def _per_card(source: Source, instances: Expr) -> Expr:
    return aggregate("avg", instances, by=source.card)
