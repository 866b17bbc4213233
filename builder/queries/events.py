"""What is news: XIDs that came, errors that were counted, readings that went missing, within a window."""

from __future__ import annotations

from collections.abc import Sequence

from builder.catalog.xid import Severity, codes
from builder.errors import SignalMissing
from builder.promql.expr import Expr, aggregate, constant, over, over_time, relabel, tag, union
from builder.queries.inventory import LOOK_BACK, gone
from builder.queries.question import Question
from builder.queries.source import Source

_NODE = ("cluster", "node")
_KNOWN_FOR = "1h"
"""How far back from a window's start something counts as known: longer than any gap in the data that is usual."""

_COUNTED = "a counter by code begins with the first XID: its level says more than its increase, which misses that"


def bridged(answer: Expr, gap: str) -> Expr:
    """The answer, and where there is none just now the last one, as far back as ``gap`` (such as ``3m``).

    One failed scrape marks all series of a target as ended; what waits for something to last would start anew.
    """
    return over_time("last", over(answer, gap, "30s"))


def new_xids(window: str, gap: str) -> Question:
    """The XIDs of the last while, one series a card and code (label ``xid``); the value is 1.

    The gauge of the last XID keeps its code until the exporter restarts, so that only a change of it is news.
    """

    def build(source: Source) -> Expr:
        answers = []
        if source.has("xid_errors"):
            answers.append(_counted_xids(source, window, gap))
        if source.has("xid"):
            answers.append(_changed_xids(source, window, gap))
        if not answers:
            raise SignalMissing("xid", source.name)
        key = (*source.card, "xid")
        return answers[0] if len(answers) == 1 else answers[0].join("or", answers[1], on=key)

    return Question(f"new_xids({window})", "XIDs that came within the window, by card and code.", build)


def _changed_xids(source: Source, window: str, gap: str) -> Expr:
    present = bridged(source.level("xid"), gap).differs(0)
    before = source.over_time("last", "xid", _KNOWN_FOR, offset=window)
    changed = present.join("!=", before, on=source.card)
    born = present.join("unless", before, on=source.card)
    return aggregate("count_values", changed.join("or", born, on=source.card), by=source.card, parameter="xid")


def _counted_xids(source: Source, window: str, gap: str) -> Expr:
    key = (*source.card, "xid")
    present = bridged(source.level("xid_errors", keep=("xid",)), gap).level(_COUNTED).above(0)
    before = source.over_time("last", "xid_errors", _KNOWN_FOR, offset=window, keep=("xid",)).level(_COUNTED)
    more = present.join(">", before, on=key)
    return aggregate("group", more.join("or", present.join("unless", before, on=key), on=key), by=key)


def new_xids_of(severity: Severity, window: str, gap: str) -> Question:
    """The XIDs of the last while that somebody of this class has to see to; a code that nobody knows is a warning."""

    def build(source: Source) -> Expr:
        # The class is a label for as long as it takes to choose by it: PromQL has no "is one of these numbers".
        classed = relabel(new_xids(window, gap).ask(source), "class", "xid", ".+", Severity.WARNING.value)
        for other in (Severity.CRITICAL, Severity.INFO):
            classed = relabel(classed, "class", "xid", "|".join(map(str, codes(other))), other.value)
        chosen = classed.join("and", tag(constant(1), "class", severity.value), on=("class",))
        return aggregate("max", chosen, by=(*source.card, "xid"))

    return Question(f"new_xids_of({severity.value})", f"XIDs of the class {severity.value}, by card and code.", build)


def counted_within(signal: str, window: str) -> Question:
    """By how much an error counter of each card grew within the window."""
    return Question(
        f"counted_within({signal}, {window})",
        f"Increase of {signal} within the window, per card.",
        lambda source: source.increase(signal, window),
    )


def share_of_time(states: Sequence[str], window: str) -> Question:
    """Share of the window in which one of some states held, per card: that of the state that held longest."""

    def build(source: Source) -> Expr:
        known = [name for name in states if source.has(name)]
        if not known:
            raise SignalMissing(states[0], source.name)
        shares = [tag(source.over_time("avg", name, window), "state", name) for name in known]
        return aggregate("max", union(shares), by=source.card)

    return Question(f"share_of_time({', '.join(states)})", "Share of time in which one of the states held.", build)


def vanished_cards(gap: str) -> Question:
    """The lost cards of ``inventory.lost_cards``; the value is 1.

    A card or node that missed a scrape still counts as there.
    """

    def build(source: Source) -> Expr:
        lost = gone(source, lambda reporting: bridged(reporting, gap))
        return aggregate("group", lost, by=source.card)

    return Question(f"vanished_cards({gap})", "Cards that are gone while their node reports.", build)


def removed_nodes(gap: str) -> Question:
    """Nodes that Kubernetes listed within the last day and no longer does, while it lists others of their cluster.

    A node that is down stays on the list; one that an autoscaler took away, or that was deleted, does not.
    """

    def build(source: Source) -> Expr:
        listed = aggregate("max", bridged(source.level("node_gpus"), gap), by=_NODE)
        known = aggregate("max", source.over_time("max", "node_gpus", LOOK_BACK), by=_NODE)
        return known.join("unless", listed, on=_NODE).join("and", listed, on=_NODE[:1])

    return Question(f"removed_nodes({gap})", "Nodes that were taken out of Kubernetes.", build)


def blind_nodes(gap: str) -> Question:
    """How many cards of each node report that they are there, and no temperature, which they did within the hour."""

    def build(source: Source) -> Expr:
        had = source.over_time("last", "temperature", _KNOWN_FOR)
        has = bridged(source.level("temperature"), gap)
        there = aggregate("group", bridged(source.level("device_info"), gap), by=source.card)
        dumb = had.join("unless", has, on=source.card).join("and", there, on=source.card)
        return aggregate("count", dumb, by=_NODE)

    return Question(f"blind_nodes({gap})", "Cards whose readings are missing, per node.", build)
