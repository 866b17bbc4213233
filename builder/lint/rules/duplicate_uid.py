"""duplicate-uid: two boards under one address."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(board: Board, world: World) -> Hits:
    first = next((other for other in world.boards if other.uid == board.uid), board)
    if board.uid and first is not board:
        yield Hit(f"{first.subject.file} has the uid {board.uid!r} too", (*board.wrapped, "uid"))


RULE = Rule(
    "duplicate-uid",
    Severity.BUG,
    why="The uid is the board's address. Of two boards with one uid the last one pushed wins, and a mounted directory "
    "that holds both becomes read-only as a whole.",
    fix="change one of the uids; links to it change as well",
    on_board=_check,
)
