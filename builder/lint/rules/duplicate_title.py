"""duplicate-title: two boards with one title in a folder."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(board: Board, world: World) -> Hits:
    first = next((other for other in world.boards if _same(other, board)), board)
    # Under one uid as well it is the same board twice, which duplicate-uid says.
    if board.title and first is not board and (first.uid != board.uid or not board.uid):
        yield Hit(
            f"{first.subject.file} in the same folder has the title {board.title!r} too", (*board.wrapped, "title")
        )


def _same(one: Board, other: Board) -> bool:
    return one.subject.folder == other.subject.folder and one.title.casefold() == other.title.casefold()


RULE = Rule(
    "duplicate-title",
    Severity.WARNING,
    why="Grafana up to 11.2 refuses the second board, and a mounted directory that holds both becomes read-only as a "
    "whole. Later versions take it, and the reader has two boards that look alike.",
    fix="change one of the titles, or move the board to another folder",
    on_board=_check,
)
