"""Whether the telemetry itself is sound: who is silent, how old values are, what is exported at all."""

from __future__ import annotations

from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, divided, since
from builder.queries.inventory import LOOK_BACK, counted
from builder.queries.question import question
from builder.queries.source import Source

_NODE = ("cluster", "node")


@question
def silent_nodes(source: Source) -> Expr:
    """Nodes that reported within a day and do not now; the value is 1.

    Node, network or exporter are at fault. Where single cards are gone, see lost_cards.
    """
    # Of what identifies a card, and of every card: a node is not silent because one chosen card is.
    every = source.without_filter("gpu")
    seen = aggregate("group", every.over_time("max", "device_info", LOOK_BACK), by=_NODE)
    return seen.join("unless", aggregate("group", every.level("device_info"), by=_NODE), on=_NODE)


@question
def silent_node_count(source: Source) -> Expr:
    """How many nodes went silent within a day."""
    seen = source.without_filter("gpu").over_time("max", "device_info", LOOK_BACK)
    return counted(silent_nodes.ask(source), seen)


@question
def sample_age(source: Source) -> Expr:
    """Seconds since the newest sample of each node, of whichever card; it grows while scrapes fail."""
    return since(aggregate("max", source.without_filter("gpu").stamp("memory_used"), by=_NODE))


@question
def oldest_sample(source: Source) -> Expr:
    """Seconds since the newest sample of the node that is furthest behind."""
    return aggregate("max", sample_age.ask(source))


@question
def coverage(source: Source) -> Expr:
    """How many cards export each metric that the boards can use."""
    return source.coverage()


@question
def coverage_share(source: Source) -> Expr:
    """Share of the cards that export each metric that the boards can use."""
    return divided(source.coverage(), aggregate("count", source.level("device_info")))


@question
def clock_offset(source: Source) -> Expr:
    """The host's clock against its time source, in seconds; logs and metrics of a skewed host do not line up."""
    return source.level("clock_offset")


@question
def missing_cards(source: Source) -> Expr:
    """Cards that a node has to offer (kube-state-metrics) and that do not report.

    The node's own count names every node, also one whose exporter never came up.
    """
    if not source.has("node_gpus"):
        raise SignalMissing("node_gpus", source.name, "set host: node-exporter and scrape kube-state-metrics")
    offered = source.level("node_gpus")
    report = aggregate("count", source.without_filter("gpu").level("device_info"), by=_NODE)
    reporting = report.join("or", offered * 0, on=_NODE)
    return offered.join("-", reporting, on=_NODE).above(0)
