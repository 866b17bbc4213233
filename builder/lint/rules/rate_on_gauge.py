"""rate-on-gauge: rate() and its kin are for counters."""

from __future__ import annotations

from builder.catalog.model import Kind
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.functions import RATES
from builder.lint.promql.tree import Aggregate, Binary, Call, Node, Selector, Subquery, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(query: Query, _panel: Panel, _board: Board, world: World) -> Hits:
    seen = set()
    for node in walk(query.parsed):
        if not isinstance(node, Call) or node.function not in RATES:
            continue
        for fact in (f for s in _directly(node) for f in world.known(s)):
            # Codes and masks have rules of their own, which say more.
            if fact.kind in (Kind.COUNTER, Kind.CODE) or fact.mask or (node.function, fact.name) in seen:
                continue
            seen.add((node.function, fact.name))
            yield Hit(f"{node.function}() of {fact.name}, which is a {fact.kind.value}", ("expr",))
        if isinstance(node.vector, Subquery) and _summed(node.vector.inner, world):
            yield Hit(
                f"{node.function}() of a sum of counters",
                ("expr",),
                fix=f"sum the {node.function}() of each: the sum falls whenever one counter restarts or goes away",
            )


def _directly(node: Node) -> list[Selector]:
    """The selectors whose values the function gets: not those of an inner rate(), nor what is counted or summed.

    Of two vectors that are joined, the one that only lends its labels (the "one" side) is not among them.
    """
    found: list[Selector] = []
    for child in _valued(node):
        if isinstance(child, Selector):
            found.append(child)
        elif isinstance(child, Call) and child.function in RATES:
            continue
        elif not isinstance(child, Aggregate) or child.operator in ("max", "min", "avg"):
            found += _directly(child)
    return found


def _valued(node: Node) -> tuple[Node, ...]:
    if not isinstance(node, Binary):
        return node.children
    if node.group == "right":
        return (node.right,)
    return (node.left,) if node.group == "left" or node.operator in ("and", "unless") else node.children


def _summed(node: Node, world: World) -> bool:
    return (
        isinstance(node, Aggregate)
        and node.operator == "sum"
        and any(f.kind is Kind.COUNTER for s in _directly(node) for f in world.known(s))
    )


RULE = Rule(
    "rate-on-gauge",
    Severity.BUG,
    why="rate(), irate() and increase() take every fall of a value for the restart of a counter and add it up. Of a "
    "gauge they give numbers that mean nothing. The exporter's own TYPE line may be wrong; the catalogue knows.",
    fix="plot the gauge as it is, or over time with avg_over_time() or max_over_time()",
    on_query=_check,
)
