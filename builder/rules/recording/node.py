"""``node:*``: what a fleet's boards read, one series a node."""

from __future__ import annotations

from collections.abc import Callable

from builder.promql.expr import Expr, aggregate
from builder.queries import health, inventory, memory, power, thermal, training, utilisation, workloads
from builder.queries.kept import Kept
from builder.queries.question import Question
from builder.queries.recorded import RecordedSource

NODE = ("cluster", "node")


def kept(name: str, help: str, ask: Question | Callable[[RecordedSource], Expr], *labels: str) -> Kept:
    """An answer kept for each node, and each of the further labels."""
    return Kept(f"node:{name}", (*NODE, *labels), help, ask.ask if isinstance(ask, Question) else ask)


def zeros(counts: Expr, among: Expr) -> Expr:
    """Counts by node, and 0 for the nodes that have none but could: no row means nobody knows."""
    return counts.join("or", among * 0, on=NODE)


def _of(operator: str, per_card: Expr) -> Expr:
    return aggregate(operator, per_card, by=NODE)


def _each(operator: str, question: Question) -> Callable[[RecordedSource], Expr]:
    """Of a question about cards, one number a node."""
    return lambda source: _of(operator, question.ask(source))


def _tenths(source: RecordedSource) -> Expr:
    return aggregate("count_values", utilisation.utilisation_tenth.ask(source), by=NODE, parameter="from")


def _xid_cards(source: RecordedSource) -> Expr:
    counts = health.node_xid_cards.ask(source)
    if source.has("xid"):
        return zeros(counts, inventory.node_cards.ask(source))
    return zeros(counts, _of("count", source.level("energy"))) if source.has("energy") else counts


def _idle_held(source: RecordedSource) -> Expr:
    return zeros(_of("count", workloads.idle_holders.ask(source)), _of("count", source.level("utilisation")))


def _lost(source: RecordedSource) -> Expr:
    return zeros(inventory.node_lost_cards.ask(source), inventory.node_cards.ask(source))


COUNTS = (
    kept("cards:count", "Cards that report.", inventory.node_cards),
    kept("busy_cards:count", "Cards that are busier than the idle threshold.", _each("sum", utilisation.busy)),
    kept("hot_cards:count", "Cards at or above the warning temperature.", _each("sum", thermal.hot)),
    kept(
        "power_limited_cards:count",
        "Cards that draw nearly as much as their limit allows.",
        _each("sum", power.near_power_limit),
    ),
    kept("throttled_cards:count", "Cards slowed down by heat or the power supply.", thermal.node_throttled_cards),
    kept("ecc_cards:count", "Cards with an uncorrectable memory error.", health.node_ecc_cards),
    kept("xid_cards:count", "Cards that have had an XID since their exporter started.", _xid_cards),
    kept(
        "idle_held_cards:count", "Cards or MIG instances that are idle while much of their memory is held.", _idle_held
    ),
    kept("in_trouble", "1 where a card is too hot, slowed down or has uncorrectable errors.", workloads.troubled_nodes),
)
MEASURES = (
    kept("utilization_ratio:avg", "Mean utilisation of the cards.", utilisation.node_utilisation),
    kept("utilization_ratio:sum", "Sum of the cards' utilisation.", _each("sum", utilisation.card_utilisation)),
    kept("utilization_ratio:count", "Cards that tell their utilisation.", _each("count", utilisation.card_utilisation)),
    kept(
        "utilization_cards:count", "Cards in each tenth of utilisation, by its lower edge in percent.", _tenths, "from"
    ),
    kept("memory_used_bytes:sum", "Bytes held on the cards.", _each("sum", memory.memory_used)),
    kept("memory_total_bytes:sum", "All bytes of the cards.", _each("sum", memory.memory_total)),
    kept("memory_usage_ratio", "Bytes held against all bytes of the cards.", memory.node_memory_share),
    kept("temperature_celsius:max", "Core temperature of the hottest card.", thermal.node_temperature),
    kept("power_watts:sum", "Power drawn by the cards.", power.node_power),
)
HOST = (
    kept("cpu_io_wait_ratio:rate5m", "Share of CPU time spent waiting for disks.", training.host_io_wait),
    kept("disk_busy_ratio:rate5m", "Share of time in which the busiest disk had work.", training.host_disk_busy),
    kept("disk_read_bytes:rate5m", "Bytes per second read from disks.", training.host_disk_read),
)
LOST = (kept("lost_cards:count", "Cards that went missing within a day while the node reports.", _lost),)
