"""bitmask-misuse: throttle reasons come as bits of one number."""

from __future__ import annotations

from collections.abc import Iterator

from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.arriving import arriving
from builder.lint.promql.functions import RATES, SLOPES
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import below, items
from builder.lint.world import World

_MEANS = ("sum", "avg", "stddev", "stdvar", "quantile")
_CALCULATING = RATES | SLOPES | {"avg_over_time", "sum_over_time", "stddev_over_time", "quantile_over_time"}
_SHOWS_NUMBERS = ("timeseries", "graph", "stat", "singlestat", "gauge", "bargauge", "table", "barchart")


def _check(query: Query, panel: Panel, _board: Board, world: World) -> Hits:
    for node in walk(query.parsed):
        if what := _misreading(node):
            fact = next(iter(_masks(node.children, world)), None)
            if fact is not None:
                yield Hit(f"{what} {fact.name}, which is a set of bits", ("expr",))
                return
    shown = next(iter(_masks((query.parsed,), world)), None)
    mapped = items(below(panel.data, "fieldConfig", "defaults", "mappings"))
    if shown is not None and panel.type in _SHOWS_NUMBERS and not mapped:
        yield Hit(f"the number of {shown.name} is shown, which is a set of bits", ("expr",), severity=Severity.WARNING)


def _misreading(node: Node) -> str:
    if isinstance(node, Call) and node.function in _CALCULATING:
        return f"{node.function}() of"
    if isinstance(node, Aggregate) and node.operator in _MEANS:
        return f"{node.operator}() of"
    if isinstance(node, Binary) and node.compares and isinstance(node.right, Number) and node.right.value:
        return f"a comparison ({node.operator} {node.right.value:g}) with"
    return ""


def _masks(nodes: tuple[Node, ...], world: World) -> Iterator[Fact]:
    """Masks that arrive whole, with no bit taken out."""
    selectors = (selector for node in nodes for selector in arriving(node, decoded_by="%"))
    return (fact for selector in selectors for fact in world.known(selector) if fact.mask)


RULE = Rule(
    "bitmask-misuse",
    Severity.BUG,
    why="Several reasons can hold at once, each as a bit. A comparison with one bit's value misses every combination "
    "(== 8) or fires on higher bits (>= 128 is true for 320), and PromQL has no bitwise and. Sums and means mix bits.",
    fix="take the bit of weight k out with floor(x / k) % 2",
    on_query=_check,
)
