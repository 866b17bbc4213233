"""counter-without-rate: the level of a counter is the time since its last restart in disguise."""

from __future__ import annotations

from collections.abc import Iterator

from builder.catalog.model import Kind
from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.functions import PRESENCE, RATES, SLOPES
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, Selector
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_OVER_TIME = ("timeseries", "graph", "trend", "heatmap", "state-timeline", "status-history", "histogram")


def _check(query: Query, panel: Panel, _board: Board, world: World) -> Hits:
    for fact, function in dict.fromkeys(_levels(query.parsed, world)):
        if function:
            yield Hit(
                f"{function}() of {fact.name}, which is a counter",
                ("expr",),
                fix="use rate() or increase(), which know what a restart is",
                severity=Severity.BUG,
            )
        elif not fact.meant:
            over_time = panel.type in _OVER_TIME and query.data.get("instant") is not True
            yield Hit(f"the level of the counter {fact.name}", ("expr",), severity=None if over_time else Severity.INFO)


def _levels(node: Node, world: World) -> Iterator[tuple[Fact, str]]:
    """Counters whose level gets into the result, and the function that reads it as a gauge, if one does."""
    if isinstance(node, Selector):
        yield from ((fact, "") for fact in world.known(node) if fact.kind is Kind.COUNTER)
    elif isinstance(node, Call) and node.function in SLOPES:
        for child in node.children:
            yield from ((fact, node.function) for fact, _ in _levels(child, world))
    elif (
        (isinstance(node, Call) and (node.function in RATES or node.function in PRESENCE))
        or (isinstance(node, Aggregate) and node.operator in ("count", "group", "count_values"))
        or (isinstance(node, Binary) and _only_asks(node))
    ):
        return
    elif isinstance(node, Binary) and node.operator in ("and", "unless"):
        yield from _levels(node.left, world)
    else:
        for child in node.children:
            yield from _levels(child, world)


def _only_asks(node: Binary) -> bool:
    """True for ``x > 0`` and ``x * 0``: whether there were any, or that the series is there."""
    number = node.right if isinstance(node.right, Number) else node.left
    return isinstance(number, Number) and (node.compares or (node.operator == "*" and number.value == 0))


RULE = Rule(
    "counter-without-rate",
    Severity.WARNING,
    why="A counter starts anew with the driver or the process, so its level compares cards by how long they have been "
    "up, and a curve of it only ever rises. Counts of rare faults (ECC, XID, remapped rows) are left alone: there the "
    "sum since the driver was loaded is the message.",
    fix="use rate() for a speed, increase() for an amount",
    on_query=_check,
)
