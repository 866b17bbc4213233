"""malformed: a part of the dashboard has the wrong type."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(board: Board, _world: World) -> Hits:
    for oddity in board.oddities:
        yield Hit(oddity.summary, oddity.place)


RULE = Rule(
    "malformed",
    Severity.BUG,
    why="Grafana reads the part differently from what was meant, or fails to load the dashboard. What depends on "
    "it was not looked at.",
    fix="give the key a value of the type that Grafana's dashboard JSON has there",
    on_board=_check,
)
