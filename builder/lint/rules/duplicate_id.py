"""duplicate-id: two panels that Grafana cannot tell apart."""

from __future__ import annotations

from builder.lint.edits import Edit
from builder.lint.finding import Place, Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import texts
from builder.lint.world import World

_MENTIONS = ("panelId=", "viewPanel=", "editPanel=", "-- Dashboard --")


def _check(board: Board, _world: World) -> Hits:
    parts = [(p.place, p.id, p.title) for p in board.panels] + [(r.place, r.id, r.title) for r in board.rows]
    seen: dict[int, str] = {}
    following = max([number for _, number, _ in parts if number] + [0]) + 1
    mendable = not any(mark in written for _, written in texts(board.data) for mark in _MENTIONS)
    for place, number, title in sorted(parts, key=lambda part: [str(step).zfill(6) for step in part[0]]):
        if number is not None and number > 0 and number not in seen:
            seen[number] = title
            continue
        if _is_old_row(place):
            continue  # rows of before schemaVersion 16 have no id
        edits = (Edit((*place, "id"), following),) if mendable else ()
        following += 1
        if number is None or number <= 0:
            yield Hit("no id", place, "give it a number of its own", Severity.INFO, edits)
        else:
            other = f"; {seen[number]!r} has it too" if seen[number] else ""
            yield Hit(f"the id {number} is taken{other}", (*place, "id"), edits=edits)


def _is_old_row(place: Place) -> bool:
    return len(place) >= 2 and place[-2] == "rows"


RULE = Rule(
    "duplicate-id",
    Severity.WARNING,
    why="Grafana gives panels with a doubled or missing id new ones whenever the board is opened, so links to a panel, "
    "its alerts and its image lead somewhere else; two rows with one id are merged.",
    fix="give every panel and row a number of its own, those in collapsed rows included",
    on_board=_check,
)
