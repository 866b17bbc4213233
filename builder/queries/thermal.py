"""Where it is hot, how far it is from the card's own limit, and what reduces the clocks."""

from __future__ import annotations

from collections.abc import Mapping

from builder.catalog.signals import THROTTLE_REASONS
from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, call, over, over_time, tag, union, with_zeros
from builder.queries.question import Question, question
from builder.queries.source import Source

REASONS: Mapping[str, str] = THROTTLE_REASONS
"""What may reduce clocks: signals, and their names on boards."""

_BANDS = tuple(str(edge) for edge in range(20, 100, 5))
"""Bands that a heatmap shows even where no card is in them: without them a gap would not be seen."""


@question
def temperature(source: Source) -> Expr:
    """Core temperature, per card."""
    return source.level("temperature")


@question
def memory_temperature(source: Source) -> Expr:
    """Temperature of the memory stacks, per card."""
    return source.level("memory_temperature")


@question
def node_temperature(source: Source) -> Expr:
    """The hottest card's core temperature, per node."""
    return aggregate("max", source.level("temperature"), by=("cluster", "node"))


@question
def fleet_temperature(source: Source) -> Expr:
    """The hottest card's core temperature."""
    return aggregate("max", source.level("temperature"))


@question
def hot(source: Source) -> Expr:
    """1 where a card is at or above the warning temperature, else 0."""
    return source.level("temperature").is_at_least(source.threshold("temperature_warning"))


@question
def hot_cards(source: Source) -> Expr:
    """How many cards are at or above the warning temperature."""
    return aggregate("sum", hot.ask(source))


@question
def temperature_distribution(source: Source) -> Expr:
    """How many cards are in each band of five degrees; the label ``from`` is the lower edge.

    Counted by the server, so that a fleet of any size costs some twenty series.
    """
    bands = call("floor", source.level("temperature") / 5) * 5
    return with_zeros(aggregate("count_values", bands, parameter="from"), "from", _BANDS)


@question
def thermal_headroom(source: Source) -> Expr:
    """Degrees left before the card slows itself down, by its own limit."""
    answers = []
    if source.has("temperature_margin"):
        answers.append(source.level("temperature_margin"))
    if source.has("slowdown_temperature"):
        limit = source.level("slowdown_temperature")
        answers.append(limit.join("-", source.level("temperature"), on=source.card))
    return _first(answers, source, "temperature_margin")


def throttled(reason: str) -> Question:
    """1 while this reason reduces a card's clocks, else 0."""
    return Question(reason, f"Whether {reason.removeprefix('throttle_')} reduces clocks.", lambda s: s.level(reason))


@question
def throttle_now(source: Source) -> Expr:
    """1 while heat or the power supply reduce a card's clocks, else 0 (the power cap is not counted)."""
    return source.level("throttled")


@question
def throttled_within(source: Source) -> Expr:
    """1 where a card was slowed down at any time since the step before, else 0.

    A panel of a day has steps of many minutes; a look at their ends alone would miss most of what happened.
    """
    return over_time("max", over(throttle_now.ask(source), "$__interval", "30s"))


@question
def throttled_at_all(source: Source) -> Expr:
    """The same, of the cards that were slowed down at any time of the range shown."""
    now = throttle_now.ask(source)
    ever = over_time("max", over(now, "$__range", "1m", at_end=True)).above(0)
    return throttled_within.ask(source).join("and", ever, on=source.card)


@question
def throttled_cards(source: Source) -> Expr:
    """How many cards are slowed down by heat or the power supply."""
    return aggregate("sum", throttle_now.ask(source))


@question
def node_throttled_cards(source: Source) -> Expr:
    """How many cards of each node are slowed down by heat or the power supply."""
    return aggregate("sum", throttle_now.ask(source), by=("cluster", "node"))


@question
def power_capped_cards(source: Source) -> Expr:
    """How many cards are held by their power limit."""
    return aggregate("sum", source.level("throttle_sw_power"))


@question
def thermal_throttled_share(source: Source) -> Expr:
    """Share of time in which heat reduced a card's clocks, by driver or hardware, from the driver's counters."""
    known = [name for name in ("throttled_time_thermal", "throttled_time_hw_thermal") if source.has(name)]
    if not known:
        raise SignalMissing("throttled_time_thermal", source.name)
    return aggregate("max", union([tag(source.rate(name), "reason", name) for name in known]), by=source.card)


@question
def power_throttled_share(source: Source) -> Expr:
    """Share of time in which the power limit reduced a card's clocks, from the driver's own counter."""
    return source.rate("throttled_time_power")


def _first(answers: list[Expr], source: Source, signal: str) -> Expr:
    if not answers:
        raise SignalMissing(signal, source.name)
    whole = answers[0]
    for answer in answers[1:]:
        whole = whole.join("or", answer, on=source.card)
    return whole
