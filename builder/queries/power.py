"""Power against its limit, energy, and clocks."""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, increase, over
from builder.queries.events import bridged
from builder.queries.extremes import highest
from builder.queries.question import Question, question
from builder.queries.source import Source


@question
def power(source: Source) -> Expr:
    """Power drawn, per card."""
    return source.level("power")


@question
def power_limit(source: Source) -> Expr:
    """Power limit in force, per card."""
    return source.level("power_limit")


@question
def power_share(source: Source) -> Expr:
    """Power drawn against the limit, per card; near 1 the card is capped."""
    return source.level("power").join("/", source.level("power_limit"), on=source.card)


@question
def node_power(source: Source) -> Expr:
    """Power drawn by a node's cards."""
    return aggregate("sum", source.level("power"), by=("cluster", "node"))


@question
def fleet_power(source: Source) -> Expr:
    """Power drawn by all cards."""
    return aggregate("sum", source.level("power"))


@question
def near_power_limit(source: Source) -> Expr:
    """1 where a card draws nearly as much as its limit allows, else 0."""
    return power_share.ask(source).is_above(source.threshold("power_near_limit"))


@question
def cards_at_power_limit(source: Source) -> Expr:
    """How many cards draw nearly as much as their limit allows."""
    return aggregate("sum", near_power_limit.ask(source))


def limit_against_peers(gap: str) -> Question:
    """A card's power limit against the median of its model's in the cluster; below 1 it is held shorter than they.

    ``gap`` is how old a reading may be. Three cards are the fewest that have a median worth the name.
    """

    def build(source: Source) -> Expr:
        peers = ("cluster", "model")
        if source.has("power_limit") and not source.has_label("model"):
            raise SignalMissing("the label model", source.name)
        limit = bridged(source.level("power_limit", keep=("model",)), gap)
        median = aggregate("quantile", limit, by=peers, parameter=0.5)
        enough = aggregate("count", limit, by=peers).at_least(3)
        against = limit.join("/", median, on=peers, group_left=()).join("and", enough, on=peers)
        return aggregate("max", against, by=source.card)

    return Question(f"limit_against_peers({gap})", "Power limit against the median of the model's.", build)


def power_peak_share(window: str, gap: str) -> Question:
    """The most power drawn within the window against the limit: near 1 the card ran into it, dips or not."""

    def build(source: Source) -> Expr:
        limit = bridged(source.level("power_limit"), gap)
        return source.over_time("max", "power", window).join("/", limit, on=source.card)

    return Question(f"power_peak_share({window})", "The most power drawn against the limit.", build)


@question
def energy_used(source: Source) -> Expr:
    """Energy in watt-hours used by all cards over the range shown.

    The counter is made one series a card before its increase is taken: a new pod on the card starts a new
    series, and increases of pieces do not add up to that of the whole.
    """
    counter = source.level("energy")
    return aggregate("sum", increase(over(counter, "$__range", "$__interval"))) / 3600


@question
def sm_clock(source: Source) -> Expr:
    """Clock of the SMs, per card."""
    return source.level("sm_clock")


def clock_of_highest_power(count: int) -> Question:
    """Clock of the SMs of the cards that drew most power in the range shown."""

    def build(source: Source) -> Expr:
        return sm_clock.ask(source).join("and", highest(power, count).ask(source), on=source.card)

    return Question(f"clock_of_highest_power({count})", sm_clock.help, build)


@question
def memory_clock(source: Source) -> Expr:
    """Clock of device memory, per card."""
    return source.level("memory_clock")
