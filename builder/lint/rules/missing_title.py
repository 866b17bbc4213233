"""missing-title: a panel without a name."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board, Panel
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World

_SELF_EXPLAINING = ("text", "news", "welcome", "gettingstarted")


def _check_panel(panel: Panel, _board: Board, _world: World) -> Hits:
    if not panel.title.strip() and panel.type not in _SELF_EXPLAINING and "libraryPanel" not in panel.data:
        yield Hit("the panel has no title", ())


def _check_board(board: Board, _world: World) -> Hits:
    if not board.title.strip():
        yield Hit("the dashboard has no title", board.wrapped, severity=Severity.BUG, fix="Grafana refuses it; name it")


RULE = Rule(
    "missing-title",
    Severity.WARNING,
    why="Nobody can talk about a panel that has no name, link to it or find it in a search.",
    fix="say in a few words what the panel shows",
    on_board=_check_board,
    on_panel=_check_panel,
)
