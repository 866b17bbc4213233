"""unused-variable: a choice that changes nothing."""

from __future__ import annotations

from builder.lint.finding import Severity
from builder.lint.model import Board
from builder.lint.rule import Hit, Hits, Rule
from builder.lint.shape import texts
from builder.lint.world import World
from builder.promql.substitute import references

_LEFT_ALONE = ("adhoc", "groupby", "datasource")  # they work by themselves, or go along with links to other boards
_BY_NAME = frozenset(("repeat", "name"))  # Grafana's own keys that name a variable without a dollar sign


def _check(board: Board, _world: World) -> Hits:
    used: dict[str, set[str]] = {}
    for place, written in texts(board.data, board.wrapped):
        by = _declared_at(board, place)
        for name in references(written):
            used.setdefault(name, set()).add(by)
        if place[-1] in _BY_NAME and not by:
            used.setdefault(written, set()).add("")
    for variable in board.variables:
        elsewhere = used.get(variable.name, set()) - {variable.name}
        if variable.name and not elsewhere and variable.type not in _LEFT_ALONE:
            yield Hit(f"the variable ${variable.name} is used nowhere", variable.place)


def _declared_at(board: Board, place: tuple[str | int, ...]) -> str:
    """The variable whose declaration a place is in, or nothing."""
    start = (*board.wrapped, "templating", "list")
    if place[: len(start)] != start:
        return ""
    return next((v.name for v in board.variables if v.place == place[: len(start) + 1]), "")


RULE = Rule(
    "unused-variable",
    Severity.INFO,
    why="The reader chooses a value and nothing changes, which looks like a fault; and its query costs time whenever "
    "the board is opened.",
    fix="use it in a query, or remove it",
    on_board=_check,
)
