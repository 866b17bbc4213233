"""missing-description: a panel that does not say how to read it."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(panel: Panel, _board: Board, _world: World) -> Hits:
    if panel.queries and not panel.description.strip() and "libraryPanel" not in panel.data:
        yield Hit("the panel has no description", ())


RULE = Rule(
    "missing-description",
    Severity.INFO,
    why="Whoever opens the board at night did not build it. A sentence on how to read the panel, and one on what to "
    "do, save the call.",
    fix="say what is normal, what is not, and what to do then",
    on_panel=_check,
)
