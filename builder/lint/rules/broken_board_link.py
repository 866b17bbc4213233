"""broken-board-link: a link to a board that is not there."""

from __future__ import annotations

from builder.errors import nearest
from builder.lint.finding import Severity
from builder.lint.links import target
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.world import World


def _check(board: Board, world: World) -> Hits:
    if not world.config.whole:
        return  # the board may be in a file that was not named
    told = set()
    for link in board.links:
        uid = target(link.url)
        key = (uid, link.panel.place if link.panel else ())
        if uid not in world.by_uid and uid not in world.config.others and key not in told:
            told.add(key)
            yield Hit(f"a link leads to {uid!r}, which none of the boards is", link.place, nearest(uid, world.by_uid))


RULE = Rule(
    "broken-board-link",
    Severity.BUG,
    why='Whoever follows the link gets "Dashboard not found", in the middle of looking for a fault.',
    fix="link to a board that exists, by its uid",
    on_board=_check,
)
