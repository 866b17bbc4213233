"""too-many-queries: a board that loads Prometheus more than it tells."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check_panel(panel: Panel, _board: Board, world: World) -> Hits:
    limit = world.config.limits.queries_of_panel
    if len(panel.asked) > limit:
        yield Hit(f"{len(panel.asked)} queries in one panel, more than {limit}", ("targets",))


def _check_board(board: Board, world: World) -> Hits:
    limit = world.config.limits.queries_of_board
    awake = sum(len(panel.asked) for panel in board.panels if not panel.asleep)
    if awake > limit:
        yield Hit(
            f"{awake} queries whenever the board is opened, more than {limit}",
            (*board.wrapped, "panels"),
            fix="move panels that are not always needed into collapsed rows, which ask nothing until they are opened",
        )


RULE = Rule(
    "too-many-queries",
    Severity.WARNING,
    why="Every viewer sends every query again with each refresh: thirty panels, twenty viewers and thirty seconds make "
    "twenty queries a second, and the board gets slow when it is needed most.",
    fix="ask for several things in one query and split them with a transformation, or make two panels of it",
    on_board=_check_board,
    on_panel=_check_panel,
)
