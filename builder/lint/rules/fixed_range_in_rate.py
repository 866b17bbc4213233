"""fixed-range-in-rate: a window that does not follow the zoom."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel, Query
from builder.lint.promql.tree import Call, Selector, walk
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_LONG = 3600.0


def _check(query: Query, _panel: Panel, _board: Board, _world: World) -> Hits:
    if query.data.get("instant") is True:
        return  # one value, no zoom
    for node in walk(query.parsed):
        if isinstance(node, Call) and node.function in ("rate", "irate") and isinstance(node.vector, Selector):
            window = node.vector.window
            if window and not window.variable and window.seconds < _LONG:
                yield Hit(f"{node.function}() over a fixed {window}", ("expr",))
                return


RULE = Rule(
    "fixed-range-in-rate",
    Severity.WARNING,
    why="Zoomed out, the points of a curve lie further apart than the window is long, and what happened between two "
    "windows is not shown at all. Windows of an hour and more are taken to be meant.",
    fix="use $__rate_interval, which follows the zoom and never gets too short",
    on_query=_check,
)
