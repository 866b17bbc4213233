"""too-many-series: a curve for every card of the fleet."""

from __future__ import annotations

from builder.catalog.model import Scope
from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.identity import HOSTS, INDEXES, UUIDS, labels_of
from builder.lint.promql.tree import Aggregate, Binary, Node, selectors
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import items
from builder.lint.world import World

_CURVES = frozenset(
    ("timeseries", "graph", "trend", "state-timeline", "status-history", "barchart", "bargauge", "stat")
)
_WORKLOADS = frozenset(("pod", "exported_pod", "pod_name"))


def _check(query: Query, panel: Panel, _board: Board, world: World) -> Hits:
    facts = world.metrics(query)
    if panel.type not in _CURVES or not facts or items(panel.data.get("transformations")):
        return
    if all(fact.scope in (Scope.NODE, Scope.POD) for fact in facts) or _chooses(query.parsed):
        return
    limits = world.config.limits
    kept = labels_of(query.parsed)
    if kept is None or kept & (INDEXES | UUIDS | _WORKLOADS):
        what, number = "card", limits.nodes * limits.cards
    elif kept & HOSTS:
        what, number = "node", limits.nodes
    else:
        return
    if number > limits.series:
        yield Hit(
            f"one series per {what} of the whole fleet: {number} of them on {limits.nodes} nodes",
            ("expr",),
        )


def _chooses(tree: Node) -> bool:
    """True where the query takes the most interesting series, or the reader narrows it."""
    if isinstance(tree, Aggregate) and tree.keeps_series:
        return True
    if isinstance(tree, Binary) and ((tree.compares and not tree.to_bool) or tree.operator in ("and", "unless")):
        return True
    return any(
        matcher.op in ("=", "=~") and matcher.value not in ("", ".*", ".+")
        for selector in selectors(tree)
        for matcher in selector.matchers
    )


RULE = Rule(
    "too-many-series",
    Severity.WARNING,
    why="Eight thousand curves over ten minutes are ten megabytes and over six hours three hundred: the browser gives "
    "up before Prometheus does, and nobody can read them.",
    fix="narrow the query with a variable, aggregate by node, or show the distribution and the extremes",
    on_query=_check,
)
