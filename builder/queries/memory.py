"""What holds device memory: the driver's view, the framework's, and the gap between them.

    total = used + free + reserved
    used  = what processes hold = pools + contexts and libraries + other processes
    pool  = live tensors (in use) + slack

so the gap "used - in use" is slack, contexts and other processes; it is never "lost" memory.
"""

from __future__ import annotations

from builder.promql.expr import Expr, aggregate, ratio, top
from builder.queries.events import bridged
from builder.queries.processes import of_allocators, of_allocators_over_time, on_cards
from builder.queries.question import Question, question
from builder.queries.source import Source
from builder.queries.tenths import each_tenth, tenth

# the driver's view -----------------------------------------------------------------------------


@question
def memory_used(source: Source) -> Expr:
    """Bytes held by all processes, per MIG instance or card."""
    return source.level("memory_used")


@question
def memory_free(source: Source) -> Expr:
    """Bytes that nobody holds, per MIG instance or card."""
    return source.level("memory_free")


@question
def memory_total(source: Source) -> Expr:
    """All bytes, per MIG instance or card; one that says it has none is left out, not divided by."""
    return source.level("memory_total").above(0)


@question
def memory_share(source: Source) -> Expr:
    """Bytes held against all bytes, per MIG instance or card."""
    return source.level("memory_used").join("/", memory_total.ask(source), on=source.instance)


@question
def card_memory_used(source: Source) -> Expr:
    """Bytes held by all processes, per card; on MIG the sum of its instances."""
    return _card_sum(source, source.level("memory_used"))


@question
def card_memory_total(source: Source) -> Expr:
    """All bytes of a card; on MIG the sum of its instances."""
    return _card_sum(source, memory_total.ask(source))


@question
def card_memory_share(source: Source) -> Expr:
    """Bytes held against all bytes, per card."""
    return card_memory_used.ask(source).join("/", card_memory_total.ask(source), on=source.card)


@question
def node_memory_share(source: Source) -> Expr:
    """Bytes held against all bytes of a node's cards (a share of sums, not a mean of shares)."""
    key = ("cluster", "node")
    used = aggregate("sum", source.level("memory_used"), by=key)
    return used.join("/", aggregate("sum", memory_total.ask(source), by=key), on=key)


@question
def fleet_memory_used(source: Source) -> Expr:
    """Bytes held on all cards."""
    return aggregate("sum", source.level("memory_used"))


@question
def fleet_memory_total(source: Source) -> Expr:
    """All bytes of all cards."""
    return aggregate("sum", memory_total.ask(source))


@question
def fleet_memory_share(source: Source) -> Expr:
    """Bytes held against all bytes of all cards."""
    return ratio(fleet_memory_used.ask(source), fleet_memory_total.ask(source))


@question
def memory_distribution(source: Source) -> Expr:
    """How many cards are in each tenth of memory held; the label ``from`` is the lower edge in percent."""
    return each_tenth(aggregate("count_values", tenth(card_memory_share.ask(source)), parameter="from"))


# the framework's view --------------------------------------------------------------------------


@question
def framework_in_use(source: Source) -> Expr:
    """Bytes in live tensors of all training processes on a card."""
    return _framework(source, "framework_memory_in_use")


@question
def framework_pool(source: Source) -> Expr:
    """Bytes held by the pools of all training processes on a card."""
    return _framework(source, "framework_memory_pool")


@question
def framework_limit(source: Source) -> Expr:
    """The most that the pools of all training processes on a card may hold."""
    return _framework(source, "framework_memory_limit")


@question
def framework_peak(source: Source) -> Expr:
    """The sum of each training process's highest bytes in live tensors, per card."""
    return _framework(source, "framework_memory_peak")


@question
def framework_share_of_limit(source: Source) -> Expr:
    """Bytes in live tensors against the pools' limit: the pressure that the driver cannot see."""
    return framework_in_use.ask(source).join("/", framework_limit.ask(source), on=source.card)


# the gap ---------------------------------------------------------------------------------------


@question
def memory_gap(source: Source) -> Expr:
    """Bytes that the driver counts and the framework does not, on cards with a framework that reports."""
    return card_memory_used.ask(source).join("-", framework_in_use.ask(source), on=source.card)


@question
def memory_gap_share(source: Source) -> Expr:
    """The gap against the bytes that the driver counts."""
    return memory_gap.ask(source).join("/", card_memory_used.ask(source), on=source.card)


@question
def observed_memory_used(source: Source) -> Expr:
    """Bytes held on the cards whose framework reports."""
    used = card_memory_used.ask(source)
    return used.join("and", framework_in_use.ask(source), on=source.card)


@question
def total_gap_share(source: Source) -> Expr:
    """The sum of all gaps against the bytes held, on cards whose framework reports."""
    gap = aggregate("sum", memory_gap.ask(source))
    return ratio(gap, aggregate("sum", observed_memory_used.ask(source)))


@question
def tightest_framework(source: Source) -> Expr:
    """The highest share of a pool's limit that is in live tensors."""
    return aggregate("max", framework_share_of_limit.ask(source))


def fullest(count: int) -> Question:
    """The cards or MIG instances with the highest share of memory held."""
    return memory_share.then("fullest", lambda share, _: top(count, share), f"The {count} fullest.")


def total(per_card: Question) -> Question:
    """The sum of a question over all cards."""
    return per_card.then("total", lambda answer, _: aggregate("sum", answer))


def _card_sum(source: Source, instances: Expr) -> Expr:
    return aggregate("sum", instances, by=source.card)


def framework_limit_within(window: str) -> Question:
    """The last limit of the pools within the window, so that a missed scrape takes none away."""
    return Question(
        f"framework_limit_within({window})",
        framework_limit.help,
        lambda source: framework_over_time(source, "last", "framework_memory_limit", window),
    )


def card_memory_total_within(window: str) -> Question:
    """The last number of all bytes of a card within the window."""

    def build(source: Source) -> Expr:
        return bridged(card_memory_total.ask(source), window)

    return Question(f"card_memory_total_within({window})", card_memory_total.help, build)


def framework_over_time(source: Source, function: str, signal: str, window: str, offset: str = "") -> Expr:
    """avg, max, min, ... over the window of each allocator's bytes, summed over those on a card."""
    allocators = of_allocators_over_time(source, function, signal, window, offset)
    return on_cards(source, allocators, source.over_time("max", "device_info", window))


def _framework(source: Source, signal: str) -> Expr:
    """A framework's bytes on its card."""
    return on_cards(source, of_allocators(source, signal))
