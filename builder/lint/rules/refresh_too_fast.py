"""refresh-too-fast: asking again for what cannot have changed."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.rules.window_too_short import seconds
from builder.lint.shape import text
from builder.lint.world import World

_LEAST = 10


def _check(board: Board, world: World) -> Hits:
    refresh = text(board.data.get("refresh"))
    every = seconds(refresh)
    if not every:
        return
    facts = [fact for panel in board.panels for query in panel.asked for fact in world.metrics(query)]
    paced = bool(facts) and all(fact.paced for fact in facts)
    least = min((fact.interval for fact in facts), default=_LEAST) if paced else _LEAST
    if every < least:
        reason = f", its exporter renews the values every {least} s" if paced else ""
        yield Hit(f"the board refreshes every {refresh}{reason}", (*board.wrapped, "refresh"))


RULE = Rule(
    "refresh-too-fast",
    Severity.WARNING,
    why="Every viewer sends every query again with each refresh. Between two renewals of the exporter the answer is "
    "the same, and below Grafana's min_refresh_interval the board is refused.",
    fix="refresh once a minute, or not at all",
    on_board=_check,
)
