"""xid-misuse: an XID is a name, not an amount."""

from __future__ import annotations

from collections.abc import Iterator

from builder.catalog.model import Kind
from builder.lint.facts import Fact
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.arriving import arriving
from builder.lint.promql.functions import RATES, SLOPES
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Number, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_CALCULATING = RATES | SLOPES | {"avg_over_time", "sum_over_time", "stddev_over_time", "quantile_over_time"}
_MEANS = ("sum", "avg", "stddev", "stdvar", "quantile")


def _check(query: Query, _panel: Panel, _board: Board, world: World) -> Hits:
    for node in walk(query.parsed):
        if what := _calculation(node):
            fact = next(iter(_codes(node.children, world)), None)
            if fact is not None:
                yield Hit(f"{what} of {fact.name}, which is the code of the last XID", ("expr",))
                return  # one slip is told once, however it is nested


def _calculation(node: Node) -> str:
    if isinstance(node, Call) and node.function in _CALCULATING:
        return f"{node.function}()"
    if isinstance(node, Aggregate) and node.operator in _MEANS:
        return f"{node.operator}()"
    if isinstance(node, Binary) and node.operator in "+-*/%^" and not _is_zero(node.right):
        return f"the arithmetic {node.operator}"
    return ""


def _is_zero(node: Node) -> bool:
    return isinstance(node, Number) and node.value == 0


def _codes(nodes: tuple[Node, ...], world: World) -> Iterator[Fact]:
    selectors = (selector for node in nodes for selector in arriving(node))
    return (f for s in selectors for f in world.known(s) if f.kind is Kind.CODE and f.signal == "xid")


RULE = Rule(
    "xid-misuse",
    Severity.BUG,
    why="DCGM_FI_DEV_XID_ERRORS holds the code of the last XID and keeps it until the exporter restarts. Its rate or "
    "increase is 0 when an XID repeats and 43 after 79 is followed by 43; sums and averages of codes are noise.",
    fix="count cards with != 0, show the code with a value mapping, or use DCGM_EXP_XID_ERRORS_TOTAL, which "
    "dcgm-exporter has from 4.8.3 on",
    on_query=_check,
)
